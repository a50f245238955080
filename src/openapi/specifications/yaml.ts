// YAML as values. The library reads a text in one go, which keeps everybody waiting for as long as it takes; so a long text
// is cut into the entries of its maps and lists, as their indentation shows them, and those are read a few at a time. A text
// that is not written that way, or that an alias leads across, is read in one go, and may not be very long.

import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { MAX_ALIASES, MAX_DEPTH, MAX_ENTRIES_AT_ONCE } from "./limits";

/** How many characters are read at once. */
const PIECE = 32_768;

/** The most entries of a text that is not cut. */
const FEW = 500;

/** How many characters, and how many lines, are looked at in one step. */
const LOOKED_AT = 262_144;
const LINES = 1_000;

/** The most keys that are merged in one piece. */
const MAX_MERGED = 1_000;

/** How much of a line is looked at for its key. */
const MAX_KEY = 1_000;

const schema = CORE_SCHEMA.withTags(mergeTag);

/** A text that cannot be read in pieces, and is too long to be read in one. */
export class TooLongAtOnce extends Error {}

/** The values of a text, read piece by piece. */
export function* readYaml(text: string): Generator<void, unknown> {
  const entries = yield* entriesInSteps(text, MAX_ENTRIES_AT_ONCE);
  if (entries > FEW) {
    try {
      return yield* new Pieces(text).read();
    } catch (error) {
      if (entries > MAX_ENTRIES_AT_ONCE) throw error;
    }
  }
  return loadAtOnce(text, MAX_ALIASES);
}

/** How many lines and commas a text has; of more than `most`, more than that. */
export function* entriesInSteps(text: string, most: number): Generator<void, number> {
  let entries = 0;
  for (let from = 0; from < text.length && entries <= most; from += LOOKED_AT) {
    entries += entriesIn(text, { from, to: Math.min(from + LOOKED_AT, text.length) }, most - entries);
    yield;
  }
  return entries;
}

function entriesIn(text: string, { from, to }: Part, most: number): number {
  let entries = 0;
  for (let at = from; at < to && entries <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE || code === RETURN || code === COMMA) entries++;
  }
  return entries;
}

function loadAtOnce(text: string, mergeKeys: number): unknown {
  return load(text, { schema, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES, maxTotalMergeKeys: mergeKeys });
}

/** A line of a text. */
interface Line {
  readonly start: number;
  /** Its first character that is no space. */
  readonly text: number;
  /** Where it ends, without its ending. */
  readonly end: number;
  /** Where the next one begins. */
  readonly next: number;
}

/** A part of a text, from one line to another. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** A text that is read in pieces. */
class Pieces {
  constructor(readonly text: string) {}

  *read(): Generator<void, unknown> {
    let from = 0;
    const first = this.#firstLine({ from, to: this.text.length });
    if (first && /^---[ \t]*$/.test(this.text.slice(first.start, first.end))) from = first.next;
    return yield* this.#value({ from, to: this.text.length }, 0);
  }

  /** The map or list that a part of the text is, indented so far at least. */
  *#value(part: Part, least: number): Generator<void, unknown> {
    const first = this.#firstLine(part);
    if (!first || first.text - first.start < least) return this.#whole(part);
    const indent = first.text - first.start;
    const isList = this.#isItem(first);
    const entries = yield* this.#entries({ from: first.start, to: part.to }, indent, isList);
    if (!entries) return this.#whole(part);
    yield;
    return isList ? yield* this.#list(entries) : yield* this.#map(entries, indent);
  }

  *#list(entries: readonly Part[]): Generator<void, unknown[]> {
    const values: unknown[] = [];
    for (const piece of joined(entries)) {
      for (const value of this.#whole(piece) as unknown[]) values.push(value);
      yield;
    }
    return values;
  }

  *#map(entries: readonly Part[], indent: number): Generator<void, object> {
    const map: Record<string, unknown> = {};
    for (const piece of joined(entries)) {
      const isLong = piece.to - piece.from > 2 * PIECE;
      const found = isLong ? yield* this.#entry(piece, indent) : (this.#whole(piece) as object);
      for (const [key, value] of Object.entries(found)) {
        if (Object.hasOwn(map, key)) throw new Error(`duplicated mapping key "${key.slice(0, 100)}"`);
        if (key !== "__proto__") map[key] = value;
        else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
      }
      yield;
    }
    return map;
  }

  /** One long entry of a map: its key, and what stands below that. */
  *#entry(entry: Part, indent: number): Generator<void, object> {
    const line = this.#firstLine(entry)!;
    const head = this.text.slice(line.start, line.end);
    const isBare =
      head.length < MAX_KEY &&
      head
        .split(/[ \t]#/, 1)[0]!
        .trimEnd()
        .endsWith(":");
    const below = this.#firstLine({ from: line.next, to: entry.to });
    if (!isBare || !below) return this.#whole(entry) as object;
    const [[key, value] = ["", ""]] = Object.entries(loadAtOnce(head, MAX_MERGED) as object);
    if (value !== null) return this.#whole(entry) as object;
    const least = this.#isItem(below) ? indent : indent + 1;
    return { [key]: yield* this.#value({ from: line.next, to: entry.to }, least) };
  }

  #whole({ from, to }: Part): unknown {
    if (entriesIn(this.text, { from, to }, MAX_ENTRIES_AT_ONCE) > MAX_ENTRIES_AT_ONCE) throw new TooLongAtOnce();
    try {
      return loadAtOnce(this.text.slice(from, to), MAX_MERGED);
    } catch (error) {
      const before = this.text.slice(0, from).split(/\r\n|\n|\r/).length - 1;
      throw new Error(String((error as Error).message).replace(/\((\d+):/, (_, line) => `(${before + Number(line)}:`));
    }
  }

  /** The entries of a part in which they are indented so far; undefined when it is not cut as plainly as that. */
  *#entries({ from, to }: Part, indent: number, isList: boolean): Generator<void, Part[] | undefined> {
    const entries: Part[] = [];
    let start = from;
    let lines = 0;
    for (let line = this.#lineAt(from); line.start < to; line = this.#lineAt(line.next)) {
      if (++lines % LINES === 0) yield;
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

  /** The first line of a part that says something. */
  #firstLine({ from, to }: Part): Line | undefined {
    for (let line = this.#lineAt(from); line.start < to; line = this.#lineAt(line.next)) {
      if (!this.#isEmpty(line)) return line;
    }
    return undefined;
  }

  #lineAt(start: number): Line {
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

  #isEmpty({ text, end }: Line): boolean {
    return text >= end || this.text.charCodeAt(text) === HASH;
  }

  #isItem({ text, end }: Line): boolean {
    return this.text.charCodeAt(text) === DASH && (text + 1 === end || this.text.charCodeAt(text + 1) === SPACE);
  }

  /** Whether a line begins with a key as nearly all keys are written. Merging is about the whole map. */
  #isKey({ text, end }: Line): boolean {
    const line = this.text.slice(text, Math.min(end, text + MAX_KEY));
    if (/^"(?:[^"\\]|\\.)*"[ \t]*:(?:[ \t]|$)/.test(line) || /^'[^']*'[ \t]*:(?:[ \t]|$)/.test(line)) return true;
    const colon = line.search(/:(?:[ \t]|$)/);
    return /^[\w$/.~-]/.test(line) && colon > 0 && !/[ \t]#/.test(line.slice(0, colon));
  }
}

/** Entries that are read together; a long one stands alone. */
function* joined(entries: readonly Part[]): Generator<Part> {
  let open: Part | undefined;
  for (const entry of entries) {
    if (open && entry.to - open.from > PIECE) {
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
