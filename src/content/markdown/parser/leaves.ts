// Blocks that take their lines as they come: fenced and indented code, HTML and formulas.

import { MAX_DOLLARS } from "../limits";
import type { Block, Code, Html, MathBlock, Table } from "../nodes";
import { isSpace, trimSpaces } from "./characters";
import type { Content } from "./content";
import { endsHtml, type HtmlKind } from "./html";
import type { Line } from "./lines";
import { unescapeText } from "./references";
import { scanTag } from "./tags";

/** A block that is open and holds no others. */
export type Leaf = VerbatimLeaf | ParagraphLeaf | TableLeaf;

/** A paragraph that is open. */
export interface ParagraphLeaf {
  type: "paragraph";
  content: Content;
  /** Where the last line begins in the content, and where it stands in the source. */
  lastLine: number;
  lastStart: number;
  lastEnd: number;
  /** How long the content is when the definitions at its start are read ahead. */
  readAheadAt: number;
}

interface TableLeaf {
  type: "table";
  node: Table;
}

/** A leaf that decides for itself which lines are its own. */
export interface VerbatimLeaf {
  type: "verbatim";
  node: Block;
  /** Whether blank lines belong to it. */
  isVerbatim: boolean;
  /** Whether it ended on the line that it began on. */
  isDone: boolean;
  /** Takes a line: as one of more, as its last, or not at all. */
  take(line: Line): "more" | "last" | "no";
  close(): void;
}

/** Fenced code, if the line is an opening fence. */
export function beginFence(line: Line): VerbatimLeaf | undefined {
  const { source, text: start, end } = line;
  const mark = source[start]!;
  const behind = endOfRun(source, start, mark);
  const info = trimSpaces(source.slice(behind, end));
  if (behind - start < 3 || (mark === "`" && info.includes("`"))) return undefined;
  const gap = info.search(/[ \t]/);
  const [lang, meta] = gap === -1 ? [info, ""] : [info.slice(0, gap), trimSpaces(info.slice(gap))];
  const node: Code = {
    type: "code",
    lang: lang ? unescapeText(lang) : null,
    meta: meta ? unescapeText(meta) : null,
    value: "",
    start,
    end,
  };
  return fenced(node, mark, behind - start, line.indent);
}

/** Where formulas that are open could be closed, for each number of dollars; found once. */
export type Closings = Map<number, number>;

/** A formula, if the line is `$$` alone and a line that closes it follows, or if it is `$$formula$$`. */
export function beginMath(line: Line, closings: Closings): VerbatimLeaf | undefined {
  const { source, text: start } = line;
  const behind = endOfRun(source, start, "$");
  const length = behind - start;
  if (length < 2 || length > MAX_DOLLARS) return undefined;
  let end = line.end;
  while (end > behind && isSpace(source.charCodeAt(end - 1))) end--;
  const node: MathBlock = { type: "math", value: "", start, end };
  if (end === behind) return isClosedBelow(line, length, closings) ? fenced(node, "$", length, line.indent) : undefined;
  const closing = end - length;
  if (closing < behind || source.indexOf("$", behind) !== closing) return undefined;
  node.value = trimSpaces(source.slice(behind, closing));
  return node.value === "" ? undefined : { ...verbatim(node), isDone: true };
}

/** Only then is `$$` more than money. */
function isClosedBelow(line: Line, length: number, closings: Closings): boolean {
  const known = closings.get(length) ?? -1;
  if (known > line.end) return known < Number.POSITIVE_INFINITY;
  const closing = new RegExp(`[\\r\\n][ \\t>]*\\\${${length},}[ \\t]*(?=[\\r\\n]|$)`, "g");
  closing.lastIndex = line.end;
  const found = closing.exec(line.source)?.index ?? Number.POSITIVE_INFINITY;
  closings.set(length, found);
  return found < Number.POSITIVE_INFINITY;
}

function fenced(node: Code | MathBlock, mark: string, length: number, indent: number): VerbatimLeaf {
  const lines: string[] = [];
  return {
    ...verbatim(node),
    isVerbatim: true,
    take(line) {
      node.end = line.end;
      if (line.indent < 4 && line.source[line.text] === mark && !line.isBlank) {
        const behind = endOfRun(line.source, line.text, mark);
        if (behind - line.text >= length && trimSpaces(line.source.slice(behind, line.end)) === "") {
          node.end = behind;
          return "last";
        }
      }
      line.skipColumns(indent);
      lines.push(line.raw);
      return "more";
    },
    close() {
      node.value = lines.join("\n");
    },
  };
}

/** Code by indentation, with this line as its first. */
export function beginIndented(line: Line): VerbatimLeaf {
  const start = line.at;
  line.skipColumns(4);
  const lines = [line.raw];
  const node: Code = { type: "code", lang: null, meta: null, value: "", start, end: line.end };
  let kept = 1;
  return {
    ...verbatim(node),
    take(next) {
      if (!next.isBlank && next.indent < 4) return "no";
      next.skipColumns(4);
      lines.push(next.raw);
      if (next.isBlank) return "more";
      kept = lines.length;
      node.end = next.end;
      return "more";
    },
    close() {
      node.value = lines.slice(0, kept).join("\n");
    },
  };
}

/** HTML, with this line as its first. Tags of ours and `<details>` begin something new in kinds 6 and 7. */
export function beginHtml(line: Line, kind: HtmlKind): VerbatimLeaf {
  const start = line.at;
  const lines = [line.raw];
  const node: Html = { type: "html", value: "", lines: [{ start, end: line.end }], start, end: line.end };
  return {
    ...verbatim(node),
    isVerbatim: kind < 6,
    isDone: endsHtml(kind, lines[0]!),
    take(next) {
      if (kind > 5 && (next.isBlank || beginsOurs(next))) return "no";
      const line = next.raw;
      lines.push(line);
      node.lines.push({ start: next.at, end: next.end });
      node.end = next.end;
      return endsHtml(kind, line) ? "last" : "more";
    },
    close() {
      while (lines.length > 1 && trimSpaces(lines.at(-1)!) === "") lines.pop();
      node.value = lines.join("\n");
      node.lines.length = lines.length;
      node.end = node.lines.at(-1)!.end;
    },
  };
}

function beginsOurs(line: Line): boolean {
  if (line.indent > 3) return false;
  if (line.code === 123) return scanTag(line.source, line.text, line.end) !== undefined;
  return line.code === 60 && /^<\/?details[\s>]/i.test(line.source.slice(line.text, line.text + 10));
}

function verbatim(node: Block): VerbatimLeaf {
  return { type: "verbatim", node, isVerbatim: false, isDone: false, take: () => "no", close: () => {} };
}

function endOfRun(source: string, at: number, mark: string): number {
  let end = at;
  while (source[end] === mark) end++;
  return end;
}
