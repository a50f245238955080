// Finds pages of a space, with the host's search engine or the built-in one, and the passages of them that a model gets.

import type * as v from "valibot";
import { loadSearch } from "../../../content/lazy";
import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { RankedPage, SearchFindings, SearchSection, SectionHit } from "../../../content/search";
import type { JobContext } from "../../../jobs/jobs";
import type { PageRequest } from "../../../operation/pagination";
import type { Passage } from "../../../ports/answer-model";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { type ComputedReadContext, getShownContent } from "../revisions/computed-content";
import type { ContentContext } from "../revisions/rules";
import { type ContentViewContext, getAppUrl, getPagePath } from "../revisions/views";
import { readComputedPages, readSections } from "./indexes";
import { cacheSearchResponse, countShownSections, openSpacePart, presentFoundPage } from "./ranking";
import type { FoundPage } from "./schema";

export interface SpaceSearchContext extends ContentContext {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly peek: ComputedReadContext["peek"];
  readonly jobContext: JobContext;
  readonly urls: ContentViewContext["urls"];
}

/** Returns a page of the results of a search in a space. It begins at a rank, and ends at its limit or where it is full. */
export async function searchPages(
  context: SpaceSearchContext & { readonly pageRequest: PageRequest; readonly query: { readonly query: string } },
) {
  const { query, space, revision } = context;
  const { after = 0, limit } = context.pageRequest;
  const offset = Number(after);
  const question = [space.id, revision.id, query.query, offset, limit];
  const { items, last, count } = await cacheSearchResponse(context, question, async () => {
    const ranked = await rankPages(context, query.query, { offset, limit });
    const { pages, looked } = await presentRankedPages(context, ranked, { budget: new AnswerBudget() });
    const isFull = looked < ranked.hits.length;
    const next = offset + (isFull ? looked : limit);
    const last = next < ranked.total ? String(next) : undefined;
    return { items: pages, last, count: ranked.total, isLasting: ranked.isLasting };
  });
  return { items: [...items], lastPosition: last, count };
}

/** Matching pages by rank, without their texts. */
export interface RankedPages {
  readonly total: number;
  readonly hits: readonly RankedPage[];
  /** Finds the matching sections of a page. `texts` has the text of the page, stored or computed. */
  readonly findSections: (page: WithId<PageEntry>, texts: Objects) => Promise<readonly SectionHit[]>;
  /** True if the ranking stays the same until something is written: not with a host's engine or computed pages. */
  readonly isLasting: boolean;
}

/** The most matches of an engine that are filtered by what the caller may see. */
const MAX_FILTERED_HITS = 1000;

/** Ranks the matching pages of a space, without reading their texts. */
export async function rankPages(
  context: SpaceSearchContext,
  query: string,
  window: { readonly offset: number; readonly limit: number },
): Promise<RankedPages> {
  const { jobContext, organization, space } = context;
  const { limit, offset } = window;
  const { engine } = jobContext.ports.search;
  if (!engine) {
    const { use, hasComputed } = await openSpacePart(context);
    const findings = await use((index, isIn) => index.search(query, limit, offset, { includes: isIn }));
    return toRankedPages(findings, !hasComputed);
  }

  // The host's engine returns pages; their matching sections are found here.
  const { createSearchIndex } = await loadSearch();
  const scope = { organization: organization.id, space: space.id };
  const { hidden } = await readComputedPages(context, (source) => source.isVisibleTo(context));
  let found: Pick<RankedPages, "total" | "hits">;
  if (hidden.size === 0) found = await engine.search(scope, query, window);
  else {
    // The number of matches must not include computed pages that the caller may not see.
    const { hits } = await engine.search(scope, query, { offset: 0, limit: MAX_FILTERED_HITS });
    const visible = hits.filter(({ id }) => !hidden.has(id));
    found = { total: visible.length, hits: visible.slice(offset, offset + limit) };
  }
  const findSections: RankedPages["findSections"] = async ({ id, title, body }, texts) => {
    const sections = await readSections(texts, body);
    const index = createSearchIndex();
    await runSteps(index.putInSteps({ id, title, sections }));
    return runSteps(index.search(query, 1).findSectionsInSteps(sections));
  };
  return { total: found.total, hits: found.hits, findSections, isLasting: false };
}

/** The length of a response, in characters of the JSON of its pages. */
const MAX_ANSWER_CHARACTERS = 19_000;

/** The remaining length of a response. */
export class AnswerBudget {
  #left = MAX_ANSWER_CHARACTERS;
  #isBegun = false;

  /** Adds a part to the response. Returns false if it belongs to the next page of results. The first part always fits. */
  take(part: object): boolean {
    const { length } = JSON.stringify(part);
    if (this.#isBegun && length > this.#left) return false;
    this.#isBegun = true;
    this.#left -= length;
    return true;
  }
}

/** Matching pages as they are returned. */
interface PresentedPages {
  readonly pages: v.InferInput<typeof FoundPage>[];
  /** The number of ranks that were read. There are fewer than requested if the response is full. */
  readonly looked: number;
}

/**
 * Formats ranked pages with their matching sections. `place` is the place of the first one in the response. With a
 * budget, there may be fewer pages than were ranked.
 */
export async function presentRankedPages(
  context: SpaceSearchContext,
  found: RankedPages,
  { place = 0, budget }: { readonly place?: number; readonly budget?: AnswerBudget } = {},
): Promise<PresentedPages> {
  const { view, availableObjects } = getShownContent(context, context.revision);
  const shown = await view.getPages(found.hits.map(({ id }) => id));
  const pages: v.InferInput<typeof FoundPage>[] = [];
  let looked = 0;
  for (const page of shown) {
    if (page) {
      const limit = countShownSections(place + pages.length);
      const hits = limit === 0 ? [] : (await found.findSections(page, availableObjects)).slice(0, limit);
      const path = await getPagePath(view, page.id);
      const app = getAppUrl(context, path);
      const shownPage = presentFoundPage(page, path, hits, (fragment) => ({ app: app + fragment }));
      if (budget && !budget.take(shownPage)) break;
      pages.push(shownPage);
    }
    looked++;
  }
  return { pages, looked };
}

/** Turns the matches in a part into ranked pages, whose sections are found later. */
export function toRankedPages(
  { total, hits, findSectionsInSteps: sectionsInSteps }: SearchFindings,
  isLasting: boolean,
): RankedPages {
  const findSections: RankedPages["findSections"] = async ({ body }, texts) =>
    runSteps(sectionsInSteps(await readSections(texts, body)));
  return { total, hits, findSections, isLasting };
}

/** The most characters of a passage. */
const MAX_TEXT = 4000;

/** Joins the sections that match, or all sections of a page that was found by its title, and truncates the text. */
export function formatPassageText(
  sections: readonly SearchSection[],
  hits: readonly Pick<SectionHit, "anchor">[],
): string {
  const anchors = new Set(hits.map(({ anchor }) => anchor));
  const matching = sections.filter(({ anchor }) => anchors.has(anchor));
  const texts = (matching.length > 0 ? matching : sections).map(({ title, text }) =>
    title === undefined ? text : `${title}\n${text}`,
  );
  return texts.join("\n\n").slice(0, MAX_TEXT);
}

export async function readPassages(context: SpaceSearchContext, found: PresentedPages): Promise<readonly Passage[]> {
  const { view, availableObjects } = getShownContent(context, context.revision);
  const entries = await view.getPages(found.pages.map(({ id }) => id));
  return Promise.all(
    found.pages.map(async ({ id, title, path, sections: hits, urls }, i): Promise<Passage> => {
      const sections = await readSections(availableObjects, entries[i]?.body);
      const anchors = hits.map((hit) => (hit.id === id ? {} : { anchor: hit.id }));
      return {
        page: id,
        space: context.space.id,
        title,
        path,
        url: urls.app,
        text: formatPassageText(sections, anchors),
      };
    }),
  );
}
