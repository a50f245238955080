// A text taken apart into the words that it is found by. Compounds (`createDocsApi`, `snake_case`, `api.example.com`) give
// their parts and, joined, what the parts build; scripts without spaces give runs of characters. Linear in the text: no
// word is longer than `longestWord`, and no regular expression sees more than one word.

import { cut, fold, foldRun, kindAt, kinds, widthAt } from "./characters";
import { dashesBefore, endOfSigns, operatorsIn } from "./signs";

/** Counts up when the same text would be taken apart differently: indexes of another number are built again. */
export const analyserVersion = 2;

/** A word's length in UTF-16 units; what is longer counts with its beginning alone. */
export const longestWord = 64;
const longestRun = 256;

/** Parts joined, such as `docsapi`. */
export interface Whole {
  readonly term: string;
  /** How many parts it joins. */
  readonly parts: number;
}

/** What is told of a text, in order. */
export interface Reader {
  /** A word in folded parts, and what they build together: the largest last, nothing when there is but one part. */
  word(parts: readonly string[], wholes: readonly Whole[], start: number, end: number): void;
  /** Characters of a script without spaces; `end` is where the last one ends. */
  run(characters: readonly string[], start: number, end: number): void;
  /** An operator in code. */
  sign(sign: string, start: number, end: number): void;
}

/** Where code stands in a text: the start and the end of each piece, one after the other, in ascending order. */
export type CodeRanges = readonly number[];

/** The ranges of a text that is code as a whole, or may be: titles and queries. */
export function allCode(text: string): CodeRanges {
  return [0, text.length];
}

/** Reads a text from its beginning to its end. */
export function read(text: string, reader: Reader, code?: CodeRanges): void {
  readSome(text, reader, 0, text.length, code);
}

const NO_CODE: CodeRanges = [];

/** Reads the words of a text that begin between two places; gives the place to go on from. Signs are words in code alone. */
export function readSome(text: string, reader: Reader, from: number, to: number, code = NO_CODE): number {
  let at = from;
  let piece = firstPieceAfter(code, from);
  while (at < to && at < text.length) {
    while (piece < code.length && code[piece + 1]! <= at) piece += 2;
    const start = code[piece] ?? text.length;
    const kind = kindAt(text, at);
    if (kind === kinds.unspaced) at = readRun(text, at, reader);
    else if (begins(kind)) at = readWord(text, at, reader, start <= at ? dashesBefore(text, at, start) : "");
    else if (start <= at) at = readSigns(text, at, reader, start, code[piece + 1]!);
    else at += widthAt(text, at);
  }
  return at;
}

/** The index of the first piece of code that ends after a place. */
function firstPieceAfter(code: CodeRanges, at: number): number {
  let low = 0;
  let high = code.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (code[2 * middle + 1]! <= at) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}

function readSigns(text: string, at: number, reader: Reader, from: number, limit: number): number {
  const end = endOfSigns(text, at, limit);
  if (end === at) return at + widthAt(text, at);
  // The dashes of a flag belong to the word that follows.
  const dashes = begins(kindAt(text, end)) ? dashesBefore(text, end, from) : "";
  const last = end - dashes.length;
  for (const [sign, start, stop] of operatorsIn(text, at, last, from, limit)) reader.sign(sign, start, stop);
  return end;
}

/** The terms that a run is indexed by: each character, and each two that stand together. */
export function eachOfRun(
  characters: readonly string[],
  start: number,
  end: number,
  visit: (term: string, start: number, end: number) => void,
): void {
  // Normalizing may make a character shorter, so positions are estimated from the ends of the run.
  const width = (end - start) / characters.length;
  const offsetOf = (index: number) => start + Math.round(index * width);
  for (let index = 0; index < characters.length; index++) {
    visit(characters[index]!, offsetOf(index), offsetOf(index + 1));
    if (index > 0) visit(characters[index - 1]! + characters[index]!, offsetOf(index - 1), offsetOf(index + 1));
  }
}

function readRun(text: string, start: number, reader: Reader): number {
  let end = start;
  while (end < text.length && end - start < longestRun && isOfRun(text, end)) end += widthAt(text, end);
  const characters = foldRun(text.slice(start, end));
  if (characters.length > 0) reader.run(characters, start, end);
  if (end - start < longestRun) return end;
  // A longer run continues from its last character, so that neighbours are not separated.
  return widthAt(text, end - 2) === 2 ? end - 2 : end - 1;
}

function isOfRun(text: string, at: number): boolean {
  const kind = kindAt(text, at);
  return kind === kinds.unspaced || kind === kinds.mark || kind === kinds.unseen;
}

function readWord(text: string, start: number, reader: Reader, dashes: string): number {
  const simple = dashes === "" ? endOfSimple(text, start) : start;
  if (simple > start) {
    reader.word([text.slice(start, simple).toLowerCase()], none, start, simple);
    return simple;
  }
  const compound = new Compound();
  let end = start;
  for (let from = start; ; from = end + 1) {
    end = endOfSolid(text, from);
    compound.add(cut(text.slice(from, end), longestWord));
    if (end - start >= longestWord || !joins(text, end)) break;
    if (text[end] === ".") compound.endSegment();
  }
  const sign = end === start + 1 ? signAfter(text, end) : "";
  compound.end(sign, dashes);
  if (dashes !== "" && end === start + 1) reader.word([], compound.wholes, start - dashes.length, end);
  else if (compound.parts.length > 0) reader.word(telling(compound.parts), compound.wholes, start, end);
  return end + sign.length;
}

const none: readonly Whole[] = [];

/** Single letters say nothing beside the other parts of a compound: the `l` of `l'API`, the `s` of `page's`. */
function telling(parts: readonly string[]): readonly string[] {
  const long = parts.filter((part) => part.length > 1);
  return long.length > 0 ? long : parts;
}

/** What a word is put together from: humps (`docs|Api`) within solids (`snake|case`) within segments (`api|example|com`). */
class Compound {
  readonly parts: string[] = [];
  readonly wholes: Whole[] = [];
  #segment = { term: "", parts: 0, pieces: 0 };
  #all = { term: "", parts: 0, pieces: 0 };

  add(solid: string): void {
    let term = "";
    let parts = 0;
    let from = 0;
    for (let at = 1; at <= solid.length; at++) {
      if (at < solid.length && !isHump(solid, at)) continue;
      const part = foldedPart(solid.slice(from, at));
      from = at;
      if (part === "") continue;
      this.parts.push(isVersion.test(part) ? part.slice(1) : part);
      term += part;
      parts++;
    }
    if (parts > 1 || isVersion.test(term)) this.#addWhole(term, parts);
    this.#segment = {
      term: this.#segment.term + term,
      parts: this.#segment.parts + parts,
      pieces: this.#segment.pieces + 1,
    };
  }

  endSegment(): void {
    const { term, parts, pieces } = this.#segment;
    if (pieces > 1) this.#addWhole(term, parts);
    this.#all = { term: this.#all.term + term, parts: this.#all.parts + parts, pieces: this.#all.pieces + 1 };
    this.#segment = { term: "", parts: 0, pieces: 0 };
  }

  end(sign: string, dashes: string): void {
    this.endSegment();
    const { term, parts, pieces } = this.#all;
    if (pieces > 1 || sign !== "") this.#addWhole(term + sign, parts);
    if (dashes !== "") this.#addWhole(dashes + term, parts);
  }

  #addWhole(term: string, parts: number): void {
    if (parts > 0) this.wholes.push({ term: cut(term, longestWord), parts });
  }
}

/** The end of a word of plain letters, as most are, which needs no looking into; the start when it is another one. */
function endOfSimple(text: string, start: number): number {
  const most = start + longestWord;
  let end = start + 1;
  while (end < most && isPlainSmall(text.charCodeAt(end))) end++;
  if (end === start + 1 || !isPlainSmall(text.charCodeAt(start) | 0x20)) return start;
  return goesOn(kindAt(text, end)) || joins(text, end) ? start : end;
}

function isPlainSmall(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

/** Whether a compound goes on after its part's end. */
function joins(text: string, end: number): boolean {
  return end + 1 < text.length && kindAt(text, end) === kinds.joiner && begins(kindAt(text, end + 1));
}

/** Where the letters and digits from here on end; dots and hyphens between digits belong to the number. */
function endOfSolid(text: string, start: number): number {
  let at = start;
  let before = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    const inNumber = kind === kinds.joiner && before === kinds.digit && kindAt(text, at + 1) === kinds.digit;
    if (!inNumber && !goesOn(kind)) break;
    before = kind;
    at += widthAt(text, at);
  }
  return at;
}

const isVersion = /^v\d+\./;
// Pure numbers keep their separators, all as one sign: `2024-01-15` and `2024.01.15` find each other.
const joinersOfNumbers = /[-_'\u2019\u02bc\u2010\u2011]/g;

function foldedPart(part: string): string {
  return cut(fold(part.replace(joinersOfNumbers, ".")), longestWord);
}

/** Whether a new part begins here: `docs|Api`, `HTTP|Server`, `v2|Client`. */
function isHump(solid: string, at: number): boolean {
  if (kindAt(solid, at) !== kinds.capital) return false;
  const before = kindAt(solid, at - 1);
  if (before === kinds.small || before === kinds.digit) return true;
  return before === kinds.capital && at + 1 < solid.length && kindAt(solid, at + 1) === kinds.small;
}

/** The sign that tells `c++`, `c#` and similar names from a single letter. */
function signAfter(text: string, at: number): string {
  const sign = text.startsWith("++", at) ? "++" : text.startsWith("#", at) ? "#" : "";
  return begins(kindAt(text, at + sign.length)) ? "" : sign;
}

function begins(kind: number): boolean {
  return kind === kinds.small || kind === kinds.capital || kind === kinds.digit;
}

function goesOn(kind: number): boolean {
  return begins(kind) || kind === kinds.mark || kind === kinds.unseen;
}
