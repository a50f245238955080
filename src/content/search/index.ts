// The search of a space: pages are put in, a query finds them. Pure and in memory; the texts themselves are not kept, only
// the words and where they stand. Excerpts are made from the sections of the pages that are shown, which the caller has.

import { runStepsSync, type Steps } from "../markdown/steps";
import { dumpPages, loadPages } from "./dump";
import { entryBits } from "./entries";
import { type SectionHit, sectionsFor } from "./excerpts";
import { Pages, type SearchPage, type Section, type Variation, variationTerm } from "./pages";
import { wantedIn } from "./query";
import { type Among, type Ranked, Ranker, type Ranking, type Statistics } from "./ranking";

export type { SectionHit } from "./excerpts";
export type { SearchPage, Section, Variation } from "./pages";
export { type Among, type Ranked, type Statistics, sumStatistics } from "./ranking";

/** What a query found in an index. */
export interface SearchFindings {
  /** How many pages answer. */
  readonly total: number;
  /** The pages asked for, best first. */
  readonly hits: readonly Ranked[];
  /** The sections of a page that answer, best first, with excerpts. */
  sectionsIn(sections: readonly Section[]): SectionHit[];
  /** The same step by step. */
  sectionsInSteps(sections: readonly Section[]): Steps<SectionHit[]>;
}

/** A page that answers, with the sections that do. */
export interface SearchHit extends Ranked {
  readonly sections: readonly SectionHit[];
}

/** The index of one space. */
export interface SearchIndex {
  /** How many pages are in it. */
  readonly size: number;
  /** The memory that it takes, about. */
  readonly bytes: number;
  /** The ids of its pages. */
  ids(): Iterable<string>;
  /** The ids of the pages whose text varies so. */
  varying(by: Variation): readonly string[];
  /** Takes a page in, in place of the one with its id. */
  put(page: SearchPage): void;
  /** The same step by step: until it is done, nothing else may be done with the index. */
  putInSteps(page: SearchPage): Steps<void>;
  /** Takes a page out; whether it was there. */
  remove(id: string): boolean;
  /** Finds pages, the best first. */
  search(query: string, limit: number, offset?: number, among?: Among): SearchFindings;
  /** Finds all pages, in no order. */
  searchAll(query: string, among?: Among): SearchFindings;
  /** What is counted of pages for a query, so that several indexes can rank as one. */
  count(query: string, isIn?: Among["isIn"]): Statistics;
  /** The best pages that may match after some of their texts are left out: everything that `search` could then find,
   * and more. With `isIn` among those pages that it allows, as an index that holds only them. */
  candidates(
    query: string,
    limit: number,
    sees: (id: string) => boolean,
    isIn?: (id: string) => boolean,
  ): readonly Ranked[];
  /** Prepares what the next search would: much that came or went is put in order and swept. */
  settle(): Steps<void>;
  /** The index as bytes: the same pages, the same bytes. */
  dump(): Uint8Array;
  /** The same step by step. */
  dumpInSteps(): Steps<Uint8Array>;
}

/** An index without pages. */
export function createIndex(): SearchIndex {
  return indexOf(new Pages());
}

/** The index that was dumped; `undefined` when the bytes are damaged or of another version, and it is to be built
 * again. */
export function loadIndex(dumped: Uint8Array): SearchIndex | undefined {
  return runStepsSync(loadInSteps(dumped));
}

/** The same step by step. */
export function* loadInSteps(dumped: Uint8Array): Steps<SearchIndex | undefined> {
  const pages = yield* loadPages(dumped);
  return pages && indexOf(pages);
}

/** Finds pages and shows where: `sectionsOf` is asked for the pages that are shown, and for no others. */
export async function searchPages(
  index: SearchIndex,
  query: string,
  options: {
    readonly limit: number;
    /** Default 0. */
    readonly offset?: number;
    readonly isIn?: (id: string) => boolean;
    readonly sectionsOf: (id: string) => readonly Section[] | undefined | Promise<readonly Section[] | undefined>;
  },
): Promise<{ total: number; hits: SearchHit[] }> {
  const found = index.search(query, options.limit, options.offset, options);
  const sections = await Promise.all(found.hits.map(({ id }) => options.sectionsOf(id)));
  const hits = found.hits.map((hit, at) => ({ ...hit, sections: found.sectionsIn(sections[at] ?? []) }));
  return { total: found.total, hits };
}

/** What an index takes of memory beside its terms: as such, and for each page. */
const BYTES = 1000;
const BYTES_A_PAGE = 300;

function findings({ total, best, matches }: Ranking): SearchFindings {
  const sectionsInSteps = sectionsFor(matches);
  const sectionsIn = (sections: readonly Section[]) => runStepsSync(sectionsInSteps(sections));
  return { total, hits: best, sectionsIn, sectionsInSteps };
}

function indexOf(pages: Pages): SearchIndex {
  const ranker = new Ranker(pages);
  return {
    get size() {
      return pages.size;
    },
    get bytes() {
      return BYTES + pages.size * BYTES_A_PAGE + pages.vocabulary.bytes;
    },
    *ids() {
      for (const id of pages.ids) if (id !== undefined) yield id;
    },
    varying(by) {
      const ids: string[] = [];
      for (const entry of pages.vocabulary.get(variationTerm(by)) ?? []) {
        const id = pages.ids[entry >>> entryBits];
        if (id !== undefined) ids.push(id);
      }
      return ids;
    },
    put: (page) => runStepsSync(pages.put(page)),
    putInSteps: (page) => pages.put(page),
    remove: (id) => pages.remove(id),
    search(query, limit, offset = 0, among = {}) {
      const window = { from: atLeastZero(offset), most: atLeastZero(limit) };
      return findings(ranker.rank(wantedIn(query), window, among));
    },
    searchAll: (query, among) => findings(ranker.all(wantedIn(query), among)),
    count: (query, isIn) => ranker.count(wantedIn(query), isIn),
    candidates: (query, limit, sees, isIn) => ranker.candidates(wantedIn(query), atLeastZero(limit), sees, isIn),
    *settle() {
      yield* pages.tidy();
      yield* pages.vocabulary.sort();
    },
    dump: () => runStepsSync(dumpPages(pages)),
    dumpInSteps: () => dumpPages(pages),
  };
}

function atLeastZero(value: number): number {
  return Math.max(0, Math.floor(value) || 0);
}
