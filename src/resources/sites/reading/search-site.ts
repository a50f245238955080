// Search over a whole site, as one visitor sees it. The indexes of its spaces contain every text, so they only suggest
// pages. The results, their number, rank and excerpts come from a temporary index of those pages' texts as this visitor
// reads them. So hidden text has no influence on the answer.

import type * as v from "valibot";
import { loadSearch } from "../../../content/late";
import type { PageEntry } from "../../../content/revision/entries";
import { type Identified, pathFrom } from "../../../content/revision/view";
import type { Section, SectionHit } from "../../../content/search";
import { operation } from "../../../operation/operation";
import { remembered } from "../../../parts/memory";
import type { Reader } from "../../../store/transaction";
import { inTurns } from "../../../turns/pause";
import type { Shown as ContentShown, ShownRevision } from "../../content/revisions/computed-content";
import { revisions } from "../../content/revisions/records";
import { appUrl } from "../../content/revisions/views";
import { suggestPages } from "../../content/search/find-pages";
import type { SuggestedPage } from "../../content/search/pools";
import { loadPools } from "../../content/search/spaces-late";
import type { SpaceRecord } from "../../library/tree/records";
import { partitionOf } from "../../people/organizations/records";
import { pageUrl } from "../addresses/page-urls";
import { spacesOn, visiblePart } from "../audience/visible";
import { type SiteSpaceRecord, sites } from "../records";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure, siteSpacesIn } from "../structure/structure";
import type { ReadingSite } from "./page-views";
import { FoundSpaceOnSite, SiteQuestion } from "./published-schema";
import { siteSpacesAsked } from "./search-scope";
import { isKeptOut, searchableFor } from "./searchable";
import { type Sight, sightOf } from "./sight";
import { asStranger, visitorContent } from "./visitor-content";
import { sectionsFor } from "./visitor-texts";

/** The most pages that a search reads, and so the most results. */
const MAX_FOUND = 100;

export const searchSite = operation("POST /orgs/:organizationId/sites/:siteId/search", {
  summary: "Search the pages of a site, as a visitor sees them",
  description: `Finds at most ${MAX_FOUND} pages, by space, and the space with the best page first. \`scope\` says where to look: \`default\` in the default site-space of every section, and in those of \`includedSiteSpaces\`; \`specific\` in those that it names; \`all\` in all of them, which is the default. \`mode\` is an older form. Hidden pages with all below them, and pages with \`noIndex\`, are not found.`,
  on: publishedSite,
  right: "view",
  forVisitors: true,
  query: visitorQuery,
  body: SiteQuestion,
  list: FoundSpaceOnSite,
  isQuestion: true,
  async handle(context) {
    const { listPart, body } = context;
    const structure = await readStructure(context.tx, context.site, context.work.parts);
    const { hits, sectionsIn } = await findOnSite(context, structure, body, MAX_FOUND);
    const spaces = bySpace(hits);
    const offset = listPart.after === undefined ? 0 : Number(listPart.after);
    const end = offset + listPart.limit;
    const items: v.InferInput<typeof FoundSpaceOnSite>[] = [];
    for (const inside of spaces.slice(offset, end)) {
      const { space, siteSpace } = inside[0]!;
      const pages = [];
      for (const it of inside) pages.push(foundView(context, structure, it, await sectionsIn(it.sections)));
      items.push({ id: space.id, title: space.title, siteSpace: siteSpace.id, pages });
    }
    return {
      items,
      last: end < spaces.length ? String(end) : undefined,
      count: spaces.length,
    };
  },
});

/** The pages that match best, and which of their sections do. Only the texts that the visitor reads decide. */
export async function findOnSite(
  context: ReadingSite,
  structure: Structure,
  question: v.InferOutput<typeof SiteQuestion>,
  most: number,
) {
  const candidates = await candidatesOn(context, structure, question);
  const index = (await loadSearch()).createIndex();
  for (const [at, { page, sections }] of candidates.entries()) {
    const { title, description = "" } = page;
    await inTurns(index.putInSteps({ id: rankName(at), title, description, sections }));
  }
  const { hits, sectionsInSteps } = index.search(question.query, most, 0);
  const sectionsIn = (sections: readonly Section[]) => inTurns(sectionsInSteps(sections));
  return { hits: hits.map(({ id }) => candidates[Number(id)]!), sectionsIn };
}

/** Results by their space, in the order of the best of each. */
function bySpace(hits: readonly Candidate[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const hit of hits) {
    const group = groups.get(hit.space.id);
    if (group) group.push(hit);
    else groups.set(hit.space.id, [hit]);
  }
  return [...groups.values()];
}

/** Results with equal scores keep the order in which they were suggested. */
function rankName(at: number): string {
  return String(at).padStart(4, "0");
}

interface Candidate {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly page: Identified<PageEntry>;
  readonly path: string;
  readonly sections: Awaited<ReturnType<typeof sectionsFor>>;
}

/** The most likely pages, with the texts that the visitor reads. */
async function candidatesOn(
  context: ReadingSite,
  structure: Structure,
  question: v.InferOutput<typeof SiteQuestion>,
): Promise<Candidate[]> {
  const shown = await shownOn(context, structure, question);
  const bySpace = new Map(shown.map((it) => [it.space.id, it]));
  const candidates: Candidate[] = [];
  const looks = new Map<string, Promise<Look>>();
  for (const { id, space: at, root } of await suggestionsOn(context, structure, shown, question.query)) {
    const look = looks.get(at) ?? lookInto(context, { space: at, root });
    looks.set(at, look);
    const { sight, view, atHand } = await look;
    const way = await sight.wayTo(id);
    if (!way || isKeptOut(way)) continue;
    const sections = await sectionsFor(atHand, view, way[0]!, context.visitor.claims);
    candidates.push({ ...bySpace.get(at)!, page: way[0]!, path: pathFrom(way), sections });
  }
  return candidates;
}

type Look = ContentShown & { readonly sight: Sight };

async function lookInto(context: ReadingSite, revision: ShownRevision): Promise<Look> {
  const content = visitorContent(context, revision);
  return { ...content, sight: await sightOf(content.view, context.visitor.claims) };
}

interface Shown {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
}

/** About what a space takes in memory, with its path. */
const SPACE_BYTES = 1500;

/** The site-spaces that a question is about, with their spaces as they are now. */
async function shownOn(
  { tx, actor, site, organization, me, visitor, work }: ReadingSite,
  structure: Structure,
  question: v.InferOutput<typeof SiteQuestion>,
): Promise<Shown[]> {
  const viewing = { tx, actor, site, organization, me, visitor };
  const read = () => spacesOn(viewing, siteSpacesIn(structure));
  // They are the same for all visitors until something is written, but in a preview.
  const stamp = `${structure.stamp} ${tx.version}`;
  const spaces = visitor.preview
    ? await read()
    : await remembered(work.parts.memory, `${site.id} spaces now`, stamp, read, ({ size }) => SPACE_BYTES * size);
  const visible = visiblePart(viewing, structure, (id) => spaces.get(id));
  return siteSpacesAsked(structure, visible, question).map((siteSpace) => ({
    siteSpace,
    space: spaces.get(siteSpace.space)!.path[0] as SpaceRecord,
  }));
}

/** The best of the pages that the visitor may find. Small spaces are searched together, others one by one. */
async function suggestionsOn(
  context: ReadingSite,
  structure: Structure,
  shown: readonly Shown[],
  query: string,
): Promise<readonly SuggestedPage[]> {
  const { tx, objects, work, organization, site, visitor } = context;
  const spaces = shown.map(({ space }) => space);
  const seesIn = (content: ShownRevision) => searchableFor(context, content, visitor.claims);
  // A preview shows one space as nobody else sees it.
  const isAlone = ({ id }: SpaceRecord) => work.parts.search.engine !== undefined || id === visitor.preview?.space;
  const at = { tx: tx.unchecked, objects, work, partition: partitionOf(organization.id)! };
  const isThere = async (tx: Reader) => (await sites.get(tx, site.id)) !== undefined;
  const { suggestFromPool } = await loadPools();
  const { suggested, apart } = await suggestFromPool(
    { ...at, name: site.id, total: async () => siteSpacesIn(structure).length, isThere },
    spaces.filter((it) => !isAlone(it)),
    query,
    MAX_FOUND,
    seesIn,
  );
  const alone = [...apart, ...spaces.filter(isAlone)];
  const active = await revisions.getMany(
    tx.unchecked,
    alone.map(({ id, revision }) => [id, revision]),
  );
  const all = [...suggested];
  for (const revision of active) {
    if (!revision) continue;
    const { space, root } = revision;
    const hits = await suggestPages({ ...asStranger(context), revision }, query, MAX_FOUND, await seesIn(revision));
    for (const hit of hits) all.push({ ...hit, space, root });
  }
  return all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, MAX_FOUND);
}

function foundView(
  context: ReadingSite,
  structure: Structure,
  { siteSpace, space, page: { id, title }, path }: Candidate,
  hits: readonly SectionHit[],
): v.InferInput<typeof FoundSpaceOnSite>["pages"][number] {
  const { published } = pageUrl(context, structure, siteSpace, path);
  const app = appUrl({ ...context, space }, path);
  const urlsAt = (behind: string) => ({
    app: app + behind,
    ...(published === undefined ? {} : { published: published + behind }),
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
