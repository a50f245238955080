// Search over a whole site, as one visitor sees it. The indexes of its spaces contain every text, so they only suggest
// pages. The results, their number, rank and excerpts come from a temporary index of those pages' texts as this visitor
// reads them. So hidden text has no influence on the answer.

import type * as v from "valibot";
import { loadSearch } from "../../../content/late";
import type { PageEntry } from "../../../content/revision/entries";
import { type Identified, pathFrom } from "../../../content/revision/view";
import type { Section, SectionHit } from "../../../content/search";
import { operation } from "../../../operation/operation";
import { inTurns } from "../../../turns/pause";
import type { Shown as ContentShown } from "../../content/revisions/computed-content";
import { type RevisionRecord, revisions } from "../../content/revisions/records";
import { appUrl } from "../../content/revisions/views";
import { suggestPages } from "../../content/search/find-pages";
import type { SpaceRecord } from "../../library/tree/records";
import { pageUrl } from "../addresses/page-urls";
import { visibleTo } from "../audience/visible";
import type { SiteSpaceRecord } from "../records";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure } from "../structure/structure";
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
  const suggested: Suggestion[] = [];
  for (const at of await shownOn(context, structure, question))
    suggested.push(...(await suggestionsIn(context, at, question.query)));
  suggested.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const candidates: Candidate[] = [];
  const looks = new Map<SiteSpaceRecord, Promise<Look>>();
  for (const { id, siteSpace, space, revision } of suggested.slice(0, MAX_FOUND)) {
    const look = looks.get(siteSpace) ?? lookInto(context, revision);
    looks.set(siteSpace, look);
    const { sight, view, atHand } = await look;
    const way = await sight.wayTo(id);
    if (!way || isKeptOut(way)) continue;
    const sections = await sectionsFor(atHand, view, way[0]!, context.visitor.claims);
    candidates.push({ siteSpace, space, page: way[0]!, path: pathFrom(way), sections });
  }
  return candidates;
}

type Look = ContentShown & { readonly sight: Sight };

async function lookInto(context: ReadingSite, revision: RevisionRecord): Promise<Look> {
  const content = visitorContent(context, revision);
  return { ...content, sight: await sightOf(content.view, context.visitor.claims) };
}

interface Shown {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly revision: RevisionRecord;
}

/** The site-spaces that a question is about, with their current content. */
async function shownOn(
  { tx, actor, site, organization, me, visitor }: ReadingSite,
  structure: Structure,
  question: v.InferOutput<typeof SiteQuestion>,
): Promise<Shown[]> {
  const seen = await visibleTo({ tx, actor, site, organization, me, visitor }, structure);
  const asked = siteSpacesAsked(structure, seen.structure, question).map((siteSpace) => ({
    siteSpace,
    space: seen.spaceOf(siteSpace).path[0] as SpaceRecord,
  }));
  const active = await revisions.getMany(
    tx.unchecked,
    asked.map(({ space }) => [space.id, space.revision]),
  );
  return asked.flatMap((it, i) => (active[i] ? [{ ...it, revision: active[i] }] : []));
}

interface Suggestion extends Shown {
  readonly id: string;
  readonly score: number;
}

/** The suggested pages of a site-space that the visitor may find. */
async function suggestionsIn(context: ReadingSite, at: Shown, query: string): Promise<Suggestion[]> {
  const mayName = await searchableFor(context, at.revision, context.visitor.claims);
  const hits = await suggestPages({ ...asStranger(context), revision: at.revision }, query, MAX_FOUND, mayName);
  return hits.map(({ id, score }) => ({ ...at, id, score }));
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
