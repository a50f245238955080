// Blocks of a document, made of what they hold, and what readers of a kind of block ask of the reader of all.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, BlockData, BlockOf, Phrasing } from "../../document";
import { applyTextEdits, type TextEdit } from "../../text-edits";
import type * as md from "../nodes";
import type { Element, Phrase } from "./elements";
import { textNode } from "./leaves";
import type { Reading } from "./reading";

/** Reads the blocks of one text. */
export interface ReadsBlocks {
  readonly reading: Reading;
  /** Reads blocks that stand at a depth of the document. */
  readonly readAll: (nodes: readonly md.Block[], depth: number) => Steps<Block[]>;
  /** Reads the parts of a whole, each as a block of its own. */
  readonly readParts: (
    nodes: readonly md.Block[],
    read: (node: md.Block) => Steps<Block | undefined>,
  ) => Steps<Block[]>;
  readonly phrasing: (nodes: readonly Phrase[]) => Steps<Phrasing[]>;
  /** Whether a block is only there for others to refer to. */
  readonly isSupport: (node: md.Block) => Steps<boolean>;
}

/** Reads the blocks of one text, and those of its HTML. */
export interface ReadsFlow extends ReadsBlocks {
  /** Reads a heading of HTML; one in a cell is none of the page. */
  readonly heading: (depth: number, element: Element, isOfPage: boolean) => Steps<Block>;
  /** Reads what a cell holds; undefined if something in it means nothing to us. */
  readonly flow: (nodes: readonly Phrase[], depth: number) => Steps<Block[] | undefined>;
}

/** A block that holds nodes. */
export function block<Type extends keyof BlockData>(
  type: Type,
  data: BlockData[Type],
  nodes: readonly (Block | Phrasing)[],
): BlockOf<Type> {
  return { object: "block", type, isVoid: false, data, nodes: [...nodes] };
}

/** A block that says everything in its data. */
export function voidBlock<Type extends keyof BlockData>(type: Type, data: BlockData[Type]): BlockOf<Type> {
  return { object: "block", type, isVoid: true, data };
}

/** Code, line by line. `{1,3-5}` behind the language are the lines that are highlighted. */
export function* codeBlock(
  reading: Reading,
  { lang, meta, value }: md.Code,
  options: BlockData["code"],
): Steps<BlockOf<"code">> {
  const highlighted = highlightedLines(meta ?? lang);
  const data = {
    ...omitUndefined({ syntax: lang && (meta || !highlighted) ? lang : undefined }),
    ...options,
    ...omitUndefined({ meta: meta && !highlighted ? meta : undefined }),
  };
  const lines: Block[] = [];
  for (const [i, line] of withoutRaw(value).split("\n").entries()) {
    lines.push(block("code-line", highlighted?.has(i + 1) ? { highlighted: true } : {}, [textNode(line)]));
    if (reading.isStep()) yield;
  }
  return block("code", data, lines);
}

const RAW = /\{%-?[ \t]*(end)?raw[ \t]*-?%\}/g;

/** Code without `{% raw %}` and `{% endraw %}` of Liquid around what is not run. A tag alone on its line goes with the line. */
function withoutRaw(code: string): string {
  if (!code.includes("endraw")) return code;
  const edits: TextEdit[] = [];
  let open: TextEdit | undefined;
  for (const { 0: tag, 1: end, index } of code.matchAll(RAW)) {
    const place = { ...withLine(code, index, index + tag.length), text: "" };
    if (end === undefined) open ??= place;
    else if (open) {
      edits.push(open, place);
      open = undefined;
    }
  }
  return applyTextEdits(code, edits);
}

function withLine(code: string, start: number, end: number): { from: number; to: number } {
  let [from, to] = [start, end];
  while (/[ \t]/.test(code[from - 1] ?? "")) from--;
  while (/[ \t]/.test(code[to] ?? "")) to++;
  const [isFirst, isLast] = [from === 0 || code[from - 1] === "\n", to === code.length || code[to] === "\n"];
  if (!isFirst || !isLast) return { from: start, to: end };
  return to < code.length ? { from, to: to + 1 } : { from: Math.max(0, from - 1), to };
}

/** How many lines may be highlighted; more is not a list of lines. */
const MAX_HIGHLIGHTED = 10_000;

function highlightedLines(meta: string | null): Set<number> | undefined {
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
