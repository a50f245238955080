// A paragraph as one text over all its items, so that where it may be broken does not depend on where its style changes.

import LineBreaker from "linebreak";
import type { Typeset } from "../fonts/typeset";
import { type Directions, directions } from "./direction";
import { type BoxItem, type Item, isText } from "./items";
import { type Run, setRuns } from "./runs";

/** A picture on a line. */
export interface BoxRun {
  readonly box: BoxItem;
  readonly width: number;
  readonly level: number;
}

/** Something that stands on a line. */
export type Piece = Run | BoxRun;

/** What stands between two places where a line may end: a word, and the space behind it. */
export interface Chunk {
  readonly start: number;
  readonly bodyEnd: number;
  readonly end: number;
  /** Whether the line ends here in any case. */
  readonly mustEnd: boolean;
}

/** Stands for a picture in the text; printable text never has it. */
const PICTURE = "\ufffc";

/** Longer words are broken at this length, so that no single one is set as a whole. */
const LONGEST_WORD = 200;

/** A paragraph that can be cut. It is read from beginning to end; going back is slow. */
export class Paragraph {
  readonly #typeset: Typeset;
  readonly #items: readonly Item[];
  readonly #starts: number[] = [];
  readonly #text: string;
  readonly #directions: Directions | undefined;
  #at = 0;

  constructor(typeset: Typeset, items: readonly Item[]) {
    this.#typeset = typeset;
    this.#items = items;
    let text = "";
    for (const item of items) {
      this.#starts.push(text.length);
      text += isText(item) ? item.text.replace(/[ \t]+/g, " ") : PICTURE;
    }
    this.#text = text;
    this.#directions = directions(text);
  }

  /** Whether it begins at the right. */
  get isRightToLeft(): boolean {
    return this.#directions?.isRightToLeft ?? false;
  }

  /** Its words. */
  *chunks(): Generator<Chunk> {
    const breaks = new LineBreaker(this.#text);
    let start = 0;
    for (let next = breaks.nextBreak(); next; next = breaks.nextBreak()) {
      const end = next.position;
      const mustEnd = this.#text[end - 1] === "\n";
      const bodyEnd = this.#trimmed(start, end);
      for (; bodyEnd - start > LONGEST_WORD; start = this.#cut(start))
        yield { start, bodyEnd: this.#cut(start), end: this.#cut(start), mustEnd: false };
      yield { start, bodyEnd, end: mustEnd ? Math.max(bodyEnd, end - 1) : end, mustEnd };
      start = end;
    }
  }

  /** The end of the first part of a word that is too long; no character is cut in two. */
  #cut(start: number): number {
    const end = start + LONGEST_WORD;
    return /[\udc00-\udfff]/.test(this.#text[end]!) ? end + 1 : end;
  }

  #trimmed(start: number, end: number): number {
    let at = end;
    while (at > start && (this.#text[at - 1] === " " || this.#text[at - 1] === "\n")) at--;
    return at;
  }

  /** A part of it, character by character, with the marks that belong to each. */
  *characters(start: number, end: number): Generator<readonly [start: number, end: number]> {
    let from = start;
    while (from < end) {
      let to = from + width(this.#text, from);
      while (to < end && /^[\p{M}\u200c\u200d]/u.test(this.#text.slice(to, to + 2))) to += width(this.#text, to);
      yield [from, to];
      from = to;
    }
  }

  /** A part of it as it is set. */
  pieces(start: number, end: number): Piece[] {
    const pieces: Piece[] = [];
    while (this.#at > 0 && this.#starts[this.#at]! > start) this.#at--;
    for (let from = start; from < end; ) {
      while (this.#at + 1 < this.#items.length && this.#starts[this.#at + 1]! <= from) this.#at++;
      const item = this.#items[this.#at]!;
      const level = this.#directions?.levels[from] ?? 0;
      const to = this.#sameLevel(from, Math.min(end, this.#starts[this.#at + 1] ?? end), level);
      if (isText(item))
        for (const run of setRuns(this.#typeset, this.#text.slice(from, to), item.style, level)) pieces.push(run);
      else pieces.push({ box: item, width: item.width, level });
      from = to;
    }
    return pieces;
  }

  #sameLevel(from: number, end: number, level: number): number {
    if (!this.#directions) return end;
    let to = from;
    while (to < end && this.#directions.levels[to] === level) to++;
    return to;
  }
}

/** How many code units a character has. */
function width(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}
