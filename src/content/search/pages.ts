// The pages of an index: a number for each, the lengths of its fields, and the terms in each field. A page that is removed leaves its
// entries behind. They are not counted, and are swept when there are many.

import type { Steps } from "../../utils/concurrency/steps";
import { FIELD_MASKS, FIELD_SHIFTS, FIELDS, MAX_PAGES, PAGE_NUMBER_SHIFT, Vocabulary } from "./vocabulary";
import { analyzeRange, type CodeRanges, visitRunTerms, type WordVisitor } from "./words";

/** A part of a page that begins at a heading. The first part may have none. */
export interface SearchSection {
  /** The anchor for links to the section within the page. */
  readonly anchor?: string;
  readonly title?: string;
  readonly text: string;
  /** The places of code in the text: the start and the end of each piece, one after the other. */
  readonly code?: CodeRanges;
}

export interface SearchPage {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly sections: readonly SearchSection[];
  /** The things that the text may depend on. Default: every reader has the same text. */
  readonly variesBy?: readonly TextVariation[];
}

/** A thing that a text may depend on: the reader, or whether its space is a book whose pages include files. */
export type TextVariation = "reader" | "book";

/** The terms of the pages whose text varies. No word is equal to one of them. */
export const VARIATION_TERMS: Readonly<Record<TextVariation, string>> = { reader: "\u0001reader", book: "\u0001book" };

/** The factor of the page number in an entry. Unlike a shift, multiplying does not make large entries negative. */
const PAGE_NUMBER_FACTOR = 2 ** PAGE_NUMBER_SHIFT;
/** Fewer removed pages are not swept. */
const MIN_SWEPT_PAGES = 64;

/** The pages by number, and the terms by which they are found. */
export class IndexedPages {
  readonly vocabulary: Vocabulary;
  /** The ids by number; undefined if the page was removed. */
  ids: (string | undefined)[];
  /** Numbers below this one have the same order as the ids. */
  orderedCount: number;
  /** The number of words by field, then by page number. The arrays may be longer than the list of pages. */
  lengths: readonly Uint32Array[];
  /** The words of all pages by field. They are integers, so that sums do not depend on the history. */
  readonly wordTotals = [0, 0, 0, 0];
  /** The number of pages with any words, by field. */
  readonly filledPages = [0, 0, 0, 0];
  readonly #numbers = new Map<string, number>();

  /** Creates an index of pages in ascending order of their ids. Default: an empty one. */
  constructor(
    vocabulary = new Vocabulary(),
    ids: string[] = [],
    lengths = FIELD_MASKS.map(() => new Uint32Array(ids.length)),
  ) {
    this.vocabulary = vocabulary;
    this.ids = ids;
    this.orderedCount = ids.length;
    this.lengths = lengths;
    for (const [number, id] of ids.entries()) {
      this.#numbers.set(id, number);
      this.#count(number, 1);
    }
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** Adds a page, or replaces the one with its id. */
  *putInSteps(page: SearchPage): Steps<void> {
    const { terms, lengths } = yield* countTermsInSteps(page);
    this.remove(page.id);
    yield* this.sweepIfNeededInSteps();
    if (this.ids.length >= MAX_PAGES) yield* this.sweepInSteps();
    if (this.ids.length >= MAX_PAGES) throw new RangeError(`A search index holds at most ${MAX_PAGES} pages.`);

    const number = this.ids.push(page.id) - 1;
    this.#numbers.set(page.id, number);
    if (number >= this.lengths[0]!.length) {
      const longer = FIELD_MASKS.map(() => new Uint32Array(Math.ceil((number + 1) * 1.25)));
      for (const [field, fieldLengths] of this.lengths.entries()) longer[field]!.set(fieldLengths);
      this.lengths = longer;
    }
    for (const [field, length] of lengths.entries()) this.lengths[field]![number] = length;
    this.#count(number, 1);

    let added = 0;
    for (const [term, counts] of terms) {
      this.vocabulary.add(term, number * PAGE_NUMBER_FACTOR + counts);
      if (++added % ITEMS_PER_STEP === 0) yield;
    }
    if (this.vocabulary.shouldPack) yield* this.vocabulary.packInSteps();
  }

  /** Removes a page. Its entries are swept with the next page that is added. Returns false if it was not there. */
  remove(id: string): boolean {
    const number = this.#numbers.get(id);
    if (number === undefined) return false;
    this.#numbers.delete(id);
    this.ids[number] = undefined;
    this.#count(number, -1);
    return true;
  }

  /** Sweeps if many pages were removed. */
  *sweepIfNeededInSteps(): Steps<void> {
    const removed = this.ids.length - this.size;
    if (removed >= MIN_SWEPT_PAGES && removed * 4 > this.size) yield* this.sweepInSteps();
  }

  /** Drops everything that was removed and numbers the pages again: in their present order, or by their ids. */
  *sweepInSteps(order: "as they are" | "by id" = "as they are"): Steps<void> {
    const remaining = [...this.ids.keys()].filter((number) => this.ids[number] !== undefined);
    if (order === "by id") remaining.sort((one, other) => (this.ids[one]! < this.ids[other]! ? -1 : 1));
    const orderedCount =
      order === "by id" ? remaining.length : remaining.filter((number) => number < this.orderedCount).length;

    const isRenumbered = remaining.length < this.ids.length || remaining.some((number, i) => number !== i);
    if (isRenumbered) {
      const newNumbers = new Int32Array(this.ids.length).fill(-1);
      for (const [newNumber, number] of remaining.entries()) newNumbers[number] = newNumber;
      yield* this.vocabulary.rewriteInSteps((entries) => {
        let length = 0;
        for (const entry of entries) {
          const number = newNumbers[entry >>> PAGE_NUMBER_SHIFT]!;
          if (number >= 0) entries[length++] = number * PAGE_NUMBER_FACTOR + (entry % PAGE_NUMBER_FACTOR);
        }
        return entries.subarray(0, length).sort();
      });
      this.lengths = this.lengths.map((fieldLengths) => Uint32Array.from(remaining, (number) => fieldLengths[number]!));
      this.ids = remaining.map((number) => this.ids[number]);
      for (const [number, id] of this.ids.entries()) this.#numbers.set(id!, number);
    }
    this.orderedCount = orderedCount;
  }

  #count(number: number, sign: 1 | -1): void {
    for (let field = 0; field < 4; field++) {
      const length = this.lengths[field]![number]!;
      this.wordTotals[field]! += sign * length;
      if (length > 0) this.filledPages[field]! += sign;
    }
  }
}

/** The characters that are analyzed in one step, and the terms that are added. */
const ITEMS_PER_STEP = 10_000;

/** Returns the counts of each term in the fields of a page, as bits of an entry, and the lengths of the fields. */
function* countTermsInSteps(
  page: SearchPage,
): Steps<{ terms: ReadonlyMap<string, number>; lengths: readonly number[] }> {
  const terms = new Map<string, number>();
  const lengths = [0, 0, 0, 0];
  let charactersOfStep = 0;
  for (const variation of page.variesBy ?? []) terms.set(VARIATION_TERMS[variation], 1);
  const fields: { text: string | undefined; field: number; code?: CodeRanges }[] = [
    { text: page.title, field: FIELDS.title },
    { text: page.description, field: FIELDS.description },
  ];
  for (const { title, text, code = [] } of page.sections)
    fields.push({ text: title, field: FIELDS.headings }, { text, field: FIELDS.text, code });
  for (const { text = "", field, code = [0, text.length] } of fields) {
    const shift = FIELD_SHIFTS[field]!;
    const mask = FIELD_MASKS[field]!;
    const addTerm = (term: string) => {
      const counts = terms.get(term) ?? 0;
      if (((counts >> shift) & mask) < mask) terms.set(term, counts + (1 << shift));
    };
    const visitor: WordVisitor = {
      visitWord(parts, joinedTerms) {
        lengths[field]! += parts.length;
        for (const part of parts) addTerm(part);
        for (const { term } of joinedTerms) addTerm(term);
      },
      visitRun(characters, start, end) {
        lengths[field]! += characters.length;
        visitRunTerms(characters, start, end, addTerm);
      },
      visitSymbol: addTerm,
    };
    for (let position = 0; position < text.length; ) {
      const start = position;
      position = analyzeRange(text, visitor, start, start + ITEMS_PER_STEP - charactersOfStep, code);
      charactersOfStep += position - start;
      if (charactersOfStep < ITEMS_PER_STEP) continue;
      charactersOfStep = 0;
      yield;
    }
  }
  return { terms, lengths };
}
