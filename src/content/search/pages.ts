// The pages of an index: a number for each, the lengths of its fields, and which terms are in which field. A page that
// is removed leaves its entries behind, marked as gone. They are not counted, and are swept when they are many.

import type { Steps } from "../markdown/steps";
import { entryBits, field, fieldMasks, fieldShifts, mostPages } from "./entries";
import { Vocabulary } from "./vocabulary";
import { allCode, type CodeRanges, eachOfRun, type Reader, readSome } from "./words";

/** A part of a page that begins at a heading; the first may have none. */
export interface Section {
  /** Where it is linked to within the page. */
  readonly anchor?: string;
  readonly title?: string;
  /** Plain text. */
  readonly text: string;
  /** Where code stands in the text: the start and the end of each piece, one after the other. */
  readonly code?: CodeRanges;
}

/** A page as it comes in to be found. */
export interface SearchPage {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly sections: readonly Section[];
  /** What the text may depend on. Left out: every reader has the same text. */
  readonly variesBy?: readonly Variation[];
}

/** What a text may depend on: the reader, or whether its space is a book of which pages include files. */
export type Variation = "reader" | "book";

/** The term of the pages whose text varies so. No word is like it. */
export function variationTerm(by: Variation): string {
  return `\u0001${by}`;
}

const entryBase = 2 ** entryBits;
const sweepFrom = 64;

/** Pages by number, and the terms they are found by. */
export class Pages {
  readonly vocabulary: Vocabulary;
  /** By number; `undefined` when it is gone. */
  ids: (string | undefined)[];
  /** Numbers below this one are in the order of the ids. */
  inOrder: number;
  /** By field, then by number: how many words it has. There may be room for more numbers. */
  lengths: readonly Uint32Array[];
  /** By field: the words of all pages, and the number of pages with any. Whole numbers, so that sums do not depend on
   * the history. */
  readonly words = [0, 0, 0, 0];
  readonly filled = [0, 0, 0, 0];
  readonly #numbers = new Map<string, number>();

  /** Without arguments empty; else with pages in ascending order of their ids. */
  constructor(vocabulary = new Vocabulary(), ids: string[] = [], lengths = fieldLengths(ids.length)) {
    this.vocabulary = vocabulary;
    this.ids = ids;
    this.inOrder = ids.length;
    this.lengths = lengths;
    for (const [number, id] of ids.entries()) {
      this.#numbers.set(id, number);
      this.#count(number, 1);
    }
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** Takes a page in, in place of the one with its id. */
  *put(page: SearchPage): Steps<void> {
    const { terms, lengths } = yield* termsOf(page);
    this.remove(page.id);
    yield* this.tidy();
    if (this.ids.length >= mostPages) yield* this.sweep();
    if (this.ids.length >= mostPages) throw new RangeError(`A search index holds at most ${mostPages} pages.`);
    const number = this.ids.push(page.id) - 1;
    this.#numbers.set(page.id, number);
    this.#measure(number, lengths);
    this.#count(number, 1);
    let added = 0;
    for (const [term, often] of terms) {
      this.vocabulary.add(term, number * entryBase + often);
      if (++added % STEP === 0) yield;
    }
    if (this.vocabulary.isLoose) yield* this.vocabulary.pack();
  }

  /** Whether it was there. What it leaves behind is swept with the next page that comes. */
  remove(id: string): boolean {
    const number = this.#numbers.get(id);
    if (number === undefined) return false;
    this.#numbers.delete(id);
    this.ids[number] = undefined;
    this.#count(number, -1);
    return true;
  }

  /** Sweeps when much is gone. */
  *tidy(): Steps<void> {
    const gone = this.ids.length - this.size;
    if (gone >= sweepFrom && gone * 4 > this.size) yield* this.sweep();
  }

  /** Forgets all that is gone and numbers the pages again: as they stand, or in the order of their ids. */
  *sweep(order: "as they stand" | "by id" = "as they stand"): Steps<void> {
    const kept = [...this.ids.keys()].filter((number) => this.ids[number] !== undefined);
    if (order === "by id") kept.sort((one, other) => (this.ids[one]! < this.ids[other]! ? -1 : 1));
    const inOrder = order === "by id" ? kept.length : kept.filter((number) => number < this.inOrder).length;
    if (kept.length < this.ids.length || kept.some((number, index) => number !== index)) yield* this.#renumber(kept);
    this.inOrder = inOrder;
  }

  *#renumber(kept: readonly number[]): Steps<void> {
    const numbers = new Int32Array(this.ids.length).fill(-1);
    for (const [index, number] of kept.entries()) numbers[number] = index;
    yield* this.vocabulary.rewrite((list) => renumber(list, numbers));
    this.lengths = this.lengths.map((all) => Uint32Array.from(kept, (number) => all[number]!));
    this.ids = kept.map((number) => this.ids[number]);
    for (const [number, id] of this.ids.entries()) this.#numbers.set(id!, number);
  }

  #measure(number: number, lengths: readonly number[]): void {
    if (number >= this.lengths[0]!.length) {
      const longer = fieldLengths(Math.ceil((number + 1) * 1.25));
      for (const [index, all] of this.lengths.entries()) longer[index]!.set(all);
      this.lengths = longer;
    }
    for (const [index, length] of lengths.entries()) this.lengths[index]![number] = length;
  }

  #count(number: number, sign: 1 | -1): void {
    for (let index = 0; index < 4; index++) {
      const length = this.lengths[index]![number]!;
      this.words[index]! += sign * length;
      if (length > 0) this.filled[index]! += sign;
    }
  }
}

/** Zeros for the fields of so many pages. */
export function fieldLengths(pages: number): readonly Uint32Array[] {
  return fieldMasks.map(() => new Uint32Array(pages));
}

function renumber(entries: Uint32Array, numbers: Int32Array): Uint32Array {
  let count = 0;
  for (const entry of entries) {
    const number = numbers[entry >>> entryBits]!;
    if (number >= 0) entries[count++] = number * entryBase + (entry % entryBase);
  }
  return entries.subarray(0, count).sort();
}

/** How many characters are read in one step, and how many terms are added. */
const STEP = 10_000;

/** How often each term stands in each field of a page, and how many words the fields have. */
function* termsOf(page: SearchPage): Steps<{ terms: ReadonlyMap<string, number>; lengths: readonly number[] }> {
  const terms = new Map<string, number>();
  const lengths = [0, 0, 0, 0];
  let step = 0;
  function* take(text: string | undefined, into: number, code = allCode(text ?? "")): Steps<void> {
    if (!text) return;
    const shift = fieldShifts[into]!;
    const most = fieldMasks[into]!;
    const add = (term: string) => {
      const often = terms.get(term) ?? 0;
      if (((often >> shift) & most) < most) terms.set(term, often + (1 << shift));
    };
    const reader: Reader = {
      word(parts, wholes) {
        lengths[into]! += parts.length;
        for (const part of parts) add(part);
        for (const whole of wholes) add(whole.term);
      },
      run(characters, start, end) {
        lengths[into]! += characters.length;
        eachOfRun(characters, start, end, add);
      },
      sign: add,
    };
    for (let at = 0; at < text.length; ) {
      const from = at;
      at = readSome(text, reader, from, from + STEP - step, code);
      step += at - from;
      if (step < STEP) continue;
      step = 0;
      yield;
    }
  }
  for (const by of page.variesBy ?? []) terms.set(variationTerm(by), 1);
  yield* take(page.title, field.title);
  yield* take(page.description, field.description);
  for (const { title, text, code = [] } of page.sections) {
    yield* take(title, field.headings);
    yield* take(text, field.text, code);
  }
  return { terms, lengths };
}
