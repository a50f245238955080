// One line of the source at a time, with the columns that tabs stand for.

import { isSpace } from "./characters";

/** The line that is being read, and how much of it has been. */
export class Line {
  start = 0;
  /** Where the line ends, without its ending. */
  end = 0;
  /** Where the next line begins. */
  next = 0;
  /** What has been read of it. */
  at = 0;
  column = 0;
  /** Whether a part of the tab that stands here has been read. */
  #isInTab = false;
  /** The first character that is no space, and its column. */
  text = 0;
  #textColumn = 0;

  constructor(readonly source: string) {}

  /** Goes to the line that begins at an offset. */
  open(start: number): void {
    this.start = this.at = start;
    this.column = 0;
    this.#isInTab = false;
    let end = start;
    const { source } = this;
    while (end < source.length && source.charCodeAt(end) !== 10 && source.charCodeAt(end) !== 13) end++;
    this.end = end;
    this.next = source.charCodeAt(end) === 13 && source.charCodeAt(end + 1) === 10 ? end + 2 : end + 1;
    this.look();
  }

  /** Finds the first character that is no space. */
  look(): void {
    let [at, column] = [this.at, this.column];
    for (; at < this.end; at++) {
      const code = this.source.charCodeAt(at);
      if (code === 9) column += 4 - (column % 4);
      else if (code === 32) column++;
      else break;
    }
    this.text = at;
    this.#textColumn = column;
  }

  get indent(): number {
    return this.#textColumn - this.column;
  }

  get isBlank(): boolean {
    return this.text >= this.end;
  }

  /** The first code that is no space; NaN on a blank line. */
  get code(): number {
    return this.isBlank ? Number.NaN : this.source.charCodeAt(this.text);
  }

  /** What is left of the line, from its first character that is no space. */
  get rest(): string {
    return this.source.slice(this.text, this.end);
  }

  /** Reads characters that are no tabs. */
  skip(count: number): void {
    this.at += count;
    this.column += count;
    this.look();
  }

  /** Reads on to the first character that is no space. */
  skipIndent(): void {
    this.at = this.text;
    this.column = this.#textColumn;
    this.#isInTab = false;
  }

  /** Reads so many columns of spaces, a part of a tab if need be. */
  skipColumns(count: number): void {
    let left = count;
    while (left > 0 && this.at < this.end && isSpace(this.source.charCodeAt(this.at))) {
      const width = this.source.charCodeAt(this.at) === 9 ? 4 - (this.column % 4) : 1;
      this.column += Math.min(left, width);
      this.#isInTab = width > left;
      if (!this.#isInTab) this.at++;
      left -= width;
    }
    this.look();
  }

  /** Reads at most one space behind a marker. */
  skipSpace(): void {
    if (this.at < this.end && isSpace(this.source.charCodeAt(this.at))) this.skipColumns(1);
  }

  /** What is left of the line; the rest of a tab that was read in part is spaces. */
  get raw(): string {
    if (!this.#isInTab) return this.source.slice(this.at, this.end);
    return " ".repeat(4 - (this.column % 4)) + this.source.slice(this.at + 1, this.end);
  }
}
