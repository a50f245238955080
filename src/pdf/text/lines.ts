// Breaks paragraphs into lines, by the rules of Unicode. A word that is wider than a line is broken between characters,
// so every text fits. The time is linear in its length.

import type { Typeset } from "../fonts/typeset";
import { MAX_LINES } from "../limits";
import { toVisualOrder } from "./direction";
import { Paragraph, type TextLinePiece } from "./paragraph";
import { type GlyphRun, type InlineItem, mergeRuns } from "./runs";

/** The pieces of a line, from left to right. */
export interface TextLine {
  readonly pieces: readonly TextLinePiece[];
  readonly width: number;
  /** True if the paragraph runs from right to left. */
  readonly isRightToLeft: boolean;
}

/** Breaks items into lines of a width, lazily. */
export function* breakLines(typeset: Typeset, items: readonly InlineItem[], width: number): Generator<TextLine> {
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

/** Measures items: the widest word, and the widest line without any breaks. */
export function measureItems(
  typeset: Typeset,
  items: readonly InlineItem[],
): { readonly word: number; readonly line: number } {
  const paragraph = new Paragraph(typeset, items);
  let widestWord = 0;
  let widestLine = 0;
  let line = 0;
  for (const { start, bodyEnd, end, mustEnd } of paragraph.chunks()) {
    const word = sumWidths(paragraph.pieces(start, bodyEnd));
    widestWord = Math.max(widestWord, word);
    widestLine = Math.max(widestLine, line + word);
    line = mustEnd ? 0 : line + word + sumWidths(paragraph.pieces(bodyEnd, end));
  }
  return { word: widestWord, line: widestLine };
}

export function sumWidths(pieces: readonly { readonly width: number }[]): number {
  let width = 0;
  for (const piece of pieces) width += piece.width;
  return width;
}

const NO_LINES: readonly TextLine[] = [];

/** Collects words on lines until they are full. */
class LineFiller {
  #lines: TextLine[] = [];
  #pieces: TextLinePiece[] = [];
  #width = 0;
  #space: readonly TextLinePiece[] = [];

  constructor(
    readonly widest: number,
    readonly isRightToLeft: boolean,
  ) {}

  take(): readonly TextLine[] {
    if (this.#lines.length === 0) return NO_LINES;
    const full = this.#lines;
    this.#lines = [];
    return full;
  }

  /** Checks that a word fits on a line by itself. */
  fits(word: readonly TextLinePiece[]): boolean {
    return sumWidths(word) <= this.widest;
  }

  /** Adds a word, on a new line if this one has no room for it. */
  add(word: readonly TextLinePiece[]): void {
    if (word.length === 0) return;
    const needed = sumWidths(word);
    if (this.#pieces.length > 0 && this.#width + sumWidths(this.#space) + needed > this.widest) this.end();
    if (this.#pieces.length > 0) for (const piece of this.#space) this.#append(piece);
    this.#space = [];
    for (const piece of word) this.#append(piece);
  }

  /** Adds space, which is printed only if something follows on the same line. */
  space(pieces: readonly TextLinePiece[]): void {
    if (pieces.length > 0) this.#space = this.#space.length > 0 ? [...this.#space, ...pieces] : pieces;
  }

  end(): void {
    const pieces = toVisualOrder(mergePieces(this.#pieces));
    this.#lines.push({ pieces, width: this.#width, isRightToLeft: this.isRightToLeft });
    this.#pieces = [];
    this.#width = 0;
    this.#space = [];
  }

  /** Ends the last line, and returns the remaining lines. */
  finish(): readonly TextLine[] {
    if (this.#pieces.length > 0) this.end();
    return this.take();
  }

  #append(piece: TextLinePiece): void {
    this.#width += piece.width;
    this.#pieces.push(piece);
  }
}

/** Merges neighboring runs of the same kind. */
export function mergePieces(pieces: readonly TextLinePiece[]): TextLinePiece[] {
  const all: TextLinePiece[] = [];
  let runs: GlyphRun[] = [];
  const flush = () => {
    if (runs.length > 0) all.push(mergeRuns(runs));
    runs = [];
  };
  for (const piece of pieces) {
    const isRun = "style" in piece;
    const [first] = runs;
    const isSame =
      isRun && first?.style === piece.style && first.choice === piece.choice && first.level === piece.level;
    if (!isSame) flush();
    if (isRun) runs.push(piece);
    else all.push(piece);
  }
  flush();
  return all;
}
