// Breaks paragraphs into lines, by the rules of Unicode. A word that is wider than a line is broken between characters,
// so every text fits. The time is linear in its length.

import type { Typeset } from "../fonts/typeset";
import { MAX_LINES } from "../limits";
import { inVisualOrder } from "./direction";
import type { Item } from "./items";
import { Paragraph, type Piece } from "./paragraph";
import { areOfOneKind, joined, type Run } from "./runs";

/** What stands on a line, from left to right. */
export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
  /** Whether the paragraph runs from right to left. */
  readonly isRightToLeft: boolean;
}

/** Breaks items into lines of a width, each when it is asked for. */
export function* breakLines(typeset: Typeset, items: readonly Item[], width: number): Generator<Line> {
  const paragraph = new Paragraph(typeset, items);
  const lines = new LineFiller(width, paragraph.isRightToLeft);
  let count = 0;
  for (const { start, bodyEnd, end, mustEnd } of paragraph.chunks()) {
    const word = paragraph.pieces(start, bodyEnd);
    if (lines.fits(word)) lines.add(word);
    else for (const [from, to] of paragraph.characters(start, bodyEnd)) lines.add(paragraph.pieces(from, to));
    lines.space(paragraph.pieces(bodyEnd, end));
    if (mustEnd) lines.end();
    for (const line of lines.take()) {
      count++;
      yield line;
    }
    if (count > MAX_LINES) break;
  }
  yield* lines.finish();
}

/** How wide items are: their widest word, and the widest line if none had to be broken. */
export function measure(typeset: Typeset, items: readonly Item[]): { readonly word: number; readonly line: number } {
  const paragraph = new Paragraph(typeset, items);
  let widestWord = 0;
  let widestLine = 0;
  let line = 0;
  for (const { start, bodyEnd, end, mustEnd } of paragraph.chunks()) {
    const word = widthOf(paragraph.pieces(start, bodyEnd));
    widestWord = Math.max(widestWord, word);
    widestLine = Math.max(widestLine, line + word);
    line = mustEnd ? 0 : line + word + widthOf(paragraph.pieces(bodyEnd, end));
  }
  return { word: widestWord, line: widestLine };
}

/** The width of pieces beside one another. */
export function widthOf(pieces: readonly { readonly width: number }[]): number {
  let width = 0;
  for (const piece of pieces) width += piece.width;
  return width;
}

const NONE: readonly Line[] = [];

/** Puts words on lines until they are full. */
class LineFiller {
  #lines: Line[] = [];
  #pieces: Piece[] = [];
  #width = 0;
  #space: readonly Piece[] = [];

  constructor(
    readonly widest: number,
    readonly isRightToLeft: boolean,
  ) {}

  /** Takes the lines that are full. */
  take(): readonly Line[] {
    if (this.#lines.length === 0) return NONE;
    const full = this.#lines;
    this.#lines = [];
    return full;
  }

  /** Whether a word fits on a line of its own. */
  fits(word: readonly Piece[]): boolean {
    return widthOf(word) <= this.widest;
  }

  /** Adds a word, on a new line if this one has no room for it. */
  add(word: readonly Piece[]): void {
    if (word.length === 0) return;
    const needed = widthOf(word);
    if (this.#pieces.length > 0 && this.#width + widthOf(this.#space) + needed > this.widest) this.end();
    if (this.#pieces.length > 0) for (const piece of this.#space) this.#append(piece);
    this.#space = [];
    for (const piece of word) this.#append(piece);
  }

  /** Space that is kept only if something follows on the same line. */
  space(pieces: readonly Piece[]): void {
    if (pieces.length > 0) this.#space = this.#space.length > 0 ? [...this.#space, ...pieces] : pieces;
  }

  end(): void {
    const pieces = inVisualOrder(together(this.#pieces));
    this.#lines.push({ pieces, width: this.#width, isRightToLeft: this.isRightToLeft });
    this.#pieces = [];
    this.#width = 0;
    this.#space = [];
  }

  /** Takes the last lines. */
  finish(): readonly Line[] {
    if (this.#pieces.length > 0) this.end();
    return this.take();
  }

  #append(piece: Piece): void {
    this.#width += piece.width;
    this.#pieces.push(piece);
  }
}

/** Pieces with those as one that follow one another and are of one kind. */
export function together(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  let runs: Run[] = [];
  const flush = () => {
    if (runs.length > 0) all.push(joined(runs));
    runs = [];
  };
  for (const piece of pieces) {
    const isRun = "style" in piece;
    if (!isRun || (runs.length > 0 && !areOfOneKind(runs[0]!, piece))) flush();
    if (isRun) runs.push(piece);
    else all.push(piece);
  }
  flush();
  return all;
}
