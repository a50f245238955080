// Creates blocks of a document, and defines the interface of the reader of all blocks for the readers of one kind.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Align, Block, BlockData, BlockOf, Phrasing } from "../../document";
import { applyTextEdits, type TextEdit } from "../../text-edits";
import type * as md from "../nodes";
import type { Element, Phrase } from "./elements";
import { createTextNode } from "./leaves";
import type { Reading } from "./reading";

export interface BlocksReader {
  readonly reading: Reading;
  readonly readAll: (nodes: readonly md.BlockNode[], depth: number) => Steps<Block[]>;
  /** Reads the parts of a block, each as a block of its own. */
  readonly readParts: (
    nodes: readonly md.BlockNode[],
    read: (node: md.BlockNode) => Steps<Block | undefined> | undefined,
  ) => Steps<Block[]>;
  readonly phrasing: (nodes: readonly Phrase[]) => Steps<Phrasing[]>;
  /** Returns true for a block that is not shown itself: other blocks only refer to it. */
  readonly isSupport: (node: md.BlockNode) => Steps<boolean>;
}

export type HeadingElement = Pick<Element, "children" | "start" | "end">;

export interface HtmlBlocksReader extends BlocksReader {
  /** Reads a heading. A heading in a cell does not belong to the page. */
  readonly heading: (depth: number, element: HeadingElement, align?: Align, isOfPage?: boolean) => Steps<Block>;
  /** Reads the content of a cell; undefined if something in it is unknown. */
  readonly flow: (nodes: readonly Phrase[], depth: number) => Steps<Block[] | undefined>;
}

export function createBlock<Type extends keyof BlockData>(
  type: Type,
  data: BlockData[Type],
  nodes: readonly (Block | Phrasing)[],
): BlockOf<Type> {
  return { object: "block", type, isVoid: false, data, nodes: [...nodes] };
}

/** Creates a block that has only data. */
export function createVoidBlock<Type extends keyof BlockData>(type: Type, data: BlockData[Type]): BlockOf<Type> {
  return { object: "block", type, isVoid: true, data };
}

/** Reads code line by line. `{1,3-5}` after the language lists the highlighted lines. */
export function* readCodeNode(
  reading: Reading,
  { lang, meta, value }: md.CodeNode,
  options: BlockData["code"],
): Steps<BlockOf<"code">> {
  const highlighted = parseHighlightedLines(meta ?? lang);
  const data = {
    ...omitUndefined({ syntax: lang && (meta || !highlighted) ? lang : undefined }),
    ...options,
    ...omitUndefined({ meta: meta && !highlighted ? meta : undefined }),
  };
  const lines: Block[] = [];
  for (const [i, line] of removeRawTags(value).split("\n").entries()) {
    lines.push(createBlock("code-line", highlighted?.has(i + 1) ? { highlighted: true } : {}, [createTextNode(line)]));
    if (reading.isStep()) yield;
  }
  return createBlock("code", data, lines);
}

const RAW = /\{%-?[ \t]*(end)?raw[ \t]*-?%\}/g;

/** Removes Liquid's `{% raw %}` and `{% endraw %}` from code. A tag alone on its line is removed with the line. */
function removeRawTags(code: string): string {
  if (!code.includes("endraw")) return code;
  const edits: TextEdit[] = [];
  let open: TextEdit | undefined;
  for (const { 0: tag, 1: end, index } of code.matchAll(RAW)) {
    let [from, to] = [index, index + tag.length];
    while (/[ \t]/.test(code[from - 1] ?? "")) from--;
    while (/[ \t]/.test(code[to] ?? "")) to++;
    if ((from > 0 && code[from - 1] !== "\n") || (to < code.length && code[to] !== "\n")) {
      [from, to] = [index, index + tag.length];
    } else if (to < code.length) to++;
    else from = Math.max(0, from - 1);
    const edit = { from, to, text: "" };
    if (end === undefined) open ??= edit;
    else if (open) {
      edits.push(open, edit);
      open = undefined;
    }
  }
  return applyTextEdits(code, edits);
}

/** The maximum number of highlighted lines. A longer list is not read as one. */
const MAX_HIGHLIGHTED = 10_000;

function parseHighlightedLines(meta: string | null): Set<number> | undefined {
  if (!meta || !/^\{[0-9]{1,6}(?:-[0-9]{1,6})?(?:,[0-9]{1,6}(?:-[0-9]{1,6})?)*\}$/.test(meta)) return undefined;
  const lines = new Set<number>();
  let left = MAX_HIGHLIGHTED;
  for (const range of meta.slice(1, -1).split(",")) {
    const [from, to = from] = range.split("-").map(Number) as [number, number?];
    if (to - from >= left) return undefined;
    left -= Math.max(1, to - from + 1);
    for (let line = from; line <= to; line++) lines.add(line);
  }
  return lines;
}
