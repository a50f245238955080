// Finds pages of a space, with the host's search engine or the built-in one.

import type * as v from "valibot";
import { loadSearch } from "../../../content/lazy";
import type { PageEntry } from "../../../content/revision/entries";
import type { RevisionView, WithId } from "../../../content/revision/view";
import type { RankedPage, SearchFindings, SearchIndex, SectionHit } from "../../../content/search";
import type { JobContext } from "../../../jobs/jobs";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { findOrganizationPartition } from "../../people/organizations/records";
import { type ComputedReadContext, getShownContent, type RevisionRoot } from "../revisions/computed-content";
import type { InContent } from "../revisions/rules";
import { type ContentViewContext, getAppUrl, getPagePath } from "../revisions/views";
import { computedIn, NO_PAGES } from "./computed-pages";
import { type Indexing, sectionsOf, withIndex } from "./indexes";
import type { VaryingPart } from "./pools";
import type { IndexPart } from "./rank-together";
import type { FoundPage } from "./schema";
import { isBook, varyingPages } from "./variations";

/** What finding needs. */
export interface Finding extends InContent {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly peek: ComputedReadContext["peek"];
  readonly jobContext: JobContext;
  readonly urls: ContentViewContext["urls"];
}

/** Which of the matching pages to return. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** Matching pages: their number, the score of the best one, and those that are returned. */
export interface FoundPages {
  readonly total: number;
  readonly best: number;
  readonly pages: v.InferInput<typeof FoundPage>[];
  /** The number of ranks that were looked at: there is less than was asked for when an answer is full. */
  readonly looked: number;
  /** Whether all of this stays the same until something is written. */
  readonly isLasting: boolean;
}

/** Matching pages by rank, and how the sections of one are found. */
export interface RankedPages {
  readonly total: number;
  readonly hits: readonly RankedPage[];
  /** `texts`: where the text of the page is found, stored or computed. */
  readonly sectionsIn: (page: WithId<PageEntry>, texts: Objects) => Promise<readonly SectionHit[]>;
  /** Whether the ranking stays the same until something is written: nobody says when the pages of a host's engine, or those that
   * are computed, change. */
  readonly isLasting: boolean;
}

export async function findPages(context: Finding, query: string, window: Window): Promise<FoundPages> {
  return foundPages(context, await rankPages(context, query, window));
}

/** The matching pages of a space, without a look at their texts. */
export function rankPages(context: Finding, query: string, window: Window): Promise<RankedPages> {
  return context.jobContext.ports.search.engine ? askEngine(context, query, window) : askIndex(context, query, window);
}

/** How many sections of a page are shown, by its place in an answer: an answer is read from its beginning. */
export function sectionsShownAt(place: number): number {
  return place < 3 ? 3 : place < 10 ? 1 : 0;
}

/** How long the pages of an answer may be together, as JSON. */
const MAX_ANSWER_CHARACTERS = 19_000;

/** What is left of the length of an answer. */
export class AnswerBudget {
  #left = MAX_ANSWER_CHARACTERS;
  #isBegun = false;

  /** Takes room for a part of the answer; false: it belongs to the next page of results. The first part always has room. */
  take(part: object): boolean {
    const { length } = JSON.stringify(part);
    if (this.#isBegun && length > this.#left) return false;
    this.#isBegun = true;
    this.#left -= length;
    return true;
  }
}

/** Ranked pages as they are shown. `place` is that of the first one in the answer. With a budget there may be less than were
 * ranked. */
export async function foundPages(
  context: Finding,
  found: RankedPages,
  { place = 0, budget }: { readonly place?: number; readonly budget?: AnswerBudget } = {},
): Promise<FoundPages> {
  const { total, hits, isLasting } = found;
  const { view, availableObjects: atHand } = getShownContent(context, context.revision);
  const shown = await view.getPages(hits.map(({ id }) => id));
  const pages: v.InferInput<typeof FoundPage>[] = [];
  let looked = 0;
  for (const page of shown) {
    if (page) {
      const most = sectionsShownAt(place + pages.length);
      const sections = most === 0 ? [] : (await found.sectionsIn(page, atHand)).slice(0, most);
      const shownPage = await pageView(context, view, page, sections);
      if (budget && !budget.take(shownPage)) break;
      pages.push(shownPage);
    }
    looked++;
  }
  return { total, best: hits[0]?.score ?? 0, pages, looked, isLasting };
}

/** What ranking the pages of a space needs. */
export type Ranking = ComputedReadContext & {
  readonly revision: RevisionRoot;
};

/** The pages of a space that the host's engine finds and `isSeen` allows. */
export async function suggestedByEngine(
  { jobContext, revision, organization }: Ranking,
  query: string,
  limit: number,
  isSeen: (id: string) => boolean,
): Promise<readonly string[]> {
  const at = { organization: organization.id, space: revision.space };
  const { hits } = await jobContext.ports.search.engine!.search(at, query, { offset: 0, limit });
  return hits.map(({ id }) => id).filter(isSeen);
}

/** All pages of a space but those that are computed from what the caller may not see. */
export async function spacePart(context: Ranking): Promise<IndexPart & { readonly hasComputed: boolean }> {
  const { space, root } = context.revision;
  const { computed, hidden } = await computedFor(context);
  const isIn = hidden.size === 0 ? undefined : (id: string) => !hidden.has(id);
  const use: IndexPart["use"] = (run) =>
    withIndex(indexingIn(context), { space, root, computed }, (index) => run(index, isIn));
  return { use, hasComputed: computed !== NO_PAGES };
}

/** The same for a visitor who does not find some pages, without those whose text varies. */
export async function visibleSpacePart(
  context: Ranking,
  kept: ReadonlySet<string>,
): Promise<{ readonly part: IndexPart; readonly varying?: VaryingPart; readonly hasComputed: boolean }> {
  const { space, root } = context.revision;
  const { computed, hidden } = await computedFor(context);
  const inBook = await isBook(context.objects, root);
  const isSeen =
    kept.size === 0 && hidden.size === 0
      ? undefined
      : (id: string) => !hidden.has(id) && !kept.has(computed.origins.get(id) ?? id);
  const use = <T>(run: (index: SearchIndex, varying: ReadonlySet<string>) => T) =>
    withIndex(indexingIn(context), { space, root, computed }, (index) =>
      run(index, varyingPages(index, inBook ? () => true : undefined)),
    );
  const hasComputed = computed !== NO_PAGES;
  const part: IndexPart = {
    use: (run) =>
      use((index, varying) =>
        run(index, varying.size === 0 ? isSeen : (id) => !varying.has(id) && (isSeen === undefined || isSeen(id))),
      ),
  };
  if (!(await use((_, varying) => varying.size > 0))) return { part, hasComputed };
  const suggest: VaryingPart["suggest"] = (query, most) =>
    use((index, varying) =>
      index
        .findCandidates(
          query,
          most,
          () => true,
          (id) => varying.has(id) && (isSeen === undefined || isSeen(id)),
        )
        .map(({ id }) => ({ id, space, root })),
    );
  return { part, varying: { suggest }, hasComputed };
}

/** Pages of a part as they are shown later. */
export function rankedPages(
  { total, hits, findSectionsInSteps: sectionsInSteps }: SearchFindings,
  isLasting: boolean,
): RankedPages {
  const sectionsIn: RankedPages["sectionsIn"] = async ({ body }, texts) =>
    runSteps(sectionsInSteps(await sectionsOf(texts, body)));
  return { total, hits, sectionsIn, isLasting };
}

function indexingIn({ tx, objects, jobContext, organization }: Ranking): Indexing {
  return { tx, objects, jobContext, partition: findOrganizationPartition(organization.id)! };
}

/** All computed pages, and those that the caller may not see. */
function computedFor(context: Ranking) {
  return computedIn(context, (source) => source.isVisibleTo(context));
}

type SectionsIn = RankedPages["sectionsIn"];

async function askIndex(context: Finding, query: string, { offset, limit }: Window) {
  const { use, hasComputed } = await spacePart(context);
  return rankedPages(await use((index, isIn) => index.search(query, limit, offset, { includes: isIn })), !hasComputed);
}

/** Another engine returns pages; the positions of the words are found here. */
async function askEngine(context: Finding, query: string, window: Window) {
  const { createSearchIndex } = await loadSearch();
  const found = await seenOfEngine(context, query, window);
  const sectionsIn: SectionsIn = async ({ id, title, body }, texts) => {
    const sections = await sectionsOf(texts, body);
    const index = createSearchIndex();
    await runSteps(index.putInSteps({ id, title, sections }));
    return runSteps(index.search(query, 1).findSectionsInSteps(sections));
  };
  return { ...found, sectionsIn, isLasting: false };
}

/** The most matches of an engine that are looked through for those that the caller may see. */
const MAX_LOOKED_THROUGH = 1000;

/** What an engine finds. Its number of matches must not tell of computed pages that the caller may not see. */
async function seenOfEngine(context: Finding, query: string, window: Window) {
  const { jobContext, organization, space } = context;
  const ask = (window: Window) =>
    jobContext.ports.search.engine!.search({ organization: organization.id, space: space.id }, query, window);
  const { hidden } = await computedFor(context);
  if (hidden.size === 0) return ask(window);
  const { hits } = await ask({ offset: 0, limit: MAX_LOOKED_THROUGH });
  const seen = hits.filter(({ id }) => !hidden.has(id));
  return { total: seen.length, hits: seen.slice(window.offset, window.offset + window.limit) };
}

async function pageView(
  context: Finding,
  view: RevisionView,
  page: WithId<PageEntry>,
  hits: readonly SectionHit[],
): Promise<v.InferInput<typeof FoundPage>> {
  const { id, title } = page;
  const path = await getPagePath(view, id);
  const app = getAppUrl(context, path);
  const sections = hits.map(({ anchor, title: heading, excerpt }) => {
    const behind = anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`;
    return {
      id: anchor ?? id,
      title: heading ?? title,
      path: anchor === undefined ? path : `${path}#${anchor}`,
      body: excerpt,
      urls: { app: app + behind },
    };
  });
  return { id, title, path, sections, urls: { app } };
}
