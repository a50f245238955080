// Tables of a Word document. A cell that spans others stands in the first of them, and the others are empty.

import { type Block, type BlockOf, MAX_COLUMNS, type Phrasing } from "../../content/document";
import { isEmpty, Phrases } from "../../content/markdown/reader/leaves";
import { saidBy } from "../../content/markdown/reader/words";
import { omitUndefined } from "../../utils/objects";
import { createTextTable, MAX_TABLE_CELLS } from "../create-text-table";
import { elementAt } from "../xml/elements";
import type { XmlElement } from "../xml/xml";
import { bodyElements, isDeletedRow } from "./paragraphs";
import { isOn, valueAt } from "./styles";

/** A cell as the blocks that it holds. */
type Cell = readonly Block[];

/** A row: its cells by column, and how many columns it takes. */
interface Row {
  readonly cells: ReadonlyMap<number, Cell>;
  readonly width: number;
}

/** A table as blocks; one of a single cell is only a frame around them. `skip` is told when it has too many rows. */
export function readTable(
  table: XmlElement,
  readBlocks: (elements: readonly XmlElement[]) => Block[],
  skip: (reason: string) => void,
): Block[] {
  const all = bodyElements(table)
    .filter(({ name }) => name === "w:tr")
    .filter((row) => !isDeletedRow(row))
    .map((row) => rowOf(row, readBlocks));
  const width = all.reduce((most, row) => Math.max(most, row.width), 0);
  if (width === 0) return [];
  if (all.length === 1 && width === 1) return [...(all[0]!.cells.get(0) ?? [])];
  const most = Math.floor(MAX_TABLE_CELLS / width);
  if (all.length > most) skip(`Its rows after the first ${most} were left out.`);
  const rows = all
    .slice(0, most)
    .map(({ cells }) => new Map(Array.from(cells, ([at, cell]) => [at, phrasingOf(cell)])));
  const [first, ...others] = rows;
  const hasHead = saysHead(table) && [...first!.values()].every(isWords);
  const titles = Array.from({ length: width }, (_, column) => saidBy(first!.get(column) ?? []));
  return [hasHead ? createTextTable(titles, others, width) : createTextTable(undefined, rows, width)];
}

function rowOf(row: XmlElement, readBlocks: (elements: readonly XmlElement[]) => Block[]): Row {
  const cells = new Map<number, Cell>();
  let column = count(valueAt(row, "w:trPr", "w:gridBefore"), 0);
  for (const cell of bodyElements(row).filter(({ name }) => name === "w:tc")) {
    const properties = elementAt(cell, "w:tcPr");
    const merged = elementAt(properties, "w:vMerge");
    const isBelow = merged !== undefined && merged.attributes.get("w:val") !== "restart";
    if (!isBelow && column < MAX_COLUMNS) cells.set(column, readBlocks(bodyElements(cell)));
    column += Math.max(1, count(valueAt(properties, "w:gridSpan"), 1));
  }
  return { cells, width: Math.min(MAX_COLUMNS, column) };
}

function count(written: string | undefined, otherwise: number): number {
  return /^\d{1,3}$/.test(written ?? "") ? Math.min(MAX_COLUMNS, Number(written)) : otherwise;
}

/** Word marks the first row of nearly every table as a head. If it says that there is none, there is none. */
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
  const data = { ref, ...omitUndefined({ alt }) };
  return { object: "inline", type: "inline-image", isVoid: true, data };
}
