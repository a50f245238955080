// The search index of a space: pages are added, and queries find them. The index is in memory. It has only the words of the pages and
// their places, not their texts. Excerpts are created from the sections of the pages that are shown, which the caller has.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { PAGE_NUMBER_SHIFT } from "./entries";
import { createSectionFinder, type SectionHit } from "./excerpts";
import { IndexedPages, type SearchPage, type SearchSection, type TextVariation, VARIATION_TERMS } from "./pages";
import { parseQuery } from "./query";
import { type RankedPage, Ranker, type RankingResult, type RankingScope, type SearchStatistics } from "./ranking";
import { deserializePagesInSteps, serializePagesInSteps } from "./serialize";

export type { SectionHit } from "./excerpts";
export type { SearchPage, SearchSection, TextVariation } from "./pages";
export { type RankedPage, type RankingScope, type SearchStatistics, sumStatistics } from "./ranking";

/** The pages of an index that match a query. */
export interface SearchFindings {
  /** The number of all matching pages. */
  readonly total: number;
  /** The requested pages, the best first. */
  readonly hits: readonly RankedPage[];
  /** Returns the sections of a page that match, the best first, with excerpts. */
  findSections(sections: readonly SearchSection[]): SectionHit[];
  /** Does the same as `findSections`, in steps. */
  findSectionsInSteps(sections: readonly SearchSection[]): Steps<SectionHit[]>;
}

/** The index of one space. */
export interface SearchIndex {
  /** The number of its pages. */
  readonly size: number;
  /** The approximate memory of the index. */
  readonly bytes: number;
  /** Returns the ids of its pages. */
  listIds(): Iterable<string>;
  /** Returns the ids of the pages whose text varies in this way. */
  listVaryingIds(variation: TextVariation): readonly string[];
  /** Adds a page, or replaces the one with its id. */
  put(page: SearchPage): void;
  /** Does the same as `put`, in steps. The index must not be used until they are done. */
  putInSteps(page: SearchPage): Steps<void>;
  /** Removes a page. Returns false if it was not there. */
  remove(id: string): boolean;
  /** Finds pages, the best first. */
  search(query: string, limit: number, offset?: number, scope?: RankingScope): SearchFindings;
  /** Finds all pages, unordered. */
  searchAll(query: string, scope?: RankingScope): SearchFindings;
  /** Returns the statistics of pages for a query, so that several indexes can rank as one. */
  collectStatistics(query: string, includes?: RankingScope["includes"]): SearchStatistics;
  /**
   * Returns the best pages that may match after some of their texts are removed: everything that `search` could find then, and more.
   * With `includes`, the result is as if there were no other pages.
   */
  findCandidates(
    query: string,
    limit: number,
    isVisible: (id: string) => boolean,
    includes?: (id: string) => boolean,
  ): readonly RankedPage[];
  /** Prepares everything that the next search would: it sweeps pages that were removed, and sorts new terms. */
  prepareInSteps(): Steps<void>;
  /** Returns the index as bytes. The same pages result in the same bytes. */
  serialize(): Uint8Array;
  /** Does the same as `serialize`, in steps. */
  serializeInSteps(): Steps<Uint8Array>;
}

/** Returns a serialized index. Returns undefined if it must be built again, because its bytes are damaged or of another version. */
export function* deserializeIndexInSteps(serialized: Uint8Array): Steps<SearchIndex | undefined> {
  const pages = yield* deserializePagesInSteps(serialized);
  return pages && createSearchIndex(pages);
}

/** The approximate memory of an index beside its terms, and of each of its pages. */
const BYTES_PER_INDEX = 1000;
const BYTES_PER_PAGE = 300;

/** Creates an index of pages. Default: none. */
export function createSearchIndex(pages = new IndexedPages()): SearchIndex {
  const ranker = new Ranker(pages);
  return {
    get size() {
      return pages.size;
    },
    get bytes() {
      return BYTES_PER_INDEX + pages.size * BYTES_PER_PAGE + pages.vocabulary.bytes;
    },
    *listIds() {
      for (const id of pages.ids) if (id !== undefined) yield id;
    },
    listVaryingIds(variation) {
      const ids: string[] = [];
      for (const entry of pages.vocabulary.get(VARIATION_TERMS[variation]) ?? []) {
        const id = pages.ids[entry >>> PAGE_NUMBER_SHIFT];
        if (id !== undefined) ids.push(id);
      }
      return ids;
    },
    put: (page) => runStepsSync(pages.putInSteps(page)),
    putInSteps: (page) => pages.putInSteps(page),
    remove: (id) => pages.remove(id),
    search(query, limit, offset = 0, scope = {}) {
      const window = { offset: toNonNegativeInteger(offset), limit: toNonNegativeInteger(limit) };
      return createFindings(ranker.rank(parseQuery(query), window, scope));
    },
    searchAll: (query, scope) => createFindings(ranker.rankAll(parseQuery(query), scope)),
    collectStatistics: (query, includes) => ranker.collectStatistics(parseQuery(query), includes),
    findCandidates: (query, limit, isVisible, includes) =>
      ranker.findCandidates(parseQuery(query), toNonNegativeInteger(limit), isVisible, includes),
    *prepareInSteps() {
      yield* pages.sweepIfNeededInSteps();
      yield* pages.vocabulary.sortInSteps();
    },
    serialize: () => runStepsSync(serializePagesInSteps(pages)),
    serializeInSteps: () => serializePagesInSteps(pages),
  };
}

function createFindings({ total, best, matches }: RankingResult): SearchFindings {
  const findSectionsInSteps = createSectionFinder(matches);
  return {
    total,
    hits: best,
    findSections: (sections) => runStepsSync(findSectionsInSteps(sections)),
    findSectionsInSteps,
  };
}

function toNonNegativeInteger(value: number): number {
  return Math.max(0, Math.floor(value) || 0);
}
