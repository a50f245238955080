// Removes or replaces tags between the lines of a text. A part that was a block of its own stays one: it keeps the
// marks of the quotes and lists around it, and does not merge with its neighbours.

import type { ExpansionBudget } from "../../utils/expansion-budget";
import { MAX_CONTAINERS } from "../markdown/limits";
import type { Span } from "../markdown/nodes";
import type { TextEdit } from "../text-edits";

const MAX_LINE_MARKS = MAX_CONTAINERS * 2;
/** The longest marks that containers ask of a further line: 24 items inside one another ask for less. */
const MAX_MARKS_LENGTH = 512;
/** A quote, an item or a footnote that begins, with its label. */
const CONTAINER_MARK = /(>)|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^(?:[^\s[\]\\]|\\.){1,999}\]:[ \t]{0,512}/y;
const BLANKS = /[ \t]{0,512}/y;
/** How far a further line of a footnote is indented. */
const NOTE_INDENT = "    ";

const LINE_ENDING = /\r\n|\n|\r/g;
const NOTHING = /[ \t]*(?=[\r\n]|$)/y;
const NOTHING_IN_QUOTES = /[ \t>]*(?=[\r\n]|$)/y;
/** A line that cannot continue the line above: it is empty, or begins an item or a tag. */
const STANDS_APART = /[ \t>]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|\{%|(?=[\r\n]|$))/y;

/** The containers that a line begins with. */
interface LinePrefix {
  /** Where it ends in the text. */
  readonly end: number;
  /** What a further line begins with to be in the same containers: the marks of quotes, and spaces for everything else. */
  readonly marks: string;
}

/** The lines of a text around the tags in it. */
export class Lines {
  private readonly ending: string;
  private readonly starts: readonly number[];
  /** By the number of the line: many tags may stand on one. */
  private readonly prefixes = new Map<number, LinePrefix>();

  /** What the text grows by is taken from the budget. */
  constructor(
    private readonly text: string,
    private readonly budget: ExpansionBudget,
  ) {
    this.ending = text.includes("\r\n") ? "\r\n" : "\n";
    this.starts = [0, ...lineStarts(text)];
  }

  /** Takes out an opening tag and its closing one; what is between them stays. Beyond the budget it is not kept apart from its
   * neighbours. */
  unwrapped(open: Span, close: Span): TextEdit[] {
    const isOpenAlone = this.is(NOTHING, open.end);
    return [
      this.replaced(open, isOpenAlone ? "" : this.gapBefore(open)),
      this.replaced(close, this.isFirstOfLine(close) ? "" : this.gapBehind(close)),
    ];
  }

  /** Puts other lines in the place of a tag; undefined if they are beyond the budget. Their own length was taken from it. */
  exchanged(tag: Span, content: string): TextEdit | undefined {
    const { marks } = this.prefixOf(tag);
    const emptyMarks = marks.trimEnd();
    const [before, behind] = [this.gapBefore(tag), this.gapBehind(tag)];
    let growth = before.length + behind.length;
    for (let at = 0; at < content.length; at++) {
      const code = content.charCodeAt(at);
      if (!isLineEnding(code)) continue;
      const start = at;
      if (code === 13 && content.charCodeAt(at + 1) === 10) at++;
      const isEmptyLine = at + 1 === content.length || isLineEnding(content.charCodeAt(at + 1));
      growth += this.ending.length - (at + 1 - start) + (isEmptyLine ? emptyMarks : marks).length;
    }
    if (!this.budget.take(growth)) return undefined;
    const [first, ...others] = content.split(LINE_ENDING);
    const lines = [first, ...others.map((line) => (line === "" ? emptyMarks : marks + line))];
    return { from: tag.start, to: tag.end, text: before + lines.join(this.ending) + behind };
  }

  private replaced({ start, end }: Span, gap: string): TextEdit {
    return { from: start, to: end, text: this.budget.take(gap.length - (end - start)) ? gap : "" };
  }

  /** An empty line where the line above would continue in this one; a line ending where something stands before the
   * tag. */
  private gapBefore(tag: Span): string {
    const { marks, end } = this.prefixOf(tag);
    if (end !== tag.start) return this.ending + marks;
    const line = this.lineOf(tag.start);
    const isFirstOfItem = /[^\s>]/.test(this.text.slice(this.starts[line], end));
    const isApart = isFirstOfItem || line === 0 || this.is(NOTHING_IN_QUOTES, this.starts[line - 1]!);
    return isApart ? "" : this.ending + marks;
  }

  private gapBehind(tag: Span): string {
    const { marks } = this.prefixOf(tag);
    if (!this.is(NOTHING, tag.end)) return this.ending + marks;
    const below = this.starts[this.lineOf(tag.end) + 1];
    return below === undefined || this.is(STANDS_APART, below) ? "" : this.ending + marks.trimEnd();
  }

  private isFirstOfLine(tag: Span): boolean {
    return this.prefixOf(tag).end === tag.start;
  }

  /** The containers that the line of a tag begins with. */
  private prefixOf({ start }: Span): LinePrefix {
    const line = this.lineOf(start);
    const known = this.prefixes.get(line) ?? this.readPrefix(this.starts[line]!);
    this.prefixes.set(line, known);
    return known;
  }

  private readPrefix(start: number): LinePrefix {
    let [end, marks] = [start, ""];
    for (let count = 0; ; count++) {
      const blanks = this.match(BLANKS, end)!;
      end += blanks[0].length;
      marks += blanks[0];
      const mark = count < MAX_LINE_MARKS ? this.match(CONTAINER_MARK, end) : null;
      if (!mark) return { end, marks: marks.slice(0, MAX_MARKS_LENGTH) };
      end += mark[0].length;
      marks += mark[1] ?? (mark[0].startsWith("[") ? NOTE_INDENT : " ".repeat(mark[0].length));
    }
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

  private match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }

  private is(pattern: RegExp, at: number): boolean {
    return this.match(pattern, at) !== null;
  }
}

function isLineEnding(code: number): boolean {
  return code === 10 || code === 13;
}

function lineStarts(text: string): number[] {
  return Array.from(text.matchAll(LINE_ENDING), ({ index, 0: ending }) => index + ending.length);
}
