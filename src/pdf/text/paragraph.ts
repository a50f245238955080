// A paragraph as one text over all its items, so that line breaks do not depend on changes of style.

import LineBreaker from "linebreak";
import type { Typeset } from "../fonts/typeset";
import { getTextDirections, type TextDirections } from "./direction";
import { type BoxItem, type GlyphRun, type InlineItem, shapeText } from "./runs";

export interface BoxRun {
  readonly box: BoxItem;
  readonly width: number;
  readonly level: number;
}

export type TextLinePiece = GlyphRun | BoxRun;

/** The text between two possible line breaks: a word, and the space behind it. */
export interface WordChunk {
  readonly start: number;
  readonly bodyEnd: number;
  readonly end: number;
  /** True if the line must end here. */
  readonly mustEnd: boolean;
}

/** Represents a picture in the text. Printable text never contains it. */
const PICTURE = "\ufffc";

/** Longer words are broken at this length, which bounds the work for a single word. */
const LONGEST_WORD = 200;

/** A paragraph that can be cut into pieces. It is read from beginning to end; going back is slow. */
export class Paragraph {
  readonly #typeset: Typeset;
  readonly #items: readonly InlineItem[];
  readonly #starts: number[] = [];
  readonly #text: string;
  readonly #directions: TextDirections | undefined;
  #at = 0;

  constructor(typeset: Typeset, items: readonly InlineItem[]) {
    this.#typeset = typeset;
    this.#items = items;
    let text = "";
    for (const item of items) {
      this.#starts.push(text.length);
      text += "text" in item ? item.text.replace(/[ \t]+/g, " ") : PICTURE;
    }
    this.#text = text;
    this.#directions = getTextDirections(text);
  }

  /** True if the paragraph begins at the right. */
  get isRightToLeft(): boolean {
    return this.#directions?.isRightToLeft ?? false;
  }

  /** Yields the words with the space behind them. */
  *chunks(): Generator<WordChunk> {
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

  /** Returns the end of the first part of a word that is too long. No character is cut in two. */
  #cut(start: number): number {
    const end = start + LONGEST_WORD;
    return /[\udc00-\udfff]/.test(this.#text[end]!) ? end + 1 : end;
  }

  #trimmed(start: number, end: number): number {
    let at = end;
    while (at > start && (this.#text[at - 1] === " " || this.#text[at - 1] === "\n")) at--;
    return at;
  }

  /** Returns the characters of a range, each with the marks that belong to it. */
  characters(start: number, end: number): [start: number, end: number][] {
    const characters: [start: number, end: number][] = [];
    let from = start;
    while (from < end) {
      let to = from + countCodeUnits(this.#text, from);
      while (to < end && /^[\p{M}\u200c\u200d]/u.test(this.#text.slice(to, to + 2)))
        to += countCodeUnits(this.#text, to);
      characters.push([from, to]);
      from = to;
    }
    return characters;
  }

  pieces(start: number, end: number): TextLinePiece[] {
    const pieces: TextLinePiece[] = [];
    while (this.#at > 0 && this.#starts[this.#at]! > start) this.#at--;
    for (let from = start; from < end; ) {
      while (this.#at + 1 < this.#items.length && this.#starts[this.#at + 1]! <= from) this.#at++;
      const item = this.#items[this.#at]!;
      const level = this.#directions?.levels[from] ?? 0;
      const to = this.#sameLevel(from, Math.min(end, this.#starts[this.#at + 1] ?? end), level);
      if ("text" in item)
        for (const run of shapeText(this.#typeset, this.#text.slice(from, to), item.style, level)) pieces.push(run);
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

function countCodeUnits(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}
