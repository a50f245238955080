// Search over a whole site, as one visitor sees it. The pages of all its spaces are ranked as those of one index. Pages that
// the visitor does not see take no part in it, and pages with visitor-specific text are ranked by the text that this visitor
// reads. So hidden text has no influence on the result.

import type * as v from "valibot";
import { loadSearch } from "../../../content/lazy";
import type { PageEntry } from "../../../content/revision/entries";
import { buildPagePath, type WithId } from "../../../content/revision/view";
import type { SearchIndex, SearchSection, SectionHit } from "../../../content/search";
import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { groupBy } from "../../../utils/group-by";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { getOrCompute } from "../../../utils/stamped-cache";
import type { ReadableContent, RevisionRoot } from "../../content/revisions/computed-content";
import { revisions } from "../../content/revisions/records";
import { getAppUrl } from "../../content/revisions/views";
import { cacheSearchResponse } from "../../content/search/cache-search-response";
import { countShownSections, openVisibleSpacePart } from "../../content/search/find-pages";
import { loadPools } from "../../content/search/load-many-spaces";
import type { VaryingPage, VaryingPart } from "../../content/search/pools";
import { type IndexPart, rankTogether } from "../../content/search/rank-together";
import type { SpaceRecord } from "../../library/tree/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { getPageUrls } from "../addresses/page-urls";
import { filterVisibleItems, loadSiteSpaces } from "../audience/visible-items";
import { type SiteSpaceRecord, sites } from "../records";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { getSiteSpaces, isDefaultItem, readStructure, type Structure } from "../structure/structure";
import type { PublishedSiteContext } from "./page-views";
import { SiteSearchQuery, SiteSearchSpace } from "./published-schema";
import { getUnsearchablePages, isExcludedFromSearch } from "./unsearchable-pages";
import { createVisiblePages, type VisiblePages } from "./visible-pages";
import { asNonMember, getVisitorContent, readPageSections } from "./visitor-content";

/** Maximum number of pages in a result. */
const MAX_RESULTS = 20;
/** Maximum number of pages with visitor-specific text that a search reads. */
const MAX_VARYING_PAGES = 100;
/** Approximate memory of a space together with its path. */
const SPACE_BYTES = 1500;

export const searchSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/search", {
  summary: "Search the pages of a site, as a visitor sees them",
  description:
    `Finds the ${MAX_RESULTS} best pages, by space, and the space with the best page first. The best pages have ` +
    `the sections that match. \`scope\` says where to look: \`default\` in the default site-space of every ` +
    `section, and in those of \`includedSiteSpaces\`; \`specific\` in those that it names; \`all\` in all of them, ` +
    `which is the default. \`mode\` is an older form. Hidden pages with all below them, and pages with ` +
    `\`noIndex\`, are not found.`,
  target: publishedSite,
  right: "view",
  allowsVisitors: true,
  query: visitorQuery,
  body: SiteSearchQuery,
  list: SiteSearchSpace,
  isReadOnly: true,
  async handle(context) {
    const { pageRequest, body, site, visitor } = context;
    const structure = await readStructure(context.tx, site, context.jobContext.ports);
    const spaces = await listSearchedSpaces(context, structure, body);
    const { limit } = pageRequest;
    const offset = pageRequest.after === undefined ? 0 : Number(pageRequest.after);
    const { claims, shareKey = null, preview = null } = visitor;
    const siteSpaceIds = spaces.map(({ siteSpace }) => siteSpace.id);
    const cacheKey = [site.id, body.query, offset, limit, claims, shareKey, preview, siteSpaceIds];

    const { items, count, isLasting } = await cacheSearchResponse(context, cacheKey, async () => {
      const scope = await buildSearchScope(context, structure, spaces);
      const hits = await findHits(context, scope, body.query, MAX_RESULTS);
      // Groups keep the order of their first page, which is the best one.
      const groups = [...groupBy(hits, ({ space }) => space.id).values()];
      const items: v.InferInput<typeof SiteSearchSpace>[] = [];
      let position = 0;
      for (const group of groups.slice(offset, offset + limit)) {
        const { space, siteSpace } = group[0]!;
        const pages = [];
        for (const hit of group) {
          const max = countShownSections(position++);
          const sections = max === 0 ? [] : (await hit.findSections(await hit.readSections())).slice(0, max);
          pages.push(presentHit(context, structure, hit, sections));
        }
        items.push({ id: space.id, title: space.title, siteSpace: siteSpace.id, pages });
      }
      return { items, count: groups.length, isLasting: scope.unstableSpaces.size === 0 };
    });

    const end = offset + limit;
    const list = [...items];
    if (isLasting) stableResults.add(list);
    return { items: list, lastPosition: end < count ? String(end) : undefined, count };
  },
});

/** The results of `searchSite` that stay valid until something is written in the organization. */
export const stableResults = new WeakSet<object>();

/** Finds the pages of a site that match best, as the visitor reads them. */
export async function findPagesOnSite(
  context: PublishedSiteContext,
  structure: Structure,
  query: v.InferOutput<typeof SiteSearchQuery>,
  max: number,
): Promise<readonly SiteSearchHit[]> {
  const spaces = await listSearchedSpaces(context, structure, query);
  return findHits(context, await buildSearchScope(context, structure, spaces), query.query, max);
}

/** A site-space that is searched, and its space. */
interface SearchedSpace {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
}

/** Returns the site-spaces that a query is about, with the current state of their spaces. */
async function listSearchedSpaces(
  { tx, actor, site, organization, me, visitor, jobContext }: PublishedSiteContext,
  structure: Structure,
  query: v.InferOutput<typeof SiteSearchQuery>,
): Promise<SearchedSpace[]> {
  const viewing = { tx, actor, site, organization, me, visitor };
  const load = () => loadSiteSpaces(viewing, getSiteSpaces(structure));
  // Except in a preview, the spaces are the same for all visitors until something is written.
  const spaces = visitor.preview
    ? await load()
    : await getOrCompute(
        jobContext.ports.cache,
        `${site.id} spaces now`,
        `${structure.stamp} ${tx.version}`,
        load,
        ({ size }) => SPACE_BYTES * size,
      );
  const visible = filterVisibleItems(viewing, structure, (id) => spaces.get(id));

  // An id that the visitor does not see is refused like an id that does not exist.
  const { base, ids = [], field } = parseSearchScope(query);
  const visibleItems = new Map(getSiteSpaces(visible).map((item) => [item.id, item]));
  for (const [i, id] of ids.entries())
    if (!visibleItems.has(id))
      throw createValidationError(
        query.siteSpaceId === id ? field! : `${field}.${i}`,
        "The site has no such site-space",
      );
  const selected = new Set(ids);
  return [...visibleItems.values()]
    .filter(
      (item) => base === "all" || selected.has(item.id) || (base === "defaults" && isDefaultItem(structure, item)),
    )
    .map((siteSpace) => ({ siteSpace, space: spaces.get(siteSpace.space)!.path[0] as SpaceRecord }));
}

/** Reads which site-spaces a query names: all of them, the defaults or none, and further ones by the ids in `field`. */
function parseSearchScope({ scope, mode, siteSpaceId, siteSpaceIds }: v.InferOutput<typeof SiteSearchQuery>): {
  readonly base: "all" | "defaults" | "none";
  readonly ids?: readonly string[];
  readonly field?: string;
} {
  if (scope) {
    for (const [name, value] of Object.entries({ mode, siteSpaceId, siteSpaceIds }))
      if (value !== undefined) throw createValidationError(`body.${name}`, "Expected scope alone");
    if (scope.mode === "all") return { base: "all" };
    if (scope.mode === "specific") return { base: "none", ids: scope.siteSpaceIds, field: "body.scope.siteSpaceIds" };
    return { base: "defaults", ids: scope.includedSiteSpaces ?? [], field: "body.scope.includedSiteSpaces" };
  }
  // The older form has a mode, and the ids beside it.
  if (mode !== "current" && siteSpaceId !== undefined)
    throw createValidationError("body.siteSpaceId", "Only the mode current has one");
  if (mode !== "specific" && siteSpaceIds !== undefined)
    throw createValidationError("body.siteSpaceIds", "Only the mode specific has them");
  if (mode === "current") {
    if (siteSpaceId === undefined)
      throw createValidationError("body.siteSpaceId", "The mode current needs a site-space");
    return { base: "none", ids: [siteSpaceId], field: "body.siteSpaceId" };
  }
  if (mode !== "specific") return { base: "all" };
  if (siteSpaceIds === undefined)
    throw createValidationError("body.siteSpaceIds", "The mode specific needs site-spaces");
  return { base: "none", ids: siteSpaceIds, field: "body.siteSpaceIds" };
}

/** An index, or a part of it, whose ids name pages of spaces. */
interface SiteIndexPart extends IndexPart {
  readonly getPage: (id: string) => VaryingPage;
  /** Returns the text that the visitor reads of a page, if it was read for the index. */
  readonly getSections?: (id: string) => readonly SearchSection[] | undefined;
}

/** The pages among which a visitor searches. */
interface SiteSearchScope {
  readonly spaces: readonly SearchedSpace[];
  /** The pages that have the same text for every visitor. */
  readonly parts: readonly SiteIndexPart[];
  /** The pages with visitor-specific text. */
  readonly varying: readonly VaryingPart[];
  /** The spaces with pages whose text may change while the content of the space stays the same. */
  readonly unstableSpaces: ReadonlySet<string>;
}

/** Collects the pages that the visitor may find. Small spaces share one index, and others have their own. */
async function buildSearchScope(
  context: PublishedSiteContext,
  structure: Structure,
  searched: readonly SearchedSpace[],
): Promise<SiteSearchScope> {
  const { tx, objects, jobContext, organization, site, visitor } = context;
  const { engine } = jobContext.ports.search;
  const spaces = searched.map(({ space }) => space);
  // A preview shows one space in a state that nobody else sees.
  const needsOwnIndex = ({ id }: SpaceRecord) => engine !== undefined || id === visitor.preview?.space;
  const getHiddenPages = (content: RevisionRoot) => getUnsearchablePages(context, content, visitor.claims);

  const { openVisiblePoolPart: visiblePoolPart } = await loadPools();
  const pooled = await visiblePoolPart(
    {
      ...{ tx: tx.unchecked, objects, jobContext, partition: findOrganizationPartition(organization.id)! },
      name: site.id,
      total: async () => getSiteSpaces(structure).length,
      isThere: async (tx: Reader) => (await sites.get(tx, site.id)) !== undefined,
    },
    spaces.filter((space) => !needsOwnIndex(space)),
    getHiddenPages,
  );
  const parts: SiteIndexPart[] = pooled.part ? [pooled.part] : [];
  const varying: VaryingPart[] = pooled.varying ? [pooled.varying] : [];
  const unstableSpaces = new Set<string>();

  const notPooled = [...pooled.apart, ...spaces.filter(needsOwnIndex)];
  const revisionKeys = notPooled.map(({ id, revision }) => [id, revision]);
  for (const revision of await revisions.getMany(tx.unchecked, revisionKeys)) {
    if (!revision) continue;
    const { space, root } = revision;
    const searchContext = { ...asNonMember(context), revision };
    const hidden = await getHiddenPages(revision);
    if (engine) {
      // A search engine of the host suggests pages, and each is ranked by the text that the visitor reads.
      const suggest: VaryingPart["suggest"] = async (query, limit) => {
        const { hits } = await engine.search({ organization: organization.id, space }, query, { offset: 0, limit });
        return hits.filter(({ id }) => !hidden.has(id)).map(({ id }) => ({ id, space, root }));
      };
      varying.push({ suggest });
      unstableSpaces.add(space);
      continue;
    }
    const { part, varying: varyingPart, hasComputed } = await openVisibleSpacePart(searchContext, hidden);
    parts.push({ ...part, getPage: (id) => ({ id, space, root }) });
    if (varyingPart) varying.push(varyingPart);
    if (hasComputed) unstableSpaces.add(space);
  }
  return { spaces: searched, parts, varying, unstableSpaces };
}

/** A page that matches, with what the visitor reads of it. */
interface SiteSearchHit extends SearchedSpace {
  readonly page: WithId<PageEntry>;
  readonly path: string;
  readonly readSections: () => Promise<readonly SearchSection[]>;
  /** Finds the sections of the page that match. */
  readonly findSections: (sections: readonly SearchSection[]) => Promise<readonly SectionHit[]>;
}

/** Opens the content of a space as the visitor sees it. */
type ContentOpener = (content: RevisionRoot) => Promise<ReadableContent & { readonly pages: VisiblePages }>;

/**
 * Finds the best pages. All pages that the visitor may find are ranked as those of one index. Pages with visitor-specific
 * text are left out of the indexes of the spaces, and indexed for this query as this visitor reads them.
 */
async function findHits(
  context: PublishedSiteContext,
  scope: SiteSearchScope,
  query: string,
  max: number,
): Promise<readonly SiteSearchHit[]> {
  const opened = new Map<string, ReturnType<ContentOpener>>();
  const openContent: ContentOpener = (revision) => {
    const known = opened.get(revision.space);
    if (known) return known;
    const open = async () => {
      const content = getVisitorContent(context, revision);
      return { ...content, pages: await createVisiblePages(content.view, context.visitor.claims) };
    };
    const opening = open();
    opened.set(revision.space, opening);
    return opening;
  };

  const varyingParts = await indexVaryingPages(context, scope, query, openContent);
  const findings = await rankTogether([...scope.parts, ...varyingParts], query, () => max);
  const ranked = findings
    .flatMap(({ part, hits, findSectionsInSteps }) =>
      hits.map(({ id, score }) => ({
        page: part.getPage(id),
        score,
        findSectionsInSteps,
        knownSections: part.getSections?.(id),
      })),
    )
    .sort((a, b) => b.score - a.score || (a.page.id < b.page.id ? -1 : 1));

  const spaces = new Map(scope.spaces.map((searched) => [searched.space.id, searched]));
  const hits: SiteSearchHit[] = [];
  for (const { page: found, findSectionsInSteps, knownSections } of ranked) {
    if (hits.length === max) break;
    const { pages, view, availableObjects } = await openContent({ space: found.space, root: found.root });
    const ancestry = await pages.getAncestry(found.id);
    if (!ancestry || isExcludedFromSearch(ancestry)) continue;
    const page = ancestry[0]!;
    hits.push({
      ...spaces.get(found.space)!,
      page,
      path: buildPagePath(ancestry),
      readSections: async () => knownSections ?? readPageSections(availableObjects, view, page, context.visitor.claims),
      findSections: (sections) => runSteps(findSectionsInSteps(sections)),
    });
  }
  return hits;
}

/** The cached index of the pages of one revision of a space, as visitors with certain claims read them. */
interface VisitorIndex {
  readonly root: RevisionRoot["root"];
  readonly index: SearchIndex;
  /** The text by page, as far as pages were read; undefined for a page that is not found. */
  readonly sections: Map<string, readonly SearchSection[] | undefined>;
  readonly bytes: number;
}

/**
 * Indexes the pages with visitor-specific text that may match, as this visitor reads them. Only pages that do match are
 * counted in the ranking: the others were suggested by text that the visitor does not see.
 */
async function indexVaryingPages(
  { visitor, jobContext }: PublishedSiteContext,
  { varying, unstableSpaces }: SiteSearchScope,
  query: string,
  openContent: ContentOpener,
): Promise<readonly SiteIndexPart[]> {
  const suggestions: VaryingPage[] = [];
  for (const { suggest } of varying) suggestions.push(...(await suggest(query, MAX_VARYING_PAGES)));
  const { derivedData, mutex } = jobContext.ports.search.indexCache;
  const { createSearchIndex } = await loadSearch();
  const visitorHash = sha256Hex(JSON.stringify([visitor.claims, visitor.preview ?? null]));

  const parts: SiteIndexPart[] = [];
  for (const [space, suggested] of groupBy(suggestions, (page) => page.space)) {
    const { root } = suggested[0]!;
    const name = `read ${space} ${visitorHash}`;
    const suggestedIds = new Set(suggested.map(({ id }) => id));
    const isSuggested = (id: string) => suggestedIds.has(id);
    const isCacheable = !unstableSpaces.has(space);

    // An index serves one query at a time.
    const { entry, matchingIds } = await mutex(name, async () => {
      const cached = isCacheable ? (derivedData.get(name) as VisitorIndex | undefined) : undefined;
      const last: VisitorIndex =
        cached?.root === root ? cached : { root, index: createSearchIndex(), sections: new Map(), bytes: 0 };
      // If the update fails halfway, the index matches no revision: drop it before starting.
      derivedData.delete(name);
      let { bytes } = last;
      for (const { id } of suggested) {
        if (last.sections.has(id)) continue;
        const { pages, view, availableObjects } = await openContent({ space, root });
        const ancestry = await pages.getAncestry(id);
        const page = ancestry && !isExcludedFromSearch(ancestry) ? ancestry[0] : undefined;
        const sections = page && (await readPageSections(availableObjects, view, page, visitor.claims));
        if (page && sections) {
          const { title, description = "" } = page;
          await runSteps(last.index.putInSteps({ id, title, description, sections }));
        }
        last.sections.set(id, sections);
        bytes += 2 * (sections ?? []).reduce((sum, { text }) => sum + text.length, 0);
      }
      const entry: VisitorIndex = { ...last, bytes: Math.max(bytes, last.index.bytes) };
      if (isCacheable) derivedData.set(name, entry);
      const candidates = last.index.findCandidates(query, suggested.length, isSuggested, isSuggested);
      return { entry, matchingIds: new Set(candidates.map(({ id }) => id)) };
    });

    if (matchingIds.size === 0) continue;
    parts.push({
      use: (run) => mutex(name, async () => run(entry.index, (id) => matchingIds.has(id))),
      getPage: (id) => ({ id, space, root }),
      getSections: (id) => entry.sections.get(id),
    });
  }
  return parts;
}

function presentHit(
  context: PublishedSiteContext,
  structure: Structure,
  { siteSpace, space, page: { id, title }, path }: SiteSearchHit,
  hits: readonly SectionHit[],
): v.InferInput<typeof SiteSearchSpace>["pages"][number] {
  const { published } = getPageUrls(context, structure, siteSpace, path);
  const app = getAppUrl({ ...context, space }, path);
  const createUrls = (fragment: string) => ({
    app: app + fragment,
    ...omitUndefined({ published: published === undefined ? undefined : published + fragment }),
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
      urls: createUrls(anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`),
    })),
    urls: createUrls(""),
  };
}
