// Reads one line of the source at a time, with tabs as columns.

import { isSpace } from "./characters";

/** A cursor in the line that is being read. */
export class LineCursor {
  start = 0;
  /** The end of the line, without its line ending. */
  end = 0;
  next = 0;
  /** The offset up to which the line has been read. */
  at = 0;
  column = 0;
  /** True if the tab at this offset has been read partly. */
  #isInTab = false;
  /** The offset of the first character that is not a space, and its column. */
  text = 0;
  #textColumn = 0;

  constructor(readonly source: string) {}

  /** Moves to the line that begins at an offset. */
  open(start: number): void {
    this.start = this.at = start;
    this.column = 0;
    this.#isInTab = false;
    let end = start;
    const { source } = this;
    while (end < source.length && source.charCodeAt(end) !== 10 && source.charCodeAt(end) !== 13) end++;
    this.end = end;
    this.next = source.charCodeAt(end) === 13 && source.charCodeAt(end + 1) === 10 ? end + 2 : end + 1;
    this.#findText();
  }

  /** Finds the first character that is not a space. */
  #findText(): void {
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

  /** The code of the first character that is not a space; NaN on a blank line. */
  get code(): number {
    return this.isBlank ? Number.NaN : this.source.charCodeAt(this.text);
  }

  /** The unread part of the line, from its first character that is not a space. */
  get rest(): string {
    return this.source.slice(this.text, this.end);
  }

  /** Reads characters other than tabs. */
  skip(count: number): void {
    this.at += count;
    this.column += count;
    this.#findText();
  }

  /** Reads up to the first character that is not a space. */
  skipIndent(): void {
    this.at = this.text;
    this.column = this.#textColumn;
    this.#isInTab = false;
  }

  /** Reads columns of spaces, and a part of a tab if necessary. */
  skipColumns(count: number): void {
    let left = count;
    while (left > 0 && this.at < this.end && isSpace(this.source.charCodeAt(this.at))) {
      const width = this.source.charCodeAt(this.at) === 9 ? 4 - (this.column % 4) : 1;
      this.column += Math.min(left, width);
      this.#isInTab = width > left;
      if (!this.#isInTab) this.at++;
      left -= width;
    }
    this.#findText();
  }

  /** Reads at most one space after a marker. */
  skipSpace(): void {
    if (this.at < this.end && isSpace(this.source.charCodeAt(this.at))) this.skipColumns(1);
  }

  /** The unread part of the line; the rest of a partly read tab becomes spaces. */
  get raw(): string {
    if (!this.#isInTab) return this.source.slice(this.at, this.end);
    return " ".repeat(4 - (this.column % 4)) + this.source.slice(this.at + 1, this.end);
  }
}
