// Removes or replaces tags between the lines of a text. A part that was a block stays one: it keeps the marks of the quotes and lists around
// it, and does not merge with its neighbors.

import type { ExpansionBudget } from "../../utils/expansion-budget";
import { MAX_CONTAINERS } from "../markdown/limits";
import type { SourceSpan } from "../markdown/nodes";
import type { TextEdit } from "../text-edits";

const MAX_LINE_MARKS = MAX_CONTAINERS * 2;
/** The longest marks that containers require of a further line. 24 nested items require less. */
const MAX_MARKS_LENGTH = 512;
/** The beginning of a quote, an item or a footnote with its label. */
const CONTAINER_MARK = /(>)|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^(?:[^\s[\]\\]|\\.){1,999}\]:[ \t]{0,512}/y;
const BLANKS = /[ \t]{0,512}/y;
const FOOTNOTE_INDENTATION = "    ";

const LINE_ENDING = /\r\n|\n|\r/g;
const REST_IS_BLANK = /[ \t]*(?=[\r\n]|$)/y;
const REST_IS_BLANK_IN_QUOTE = /[ \t>]*(?=[\r\n]|$)/y;
/** A line that cannot continue the line above: it is blank, or begins an item or a tag. */
const SEPARATE_LINE = /[ \t>]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|\{%|(?=[\r\n]|$))/y;

/** The marks of containers at the beginning of a line. */
interface LinePrefix {
  readonly end: number;
  /** The marks that keep a further line in the same containers: the marks of quotes, and spaces for everything else. */
  readonly marks: string;
}

/** The lines of a text around its tags. The growth of the text is taken from a budget. */
export class TagLines {
  private readonly lineEnding: string;
  private readonly lineStarts: readonly number[];
  /** The prefixes by the number of the line. A line may have many tags. */
  private readonly prefixes = new Map<number, LinePrefix>();

  constructor(
    private readonly text: string,
    private readonly budget: ExpansionBudget,
  ) {
    this.lineEnding = text.includes("\r\n") ? "\r\n" : "\n";
    this.lineStarts = [
      0,
      ...Array.from(text.matchAll(LINE_ENDING), ({ index, 0: lineEnding }) => index + lineEnding.length),
    ];
  }

  /**
   * Returns the edits that remove an opening tag and its closing tag, but not the content between them. If the budget is used up, the
   * content is not separated from its neighbors.
   */
  unwrapTags(opening: SourceSpan, closing: SourceSpan): TextEdit[] {
    const openingGap = this.matches(REST_IS_BLANK, opening.end) ? "" : this.getGapBefore(opening);
    const closingGap = this.getPrefix(closing).end === closing.start ? "" : this.getGapAfter(closing);
    return [this.replaceByGap(opening, openingGap), this.replaceByGap(closing, closingGap)];
  }

  /** Returns the edit that replaces a tag by other lines, or undefined if they exceed the rest of the budget. */
  replaceTag(tag: SourceSpan, content: string): TextEdit | undefined {
    const { marks } = this.getPrefix(tag);
    const blankLineMarks = marks.trimEnd();
    const [before, after] = [this.getGapBefore(tag), this.getGapAfter(tag)];

    // The growth is computed and taken before the lines are built.
    let growth = before.length + after.length;
    for (const { 0: lineEnding, index } of content.matchAll(LINE_ENDING)) {
      const isBlankLine = /^[\r\n]?$/.test(content.charAt(index + lineEnding.length));
      growth += this.lineEnding.length - lineEnding.length + (isBlankLine ? blankLineMarks : marks).length;
    }
    if (!this.budget.take(growth)) return undefined;

    const [firstLine, ...otherLines] = content.split(LINE_ENDING);
    const lines = [firstLine, ...otherLines.map((line) => (line === "" ? blankLineMarks : marks + line))];
    return { from: tag.start, to: tag.end, text: before + lines.join(this.lineEnding) + after };
  }

  private replaceByGap({ start, end }: SourceSpan, gap: string): TextEdit {
    return { from: start, to: end, text: this.budget.take(gap.length - (end - start)) ? gap : "" };
  }

  /** Returns a blank line if the line above would continue in this one, or a line ending if there is text before the tag. */
  private getGapBefore(tag: SourceSpan): string {
    const { marks, end } = this.getPrefix(tag);
    if (end !== tag.start) return this.lineEnding + marks;
    const line = this.findLine(tag.start);
    const isFirstOfItem = /[^\s>]/.test(this.text.slice(this.lineStarts[line], end));
    const isSeparate = isFirstOfItem || line === 0 || this.matches(REST_IS_BLANK_IN_QUOTE, this.lineStarts[line - 1]!);
    return isSeparate ? "" : this.lineEnding + marks;
  }

  private getGapAfter(tag: SourceSpan): string {
    const { marks } = this.getPrefix(tag);
    if (!this.matches(REST_IS_BLANK, tag.end)) return this.lineEnding + marks;
    const nextLineStart = this.lineStarts[this.findLine(tag.end) + 1];
    const isSeparate = nextLineStart === undefined || this.matches(SEPARATE_LINE, nextLineStart);
    return isSeparate ? "" : this.lineEnding + marks.trimEnd();
  }

  private getPrefix({ start }: SourceSpan): LinePrefix {
    const line = this.findLine(start);
    const prefix = this.prefixes.get(line) ?? this.parsePrefix(this.lineStarts[line]!);
    this.prefixes.set(line, prefix);
    return prefix;
  }

  private parsePrefix(lineStart: number): LinePrefix {
    let [end, marks] = [lineStart, ""];
    for (let count = 0; ; count++) {
      const blanks = this.match(BLANKS, end)!;
      end += blanks[0].length;
      marks += blanks[0];
      const mark = count < MAX_LINE_MARKS ? this.match(CONTAINER_MARK, end) : null;
      if (!mark) return { end, marks: marks.slice(0, MAX_MARKS_LENGTH) };
      end += mark[0].length;
      marks += mark[1] ?? (mark[0].startsWith("[") ? FOOTNOTE_INDENTATION : " ".repeat(mark[0].length));
    }
  }

  private findLine(offset: number): number {
    let [low, high] = [0, this.lineStarts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private match(pattern: RegExp, offset: number): RegExpExecArray | null {
    pattern.lastIndex = offset;
    return pattern.exec(this.text);
  }

  private matches(pattern: RegExp, offset: number): boolean {
    return this.match(pattern, offset) !== null;
  }
}
