// Leaf blocks that take lines verbatim: fenced and indented code, HTML blocks and display formulas.

import { MAX_DOLLARS } from "../limits";
import type { BlockNode, CodeNode, HtmlBlockNode, MathBlockNode, TableNode } from "../nodes";
import { unescapeText } from "./character-references";
import { findTrimmedEnd, trimSpaces } from "./characters";
import type { Content } from "./content";
import { HTML_ENDINGS, type HtmlKind } from "./html";
import type { LineCursor } from "./line-cursor";
import { skipRun } from "./span-delimiters";
import { scanTag } from "./tags";

/** An open block that contains no other blocks. */
export type OpenLeaf = VerbatimLeaf | ParagraphLeaf | TableLeaf;

export interface ParagraphLeaf {
  type: "paragraph";
  content: Content;
  /** The offset of the last line in the content, and its start and end in the source. */
  lastLine: number;
  lastStart: number;
  lastEnd: number;
  /** The length of the content at which the definitions at its start are read ahead. */
  readAheadAt: number;
}

interface TableLeaf {
  type: "table";
  node: TableNode;
}

/** An open leaf block that decides itself which lines belong to it. */
export interface VerbatimLeaf {
  type: "verbatim";
  node: BlockNode;
  /** True if blank lines at its end belong to it. */
  isVerbatim: boolean;
  /** True if it ended on the line that it began on. */
  isDone: boolean;
  /** Takes a line: "more" lines can follow, it was the "last" one, or "no", it does not belong to the block. */
  take(line: LineCursor): "more" | "last" | "no";
  close(): void;
}

/** The members of a leaf that takes no further line. */
const CLOSED_LEAF = {
  type: "verbatim",
  isVerbatim: false,
  isDone: false,
  take: () => "no",
  close: () => {},
} satisfies Omit<VerbatimLeaf, "node">;

export function beginFence(line: LineCursor): VerbatimLeaf | undefined {
  const { source, text: start, end } = line;
  const mark = source[start]!;
  const behind = skipRun(source, start);
  const info = trimSpaces(source.slice(behind, end));
  if (behind - start < 3 || (mark === "`" && info.includes("`"))) return undefined;
  const gap = info.search(/[ \t]/);
  const [lang, meta] = gap === -1 ? [info, ""] : [info.slice(0, gap), trimSpaces(info.slice(gap))];
  const node: CodeNode = {
    type: "code",
    lang: lang ? unescapeText(lang) : null,
    meta: meta ? unescapeText(meta) : null,
    value: "",
    start,
    end,
  };
  return createFencedLeaf(node, mark, behind - start, line.indent);
}

/** The offset of the next line that closes a block, by a name of the closing line. */
export type ClosingOffsets = Map<string, number>;

/** Returns true if a line below begins with `closing`, a pattern. Each closing is searched for once in a stretch of text. */
export function isClosedBelow(
  { source, end }: LineCursor,
  name: string,
  closing: string,
  offsets: ClosingOffsets,
): boolean {
  let offset = offsets.get(name) ?? -1;
  if (offset <= end) {
    const pattern = new RegExp(`[\\r\\n][ \\t>]*${closing}`, "g");
    pattern.lastIndex = end;
    offset = pattern.exec(source)?.index ?? Number.POSITIVE_INFINITY;
    offsets.set(name, offset);
  }
  return offset < Number.POSITIVE_INFINITY;
}

/** Opens a display formula if the line is `$$` and a closing line follows, or if it is `$$formula$$`. */
export function beginMath(line: LineCursor, offsets: ClosingOffsets): VerbatimLeaf | undefined {
  const { source, text: start } = line;
  const behind = skipRun(source, start);
  const length = behind - start;
  if (length < 2 || length > MAX_DOLLARS) return undefined;
  const end = findTrimmedEnd(source, behind, line.end);
  const node: MathBlockNode = { type: "math", value: "", start, end };
  if (end === behind) {
    // `$$` that nothing closes is text: it may be about money.
    const isClosed = isClosedBelow(line, "$".repeat(length), `\\\${${length},}[ \\t]*(?=[\\r\\n]|$)`, offsets);
    return isClosed ? createFencedLeaf(node, "$", length, line.indent) : undefined;
  }
  const closing = end - length;
  if (closing < behind || source.indexOf("$", behind) !== closing) return undefined;
  node.value = trimSpaces(source.slice(behind, closing));
  return node.value === "" ? undefined : { ...CLOSED_LEAF, node, isDone: true };
}

function createFencedLeaf(node: CodeNode | MathBlockNode, mark: string, length: number, indent: number): VerbatimLeaf {
  const lines: string[] = [];
  return {
    ...CLOSED_LEAF,
    node,
    isVerbatim: true,
    take(line) {
      node.end = line.end;
      if (line.indent < 4 && line.source[line.text] === mark && !line.isBlank) {
        const behind = skipRun(line.source, line.text);
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

export function beginIndented(line: LineCursor): VerbatimLeaf {
  const start = line.at;
  line.skipColumns(4);
  const lines = [line.raw];
  const node: CodeNode = { type: "code", lang: null, meta: null, value: "", start, end: line.end };
  let length = 1;
  return {
    ...CLOSED_LEAF,
    node,
    take(next) {
      if (!next.isBlank && next.indent < 4) return "no";
      next.skipColumns(4);
      lines.push(next.raw);
      if (next.isBlank) return "more";
      length = lines.length;
      node.end = next.end;
      return "more";
    },
    close() {
      node.value = lines.slice(0, length).join("\n");
    },
  };
}

/** Opens an HTML block with this line. In kinds 6 and 7, block tags and `<details>` begin a new block. */
export function beginHtml(line: LineCursor, kind: HtmlKind): VerbatimLeaf {
  const start = line.at;
  const lines = [line.raw];
  const ending = HTML_ENDINGS[kind];
  const node: HtmlBlockNode = { type: "html", value: "", lines: [{ start, end: line.end }], start, end: line.end };
  return {
    ...CLOSED_LEAF,
    node,
    isVerbatim: kind < 6,
    isDone: ending?.test(lines[0]!) ?? false,
    take(next) {
      if (kind > 5 && next.isBlank) return "no";
      if (kind > 5 && next.indent < 4) {
        const { source, text, end, code } = next;
        if (code === 123 && scanTag(source, text, end) !== undefined) return "no";
        if (code === 60 && /^<\/?details[\s>]/i.test(source.slice(text, text + 10))) return "no";
      }
      const line = next.raw;
      lines.push(line);
      node.lines.push({ start: next.at, end: next.end });
      node.end = next.end;
      return ending?.test(line) ? "last" : "more";
    },
    close() {
      while (lines.length > 1 && trimSpaces(lines.at(-1)!) === "") lines.pop();
      node.value = lines.join("\n");
      node.lines.length = lines.length;
      node.end = node.lines.at(-1)!.end;
    },
  };
}
