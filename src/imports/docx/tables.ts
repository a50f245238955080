// Tables of a Word document. A cell that spans others stands in the first of them, and the others are empty.

import type { Block, BlockOf, Phrasing } from "../../content/document";
import { MAX_COLUMNS } from "../../content/document/limits";
import { isEmpty, Phrases } from "../../content/markdown/reader/leaves";
import { saidBy } from "../../content/markdown/reader/words";
import { tableOf } from "../table";
import { elementAt } from "../xml/elements";
import type { XmlElement } from "../xml/xml";
import { bodyElements, isDeletedRow } from "./paragraphs";
import { isOn, valueAt } from "./styles";

/** A cell as the blocks that it holds. */
type Cell = readonly Block[];

/** A table as blocks; one of a single cell is only a frame around them. */
export function readTable(table: XmlElement, readBlocks: (elements: readonly XmlElement[]) => Block[]): Block[] {
  const rows = bodyElements(table)
    .filter(({ name }) => name === "w:tr")
    .filter((row) => !isDeletedRow(row))
    .map((row) => cellsOf(row, readBlocks));
  const width = rows.reduce((most, { length }) => Math.min(MAX_COLUMNS, Math.max(most, length)), 0);
  if (width === 0) return [];
  if (rows.length === 1 && width === 1) return [...rows[0]![0]!];
  const cells = rows.map((row) => row.slice(0, width).map(phrasingOf));
  const [first, ...others] = cells;
  const hasHead = saysHead(table) && first!.every(isWords);
  const titles = hasHead ? first!.map((nodes) => saidBy(nodes)) : undefined;
  return [tableOf(titles, hasHead ? others : cells, width)];
}

function cellsOf(row: XmlElement, readBlocks: (elements: readonly XmlElement[]) => Block[]): Cell[] {
  const before = count(valueAt(row, "w:trPr", "w:gridBefore"), 0);
  const cells: Cell[] = Array.from({ length: before }, () => []);
  for (const cell of bodyElements(row).filter(({ name }) => name === "w:tc")) {
    const properties = elementAt(cell, "w:tcPr");
    const merged = elementAt(properties, "w:vMerge");
    const isBelow = merged !== undefined && merged.attributes.get("w:val") !== "restart";
    cells.push(isBelow ? [] : readBlocks(bodyElements(cell)));
    for (let span = count(valueAt(properties, "w:gridSpan"), 1); span > 1; span--) cells.push([]);
  }
  return cells;
}

function count(written: string | undefined, otherwise: number): number {
  return /^\d{1,3}$/.test(written ?? "") ? Math.min(MAX_COLUMNS, Number(written)) : otherwise;
}

/** Word says of nearly every table that its first row is a head; where it says that it is none, it is none. */
function saysHead(table: XmlElement): boolean {
  const look = elementAt(table, "w:tblPr", "w:tblLook")?.attributes;
  const first = bodyElements(table).find(({ name }) => name === "w:tr");
  if (isOn(elementAt(first, "w:trPr"), "w:tblHeader")) return true;
  const bits = /^[0-9A-Fa-f]{4}$/.test(look?.get("w:val") ?? "") ? Number.parseInt(look!.get("w:val")!, 16) : 0x20;
  return look?.get("w:firstRow") === undefined
    ? (bits & 0x20) !== 0
    : !/^(?:0|false|off)$/.test(look.get("w:firstRow")!);
}

/** Whether phrasing is nothing but words, as the title of a column is. */
function isWords(nodes: readonly Phrasing[]): boolean {
  return nodes.every((node) => node.object === "text");
}

/** Blocks as lines of one paragraph: a cell holds no more than that. */
function phrasingOf(blocks: Cell): Phrasing[] {
  const phrases = new Phrases();
  const lines = blocks.flatMap((block) => linesOf(block, "")).filter((line) => !isEmpty(line));
  for (const [i, line] of lines.entries()) {
    if (i > 0) phrases.addText("\n", []);
    addAll(phrases, line);
  }
  return phrases.finish(true);
}

function addAll(phrases: Phrases, nodes: readonly Phrasing[]): void {
  for (const node of nodes) {
    if (node.object === "inline") phrases.addInline(node);
    else for (const { text, marks } of node.leaves) phrases.addText(text, marks);
  }
}

function linesOf(block: Block, bullet: string): Phrasing[][] {
  const children = (block.nodes ?? []) as (Block | Phrasing)[];
  switch (block.type) {
    case "list-ordered":
    case "list-unordered": {
      const start = block.type === "list-ordered" ? (block.data?.start ?? 1) : undefined;
      return (children as Block[]).flatMap((item, i) => linesOf(item, start === undefined ? "• " : `${start + i}. `));
    }
    case "list-item":
    case "blockquote":
      return (children as Block[]).flatMap((inner, i) => linesOf(inner, i === 0 ? bullet : ""));
    case "code":
      return (children as Block[]).map((line) => [marked(saidBy(line.nodes as Phrasing[]))]);
    case "images":
      return [(children as BlockOf<"image">[]).map(({ data }) => inlineImage(data!))];
    case "table":
      return (block.fragments ?? []).flatMap(({ nodes }) => nodes.flatMap((inner) => linesOf(inner, "")));
    default:
      return [bullet === "" ? (children as Phrasing[]) : [plain(bullet), ...(children as Phrasing[])]];
  }
}

function plain(text: string): Phrasing {
  return { object: "text", leaves: [{ object: "leaf", text, marks: [] }] };
}

function marked(text: string): Phrasing {
  return { object: "text", leaves: [{ object: "leaf", text, marks: [{ object: "mark", type: "code" }] }] };
}

function inlineImage({ ref, alt }: NonNullable<BlockOf<"image">["data"]>): Phrasing {
  const data = { ref, ...(alt === undefined ? {} : { alt }) };
  return { object: "inline", type: "inline-image", isVoid: true, data };
}
