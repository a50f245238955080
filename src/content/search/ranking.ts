// Finds the pages that match a query, and ranks them: the more of its words a page has, weighted by their rarity, the better; the word
// itself before prefixes and typing errors, titles before headings before text. The order depends only on the pages, not on the history
// of the index. MiniSearch ranks almost the same way, but creates an object for every page with a word: a common word took 20 ms in
// 10,000 pages.

import type { IndexedPages } from "./pages";
import { listInflections, MATCH_QUALITIES, type QueryTerm } from "./query";
import { FIELD_MASKS, FIELD_SHIFTS, FIELDS, PAGE_NUMBER_SHIFT } from "./vocabulary";

/** The terms of a text that match a term of the query. */
export interface TermMatch {
  /** The weight of the query's term. Rare words weigh more. */
  readonly weight: number;
  /** The quality of each matching term. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms that begin with this prefix match as well. */
  readonly prefix?: string;
}

/** A page that matches a query. */
export interface RankedPage {
  readonly id: string;
  /** Comparable only within one query and its statistics. */
  readonly score: number;
}

/** The pages that match a query. */
export interface RankingResult {
  /** The number of all matching pages. */
  readonly total: number;
  readonly best: RankedPage[];
  readonly matches: readonly TermMatch[];
}

/** BM25: the number of repetitions of a word after which more of them hardly count. */
const SATURATION = 1.2;
/** BM25: how much a long field lowers the score; for text, headings, description and title. */
const LENGTH_INFLUENCE = [0.6, 0.6, 0.6, 0.75] as const;
const FIELD_BOOSTS = [1, 2.5, 1.6, 5] as const;
const MAX_TERM_SCORE = dampenScore(FIELD_BOOSTS.reduce((sum, boost) => sum + boost * (SATURATION + 1), 0));

/**
 * The factor for the score of a page that has none of the required words. With all of them, by weight, the factor is 1. So a page that
 * lacks a rare word ranks low, and one that lacks a common word hardly lower.
 */
const FACTOR_WITHOUT_REQUIRED = 0.4;
/**
 * The bonus of a page that has all of a few required words. It decreases with their number, because it is chance that a long page has
 * all words of a long question.
 */
const COMPLETE_BONUS = 0.8;

/** Sums of weights are not exact. */
const ALMOST_ALL = 1 - 1e-9;

/** If fewer pages match, the word may have been mistyped. */
const MIN_PAGES_WITHOUT_TYPOS = 3;
/** The quality of a match by its typing errors. */
const TYPO_QUALITIES = [0, 0.3, 0.2] as const;
/** The least length of an unfinished word that may have typing errors. */
const MIN_UNFINISHED_LENGTH = 5;

/** The bits of an entry for the fields other than the text. */
const OTHER_FIELDS_MASK = 2 ** PAGE_NUMBER_SHIFT - 1 - FIELD_MASKS[0];

/** The totals of pages on which all scores depend. By field: as in `IndexedPages`. */
interface PageTotals {
  readonly size: number;
  readonly wordTotals: readonly number[];
  readonly filledPages: readonly number[];
}

/** Some pages of an index, as if there were no others. */
interface PageSubset extends PageTotals {
  /** 1 for the pages of the subset, by their number. */
  readonly isIncluded: Uint8Array;
}

/** The number of pages that have a term of the query. */
interface TermCounts {
  /** The pages that have the term as it was typed. */
  readonly exact: number;
  /** The pages that have it in any of its forms. */
  readonly matching: number;
  /** The pages that have it in any form or with typing errors, after each step of the search for them. Empty if it is not needed. */
  readonly withTypos: readonly number[];
}

/** The statistics of pages for a query. Several indexes rank as one if each gets the sum of all their statistics. */
export interface SearchStatistics extends PageTotals {
  /** By term of the query. */
  readonly counts: readonly TermCounts[];
}

/** Returns the sum of the statistics of several indexes for one query. */
export function sumStatistics(statistics: readonly SearchStatistics[]): SearchStatistics {
  const [first, ...others] = statistics as [SearchStatistics, ...SearchStatistics[]];
  return others.reduce<SearchStatistics>(
    (sum, { size, wordTotals, filledPages, counts }) => ({
      size: sum.size + size,
      wordTotals: sum.wordTotals.map((total, field) => total + wordTotals[field]!),
      filledPages: sum.filledPages.map((total, field) => total + filledPages[field]!),
      counts: sum.counts.map((one, term) => {
        const other = counts[term]!;
        const steps = Math.max(one.withTypos.length, other.withTypos.length);
        return {
          exact: one.exact + other.exact,
          matching: one.matching + other.matching,
          withTypos: Array.from(
            { length: steps },
            (_, i) => (one.withTypos[i] ?? one.matching) + (other.withTypos[i] ?? other.matching),
          ),
        };
      }),
    }),
    first,
  );
}

/** The pages that are ranked, and the statistics that their scores depend on. */
export interface RankingScope {
  /** Returns true for the pages that are ranked, as if there were no others. Default: all. */
  readonly includes?: ((id: string) => boolean) | undefined;
  /** Default: the statistics of the pages that are ranked. */
  readonly statistics?: SearchStatistics | undefined;
}

/** Ranks the pages of one index. Its arrays are reused between queries. */
export class Ranker {
  readonly #pages: IndexedPages;
  /** The scores by page number. Until all terms are added, they are sums. */
  #scores = new Float64Array(0);
  /** The weight of the required terms that a page has, by page number. */
  #requiredWeights = new Float64Array(0);
  /** The scores for the present term, by page number. */
  #termScores = new Float64Array(0);
  /** The numbers of the pages that have the present term; in the end, of the pages that match. */
  #foundNumbers = new Uint32Array(0);
  #foundCount = 0;
  /** By field: the part of BM25 that is multiplied by the length of a page's field. */
  #lengthFactors = [0, 0, 0, 0];
  /** The pages that are ranked, if not all are. */
  #subset: PageSubset | undefined;

  constructor(pages: IndexedPages) {
    this.#pages = pages;
  }

  /** Returns the best pages. Pages that `includes` excludes have no influence: the scores are those of an index that never had them. */
  rank(
    query: readonly QueryTerm[],
    { offset, limit }: { readonly offset: number; readonly limit: number },
    scope: RankingScope = {},
  ): RankingResult {
    const { matches, numbers } = this.#run(query, scope);
    return { total: numbers.length, best: this.#selectBest(numbers, offset, limit), matches };
  }

  /** Returns all matching pages, unordered. */
  rankAll(query: readonly QueryTerm[], scope: RankingScope = {}): RankingResult {
    const { matches, numbers } = this.#run(query, scope);
    const best = Array.from(numbers, (number) => ({ id: this.#pages.ids[number]!, score: this.#scores[number]! }));
    return { total: best.length, best, matches };
  }

  /** Returns the statistics of the pages that `includes` allows. */
  collectStatistics(query: readonly QueryTerm[], includes?: RankingScope["includes"]): SearchStatistics {
    const { size, wordTotals, filledPages } = this.#start({ includes });
    const counts = query.map((term) => {
      const exact = this.#scoreQueryTerm(term, new Map());
      const matching = this.#foundCount;
      const withTypos: number[] = [];
      if (matching < MIN_PAGES_WITHOUT_TYPOS && term.maxTypos > 0) {
        const recordStep = () => {
          withTypos.push(this.#foundCount);
          return false;
        };
        this.#scoreTypos(term, recordStep, new Map());
        withTypos.push(this.#foundCount);
      }
      this.#resetTermScores();
      return { exact, matching, withTypos };
    });
    return { size, wordTotals: [...wordTotals], filledPages: [...filledPages], counts };
  }

  /** Returns the best pages. Typing errors are always searched for, so that the pages found do not depend on the texts of others. */
  findCandidates(query: readonly QueryTerm[], limit: number, includes?: RankingScope["includes"]): RankedPage[] {
    const { numbers } = this.#run(query, { includes }, true);
    return this.#selectBest(numbers, 0, limit);
  }

  /** Computes the scores of all pages that match. With `alwaysFindsTypos`, typing errors are searched for in any case. */
  #run(query: readonly QueryTerm[], scope: RankingScope, alwaysFindsTypos = false) {
    const { size } = this.#start(scope);
    const matches: TermMatch[] = [];
    let [totalWeight, requiredWeight] = [0, 0];
    for (const [i, term] of query.entries()) {
      const match = this.#addTerm(term, size, alwaysFindsTypos, scope.statistics?.counts[i]);
      if (match === undefined) continue;
      matches.push(match);
      totalWeight += match.weight;
      if (term.isRequired) requiredWeight += match.weight;
    }

    const requiredTerms = query.filter(({ isRequired }) => isRequired).length;
    const bonus = COMPLETE_BONUS / Math.max(1, requiredTerms) ** 2;
    const maxSum = totalWeight * MAX_TERM_SCORE;
    const [scores, requiredWeights, numbers] = [this.#scores, this.#requiredWeights, this.#foundNumbers];
    const { length } = this.#pages.ids;
    let count = 0;
    for (let number = 0; number < length; number++) {
      const sum = scores[number]!;
      if (sum === 0) continue;
      const share = requiredWeight === 0 ? 1 : requiredWeights[number]! / requiredWeight;
      const factor = FACTOR_WITHOUT_REQUIRED + (1 - FACTOR_WITHOUT_REQUIRED) * share;
      scores[number] = (share > ALMOST_ALL ? bonus : 0) + factor * (sum / maxSum);
      numbers[count++] = number;
    }
    return { matches, numbers: numbers.subarray(0, count) };
  }

  /** Prepares for a query. Returns the totals on which scores depend. */
  #start({ includes, statistics }: RankingScope): PageTotals {
    const { ids } = this.#pages;
    this.#subset = includes && this.#createSubset(includes);
    if (this.#scores.length < ids.length) {
      const length = Math.ceil(ids.length * 1.25);
      this.#scores = new Float64Array(length);
      this.#requiredWeights = new Float64Array(length);
      this.#termScores = new Float64Array(length);
      this.#foundNumbers = new Uint32Array(length);
    } else {
      this.#scores.fill(0);
      this.#requiredWeights.fill(0);
    }
    const totals = statistics ?? this.#subset ?? this.#pages;
    const { wordTotals, filledPages } = totals;
    this.#lengthFactors = wordTotals.map((words, field) =>
      words > 0 ? (LENGTH_INFLUENCE[field]! * filledPages[field]!) / words : 0,
    );
    return totals;
  }

  #createSubset(includes: (id: string) => boolean): PageSubset {
    const { ids, lengths } = this.#pages;
    const isIncluded = new Uint8Array(ids.length);
    const wordTotals = [0, 0, 0, 0];
    const filledPages = [0, 0, 0, 0];
    let size = 0;
    for (const [number, id] of ids.entries()) {
      if (id === undefined || !includes(id)) continue;
      isIncluded[number] = 1;
      size++;
      for (let field = 0; field < 4; field++) {
        const length = lengths[field]![number]!;
        wordTotals[field]! += length;
        if (length > 0) filledPages[field]!++;
      }
    }
    return { isIncluded, size, wordTotals, filledPages };
  }

  /** Adds the score of one term to every page that has it. Returns undefined if none has. */
  #addTerm(term: QueryTerm, size: number, alwaysFindsTypos: boolean, counts?: TermCounts): TermMatch | undefined {
    const terms = new Map<string, number>();
    const exact = this.#scoreQueryTerm(term, terms);
    const matching = counts?.matching ?? this.#foundCount;
    let withTypos = 0;
    if ((alwaysFindsTypos || matching < MIN_PAGES_WITHOUT_TYPOS) && term.maxTypos > 0) {
      withTypos = counts?.withTypos.at(-1) ?? 0;
      const isEnough = (step: number) => {
        if (alwaysFindsTypos) return false;
        const found = counts ? (counts.withTypos[step] ?? 0) : this.#foundCount;
        if (found > matching) withTypos = found;
        return found > matching;
      };
      this.#scoreTypos(term, isEnough, terms);
    }

    // All pages that have the word count for its rarity, also those of the other indexes.
    const pages = counts ? counts.exact || withTypos || counts.matching : exact || this.#foundCount;
    if (pages === 0) return undefined;
    const weight = term.weight * Math.log(1 + (size - pages + 0.5) / (pages + 0.5));
    const [scores, requiredWeights, termScores, numbers] = [
      this.#scores,
      this.#requiredWeights,
      this.#termScores,
      this.#foundNumbers,
    ];
    for (let i = 0; i < this.#foundCount; i++) {
      const number = numbers[i]!;
      scores[number]! += weight * dampenScore(termScores[number]!);
      if (term.isRequired) requiredWeights[number]! += weight;
    }
    this.#resetTermScores();
    return term.prefixQuality > 0 ? { weight, terms, prefix: term.term } : { weight, terms };
  }

  #resetTermScores(): void {
    for (let i = 0; i < this.#foundCount; i++) this.#termScores[this.#foundNumbers[i]!] = 0;
    this.#foundCount = 0;
  }

  /** Scores the pages that have a term in one of its forms or as a prefix. Returns the number of those that have it as it was typed. */
  #scoreQueryTerm({ term, alternatives, prefixQuality }: QueryTerm, terms: Map<string, number>): number {
    const exact = this.#scoreTerm(terms, term, 1);
    for (const [alternative, quality] of alternatives) this.#scoreTerm(terms, alternative, quality);
    if (prefixQuality > 0) {
      this.#pages.vocabulary.visitLongerTerms(term, (longerTerm, pages) => {
        this.#scoreEntries(pages, prefixQuality * (0.4 + (0.6 * term.length) / longerTerm.length));
      });
    }
    return exact;
  }

  #scoreTerm(terms: Map<string, number>, term: string, quality: number): number {
    const pages = this.#pages.vocabulary.get(term);
    const count = pages === undefined ? 0 : this.#scoreEntries(pages, quality);
    if (count > 0) terms.set(term, quality);
    return count;
  }

  /**
   * Scores the pages that have a term with typing errors: first with the right first letter, then with any, then as the beginning of a
   * longer word. Stops after a step if `isEnough`.
   */
  #scoreTypos(
    { term, maxTypos, isLast }: QueryTerm,
    isEnough: (step: number) => boolean,
    terms: Map<string, number>,
  ): void {
    const scoreNearTerms = (isPrefix: boolean, hasSameStart: boolean) =>
      this.#pages.vocabulary.visitNearTerms(term, { maxEdits: maxTypos, isPrefix, hasSameStart }, (near) => {
        const quality = TYPO_QUALITIES[near.edits]! * (isPrefix ? 0.6 : 1);
        const count = this.#scoreEntries(near.pages, quality);
        if (count > 0) terms.set(near.term, quality);
        if (count === 0 || isPrefix) return;
        for (const form of listInflections(near.term)) this.#scoreTerm(terms, form, quality * MATCH_QUALITIES.form);
      });
    scoreNearTerms(false, true);
    if (isEnough(0)) return;
    scoreNearTerms(false, false);
    if (isEnough(1) || !isLast || term.length < MIN_UNFINISHED_LENGTH) return;
    scoreNearTerms(true, true);
  }

  /**
   * Scores the pages that have a term, and returns their number. Each page gets the best of its scores for the present term of the
   * query. A common term has an entry for nearly every page, so everything that all of them need is read once, and most entries take
   * the short way, because they have the term only in their text.
   */
  #scoreEntries(entries: Uint32Array, quality: number): number {
    const { ids, size } = this.#pages;
    const textLengths = this.#pages.lengths[FIELDS.text]!;
    const [termScores, foundNumbers] = [this.#termScores, this.#foundNumbers];
    const isIncluded = this.#subset?.isIncluded;
    const hasRemovedPages = size < ids.length;
    const textFactor = this.#lengthFactors[FIELDS.text]!;
    let [count, foundCount] = [0, this.#foundCount];
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      const number = entry >>> PAGE_NUMBER_SHIFT;
      if ((hasRemovedPages && ids[number] === undefined) || isIncluded?.[number] === 0) continue;
      count++;
      const score =
        quality *
        ((entry & OTHER_FIELDS_MASK) === 0
          ? computeFieldScore(FIELDS.text, entry & FIELD_MASKS[FIELDS.text], textFactor * textLengths[number]!)
          : this.#computeEntryScore(entry, number));
      const before = termScores[number]!;
      if (before === 0) foundNumbers[foundCount++] = number;
      if (score > before) termScores[number] = score;
    }
    this.#foundCount = foundCount;
    return count;
  }

  #computeEntryScore(entry: number, number: number): number {
    const { lengths } = this.#pages;
    let score = 0;
    for (let field = 0; field < 4; field++) {
      const count = (entry >>> FIELD_SHIFTS[field]!) & FIELD_MASKS[field]!;
      if (count > 0) score += computeFieldScore(field, count, this.#lengthFactors[field]! * lengths[field]![number]!);
    }
    return score;
  }

  /**
   * Returns the pages of some ranks, in order; equal ones by their ids. It goes through all numbers once and sorts only the best,
   * because a common word is in nearly every page.
   */
  #selectBest(numbers: Uint32Array, offset: number, limit: number): RankedPage[] {
    const end = Math.min(offset + limit, numbers.length);
    if (offset >= end) return [];
    const { ids, orderedCount } = this.#pages;
    const scores = this.#scores;
    const hasLowerId = (one: number, other: number) =>
      one < orderedCount && other < orderedCount ? one < other : ids[one]! < ids[other]!;
    const isBefore = (one: number, other: number) =>
      scores[one]! > scores[other]! || (scores[one] === scores[other] && hasLowerId(one, other));
    const best = new TopNumbers(end, isBefore);
    let lowestScore = 0;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      if (i >= end && scores[number]! < lowestScore) continue;
      best.offer(number);
      lowestScore = scores[best.last]!;
    }
    return best
      .sort()
      .slice(offset)
      .map((number) => ({ id: ids[number]!, score: scores[number]! }));
  }
}

/**
 * Returns `score ** 0.75`, in a tenth of the time. It keeps the order of pages that have one word, and keeps a common word in a title
 * from hiding a rare one in the text.
 */
function dampenScore(score: number): number {
  const root = Math.sqrt(score);
  return root * Math.sqrt(root);
}

/** Computes BM25 for a word in a field: repetitions count less and less, and less in a field that is longer than others. */
function computeFieldScore(field: number, count: number, relativeLength: number): number {
  const lengthPenalty = 1 - LENGTH_INFLUENCE[field]! + relativeLength;
  return (FIELD_BOOSTS[field]! * count * (SATURATION + 1)) / (count + SATURATION * lengthPenalty);
}

/** Selects the first numbers in an order: a heap whose root is the last of them. */
class TopNumbers {
  readonly #heap: number[] = [];

  constructor(
    readonly maxCount: number,
    readonly isBefore: (one: number, other: number) => boolean,
  ) {}

  /** The last of the selected numbers, if the heap is full. */
  get last(): number {
    return this.#heap[0]!;
  }

  /** Selects a number if it is before the last one, or if the heap is not full. */
  offer(number: number): void {
    const heap = this.#heap;
    if (heap.length < this.maxCount) {
      heap.push(number);
      if (heap.length === this.maxCount) for (let i = (heap.length >> 1) - 1; i >= 0; i--) this.#siftDown(i);
    } else if (this.isBefore(number, heap[0]!)) {
      heap[0] = number;
      this.#siftDown(0);
    }
  }

  /** Returns the selected numbers in order. The heap is not valid after this. */
  sort(): number[] {
    return this.#heap.sort((one, other) => (this.isBefore(one, other) ? -1 : 1));
  }

  /** Moves a number down until no number below it comes after it. */
  #siftDown(start: number): void {
    const heap = this.#heap;
    const number = heap[start]!;
    let index = start;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.isBefore(heap[child]!, heap[child + 1]!)) child++;
      if (!this.isBefore(number, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = number;
  }
}
