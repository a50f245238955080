// Search over a whole site, as one visitor sees it. The pages of its spaces are ranked as those of one index, as a space is
// searched. Pages that the visitor does not see have no part in it, and pages of which each reader may have another text are
// ranked by what this visitor reads. So hidden text has no influence on the answer.

import type * as v from "valibot";
import { loadSearch } from "../../../content/lazy";
import type { PageEntry } from "../../../content/revision/entries";
import { buildPagePath, type WithId } from "../../../content/revision/view";
import type { SearchIndex, SearchSection, SectionHit } from "../../../content/search";
import { defineOperation } from "../../../operation/operation";
import { hashFingerprint } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { getOrCompute } from "../../../utils/stamped-cache";
import type { ShownContent as ContentShown, RevisionRoot } from "../../content/revisions/computed-content";
import { revisions } from "../../content/revisions/records";
import { getAppUrl } from "../../content/revisions/views";
import { sectionsShownAt, suggestedByEngine, visibleSpacePart } from "../../content/search/find-pages";
import type { VaryingPage, VaryingPart } from "../../content/search/pools";
import { type IndexPart, rankTogether } from "../../content/search/rank-together";
import { rememberAnswer } from "../../content/search/remember-answer";
import { loadPools } from "../../content/search/spaces-late";
import type { SpaceRecord } from "../../library/tree/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { getPageUrls } from "../addresses/page-urls";
import { filterVisibleItems, loadSiteSpaces } from "../audience/visible-items";
import { type SiteSpaceRecord, sites } from "../records";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { getSiteSpaces, readStructure, type Structure } from "../structure/structure";
import type { PublishedSiteContext } from "./page-views";
import { SiteSearchQuery, SiteSearchSpace } from "./published-schema";
import { selectSiteSpaces } from "./search-scope";
import { getUnsearchablePages, isExcludedFromSearch } from "./unsearchable-pages";
import { createVisiblePages, type VisiblePages } from "./visible-pages";
import { asNonMember, getVisitorContent } from "./visitor-content";
import { readPageSections } from "./visitor-texts";

/** The most results. */
const MAX_FOUND = 20;
/** The most pages with texts of the visitor's own that a search reads. */
const MAX_READ = 100;

export const searchSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/search", {
  summary: "Search the pages of a site, as a visitor sees them",
  description: `Finds the ${MAX_FOUND} best pages, by space, and the space with the best page first. The best pages have the sections that match. \`scope\` says where to look: \`default\` in the default site-space of every section, and in those of \`includedSiteSpaces\`; \`specific\` in those that it names; \`all\` in all of them, which is the default. \`mode\` is an older form. Hidden pages with all below them, and pages with \`noIndex\`, are not found.`,
  target: publishedSite,
  right: "view",
  allowsVisitors: true,
  query: visitorQuery,
  body: SiteSearchQuery,
  list: SiteSearchSpace,
  isReadOnly: true,
  async handle(context) {
    const { pageRequest, body } = context;
    const structure = await readStructure(context.tx, context.site, context.jobContext.ports);
    const shown = await shownOn(context, structure, body);
    const { limit } = pageRequest;
    const offset = pageRequest.after === undefined ? 0 : Number(pageRequest.after);
    const { site, visitor } = context;
    const { claims, shareKey = null, preview = null } = visitor;
    const spaces = shown.map(({ siteSpace }) => siteSpace.id);
    const question = [site.id, body.query, offset, limit, claims, shareKey, preview, spaces];
    const { items, count, isLasting } = await rememberAnswer(context, question, async () => {
      const scope = await scopeOf(context, structure, shown);
      return answerIn(context, structure, scope, body.query, { offset, limit });
    });
    const end = offset + limit;
    const list = [...items];
    if (isLasting) stableResults.add(list);
    return { items: list, lastPosition: end < count ? String(end) : undefined, count };
  },
});

const stableResults = new WeakSet<object>();

/** Returns whether a list of `searchSite` is the answer until something is written in the organization. */
export function isStableSearchResult(items: readonly object[]): boolean {
  return stableResults.has(items);
}

/** A page of the answer. */
interface Answer {
  readonly items: readonly v.InferInput<typeof SiteSearchSpace>[];
  readonly count: number;
  /** Whether it stays the same until something is written. */
  readonly isLasting: boolean;
}

async function answerIn(
  context: PublishedSiteContext,
  structure: Structure,
  scope: SearchScope,
  query: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Answer> {
  const spaces = bySpace(await findIn(context, scope, query, MAX_FOUND));
  const items: v.InferInput<typeof SiteSearchSpace>[] = [];
  let place = 0;
  for (const inside of spaces.slice(offset, offset + limit)) {
    const { space, siteSpace } = inside[0]!;
    const pages = [];
    for (const hit of inside) {
      const most = sectionsShownAt(place++);
      const sections = most === 0 ? [] : (await hit.sectionsIn(await hit.sections())).slice(0, most);
      pages.push(foundView(context, structure, hit, sections));
    }
    items.push({ id: space.id, title: space.title, siteSpace: siteSpace.id, pages });
  }
  return { items, count: spaces.length, isLasting: scope.unsteady.size === 0 };
}

/** The pages that match best, as the visitor reads them. */
export async function findPagesOnSite(
  context: PublishedSiteContext,
  structure: Structure,
  question: v.InferOutput<typeof SiteSearchQuery>,
  most: number,
): Promise<readonly Hit[]> {
  const shown = await shownOn(context, structure, question);
  return findIn(context, await scopeOf(context, structure, shown), question.query, most);
}

/** Results by their space, in the order of the best of each. */
function bySpace(hits: readonly Hit[]): Hit[][] {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.space.id);
    if (group) group.push(hit);
    else groups.set(hit.space.id, [hit]);
  }
  return [...groups.values()];
}

/** A page that answers, with what the visitor reads of it. */
interface Hit extends Shown {
  readonly page: WithId<PageEntry>;
  readonly path: string;
  readonly sections: () => Promise<readonly SearchSection[]>;
  /** Which of its sections answer. */
  readonly sectionsIn: (sections: readonly SearchSection[]) => Promise<readonly SectionHit[]>;
}

/** Ranks all pages that the visitor finds as those of one index. Pages whose text is another one for each reader are taken out of
 * the indexes of the spaces, and are put into one for this question, as this visitor reads them. */
async function findIn(
  context: PublishedSiteContext,
  scope: SearchScope,
  query: string,
  most: number,
): Promise<readonly Hit[]> {
  const look = looking(context);
  const parts = [...scope.parts, ...(await readParts(context, scope, query, look))];
  const found = await rankTogether(parts, query, () => most);
  const ranked = found
    .flatMap(({ part, hits, findSectionsInSteps: sectionsInSteps }) =>
      hits.map(({ id, score }) => ({
        ...{ ...part.pageOf(id), score, sectionsInSteps },
        known: part.sectionsOf?.(id),
      })),
    )
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const spaces = new Map(scope.shown.map((it) => [it.space.id, it]));
  const hits: Hit[] = [];
  for (const { id, space, root, sectionsInSteps, known } of ranked) {
    if (hits.length === most) break;
    const { sight, view, availableObjects: atHand } = await look({ space, root });
    const way = await sight.getAncestry(id);
    if (!way || isExcludedFromSearch(way)) continue;
    hits.push({
      ...spaces.get(space)!,
      page: way[0]!,
      path: buildPagePath(way),
      sections: async () => known ?? readPageSections(atHand, view, way[0]!, context.visitor.claims),
      sectionsIn: (sections) => runSteps(sectionsInSteps(sections)),
    });
  }
  return hits;
}

/** Pages as the visitors with some claims read them, by their space: at one state of it, as far as they were asked for. */
interface ReadPages {
  readonly root: RevisionRoot["root"];
  readonly index: SearchIndex;
  /** By page: what is read of it; undefined for a page that is not found. */
  readonly known: Map<string, readonly SearchSection[] | undefined>;
  readonly bytes: number;
}

/** The pages that may answer and whose text is another one for each reader, as this visitor reads them. Those that do not answer
 * are not counted either: they were read for words that the visitor does not see. */
async function readParts(
  { visitor, jobContext }: PublishedSiteContext,
  { varying, unsteady }: SearchScope,
  query: string,
  look: Looking,
): Promise<readonly SitePart[]> {
  const bySpace = new Map<string, VaryingPage[]>();
  for (const { suggest } of varying)
    for (const page of await suggest(query, MAX_READ))
      bySpace.set(page.space, [...(bySpace.get(page.space) ?? []), page]);
  const parts: SitePart[] = [];
  const { derivedData: gathered, mutex: turns } = jobContext.ports.search.indexCache;
  const { createSearchIndex } = await loadSearch();
  const visitorName = hashFingerprint(JSON.stringify([visitor.claims, visitor.preview ?? null]));
  for (const [space, pages] of bySpace) {
    const { root } = pages[0]!;
    const name = `read ${space} ${visitorName}`;
    const suggested = new Set(pages.map(({ id }) => id));
    const isSuggested = (id: string) => suggested.has(id);
    // What pages are computed from may change while the content stays the same: then nothing is kept.
    const isKept = !unsteady.has(space);
    // An index is used by one question at a time.
    const { read, answering } = await turns(name, async () => {
      const last = isKept ? (gathered.get(name) as ReadPages | undefined) : undefined;
      const read = last?.root === root ? last : { root, index: createSearchIndex(), known: new Map(), bytes: 0 };
      // An index that was updated only partly has no valid state.
      gathered.delete(name);
      let { bytes } = read;
      for (const { id } of pages) {
        if (read.known.has(id)) continue;
        const { sight, view, availableObjects: atHand } = await look({ space, root });
        const way = await sight.getAncestry(id);
        const page = way && !isExcludedFromSearch(way) ? way[0] : undefined;
        const sections = page && (await readPageSections(atHand, view, page, visitor.claims));
        if (page && sections) {
          const { title, description = "" } = page;
          await runSteps(read.index.putInSteps({ id, title, description, sections }));
        }
        read.known.set(id, sections);
        bytes += 2 * (sections ?? []).reduce((sum, { text }) => sum + text.length, 0);
      }
      const now: ReadPages = { ...read, bytes: Math.max(bytes, read.index.bytes) };
      if (isKept) gathered.set(name, now);
      const found = read.index.findCandidates(query, pages.length, isSuggested, isSuggested);
      return { read: now, answering: new Set(found.map(({ id }) => id)) };
    });
    if (answering.size === 0) continue;
    parts.push({
      use: (run) => turns(name, async () => run(read.index, (id) => answering.has(id))),
      pageOf: (id) => ({ id, space, root }),
      sectionsOf: (id) => read.known.get(id),
    });
  }
  return parts;
}

type Looking = (content: RevisionRoot) => Promise<Look>;

/** Looks into each content once. */
function looking(context: PublishedSiteContext): Looking {
  const looks = new Map<string, Promise<Look>>();
  return ({ space, root }) => {
    const known = looks.get(space) ?? lookInto(context, { space, root });
    looks.set(space, known);
    return known;
  };
}

type Look = ContentShown & { readonly sight: VisiblePages };

async function lookInto(context: PublishedSiteContext, revision: RevisionRoot): Promise<Look> {
  const content = getVisitorContent(context, revision);
  return { ...content, sight: await createVisiblePages(content.view, context.visitor.claims) };
}

interface Shown {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
}

/** About what a space takes in memory, with its path. */
const SPACE_BYTES = 1500;

/** The site-spaces that a question is about, with their spaces as they are now. */
async function shownOn(
  { tx, actor, site, organization, me, visitor, jobContext }: PublishedSiteContext,
  structure: Structure,
  question: v.InferOutput<typeof SiteSearchQuery>,
): Promise<Shown[]> {
  const viewing = { tx, actor, site, organization, me, visitor };
  const read = () => loadSiteSpaces(viewing, getSiteSpaces(structure));
  // They are the same for all visitors until something is written, but in a preview.
  const stamp = `${structure.stamp} ${tx.version}`;
  const spaces = visitor.preview
    ? await read()
    : await getOrCompute(
        jobContext.ports.cache,
        `${site.id} spaces now`,
        stamp,
        read,
        ({ size }) => SPACE_BYTES * size,
      );
  const visible = filterVisibleItems(viewing, structure, (id) => spaces.get(id));
  return selectSiteSpaces(structure, visible, question).map((siteSpace) => ({
    siteSpace,
    space: spaces.get(siteSpace.space)!.path[0] as SpaceRecord,
  }));
}

/** A part of what is ranked, whose ids name pages of spaces. */
interface SitePart extends IndexPart {
  readonly pageOf: (id: string) => VaryingPage;
  /** What the visitor reads of a page, where that is known. */
  readonly sectionsOf?: (id: string) => readonly SearchSection[] | undefined;
}

/** What a question is asked of. */
interface SearchScope {
  readonly shown: readonly Shown[];
  /** The pages that every visitor who sees them reads alike. */
  readonly parts: readonly SitePart[];
  /** The others. */
  readonly varying: readonly VaryingPart[];
  /** Spaces with pages whose text may change while the content of the space stays the same. */
  readonly unsteady: ReadonlySet<string>;
}

/** The pages that the visitor finds. Small spaces are in one index, others in their own. */
async function scopeOf(
  context: PublishedSiteContext,
  structure: Structure,
  shown: readonly Shown[],
): Promise<SearchScope> {
  const { tx, objects, jobContext, organization, site, visitor } = context;
  const spaces = shown.map(({ space }) => space);
  const hiddenIn = (content: RevisionRoot) => getUnsearchablePages(context, content, visitor.claims);
  const { engine } = jobContext.ports.search;
  // A preview shows one space as nobody else sees it.
  const isAlone = ({ id }: SpaceRecord) => engine !== undefined || id === visitor.preview?.space;
  const at = { tx: tx.unchecked, objects, jobContext, partition: findOrganizationPartition(organization.id)! };
  const isThere = async (tx: Reader) => (await sites.get(tx, site.id)) !== undefined;
  const { visiblePoolPart } = await loadPools();
  const pooled = await visiblePoolPart(
    { ...at, name: site.id, total: async () => getSiteSpaces(structure).length, isThere },
    spaces.filter((it) => !isAlone(it)),
    hiddenIn,
  );
  const parts: SitePart[] = pooled.part ? [pooled.part] : [];
  const varying: VaryingPart[] = pooled.varying ? [pooled.varying] : [];
  const unsteady = new Set<string>();
  const alone = [...pooled.apart, ...spaces.filter(isAlone)];
  const active = await revisions.getMany(
    tx.unchecked,
    alone.map(({ id, revision }) => [id, revision]),
  );
  for (const revision of active) {
    if (!revision) continue;
    const { space, root } = revision;
    const asking = { ...asNonMember(context), revision };
    const hidden = await hiddenIn(revision);
    if (engine) {
      const suggest: VaryingPart["suggest"] = async (query, most) =>
        (await suggestedByEngine(asking, query, most, (id) => !hidden.has(id))).map((id) => ({ id, space, root }));
      varying.push({ suggest });
      unsteady.add(space);
      continue;
    }
    const inside = await visibleSpacePart(asking, hidden);
    parts.push({ ...inside.part, pageOf: (id) => ({ id, space, root }) });
    if (inside.varying) varying.push(inside.varying);
    if (inside.hasComputed) unsteady.add(space);
  }
  return { shown, parts, varying, unsteady };
}

function foundView(
  context: PublishedSiteContext,
  structure: Structure,
  { siteSpace, space, page: { id, title }, path }: Hit,
  hits: readonly SectionHit[],
): v.InferInput<typeof SiteSearchSpace>["pages"][number] {
  const { published } = getPageUrls(context, structure, siteSpace, path);
  const app = getAppUrl({ ...context, space }, path);
  const urlsAt = (behind: string) => ({
    app: app + behind,
    ...omitUndefined({ published: published === undefined ? undefined : published + behind }),
  });
  return {
    id,
    title,
    path,
    sections: hits.map(({ anchor, title: heading, excerpt }) => ({
      id: anchor ?? id,
      title: heading ?? title,
      path: anchor === undefined ? path : `${path}#${anchor}`,
      body: excerpt,
      urls: urlsAt(anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`),
    })),
    urls: urlsAt(""),
  };
}
