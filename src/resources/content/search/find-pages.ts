// Finds pages of a space, with the host's search engine or the built-in one.

import type * as v from "valibot";
import { loadSearch } from "../../../content/lazy";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { RankedPage, SearchFindings, SearchIndex, SectionHit } from "../../../content/search";
import type { JobContext } from "../../../jobs/jobs";
import type { Objects } from "../../../storage/objects";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { findOrganizationPartition } from "../../people/organizations/records";
import { type ComputedReadContext, getShownContent, type RevisionRoot } from "../revisions/computed-content";
import { openRevision } from "../revisions/records";
import type { ContentContext } from "../revisions/rules";
import { type ContentViewContext, getAppUrl, getPagePath } from "../revisions/views";
import { NO_PAGES, readComputedPages } from "./computed-pages";
import { querySpaceIndex, readSections } from "./indexes";
import type { VaryingPart } from "./pools";
import type { IndexPart } from "./rank-together";
import type { FoundPage } from "./schema";
import { listVaryingPages } from "./variations";

/** The context of a search in a space. */
export interface SpaceSearchContext extends ContentContext {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly peek: ComputedReadContext["peek"];
  readonly jobContext: JobContext;
  readonly urls: ContentViewContext["urls"];
}

/** The range of matching pages to return. */
export interface ResultWindow {
  readonly offset: number;
  readonly limit: number;
}

/** Matching pages as they are returned. */
export interface PresentedPages {
  readonly total: number;
  readonly best: number;
  readonly pages: v.InferInput<typeof FoundPage>[];
  /** The number of ranks that were read. There are fewer than requested if the response is full. */
  readonly looked: number;
  /** True if all of this stays the same until something is written. */
  readonly isLasting: boolean;
}

/** Matching pages by rank, without their texts. */
export interface RankedPages {
  readonly total: number;
  readonly hits: readonly RankedPage[];
  /** Finds the matching sections of a page. `texts` has the text of the page, stored or computed. */
  readonly findSections: (page: WithId<PageEntry>, texts: Objects) => Promise<readonly SectionHit[]>;
  /**
   * True if the ranking stays the same until something is written. The pages of a host's engine, and computed pages, can
   * change at any time.
   */
  readonly isLasting: boolean;
}

/** The most matches of an engine that are filtered by what the caller may see. */
const MAX_FILTERED_HITS = 1000;

/** Ranks the matching pages of a space, without reading their texts. */
export async function rankPages(
  context: SpaceSearchContext,
  query: string,
  window: ResultWindow,
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

/** Returns how many sections of a page are shown. A response is read from its beginning, so the first pages show more. */
export function countShownSections(place: number): number {
  return place < 3 ? 3 : place < 10 ? 1 : 0;
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

/**
 * Formats ranked pages with their matching sections. `place` is the place of the first one in the response. With a
 * budget, there may be fewer pages than were ranked.
 */
export async function presentRankedPages(
  context: SpaceSearchContext,
  found: RankedPages,
  { place = 0, budget }: { readonly place?: number; readonly budget?: AnswerBudget } = {},
): Promise<PresentedPages> {
  const { total, hits: rankedPages, isLasting } = found;
  const { view, availableObjects } = getShownContent(context, context.revision);
  const shown = await view.getPages(rankedPages.map(({ id }) => id));
  const pages: v.InferInput<typeof FoundPage>[] = [];
  let looked = 0;
  for (const page of shown) {
    if (page) {
      const { id, title } = page;
      const limit = countShownSections(place + pages.length);
      const hits = limit === 0 ? [] : (await found.findSections(page, availableObjects)).slice(0, limit);
      const path = await getPagePath(view, id);
      const app = getAppUrl(context, path);
      const sections = hits.map(({ anchor, title: heading, excerpt }) => {
        const fragment = anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`;
        return {
          id: anchor ?? id,
          title: heading ?? title,
          path: anchor === undefined ? path : `${path}#${anchor}`,
          body: excerpt,
          urls: { app: app + fragment },
        };
      });
      const shownPage = { id, title, path, sections, urls: { app } };
      if (budget && !budget.take(shownPage)) break;
      pages.push(shownPage);
    }
    looked++;
  }
  return { total, best: rankedPages[0]?.score ?? 0, pages, looked, isLasting };
}

/** The context in which the pages of a space are ranked. */
export type RankingContext = ComputedReadContext & {
  readonly revision: RevisionRoot;
};

/** Opens the index of a space, without computed pages whose source the caller may not see. */
export async function openSpacePart(context: RankingContext): Promise<IndexPart & { readonly hasComputed: boolean }> {
  const { space, root } = context.revision;
  const { computed, hidden } = await readComputedPages(context, (source) => source.isVisibleTo(context));
  const indexContext = { ...context, partition: findOrganizationPartition(context.organization.id)! };
  const isIn = hidden.size === 0 ? undefined : (id: string) => !hidden.has(id);
  const use: IndexPart["use"] = (run) =>
    querySpaceIndex(indexContext, { space, root, computed }, (index) => run(index, isIn));
  return { use, hasComputed: computed !== NO_PAGES };
}

/** Opens the index of a space for a visitor who may not find the `restricted` pages. Pages whose text varies are apart. */
export async function openVisibleSpacePart(
  context: RankingContext,
  restricted: ReadonlySet<string>,
): Promise<{ readonly part: IndexPart; readonly varying?: VaryingPart; readonly hasComputed: boolean }> {
  const { space, root } = context.revision;
  const { computed, hidden } = await readComputedPages(context, (source) => source.isVisibleTo(context));
  const indexContext = { ...context, partition: findOrganizationPartition(context.organization.id)! };
  // In an mdBook, pages may include files.
  const isMdBook = (await openRevision(context.objects, { root }).get(keys.mdBook)) !== undefined;
  const isInBook = isMdBook ? () => true : undefined;
  const isVisible =
    restricted.size === 0 && hidden.size === 0
      ? undefined
      : (id: string) => !hidden.has(id) && !restricted.has(computed.origins.get(id) ?? id);
  const use = <T>(run: (index: SearchIndex, varying: ReadonlySet<string>) => T) =>
    querySpaceIndex(indexContext, { space, root, computed }, (index) => run(index, listVaryingPages(index, isInBook)));
  const hasComputed = computed !== NO_PAGES;
  const part: IndexPart = {
    use: (run) =>
      use((index, varying) =>
        run(
          index,
          varying.size === 0 ? isVisible : (id) => !varying.has(id) && (isVisible === undefined || isVisible(id)),
        ),
      ),
  };
  if (!(await use((_, varying) => varying.size > 0))) return { part, hasComputed };
  const suggest: VaryingPart["suggest"] = (query, limit) =>
    use((index, varying) =>
      index
        .findCandidates(
          query,
          limit,
          () => true,
          (id) => varying.has(id) && (isVisible === undefined || isVisible(id)),
        )
        .map(({ id }) => ({ id, space, root })),
    );
  return { part, varying: { suggest }, hasComputed };
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
