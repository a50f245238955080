// Parses YAML. The library parses a text in one go, which blocks the process for as long as it takes. So a long text is cut into the
// entries of its maps and lists, as their indentation shows them, and those are parsed a few at a time. A text that is not written
// that way, or in which an alias crosses a cut, is parsed in one go, and its length is limited.

import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { MAX_ALIASES, MAX_DEPTH, MAX_ENTRIES_AT_ONCE } from "./limits";

/** The characters that are parsed at once. */
const PIECE_LENGTH = 32_768;

/** The most entries of a text that is not cut. */
const MAX_UNCUT_ENTRIES = 500;

/** The characters, and the lines, that are scanned in one step. */
const CHARACTERS_PER_STEP = 262_144;
const LINES_PER_STEP = 1_000;

/** The most keys that are merged in one piece. */
const MAX_MERGED = 1_000;

/** The characters of a line in which its key is searched. */
const MAX_KEY = 1_000;

const schema = CORE_SCHEMA.withTags(mergeTag);

/** The error of a text that cannot be parsed in pieces, and is too long to be parsed in one. */
export class UnsplittableTextError extends Error {}

/** Parses a text piece by piece. */
export function* readYaml(text: string): Steps<unknown> {
  const entries = yield* countEntriesInSteps(text, MAX_ENTRIES_AT_ONCE);
  if (entries > MAX_UNCUT_ENTRIES) {
    try {
      return yield* new PiecewiseReader(text).read();
    } catch (error) {
      if (entries > MAX_ENTRIES_AT_ONCE) throw error;
    }
  }
  return parseAtOnce(text, MAX_ALIASES);
}

/** Counts the lines and commas of a text. If there are more than `most`, the result is only known to be more than that. */
export function* countEntriesInSteps(text: string, most: number): Steps<number> {
  let entries = 0;
  for (let from = 0; from < text.length && entries <= most; from += CHARACTERS_PER_STEP) {
    const to = Math.min(from + CHARACTERS_PER_STEP, text.length);
    for (let at = from; at < to && entries <= most; at++) {
      const code = text.charCodeAt(at);
      if (code === LINE || code === RETURN || code === COMMA) entries++;
    }
    yield;
  }
  return entries;
}

function parseAtOnce(text: string, mergeKeys: number): unknown {
  return load(text, { schema, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES, maxTotalMergeKeys: mergeKeys });
}

interface YamlLine {
  readonly start: number;
  /** Its first character that is no space. */
  readonly text: number;
  /** Its end, without the line break. */
  readonly end: number;
  /** The start of the next line. */
  readonly next: number;
}

/** A part of a text, from one line to another. */
interface YamlPart {
  readonly from: number;
  readonly to: number;
}

/** A reader that parses a text in pieces. */
class PiecewiseReader {
  constructor(readonly text: string) {}

  *read(): Steps<unknown> {
    let from = 0;
    const first = this.#findFirstLine({ from, to: this.text.length });
    if (first && /^---[ \t]*$/.test(this.text.slice(first.start, first.end))) from = first.next;
    return yield* this.#parseValue({ from, to: this.text.length }, 0);
  }

  /** Parses the map or list that a part of the text is, if it is indented by at least `least`. */
  *#parseValue(part: YamlPart, least: number): Steps<unknown> {
    const first = this.#findFirstLine(part);
    if (!first || first.text - first.start < least) return this.#parsePart(part);
    const indent = first.text - first.start;
    const isList = this.#isItem(first);
    const entries = yield* this.#splitEntries({ from: first.start, to: part.to }, indent, isList);
    if (!entries) return this.#parsePart(part);
    yield;
    return isList ? yield* this.#parseList(entries) : yield* this.#parseMap(entries, indent);
  }

  *#parseList(entries: readonly YamlPart[]): Steps<unknown[]> {
    const values: unknown[] = [];
    for (const piece of joinEntries(entries)) {
      for (const value of this.#parsePart(piece) as unknown[]) values.push(value);
      yield;
    }
    return values;
  }

  *#parseMap(entries: readonly YamlPart[], indent: number): Steps<object> {
    const map: Record<string, unknown> = {};
    for (const piece of joinEntries(entries)) {
      const isLong = piece.to - piece.from > 2 * PIECE_LENGTH;
      const found = isLong ? yield* this.#parseEntry(piece, indent) : (this.#parsePart(piece) as object);
      for (const [key, value] of Object.entries(found)) {
        if (Object.hasOwn(map, key)) throw new Error(`duplicated mapping key "${key.slice(0, 100)}"`);
        if (key !== "__proto__") map[key] = value;
        else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
      }
      yield;
    }
    return map;
  }

  /** Parses one long entry of a map: its key, and the value below it. */
  *#parseEntry(entry: YamlPart, indent: number): Steps<object> {
    const line = this.#findFirstLine(entry)!;
    const head = this.text.slice(line.start, line.end);
    const isBare =
      head.length < MAX_KEY &&
      head
        .split(/[ \t]#/, 1)[0]!
        .trimEnd()
        .endsWith(":");
    const below = this.#findFirstLine({ from: line.next, to: entry.to });
    if (!isBare || !below) return this.#parsePart(entry) as object;
    const [[key, value] = ["", ""]] = Object.entries(parseAtOnce(head, MAX_MERGED) as object);
    if (value !== null) return this.#parsePart(entry) as object;
    const least = this.#isItem(below) ? indent : indent + 1;
    return { [key]: yield* this.#parseValue({ from: line.next, to: entry.to }, least) };
  }

  #parsePart({ from, to }: YamlPart): unknown {
    const part = this.text.slice(from, to);
    if (runStepsSync(countEntriesInSteps(part, MAX_ENTRIES_AT_ONCE)) > MAX_ENTRIES_AT_ONCE)
      throw new UnsplittableTextError();
    try {
      return parseAtOnce(part, MAX_MERGED);
    } catch (error) {
      const before = this.text.slice(0, from).split(/\r\n|\n|\r/).length - 1;
      throw new Error(String((error as Error).message).replace(/\((\d+):/, (_, line) => `(${before + Number(line)}:`));
    }
  }

  /** Splits a part into its entries with this indentation; undefined if they are not as regular as that. */
  *#splitEntries({ from, to }: YamlPart, indent: number, isList: boolean): Steps<YamlPart[] | undefined> {
    const entries: YamlPart[] = [];
    let start = from;
    let lines = 0;
    for (let line = this.#getLine(from); line.start < to; line = this.#getLine(line.next)) {
      if (++lines % LINES_PER_STEP === 0) yield;
      if (this.#isEmpty(line) || line.text - line.start > indent) continue;
      if (line.text - line.start < indent) return undefined;
      const isItem = this.#isItem(line);
      // The items of a list may stand below the key that has it.
      if (isItem && !isList) continue;
      if (isItem !== isList || !(isItem || this.#isKey(line))) return undefined;
      if (line.start > start) entries.push({ from: start, to: line.start });
      start = line.start;
    }
    entries.push({ from: start, to });
    return entries;
  }

  /** Returns the first line of a part that is not empty or a comment. */
  #findFirstLine({ from, to }: YamlPart): YamlLine | undefined {
    for (let line = this.#getLine(from); line.start < to; line = this.#getLine(line.next)) {
      if (!this.#isEmpty(line)) return line;
    }
    return undefined;
  }

  #getLine(start: number): YamlLine {
    const { text } = this;
    let at = start;
    while (text.charCodeAt(at) === SPACE) at++;
    let end = at;
    for (let code = text.charCodeAt(end); end < text.length && code !== LINE && code !== RETURN; ) {
      code = text.charCodeAt(++end);
    }
    const next = text.charCodeAt(end) === RETURN && text.charCodeAt(end + 1) === LINE ? end + 2 : end + 1;
    return { start, text: at, end, next: start >= text.length ? Number.POSITIVE_INFINITY : next };
  }

  #isEmpty({ text, end }: YamlLine): boolean {
    return text >= end || this.text.charCodeAt(text) === HASH;
  }

  #isItem({ text, end }: YamlLine): boolean {
    return this.text.charCodeAt(text) === DASH && (text + 1 === end || this.text.charCodeAt(text + 1) === SPACE);
  }

  /** Returns true if a line begins with a key as nearly all keys are written. A merge key concerns the whole map, so it is none. */
  #isKey({ text, end }: YamlLine): boolean {
    const line = this.text.slice(text, Math.min(end, text + MAX_KEY));
    if (/^"(?:[^"\\]|\\.)*"[ \t]*:(?:[ \t]|$)/.test(line) || /^'[^']*'[ \t]*:(?:[ \t]|$)/.test(line)) return true;
    const colon = line.search(/:(?:[ \t]|$)/);
    return /^[\w$/.~-]/.test(line) && colon > 0 && !/[ \t]#/.test(line.slice(0, colon));
  }
}

/** Joins entries that are parsed together. A long one stands alone. */
function* joinEntries(entries: readonly YamlPart[]): Generator<YamlPart> {
  let open: YamlPart | undefined;
  for (const entry of entries) {
    if (open && entry.to - open.from > PIECE_LENGTH) {
      yield open;
      open = undefined;
    }
    open = { from: open?.from ?? entry.from, to: entry.to };
  }
  if (open) yield open;
}

const LINE = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const COMMA = 44;
const DASH = 45;
