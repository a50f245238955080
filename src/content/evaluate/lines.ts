// Removes or replaces tags between the lines of a text. A part that was a block of its own stays one: it keeps the
// marks of the quotes and lists around it, and does not merge with its neighbours.

import type { Edit } from "../edits";
import type { Span } from "../markdown/nodes";

/** Marks of quotes, items and footnotes before the first tag of a line. */
const MARKS = /(?:(?!\{%)[^<\r\n])*/y;
const NOTHING = /[ \t]*(?=[\r\n]|$)/y;
const NOTHING_IN_QUOTES = /[ \t>]*(?=[\r\n]|$)/y;
/** A line that cannot continue the line above: it is empty, or begins an item or a tag. */
const STANDS_APART = /[ \t>]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|\{%|(?=[\r\n]|$))/y;

/** The lines of a text around the tags in it. */
export class Lines {
  private readonly ending: string;
  private readonly starts: readonly number[];

  constructor(private readonly text: string) {
    this.ending = text.includes("\r\n") ? "\r\n" : "\n";
    this.starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (it) => it.index + it[0].length)];
  }

  /** Takes out an opening tag and its closing one; what is between them stays. */
  unwrapped(open: Span, close: Span): Edit[] {
    const isOpenAlone = this.is(NOTHING, open.end);
    return [
      { from: open.start, to: open.end, text: isOpenAlone ? "" : this.gapBefore(open) },
      { from: close.start, to: close.end, text: this.isFirstOfLine(close) ? "" : this.gapBehind(close) },
    ];
  }

  /** Puts other lines in the place of a tag. */
  exchanged(tag: Span, content: string): Edit {
    const marks = this.marksOf(tag);
    const [first, ...others] = content.split(/\r\n|\n|\r/);
    const lines = [first, ...others.map((line) => (line === "" ? marks.trimEnd() : marks + line))];
    const text = this.gapBefore(tag) + lines.join(this.ending) + this.gapBehind(tag);
    return { from: tag.start, to: tag.end, text };
  }

  /** An empty line where the line above would continue in this one; a line ending where something stands before the
   * tag. */
  private gapBefore(tag: Span): string {
    if (!this.isFirstOfLine(tag)) return this.ending + this.marksOf(tag);
    const line = this.lineOf(tag.start);
    const isFirstOfItem = /[^\s>]/.test(this.text.slice(this.starts[line], tag.start));
    const isApart = isFirstOfItem || line === 0 || this.is(NOTHING_IN_QUOTES, this.starts[line - 1]!);
    return isApart ? "" : this.ending + this.marksOf(tag);
  }

  private gapBehind(tag: Span): string {
    if (!this.is(NOTHING, tag.end)) return this.ending + this.marksOf(tag);
    const below = this.starts[this.lineOf(tag.end) + 1];
    return below === undefined || this.is(STANDS_APART, below) ? "" : this.ending + this.marksOf(tag).trimEnd();
  }

  private isFirstOfLine({ start }: Span): boolean {
    return this.starts[this.lineOf(start)]! + this.marksOf({ start, end: start }).length === start;
  }

  /** What a further line needs to be in the same quotes and items: the marks of quotes, and spaces for everything
   * else. */
  private marksOf({ start }: Span): string {
    MARKS.lastIndex = this.starts[this.lineOf(start)]!;
    return MARKS.exec(this.text)![0].replace(/[^\s>]/g, " ");
  }

  private lineOf(at: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private is(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(this.text);
  }
}
