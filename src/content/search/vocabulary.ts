// The terms of an index, each with the list of its pages. Terms are sorted on demand. Terms with a common prefix are neighbors then, so
// a prefix is a range, and a walk over all terms only compares the letters that differ from the term before. A radix tree of maps (as
// in MiniSearch) was rejected: with a script of thousands of letters, each insertion walks past all of them, and 100,000 terms took
// 27 MB and a fifth of a second to load.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { findSortedIndex } from "../../utils/sorted";
import { sortInSteps } from "../revision/sort-in-steps";

/** The terms and entries that are processed in one step. */
const ITEMS_PER_STEP = 5000;

/** Fewer loose entries are not packed. More are packed only if they are also many compared to the packed ones. */
const MIN_PACKED_ENTRIES = 1_000_000;
/** The approximate memory of a term beside its entries, and of a loose entry. */
const BYTES_PER_TERM = 100;
const BYTES_PER_LOOSE_ENTRY = 12;

/** A term similar to the one that was searched for, the entries of its pages, and the edits between the two terms. */
export interface NearTerm {
  readonly term: string;
  readonly pages: Uint32Array;
  readonly edits: number;
}

/** The entries of a term: the index of its packed list, if it has one, and the entries that were added since. */
interface GrowingList {
  readonly packedIndex: number | undefined;
  readonly looseEntries: number[];
}

export interface NearTermOptions {
  /** The most edits: a letter more, less or different, or two swapped. */
  readonly maxEdits: number;
  /** The word may be the beginning of a longer one. */
  readonly isPrefix: boolean;
  /** Only terms with the same first letter are compared. */
  readonly hasSameStart: boolean;
}

/** The terms of an index, and the entries of the pages of each in ascending order. */
export class Vocabulary {
  /** A number is the index of a packed list that has all entries. */
  readonly #lists = new Map<string, number | GrowingList>();
  readonly #reader = new EntryReader();
  #packed: PackedLists = { bytes: new Uint8Array(0), ends: new Uint32Array(0) };
  #looseEntryCount = 0;
  #sorted: string[] = [];
  /** The signatures of the sorted terms, if they are known. */
  #signatures: Uint32Array | undefined;
  /** The terms that were added since `#sorted` was complete. */
  #unsorted: string[] = [];

  /** Creates a vocabulary of terms in ascending order with a packed list for each. */
  static *createInSteps(sorted: string[], packed: PackedLists): Steps<Vocabulary> {
    const vocabulary = new Vocabulary();
    vocabulary.#sorted = sorted;
    vocabulary.#packed = packed;
    for (let i = 0; i < sorted.length; i++) {
      vocabulary.#lists.set(sorted[i]!, i);
      if (i % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    }
    return vocabulary;
  }

  /** The approximate memory of the vocabulary. */
  get bytes(): number {
    return (
      this.#packed.bytes.length + this.#looseEntryCount * BYTES_PER_LOOSE_ENTRY + this.#lists.size * BYTES_PER_TERM
    );
  }

  /** There are so many loose entries that they should be packed. */
  get shouldPack(): boolean {
    return this.#looseEntryCount >= Math.max(MIN_PACKED_ENTRIES, this.#packed.bytes.length / 4);
  }

  /** The lists of all terms in their order. They are complete after `packInSteps`. */
  get packed(): PackedLists {
    return this.#packed;
  }

  /** Returns the entries of a term. They are valid until the next ones are read. */
  get(term: string): Uint32Array | undefined {
    const list = this.#lists.get(term);
    if (list === undefined) return undefined;
    if (typeof list === "number") return this.#reader.read(this.#packed, list, NO_ENTRIES);
    return this.#reader.read(this.#packed, list.packedIndex, list.looseEntries);
  }

  /** Adds an entry, which must be greater than all entries of the term. */
  add(term: string, entry: number): void {
    const list = this.#lists.get(term);
    this.#looseEntryCount++;
    if (typeof list === "object") {
      list.looseEntries.push(entry);
      return;
    }
    this.#lists.set(term, { packedIndex: list, looseEntries: [entry] });
    if (list === undefined) this.#unsorted.push(term);
  }

  /** Returns all terms in ascending order. */
  listTerms(): readonly string[] {
    if (this.#unsorted.length > 0) runStepsSync(this.sortInSteps());
    return this.#sorted;
  }

  /** Sorts the terms that were added. */
  *sortInSteps(): Steps<void> {
    if (this.#unsorted.length === 0) return;
    // Terms have the order of `<`, which is the same everywhere, unlike the order of a locale.
    const added = yield* sortInSteps(this.#unsorted);
    const before = this.#sorted;
    const terms: string[] = [];
    // The signatures of all terms but the new ones are known already.
    const signatures = this.#signatures && new Uint32Array(before.length + added.length);
    let [i, j] = [0, 0];
    while (i < before.length || j < added.length) {
      const isAdded = i === before.length || (j < added.length && added[j]! < before[i]!);
      const term = isAdded ? added[j]! : before[i]!;
      if (signatures) signatures[terms.length] = isAdded ? computeSignature(term) : this.#signatures![i]!;
      if (isAdded) j++;
      else i++;
      terms.push(term);
      if (terms.length % ITEMS_PER_STEP === 0) yield;
    }
    this.#sorted = terms;
    this.#signatures = signatures;
    this.#unsorted = [];
  }

  /** Packs the loose entries. */
  *packInSteps(): Steps<void> {
    if (this.#looseEntryCount > 0) yield* this.rewriteInSteps((entries) => entries);
  }

  /** Replaces every list, and packs all of them. Terms without entries are removed. */
  *rewriteInSteps(change: (entries: Uint32Array) => Uint32Array): Steps<void> {
    yield* this.sortInSteps();
    const terms: string[] = [];
    const ends: number[] = [];
    const writer = new ByteWriter();
    let itemsOfStep = 0;
    for (const term of this.#sorted) {
      const before = this.get(term)!;
      const entries = change(before);
      if (entries.length > 0) {
        // Each page is stored as its distance from the one before, doubled. One is added if the counts follow,
        // which they do unless the term occurs once, in the text.
        let lastPage = 0;
        for (const entry of entries) {
          const page = entry >>> PAGE_NUMBER_SHIFT;
          const counts = entry & COUNTS_MASK;
          const hasCounts = counts !== ONCE_IN_TEXT;
          writer.writeNumber((page - lastPage) * 2 + (hasCounts ? 1 : 0));
          if (hasCounts) writer.writeNumber(counts);
          lastPage = page;
        }
        ends.push(writer.length);
        // The index is that of the new lists. No code reads this list again before all of them are replaced.
        this.#lists.set(term, terms.push(term) - 1);
      } else this.#lists.delete(term);
      itemsOfStep += 1 + before.length;
      if (itemsOfStep < ITEMS_PER_STEP) continue;
      itemsOfStep = 0;
      yield;
    }
    this.#packed = { bytes: writer.getBytes().slice(), ends: Uint32Array.from(ends) };
    this.#looseEntryCount = 0;
    if (terms.length < this.#sorted.length) this.#signatures = undefined;
    this.#sorted = terms;
  }

  visitLongerTerms(prefix: string, visit: (term: string, pages: Uint32Array) => void): void {
    const terms = this.listTerms();
    for (let i = findSortedIndex(terms, prefix); i < terms.length; i++) {
      const term = terms[i]!;
      if (!term.startsWith(prefix)) break;
      if (term.length > prefix.length) visit(term, this.get(term)!);
    }
  }

  /** Visits the terms within a number of edits of a word, except for the word itself. */
  visitNearTerms(word: string, options: NearTermOptions, visit: (near: NearTerm) => void): void {
    const { maxEdits, isPrefix, hasSameStart } = options;
    const terms = this.listTerms();
    this.#signatures ??= Uint32Array.from(terms, computeSignature);
    const signatures = this.#signatures;
    const wordSignature = computeSignature(word);
    const distance = new EditDistance(word, maxEdits, isPrefix);
    const start = hasSameStart ? word.slice(0, 1) : "";
    for (let i = findSortedIndex(terms, start); i < terms.length; i++) {
      // The signatures exclude nearly all terms of a language: an edit adds at most one group of letters, removes at most one, and changes
      // the length by at most one. A longer term may have any letters after its beginning.
      const signature = signatures[i]!;
      const lengthDifference = (signature >>> LETTER_GROUPS) - (wordSignature >>> LETTER_GROUPS);
      if (lengthDifference < -maxEdits || (lengthDifference > maxEdits && !isPrefix)) continue;
      if (!hasAtMostBits(wordSignature & ~signature & GROUPS_MASK, maxEdits)) continue;
      if (!isPrefix && !hasAtMostBits(signature & ~wordSignature & GROUPS_MASK, maxEdits)) continue;
      const term = terms[i]!;
      if (!term.startsWith(start)) break;
      const edits = distance.countEdits(term);
      if (edits > 0 && edits <= maxEdits) visit({ term, pages: this.get(term)!, edits });
    }
  }
}

const NO_ENTRIES: readonly number[] = [];

/** The groups of letters in a signature, and the greatest length. */
const LETTER_GROUPS = 27;
const GROUPS_MASK = (1 << LETTER_GROUPS) - 1;
const MAX_SIGNATURE_LENGTH = 31;

/** Describes a term in 32 bits: the groups of its letters, and its length in the bits above them. */
function computeSignature(term: string): number {
  let groups = 0;
  for (let i = 0; i < term.length; i++) groups |= 1 << (term.charCodeAt(i) % LETTER_GROUPS);
  return (groups | (Math.min(term.length, MAX_SIGNATURE_LENGTH) << LETTER_GROUPS)) >>> 0;
}

function hasAtMostBits(bits: number, maxBits: number): boolean {
  let rest = bits;
  for (let i = 0; i < maxBits; i++) rest &= rest - 1;
  return rest === 0;
}

/**
 * Computes the edit distances from one word to terms in ascending order. The matrix has a row for each letter of the term. The rows of
 * the letters that a term shares with the one before are reused.
 */
class EditDistance {
  readonly #word: string;
  readonly #maxEdits: number;
  readonly #isPrefix: boolean;
  readonly #columns: number;
  readonly #rows: Uint8Array;
  /** The least edits to the whole word so far, by the depth in the term. */
  readonly #prefixEdits: Uint8Array;
  readonly #maxDepth: number;
  #lastTerm = "";
  /** Terms that share this many letters with the last one are too far away as well. */
  #hopelessDepth = Number.POSITIVE_INFINITY;

  constructor(word: string, maxEdits: number, isPrefix: boolean) {
    this.#word = word;
    this.#maxEdits = maxEdits;
    this.#isPrefix = isPrefix;
    this.#columns = word.length + 1;
    this.#maxDepth = word.length + maxEdits;
    this.#rows = new Uint8Array(this.#columns * (this.#maxDepth + 1));
    this.#prefixEdits = new Uint8Array(this.#maxDepth + 1).fill(255);
    for (let column = 0; column < this.#columns; column++) this.#rows[column] = column;
  }

  /** Returns the edits between the word and a term, or a number above the maximum. */
  countEdits(term: string): number {
    const lastTerm = this.#lastTerm;
    const maxShared = Math.min(lastTerm.length, term.length, this.#hopelessDepth);
    let shared = 0;
    while (shared < maxShared && lastTerm.charCodeAt(shared) === term.charCodeAt(shared)) shared++;
    if (shared >= this.#hopelessDepth) return this.#countPrefixEdits(term);

    this.#lastTerm = term;
    this.#hopelessDepth = Number.POSITIVE_INFINITY;
    for (let depth = shared + 1; depth <= term.length; depth++) {
      if (depth > this.#maxDepth || this.#fillRow(term, depth) > this.#maxEdits) {
        this.#hopelessDepth = depth;
        return this.#countPrefixEdits(term);
      }
    }
    return this.#isPrefix ? this.#prefixEdits[term.length]! : this.#rows[(term.length + 1) * this.#columns - 1]!;
  }

  /** Returns the edits to a term that is too far away. Its beginning may still be near the word. */
  #countPrefixEdits(term: string): number {
    const depth = Math.min(this.#hopelessDepth - 1, term.length);
    return this.#isPrefix ? this.#prefixEdits[depth]! : 255;
  }

  /** Fills the row of the term's letter at a depth. Returns its least value. */
  #fillRow(term: string, depth: number): number {
    const columns = this.#columns;
    const rows = this.#rows;
    const word = this.#word;
    const row = depth * columns;
    const rowAbove = row - columns;
    const letter = term.charCodeAt(depth - 1);
    rows[row] = depth;
    let least = depth;
    for (let column = 1; column < columns; column++) {
      const wordLetter = word.charCodeAt(column - 1);
      let edits = Math.min(
        rows[rowAbove + column - 1]! + (letter === wordLetter ? 0 : 1),
        rows[rowAbove + column]! + 1,
        rows[row + column - 1]! + 1,
      );
      const isSwapped =
        depth > 1 && column > 1 && letter === word.charCodeAt(column - 2) && term.charCodeAt(depth - 2) === wordLetter;
      if (isSwapped) edits = Math.min(edits, rows[rowAbove - columns + column - 2]! + 1);
      rows[row + column] = edits;
      if (edits < least) least = edits;
    }
    this.#prefixEdits[depth] = Math.min(this.#prefixEdits[depth - 1]!, rows[row + columns - 1]!);
    return least;
  }
}

// The entries of a term: the pages that have it, in ascending order, and its count in each field of the page. Lists of entries are
// stored as bytes and decoded each time: for 100,000 pages, arrays of numbers took 90 MB, and bytes take 16.

export const FIELDS = { text: 0, headings: 1, description: 2, title: 3 } as const;
/** The lowest bit of each field's count in an entry. */
export const FIELD_SHIFTS = [0, 5, 8, 10] as const;
/** The highest count of each field that an entry can hold. Higher counts are stored as this. */
export const FIELD_MASKS = [31, 7, 3, 3] as const;

/** The lowest bit of the page number in an entry. The bits below it hold the counts. */
export const PAGE_NUMBER_SHIFT = 12;
/** The most pages of an index. Entries are unsigned 32-bit numbers. */
export const MAX_PAGES = 2 ** (32 - PAGE_NUMBER_SHIFT);
const ONCE_IN_TEXT = 1;
const COUNTS_MASK = 2 ** PAGE_NUMBER_SHIFT - 1;

/** Lists of entries as bytes, and the end of each list. */
interface PackedLists {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** Reads lists, one after the other. Each result is valid until the next list is read. */
class EntryReader {
  #buffer = new Uint32Array(64);

  read({ bytes, ends }: PackedLists, index: number | undefined, furtherEntries: readonly number[]): Uint32Array {
    const start = index ? ends[index - 1]! : 0;
    const end = index === undefined ? 0 : ends[index]!;
    const maxEntries = end - start + furtherEntries.length;
    if (this.#buffer.length < maxEntries) this.#buffer = new Uint32Array(maxEntries * 2);
    const buffer = this.#buffer;
    let length = 0;
    let page = 0;
    for (let position = start; position < end; ) {
      let byte = bytes[position++]!;
      let distance = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[position++] ?? 0;
        distance |= (byte & 0x7f) << shift;
      }
      page += distance >>> 1;
      let counts = ONCE_IN_TEXT;
      if (distance & 1) {
        byte = bytes[position++] ?? 0;
        counts = byte & 0x7f;
        if (byte > 0x7f) counts |= (bytes[position++] ?? 0) << 7;
      }
      buffer[length++] = (page << PAGE_NUMBER_SHIFT) | counts;
    }
    for (const entry of furtherEntries) buffer[length++] = entry;
    return buffer.subarray(0, length);
  }
}

// Bytes: numbers with seven bits a byte, the lowest first; texts in UTF-8 after their length.

export class ByteWriter {
  length = 0;
  #buffer = new Uint8Array(1024);

  writeNumber(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.length++] = rest;
  }

  writeText(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.writeNumber(bytes.length);
    this.writeBytes(bytes);
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Returns the bytes as a view of the buffer. */
  getBytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }

  #reserve(byteCount: number): void {
    if (this.length + byteCount <= this.#buffer.length) return;
    const buffer = new Uint8Array((this.length + byteCount) * 2);
    buffer.set(this.getBytes());
    this.#buffer = buffer;
  }
}

/** Reads the output of a `ByteWriter`. After the end it returns zeros. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readNumber(): number {
    let byte = this.#bytes[this.#position++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.#bytes[this.#position++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  readText(): string {
    const length = this.readNumber();
    this.#position += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#position - length, this.#position));
  }

  readRest(): Uint8Array {
    return this.#bytes.subarray(this.#position);
  }
}
