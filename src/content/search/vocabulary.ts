// Every term of an index with the list of its pages. Terms are sorted when that is needed: those with a common prefix
// are neighbours, so a prefix is a range, and a walk over all terms compares only what differs from the one before. A
// radix tree of maps (as in MiniSearch) was rejected: with a script of thousands of letters each insertion walks past
// all of them, and 100,000 terms took 27 MB and a fifth of a second to load.

import { runStepsSync, type Steps } from "../markdown/steps";
import { Writer } from "./bytes";
import { EntryReader, type PackedLists, writeEntries } from "./entries";

/** How many terms are sorted or gone through in one step. */
const STEP = 5000;

/** From here on entries that came one by one are packed, if they are also many beside those that are packed. */
const MANY = 1_000_000;
/** What a term takes of memory beside its entries, about. */
const BYTES_A_TERM = 100;
const BYTES_A_LOOSE_ENTRY = 12;

/** A term, its pages, and how far it is from what was asked for. */
export interface Near {
  readonly term: string;
  readonly pages: Uint32Array;
  readonly edits: number;
}

/** The entries of a term: the index of its packed list, if it has one, and what came since. */
interface Grown {
  readonly packed: number | undefined;
  readonly more: number[];
}

/** Terms, and for each the entries of its pages in ascending order. */
export class Vocabulary {
  /** A number is the index of a packed list to which nothing came. */
  readonly #lists = new Map<string, number | Grown>();
  readonly #reader = new EntryReader();
  #packed: PackedLists = { bytes: new Uint8Array(0), ends: new Uint32Array(0) };
  /** How many entries are not packed. */
  #loose = 0;
  #sorted: string[] = [];
  /** Of each sorted term its marks, while they are known. */
  #marks: Uint32Array | undefined;
  /** Terms that came since `#sorted` was in order. */
  #fresh: string[] = [];

  /** With terms in ascending order, and a packed list for each. */
  static *of(sorted: string[], packed: PackedLists): Steps<Vocabulary> {
    const made = new Vocabulary();
    made.#sorted = sorted;
    made.#packed = packed;
    for (let index = 0; index < sorted.length; index++) {
      made.#lists.set(sorted[index]!, index);
      if (index % STEP === STEP - 1) yield;
    }
    return made;
  }

  /** The memory that it takes, about. */
  get bytes(): number {
    return this.#packed.bytes.length + this.#loose * BYTES_A_LOOSE_ENTRY + this.#lists.size * BYTES_A_TERM;
  }

  /** Whether so much came that it should be packed. */
  get isLoose(): boolean {
    return this.#loose >= Math.max(MANY, this.#packed.bytes.length / 4);
  }

  /** The lists of all terms in their order, after `pack`. */
  get packed(): PackedLists {
    return this.#packed;
  }

  /** The entries of a term. They stand until the next ones are read. */
  get(term: string): Uint32Array | undefined {
    const list = this.#lists.get(term);
    if (list === undefined) return undefined;
    if (typeof list === "number") return this.#reader.read(this.#packed, list, NONE);
    return this.#reader.read(this.#packed, list.packed, list.more);
  }

  /** Adds an entry, which is greater than all that the term has. */
  add(term: string, entry: number): void {
    const list = this.#lists.get(term);
    this.#loose++;
    if (typeof list === "object") {
      list.more.push(entry);
      return;
    }
    this.#lists.set(term, { packed: list, more: [entry] });
    if (list === undefined) this.#fresh.push(term);
  }

  /** Every term in ascending order. */
  terms(): readonly string[] {
    if (this.#fresh.length > 0) runStepsSync(this.sort());
    return this.#sorted;
  }

  /** Puts the terms in order that came lately. */
  *sort(): Steps<void> {
    let runs: string[][] = [];
    for (let from = 0; from < this.#fresh.length; from += STEP) {
      runs.push(this.#fresh.slice(from, from + STEP).sort(byUnits));
      yield;
    }
    while (runs.length > 1) {
      const longer: string[][] = [];
      for (let at = 0; at < runs.length; at += 2) longer.push(yield* merge(runs[at]!, runs[at + 1] ?? []));
      runs = longer;
    }
    if (runs.length > 0) {
      const before = this.#sorted;
      this.#sorted = yield* merge(before, runs[0]!);
      if (this.#marks) this.#marks = yield* mergedMarks(this.#sorted, before, this.#marks);
    }
    this.#fresh = [];
  }

  /** Packs what came. */
  *pack(): Steps<void> {
    if (this.#loose > 0) yield* this.rewrite((entries) => entries);
  }

  /** Exchanges every list; a term without entries is gone. All are packed then. */
  *rewrite(change: (entries: Uint32Array) => Uint32Array): Steps<void> {
    yield* this.sort();
    const kept: string[] = [];
    const ends: number[] = [];
    const lists = new Writer();
    let read = 0;
    for (const term of this.#sorted) {
      const before = this.get(term)!;
      const entries = change(before);
      if (entries.length > 0) {
        writeEntries(lists, entries);
        ends.push(lists.length);
        // Nobody reads this list again before all of them are exchanged.
        this.#lists.set(term, kept.push(term) - 1);
      } else this.#lists.delete(term);
      read += 1 + before.length;
      if (read < STEP) continue;
      read = 0;
      yield;
    }
    this.#packed = { bytes: lists.done().slice(), ends: Uint32Array.from(ends) };
    this.#loose = 0;
    if (kept.length < this.#sorted.length) this.#marks = undefined;
    this.#sorted = kept;
  }

  /** Visits the longer terms that begin so. */
  eachWithPrefix(prefix: string, visit: (term: string, pages: Uint32Array) => void): void {
    const terms = this.terms();
    for (let index = firstNotBefore(terms, prefix); index < terms.length; index++) {
      const term = terms[index]!;
      if (!term.startsWith(prefix)) break;
      if (term.length > prefix.length) visit(term, this.get(term)!);
    }
  }

  /** Visits the terms within this many edits of the word, except for the word itself: a letter more, less, different,
   * or two swapped. With `begun` the word may be the beginning of a longer one. With `sameStart` only terms with the
   * same first letter are looked at. */
  eachNear(word: string, most: number, begun: boolean, sameStart: boolean, visit: (near: Near) => void): void {
    const terms = this.terms();
    this.#marks ??= Uint32Array.from(terms, marksOf);
    const marks = this.#marks;
    const mine = marksOf(word);
    const walk = new EditWalk(word, most, begun);
    const start = sameStart ? word.slice(0, 1) : "";
    for (let index = firstNotBefore(terms, start); index < terms.length; index++) {
      if (!mayBeNear(mine, marks[index]!, most, begun)) continue;
      const term = terms[index]!;
      if (!term.startsWith(start)) break;
      const edits = walk.editsTo(term);
      if (edits > 0 && edits <= most) visit({ term, pages: this.get(term)!, edits });
    }
  }
}

const NONE: readonly number[] = [];

/** The order of `<`, which is the same everywhere; that of a locale is not. */
function byUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function* merge(one: string[], other: string[]): Steps<string[]> {
  if (other.length === 0) return one;
  const merged: string[] = [];
  let [at, next] = [0, 0];
  while (at < one.length || next < other.length) {
    const isOther = at === one.length || (next < other.length && other[next]! < one[at]!);
    merged.push(isOther ? other[next++]! : one[at++]!);
    if (merged.length % STEP === 0) yield;
  }
  return merged;
}

function firstNotBefore(terms: readonly string[], term: string): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (terms[middle]! < term) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Marks of sorted terms, of which all but the new ones have theirs already. */
function* mergedMarks(terms: readonly string[], before: readonly string[], marks: Uint32Array): Steps<Uint32Array> {
  const merged = new Uint32Array(terms.length);
  let known = 0;
  for (let index = 0; index < terms.length; index++) {
    merged[index] = terms[index] === before[known] ? marks[known++]! : marksOf(terms[index]!);
    if (index % STEP === STEP - 1) yield;
  }
  return merged;
}

/** The kinds of letters that are told apart in marks, and the longest length. */
const KINDS = 27;
const LONGEST = 31;

/** What can be said of a term in 32 bits: which kinds of letters it has, and above them its length. */
function marksOf(term: string): number {
  let kinds = 0;
  for (let at = 0; at < term.length; at++) kinds |= 1 << (term.charCodeAt(at) % KINDS);
  return (kinds | (Math.min(term.length, LONGEST) << KINDS)) >>> 0;
}

/** Whether a term may be within so many edits of a word, by their marks. An edit adds one kind of letter at most, takes one away at
 * most, and changes the length by one at most. Nearly all terms of a language are left out here. */
function mayBeNear(word: number, term: number, most: number, begun: boolean): boolean {
  const longer = (term >>> KINDS) - (word >>> KINDS);
  if (longer < -most || (longer > most && !begun)) return false;
  const kinds = (1 << KINDS) - 1;
  return (
    hasAtMost(word & ~term & kinds, most) &&
    // What follows the beginning of a longer term may have any letters.
    (begun || hasAtMost(term & ~word & kinds, most))
  );
}

/** Whether at most so many bits are set. */
function hasAtMost(bits: number, most: number): boolean {
  let left = bits;
  for (let count = 0; count < most; count++) left &= left - 1;
  return left === 0;
}

/** Edit distances from one word to terms in ascending order; rows for what a term shares with the one before are kept. */
class EditWalk {
  readonly #word: string;
  readonly #most: number;
  readonly #begun: boolean;
  readonly #columns: number;
  readonly #rows: Uint8Array;
  /** By depth: the least edits at which the word was complete so far. */
  readonly #complete: Uint8Array;
  readonly #deepest: number;
  #before = "";
  /** Terms that share more than this with the one before have the same distance. */
  #hopelessAt = Number.POSITIVE_INFINITY;

  constructor(word: string, most: number, begun: boolean) {
    this.#word = word;
    this.#most = most;
    this.#begun = begun;
    this.#columns = word.length + 1;
    this.#deepest = word.length + most;
    this.#rows = new Uint8Array(this.#columns * (this.#deepest + 1));
    this.#complete = new Uint8Array(this.#deepest + 1).fill(255);
    for (let column = 0; column < this.#columns; column++) this.#rows[column] = column;
  }

  editsTo(term: string): number {
    const shared = this.#sharedWith(term);
    if (shared >= this.#hopelessAt) return this.#atHopeless(term);
    this.#before = term;
    this.#hopelessAt = Number.POSITIVE_INFINITY;
    for (let depth = shared + 1; depth <= term.length; depth++) {
      if (depth > this.#deepest || this.#fillRow(term, depth) > this.#most) {
        this.#hopelessAt = depth;
        return this.#atHopeless(term);
      }
    }
    return this.#begun ? this.#complete[term.length]! : this.#rows[(term.length + 1) * this.#columns - 1]!;
  }

  /** No longer term comes closer; but a word that was complete before may be the beginning of this one. */
  #atHopeless(term: string): number {
    const depth = Math.min(this.#hopelessAt - 1, term.length);
    return this.#begun ? this.#complete[depth]! : 255;
  }

  #sharedWith(term: string): number {
    const before = this.#before;
    const most = Math.min(before.length, term.length, this.#hopelessAt);
    let shared = 0;
    while (shared < most && before.charCodeAt(shared) === term.charCodeAt(shared)) shared++;
    return shared;
  }

  /** Fills the row of the term's letter at this depth; answers with its least value. */
  #fillRow(term: string, depth: number): number {
    const columns = this.#columns;
    const rows = this.#rows;
    const word = this.#word;
    const here = depth * columns;
    const above = here - columns;
    const letter = term.charCodeAt(depth - 1);
    rows[here] = depth;
    let least = depth;
    for (let column = 1; column < columns; column++) {
      const other = word.charCodeAt(column - 1);
      let edits = Math.min(
        rows[above + column - 1]! + (letter === other ? 0 : 1),
        rows[above + column]! + 1,
        rows[here + column - 1]! + 1,
      );
      const swapped =
        depth > 1 && column > 1 && letter === word.charCodeAt(column - 2) && term.charCodeAt(depth - 2) === other;
      if (swapped) edits = Math.min(edits, rows[above - columns + column - 2]! + 1);
      rows[here + column] = edits;
      if (edits < least) least = edits;
    }
    this.#complete[depth] = Math.min(this.#complete[depth - 1]!, rows[here + columns - 1]!);
    return least;
  }
}
