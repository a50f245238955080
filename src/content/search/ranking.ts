// Which pages match a query, and in what order: the more of its words a page has, by their rarity, the better; the word itself
// before prefixes and typing errors, titles before headings before text. The order depends on the pages alone, not on
// the history of the index. MiniSearch ranks almost the same way, but makes an object for every page with a word: a
// common word took 20 ms in 10,000 pages.

import { entryBits, field, fieldMasks, fieldShifts } from "./entries";
import { formsOf } from "./inflections";
import type { Pages } from "./pages";
import { type Wanted, wayWorth } from "./query";

/** How a text is recognized as a match: the weight of each matching term, and the prefixes that match. */
export interface Match {
  /** Rare words weigh more. */
  readonly weight: number;
  /** Worth by term. */
  readonly terms: ReadonlyMap<string, number>;
  /** A term that begins so is a match too. */
  readonly prefix?: string;
}

/** A page that answers a query. */
export interface Ranked {
  readonly id: string;
  /** Comparable within one query and its statistics, not beyond. */
  readonly score: number;
}

/** All pages that answer, of which the best are named. */
export interface Ranking {
  readonly total: number;
  readonly best: Ranked[];
  readonly matches: readonly Match[];
}

// BM25: how soon repetitions of a word stop counting, and how much a long field lowers the score. By field: text,
// headings, description, title.
const saturation = 1.2;
const lengthMatters = [0.6, 0.6, 0.6, 0.75] as const;
const boosts = [1, 2.5, 1.6, 5] as const;
/** Keeps the order among pages that have a word, and keeps a common word in a title from hiding a rare one in the
 * text. */
const dampen = (worth: number) => {
  // worth ** 0.75, in a tenth of the time.
  const root = Math.sqrt(worth);
  return root * Math.sqrt(root);
};
const mostOfFields = dampen(boosts.reduce((sum, boost) => sum + boost * (saturation + 1), 0));

/** What the score of a page is worth that has none of the words that are needed; with all of them, by weight, it is worth 1.
 * So a page that lacks a rare word ranks low, and one that lacks a common word hardly lower. */
const withNothing = 0.4;
/** What a page gains that has all of the needed words. In a question of many words it is chance that a long page has them all. */
const gainOfAll = (words: number) => 0.8 / Math.max(1, words) ** 2;

/** Sums of weights are not exact. */
const ALMOST_ALL = 1 - 1e-9;

/** With fewer pages than this, a word may have been mistyped. */
const enoughPages = 3;
const slipWorth = [0, 0.3, 0.2] as const;
/** A word still being typed may have slips from this length on. */
const shortestBegun = 5;

/** The bits of an entry that count in other fields than the text. */
const ABOVE_TEXT = 2 ** entryBits - 1 - fieldMasks[0];

/** Some pages of an index, as if there were no others. */
interface Part extends Totals {
  /** By number: 1 for a page of the part. */
  readonly has: Uint8Array;
}

/** What is counted of pages whatever is asked for. By field: as in `Pages`. */
interface Totals {
  readonly size: number;
  readonly words: readonly number[];
  readonly filled: readonly number[];
}

/** In how many pages a word stands: as it was written; in any of its forms; and, by how far typing errors are looked for, with
 * errors as well (none: they need not be looked for). */
interface Counts {
  readonly asWritten: number;
  readonly found: number;
  readonly near: readonly number[];
}

/** What is counted of pages for a query. Several indexes rank as one when each is given the sum of all of them. */
export interface Statistics extends Totals {
  /** By word of the query. */
  readonly counts: readonly Counts[];
}

/** The sum of the statistics of several indexes for one query. */
export function sumStatistics(all: readonly Statistics[]): Statistics {
  const [first, ...others] = all as [Statistics, ...Statistics[]];
  return others.reduce<Statistics>(
    (sum, { size, words, filled, counts }) => ({
      size: sum.size + size,
      words: sum.words.map((count, field) => count + words[field]!),
      filled: sum.filled.map((count, field) => count + filled[field]!),
      counts: sum.counts.map((count, word) => sumCounts(count, counts[word]!)),
    }),
    first,
  );
}

function sumCounts(one: Counts, other: Counts): Counts {
  const steps = Math.max(one.near.length, other.near.length);
  return {
    asWritten: one.asWritten + other.asWritten,
    found: one.found + other.found,
    near: Array.from({ length: steps }, (_, i) => (one.near[i] ?? one.found) + (other.near[i] ?? other.found)),
  };
}

/** Which pages are ranked, and by which statistics. */
export interface Among {
  /** The pages that are ranked, as if there were no others. Default: all. */
  readonly isIn?: ((id: string) => boolean) | undefined;
  /** Default: those of the pages that are ranked. */
  readonly statistics?: Statistics | undefined;
}

/** Ranks the pages of one index. Its arrays are reused between queries. */
export class Ranker {
  readonly #pages: Pages;
  /** By page: the score so far, the weight of the needed words that it has, and the score of the present word. */
  #sums = new Float64Array(0);
  #needs = new Float64Array(0);
  #worths = new Float64Array(0);
  /** The numbers of those pages that have the present word; in the end, of those that answer. */
  #found = new Uint32Array(0);
  #founds = 0;
  /** By field, for the length of one word: see `#worthOf`. */
  #perWord = [0, 0, 0, 0];
  /** What is ranked, if it is not everything. */
  #part: Part | undefined;

  constructor(pages: Pages) {
    this.#pages = pages;
  }

  /** The first `most` pages from `from` on. Nothing about pages that `isIn` denies has any part in it: the scores are those
   * of an index that never had them. */
  rank(
    wanted: readonly Wanted[],
    { from, most }: { readonly from: number; readonly most: number },
    among: Among = {},
  ): Ranking {
    const { matches, answering } = this.#answer(wanted, among);
    return { total: answering.length, best: this.#bestOf(answering, from, most), matches };
  }

  /** All pages that answer, in no order. */
  all(wanted: readonly Wanted[], among: Among = {}): Ranking {
    const { matches, answering } = this.#answer(wanted, among);
    const best = Array.from(answering, (number) => ({ id: this.#pages.ids[number]!, score: this.#sums[number]! }));
    return { total: best.length, best, matches };
  }

  /** What is counted of the pages that `isIn` allows. */
  count(wanted: readonly Wanted[], isIn?: Among["isIn"]): Statistics {
    const { size, words, filled } = this.#begin({ isIn });
    const counts = wanted.map((word) => {
      const asWritten = this.#findWord(word, new Map());
      const found = this.#founds;
      const near: number[] = [];
      const noteStep = () => near.push(this.#founds) === 0;
      if (found < enoughPages && word.slips > 0) {
        this.#findSlips(word, noteStep, new Map());
        near.push(this.#founds);
      }
      this.#forgetWord();
      return { asWritten, found, near };
    });
    return { size, words: [...words], filled: [...filled], counts };
  }

  /** The best pages that `sees` allows. Typing errors are always searched for, so that the pages found do not depend on texts in
   * denied pages. `sees` is asked about the best pages first, until there are enough. With `isIn` as if there were no others
   * than those that it allows. */
  candidates(
    wanted: readonly Wanted[],
    most: number,
    sees: (id: string) => boolean,
    isIn?: (id: string) => boolean,
  ): Ranked[] {
    const { answering } = this.#answer(wanted, { isIn }, true);
    const seen: Ranked[] = [];
    let some = most;
    for (let from = 0; from < answering.length && seen.length < most; ) {
      for (const page of this.#bestOf(answering, from, some)) if (seen.length < most && sees(page.id)) seen.push(page);
      from += some;
      some *= 2;
    }
    return seen;
  }

  #partOf(isIn: (id: string) => boolean): Part {
    const { ids, lengths } = this.#pages;
    const has = new Uint8Array(ids.length);
    const [words, filled] = [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ];
    let size = 0;
    for (const [number, id] of ids.entries()) {
      if (id === undefined || !isIn(id)) continue;
      has[number] = 1;
      size++;
      for (let field = 0; field < 4; field++) {
        const length = lengths[field]![number]!;
        words[field]! += length;
        if (length > 0) filled[field]!++;
      }
    }
    return { has, size, words, filled };
  }

  #answer(wanted: readonly Wanted[], among: Among, isWide = false) {
    const { statistics } = among;
    const { size } = this.#begin(among);
    const matches: Match[] = [];
    const all = { weight: 0, needed: 0, gain: gainOfAll(wanted.filter((word) => word.needed).length) };
    for (const [index, word] of wanted.entries()) {
      const match = this.#take(word, size, isWide, statistics?.counts[index]);
      if (match === undefined) continue;
      matches.push(match);
      all.weight += match.weight;
      if (word.needed) all.needed += match.weight;
    }
    return { matches, answering: this.#score(all) };
  }

  /** Prepares for a query; answers with the totals that scores depend on. */
  #begin({ isIn, statistics }: Among): Totals {
    const { ids } = this.#pages;
    this.#part = isIn && this.#partOf(isIn);
    const totals = statistics ?? this.#part ?? this.#pages;
    if (this.#sums.length < ids.length) {
      const room = Math.ceil(ids.length * 1.25);
      this.#sums = new Float64Array(room);
      this.#needs = new Float64Array(room);
      this.#worths = new Float64Array(room);
      this.#found = new Uint32Array(room);
    } else {
      this.#sums.fill(0);
      this.#needs.fill(0);
    }
    const { words, filled } = totals;
    this.#perWord = words.map((all, field) => (all > 0 ? (lengthMatters[field]! * filled[field]!) / all : 0));
    return totals;
  }

  /** Adds the score of one word to every page that has it; `undefined` when none has. */
  #take(word: Wanted, size: number, isWide: boolean, counts?: Counts): Match | undefined {
    const terms = new Map<string, number>();
    const asWritten = this.#findWord(word, terms);
    const here = this.#founds;
    const found = counts?.found ?? here;
    let near = 0;
    if ((isWide || found < enoughPages) && word.slips > 0) {
      near = counts?.near.at(-1) ?? 0;
      const isEnough = (step: number) => {
        if (isWide) return false;
        const after = counts ? (counts.near[step] ?? 0) : this.#founds;
        if (after > found) near = after;
        return after > found;
      };
      this.#findSlips(word, isEnough, terms);
    }
    // The word is rare by all pages that have it, here or in the other indexes.
    const pages = counts ? counts.asWritten || near || counts.found : asWritten || this.#founds;
    if (pages === 0) return undefined;
    const match = this.#matchOf(word, pages, size, terms);
    this.#settle(match.weight, word.needed);
    return match;
  }

  #matchOf(word: Wanted, pages: number, size: number, terms: ReadonlyMap<string, number>): Match {
    const weight = word.weight * Math.log(1 + (size - pages + 0.5) / (pages + 0.5));
    return word.prefix > 0 ? { weight, terms, prefix: word.term } : { weight, terms };
  }

  /** Finds the pages that have a word in one of its forms, or longer ones that begin so; answers with how many have it as it was
   * written. */
  #findWord(word: Wanted, terms: Map<string, number>): number {
    const { vocabulary } = this.#pages;
    const asWritten = this.#findTerm(terms, word.term, 1);
    for (const [other, worth] of word.others) this.#findTerm(terms, other, worth);
    if (word.prefix > 0) {
      vocabulary.eachWithPrefix(word.term, (term, pages) => {
        this.#takeTerm(pages, word.prefix * (0.4 + (0.6 * word.term.length) / term.length));
      });
    }
    return asWritten;
  }

  #findTerm(terms: Map<string, number>, term: string, worth: number): number {
    const pages = this.#pages.vocabulary.get(term);
    const count = pages === undefined ? 0 : this.#takeTerm(pages, worth);
    if (count > 0) terms.set(term, worth);
    return count;
  }

  /** Looks for the word mistyped: first with its first letter right, then anywhere, then as the beginning of a longer one. Goes no
   * further after a step when `isEnough`. */
  #findSlips(word: Wanted, isEnough: (step: number) => boolean, terms: Map<string, number>): void {
    const { vocabulary } = this.#pages;
    const look = (begun: boolean, sameStart: boolean) =>
      vocabulary.eachNear(word.term, word.slips, begun, sameStart, ({ term, pages, edits }) => {
        const near = slipWorth[edits]! * (begun ? 0.6 : 1);
        const count = this.#takeTerm(pages, near);
        if (count > 0) terms.set(term, near);
        if (count === 0 || begun) return;
        for (const form of formsOf(term)) this.#findTerm(terms, form, near * wayWorth.form);
      });
    look(false, true);
    if (isEnough(0)) return;
    look(false, false);
    if (isEnough(1) || !word.begun || word.term.length < shortestBegun) return;
    look(true, true);
  }

  /** How many pages have the term; each of them gets the best score for the present word. A common term has an entry for nearly
   * every page, so what all of them need is fetched once, and most have the term in their text alone. */
  #takeTerm(entries: Uint32Array, worth: number): number {
    const { ids, size } = this.#pages;
    const lengths = this.#pages.lengths[field.text]!;
    const [worths, found] = [this.#worths, this.#found];
    const has = this.#part?.has;
    const hasGaps = size < ids.length;
    const ofWord = this.#perWord[field.text]!;
    let [count, founds] = [0, this.#founds];
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at]!;
      const number = entry >>> entryBits;
      if ((hasGaps && ids[number] === undefined) || has?.[number] === 0) continue;
      count++;
      const here =
        worth *
        ((entry & ABOVE_TEXT) === 0
          ? worthInField(field.text, entry & fieldMasks[field.text], ofWord * lengths[number]!)
          : this.#worthOf(entry, number));
      const before = worths[number]!;
      if (before === 0) found[founds++] = number;
      if (here > before) worths[number] = here;
    }
    this.#founds = founds;
    return count;
  }

  #worthOf(entry: number, number: number): number {
    const { lengths } = this.#pages;
    let worth = 0;
    for (let field = 0; field < 4; field++) {
      const often = (entry >>> fieldShifts[field]!) & fieldMasks[field]!;
      if (often > 0) worth += worthInField(field, often, this.#perWord[field]! * lengths[field]![number]!);
    }
    return worth;
  }

  #settle(weight: number, needed: boolean): void {
    const [sums, needs, worths, found] = [this.#sums, this.#needs, this.#worths, this.#found];
    for (let at = 0; at < this.#founds; at++) {
      const number = found[at]!;
      sums[number]! += weight * dampen(worths[number]!);
      if (needed) needs[number]! += weight;
    }
    this.#forgetWord();
  }

  #forgetWord(): void {
    for (let at = 0; at < this.#founds; at++) this.#worths[this.#found[at]!] = 0;
    this.#founds = 0;
  }

  /** Makes sums into scores; answers with the pages that have one. */
  #score(all: { readonly weight: number; readonly needed: number; readonly gain: number }): Uint32Array {
    const { length } = this.#pages.ids;
    const [sums, needs, answering] = [this.#sums, this.#needs, this.#found];
    const bound = all.weight * mostOfFields;
    let count = 0;
    for (let number = 0; number < length; number++) {
      const sum = sums[number]!;
      if (sum === 0) continue;
      const share = all.needed === 0 ? 1 : needs[number]! / all.needed;
      const gain = share > ALMOST_ALL ? all.gain : 0;
      sums[number] = gain + (withNothing + (1 - withNothing) * share) * (sum / bound);
      answering[count++] = number;
    }
    return answering.subarray(0, count);
  }

  /** The best pages from one rank on, in order; equal ones by their ids. Goes through all of them once, and sorts none but the
   * best: a common word is in nearly every page. */
  #bestOf(answering: Uint32Array, from: number, most: number): Ranked[] {
    const until = Math.min(from + most, answering.length);
    if (from >= until) return [];
    const { ids, inOrder } = this.#pages;
    const sums = this.#sums;
    const hasLowerId = (one: number, other: number) =>
      one < inOrder && other < inOrder ? one < other : ids[one]! < ids[other]!;
    const isBefore = (one: number, other: number) =>
      sums[one]! > sums[other]! || (sums[one] === sums[other] && hasLowerId(one, other));
    const best = new Best(until, isBefore);
    let lowest = 0;
    for (let at = 0; at < answering.length; at++) {
      const number = answering[at]!;
      if (at >= until && sums[number]! < lowest) continue;
      best.take(number);
      lowest = sums[best.last]!;
    }
    return best
      .inOrder()
      .slice(from)
      .map((number) => ({ id: ids[number]!, score: sums[number]! }));
  }
}

/** BM25 of a word in a field: repeated words count less and less, and less in a field that is longer than others. */
function worthInField(field: number, often: number, length: number): number {
  const against = 1 - lengthMatters[field]! + length;
  return (boosts[field]! * often * (saturation + 1)) / (often + saturation * against);
}

/** The first few of many numbers, in an order: a heap whose root is the last of them. */
class Best {
  readonly #heap: number[] = [];

  constructor(
    readonly most: number,
    readonly isBefore: (one: number, other: number) => boolean,
  ) {}

  /** The last one of those that are taken, once there are as many as wanted. */
  get last(): number {
    return this.#heap[0]!;
  }

  take(number: number): void {
    const heap = this.#heap;
    if (heap.length < this.most) {
      heap.push(number);
      if (heap.length === this.most) for (let at = (heap.length >> 1) - 1; at >= 0; at--) this.#sink(at);
    } else if (this.isBefore(number, heap[0]!)) {
      heap[0] = number;
      this.#sink(0);
    }
  }

  inOrder(): number[] {
    return this.#heap.sort((one, other) => (this.isBefore(one, other) ? -1 : 1));
  }

  /** Lets a number sink until none below it comes after it. */
  #sink(from: number): void {
    const heap = this.#heap;
    const number = heap[from]!;
    let at = from;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && this.isBefore(heap[below]!, heap[below + 1]!)) below++;
      if (!this.isBefore(number, heap[below]!)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = number;
  }
}
