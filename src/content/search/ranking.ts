// Which pages match a query, and in what order: pages with all of its words before pages with some, the word itself
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
  /** From 1 on it has everything that the query needs; below 1 something is missing. */
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

/** With fewer pages than this, a word may have been mistyped. */
const enoughPages = 3;
const slipWorth = [0, 0.3, 0.2] as const;
/** A word still being typed may have slips from this length on. */
const shortestBegun = 5;

/** The bits of an entry that count in other fields than the text. */
const ABOVE_TEXT = 2 ** entryBits - 1 - fieldMasks[0];

/** Some pages of an index, as if there were no others. */
interface Part {
  /** By number: 1 for a page of the part. */
  readonly has: Uint8Array;
  readonly size: number;
  /** By field: as in `Pages`. */
  readonly words: readonly number[];
  readonly filled: readonly number[];
}

/** Ranks the pages of one index. Its arrays are reused between queries. */
export class Ranker {
  readonly #pages: Pages;
  /** By page: the score so far, how many of the needed words it has, and the score of the present word. */
  #sums = new Float64Array(0);
  #needs = new Uint8Array(0);
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

  /** The first `most` pages from `from` on. Pages that `sees` denies are neither named nor counted. */
  rank(
    wanted: readonly Wanted[],
    { from, most }: { readonly from: number; readonly most: number },
    sees?: (id: string) => boolean,
  ): Ranking {
    const { matches, answering } = this.#answer(wanted, sees);
    return { total: answering.length, best: this.#bestOf(answering, from, most), matches };
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
    this.#part = isIn && this.#partOf(isIn);
    const { answering } = this.#answer(wanted, undefined, true);
    this.#part = undefined;
    const seen: Ranked[] = [];
    let some = most;
    for (let from = 0; from < answering.length && seen.length < most; ) {
      for (const page of this.#bestOf(answering, from, some)) if (seen.length < most && sees(page.id)) seen.push(page);
      from += some;
      some *= 2;
    }
    return seen;
  }

  /** All pages that answer among those that `isIn` allows, in no order. Nothing about other pages has any part in it: the
   * scores are those of an index that never had them. */
  among(wanted: readonly Wanted[], isIn: (id: string) => boolean): Ranking {
    this.#part = this.#partOf(isIn);
    const { matches, answering } = this.#answer(wanted);
    this.#part = undefined;
    const best = Array.from(answering, (number) => ({ id: this.#pages.ids[number]!, score: this.#sums[number]! }));
    return { total: best.length, best, matches };
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

  #answer(wanted: readonly Wanted[], sees?: (id: string) => boolean, isWide = false) {
    this.#begin();
    const matches: Match[] = [];
    let bound = 0;
    for (const word of wanted) {
      const match = this.#take(word, isWide);
      if (match === undefined) continue;
      matches.push(match);
      bound += match.weight * mostOfFields;
    }
    const needed = wanted.filter((word) => word.needed).length;
    return { matches, answering: this.#score(needed, bound, sees) };
  }

  #begin(): void {
    const { ids } = this.#pages;
    const { words, filled } = this.#part ?? this.#pages;
    if (this.#sums.length < ids.length) {
      const room = Math.ceil(ids.length * 1.25);
      this.#sums = new Float64Array(room);
      this.#needs = new Uint8Array(room);
      this.#worths = new Float64Array(room);
      this.#found = new Uint32Array(room);
    } else {
      this.#sums.fill(0);
      this.#needs.fill(0);
    }
    this.#perWord = words.map((all, field) => (all > 0 ? (lengthMatters[field]! * filled[field]!) / all : 0));
  }

  /** Adds the score of one word to every page that has it; `undefined` when none has. */
  #take(word: Wanted, isWide: boolean): Match | undefined {
    const { vocabulary } = this.#pages;
    const { size } = this.#part ?? this.#pages;
    const terms = new Map<string, number>();
    const take = (term: string, pages: Uint32Array | undefined, worth: number) => {
      const count = pages === undefined ? 0 : this.#takeTerm(pages, worth);
      if (count > 0) terms.set(term, worth);
      return count;
    };
    const asWritten = take(word.term, vocabulary.get(word.term), 1);
    for (const [other, worth] of word.others) take(other, vocabulary.get(other), worth);
    if (word.prefix > 0) {
      vocabulary.eachWithPrefix(word.term, (term, pages) => {
        this.#takeTerm(pages, word.prefix * (0.4 + (0.6 * word.term.length) / term.length));
      });
    }
    if ((isWide || this.#founds < enoughPages) && word.slips > 0) this.#takeSlips(word, take, isWide);
    if (this.#founds === 0) return undefined;
    const pages = asWritten > 0 ? asWritten : this.#founds;
    const weight = word.weight * Math.log(1 + (size - pages + 0.5) / (pages + 0.5));
    this.#settle(weight, word.needed);
    return word.prefix > 0 ? { weight, terms, prefix: word.term } : { weight, terms };
  }

  /** Looks for the word mistyped: first with its first letter right, then anywhere, then as the beginning of a longer one. */
  #takeSlips(
    word: Wanted,
    take: (term: string, pages: Uint32Array | undefined, worth: number) => number,
    isWide: boolean,
  ): void {
    const { vocabulary } = this.#pages;
    const before = this.#founds;
    const look = (begun: boolean, sameStart: boolean) => {
      vocabulary.eachNear(word.term, word.slips, begun, sameStart, ({ term, pages, edits }) => {
        const near = slipWorth[edits]! * (begun ? 0.6 : 1);
        if (take(term, pages, near) === 0 || begun) return;
        for (const form of formsOf(term)) take(form, vocabulary.get(form), near * wayWorth.form);
      });
      return !isWide && this.#founds > before;
    };
    if (look(false, true) || look(false, false)) return;
    if (word.begun && word.term.length >= shortestBegun) look(true, true);
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
      if (needed) needs[number]!++;
      worths[number] = 0;
    }
    this.#founds = 0;
  }

  /** Makes sums into scores; answers with the pages that have one. */
  #score(needed: number, bound: number, sees?: (id: string) => boolean): Uint32Array {
    const { ids } = this.#pages;
    const [sums, needs, answering] = [this.#sums, this.#needs, this.#found];
    let count = 0;
    for (let number = 0; number < ids.length; number++) {
      const sum = sums[number]!;
      if (sum === 0 || sees?.(ids[number]!) === false) continue;
      const has = needs[number]!;
      sums[number] = (has === needed ? 1 : 0) + ((1 + has) / (1 + needed)) * (sum / bound);
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
