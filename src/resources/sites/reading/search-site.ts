// Search over a whole site, as one visitor sees it. The indexes of its spaces contain every text, so they only suggest
// pages. The results, their number, rank and excerpts come from a temporary index of those pages' texts as this visitor
// reads them. So hidden text has no influence on the answer.

import type * as v from "valibot";
import { loadSearch } from "../../../content/late";
import type { PageEntry } from "../../../content/revision/entries";
import { type Identified, pathFrom } from "../../../content/revision/view";
import type { SectionHit } from "../../../content/search";
import { operation } from "../../../operation/operation";
import { takingTurns } from "../../../turns/pause";
import type { Shown as ContentShown } from "../../content/revisions/computed-content";
import { type RevisionRecord, revisions } from "../../content/revisions/records";
import { suggestPages } from "../../content/search/find-pages";
import type { SpaceRecord } from "../../library/tree/records";
import { pageUrl } from "../addresses/page-urls";
import { visibleTo } from "../audience/visible";
import type { SiteSpaceRecord } from "../records";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure, siteSpacesIn } from "../structure/structure";
import type { ReadingSite } from "./published-pages";
import { FoundOnSite, SiteQuestion } from "./published-schema";
import { isKeptOut, searchableFor } from "./searchable";
import { type Sight, sightOf } from "./sight";
import { asStranger, visitorContent } from "./visitor-content";
import { sectionsFor } from "./visitor-texts";

/** The most pages that a search reads, and so the most results. */
const MAX_FOUND = 100;

export const searchSite = operation("POST /orgs/:organizationId/sites/:siteId/search", {
  summary: "Search the pages of a site, as a visitor sees them",
  description: `Finds at most ${MAX_FOUND} pages, the best of all site-spaces first. Hidden pages with all below them, and pages with \`noIndex\`, are not found.`,
  on: publishedSite,
  right: "view",
  forVisitors: true,
  query: visitorQuery,
  body: SiteQuestion,
  list: FoundOnSite,
  isQuestion: true,
  async handle(context) {
    const { page, body } = context;
    const structure = await readStructure(context.tx, context.site);
    const candidates = await candidatesOn(context, structure, body.query);
    const { createIndex } = await loadSearch();
    const index = createIndex();
    const carryOut = takingTurns();
    for (const [at, { page, sections }] of candidates.entries()) {
      const { title, description = "" } = page;
      await carryOut(index.putInSteps({ id: rankName(at), title, description, sections }));
    }
    const offset = page.after === undefined ? 0 : Number(page.after);
    const found = index.search(body.query, page.limit, offset);
    const end = offset + page.limit;
    return {
      items: found.hits.map(({ id }) => {
        const candidate = candidates[Number(id)]!;
        return foundView(context, structure, candidate, found.sectionsIn(candidate.sections));
      }),
      last: end < found.total ? String(end) : undefined,
      count: found.total,
    };
  },
});

/** Results with equal scores keep the order in which they were suggested. */
function rankName(at: number): string {
  return String(at).padStart(4, "0");
}

export interface Candidate {
  readonly siteSpace: SiteSpaceRecord;
  readonly page: Identified<PageEntry>;
  readonly path: string;
  readonly sections: Awaited<ReturnType<typeof sectionsFor>>;
}

/** The most likely pages, with the texts that the visitor reads. */
export async function candidatesOn(context: ReadingSite, structure: Structure, query: string): Promise<Candidate[]> {
  const suggested: Suggestion[] = [];
  for (const at of await shownOn(context, structure)) suggested.push(...(await suggestionsIn(context, at, query)));
  suggested.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const candidates: Candidate[] = [];
  const looks = new Map<SiteSpaceRecord, Promise<Look>>();
  for (const { id, siteSpace, revision } of suggested.slice(0, MAX_FOUND)) {
    const look = looks.get(siteSpace) ?? lookInto(context, revision);
    looks.set(siteSpace, look);
    const { sight, view, atHand } = await look;
    const way = await sight.wayTo(id);
    if (!way || isKeptOut(way)) continue;
    const sections = await sectionsFor(atHand, view, way[0]!, context.visitor.claims);
    candidates.push({ siteSpace, page: way[0]!, path: pathFrom(way), sections });
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
  readonly revision: RevisionRecord;
}

/** The visible site-spaces with their current content. */
async function shownOn(
  { tx, actor, site, organization, me, visitor }: ReadingSite,
  structure: Structure,
): Promise<Shown[]> {
  const seen = await visibleTo({ tx, actor, site, organization, me, visitor }, structure);
  const siteSpaces = siteSpacesIn(seen.structure);
  const active = await revisions.getMany(
    tx.unchecked,
    siteSpaces.map((item) => {
      const space = seen.spaceOf(item).path[0] as SpaceRecord;
      return [space.id, space.revision];
    }),
  );
  return siteSpaces.flatMap((siteSpace, i) => (active[i] ? [{ siteSpace, revision: active[i] }] : []));
}

interface Suggestion extends Shown {
  readonly id: string;
  readonly score: number;
}

/** The suggested pages of a site-space that the visitor may find. */
async function suggestionsIn(context: ReadingSite, at: Shown, query: string): Promise<Suggestion[]> {
  const { objects, visitor } = context;
  const mayName = await searchableFor(objects, at.revision, visitor.claims);
  const hits = await suggestPages({ ...asStranger(context), revision: at.revision }, query, MAX_FOUND, mayName);
  return hits.map(({ id, score }) => ({ ...at, id, score }));
}

function foundView(
  context: ReadingSite,
  structure: Structure,
  { siteSpace, page: { id, title }, path }: Candidate,
  hits: readonly SectionHit[],
): v.InferInput<typeof FoundOnSite> {
  const { published } = pageUrl(context, structure, siteSpace, path);
  const urlsAt = (behind: string) => (published === undefined ? {} : { published: published + behind });
  return {
    id,
    siteSpace: siteSpace.id,
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
