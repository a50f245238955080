// Reads tables of a Word document. The content of a cell that spans others is in the first of them, and the others are empty.

import { type Block, type BlockOf, MAX_COLUMNS, type Phrasing } from "../../content/document";
import { getPhrasingText, isEmpty, Phrases } from "../../content/markdown/document-parts";
import { omitUndefined } from "../../utils/objects";
import { createTextTable, MAX_TABLE_CELLS } from "../create-text-table";
import type { XmlElement } from "../xml/parse-xml";
import { getElement } from "../xml/xml-elements";
import { parseDigits } from "./numbering";
import { listBodyElements } from "./paragraphs";
import { getXmlValue, isPropertyEnabled } from "./styles";

/** The bit of `w:tblLook` that marks the first row as a head. */
const FIRST_ROW_BIT = 0x20;

/** A row of a table. */
interface DocxRow {
  /** The blocks of cells, by column. */
  readonly cells: ReadonlyMap<number, readonly Block[]>;
  readonly columnCount: number;
}

/**
 * Reads a table. A table of a single cell is only a frame around the blocks in it. `skip` is called if the table has too many
 * rows.
 */
export function readDocxTable(
  table: XmlElement,
  readBlocks: (elements: readonly XmlElement[]) => Block[],
  skip: (reason: string) => void,
): Block[] {
  const rows = listBodyElements(table)
    .filter(({ name }) => name === "w:tr")
    .filter((row) => {
      // Tracked deletions count as accepted.
      const properties = getElement(row, "w:trPr");
      return !getElement(properties, "w:del") && isPropertyEnabled(properties, "w:hidden") !== true;
    })
    .map((row): DocxRow => {
      const cells = new Map<number, readonly Block[]>();
      let column = Math.min(MAX_COLUMNS, parseDigits(getXmlValue(row, "w:trPr", "w:gridBefore"), 3, 0));
      for (const cell of listBodyElements(row).filter(({ name }) => name === "w:tc")) {
        const properties = getElement(cell, "w:tcPr");
        const merge = getElement(properties, "w:vMerge");
        const isBelowSpan = merge !== undefined && merge.attributes.get("w:val") !== "restart";
        if (!isBelowSpan && column < MAX_COLUMNS) cells.set(column, readBlocks(listBodyElements(cell)));
        column += Math.min(MAX_COLUMNS, Math.max(1, parseDigits(getXmlValue(properties, "w:gridSpan"), 3, 1)));
      }
      return { cells, columnCount: Math.min(MAX_COLUMNS, column) };
    });
  const columnCount = rows.reduce((most, row) => Math.max(most, row.columnCount), 0);
  if (columnCount === 0) return [];
  if (rows.length === 1 && columnCount === 1) return [...(rows[0]!.cells.get(0) ?? [])];

  const maxRows = Math.floor(MAX_TABLE_CELLS / columnCount);
  if (rows.length > maxRows) skip(`Its rows after the first ${maxRows} were left out.`);
  const lines = rows.slice(0, maxRows).map(({ cells }) => {
    const line = new Map<number, Phrasing[]>();
    for (const [column, blocks] of cells) {
      // A cell holds no more than one paragraph, so its blocks are joined as lines of it.
      const phrases = new Phrases();
      const parts = blocks.flatMap((block) => splitBlockIntoLines(block, "")).filter((part) => !isEmpty(part));
      for (const [i, part] of parts.entries()) {
        if (i > 0) phrases.addText("\n", []);
        for (const node of part) {
          if (node.object === "inline") phrases.addInline(node);
          else for (const { text, marks } of node.leaves) phrases.addText(text, marks);
        }
      }
      line.set(column, phrases.finish(true));
    }
    return line;
  });
  const [first, ...others] = lines;
  // The title of a column is nothing but words.
  const hasOnlyWords = [...first!.values()].every((nodes) => nodes.every((node) => node.object === "text"));
  // Word marks the first row as a head in nearly every table, unless it states that it is none.
  const firstRow = listBodyElements(table).find(({ name }) => name === "w:tr");
  const look = getElement(table, "w:tblPr", "w:tblLook")?.attributes;
  const stated = look?.get("w:firstRow");
  const bits = look?.get("w:val") ?? "";
  let hasHead = isPropertyEnabled(getElement(firstRow, "w:trPr"), "w:tblHeader") === true;
  if (!hasHead && stated !== undefined) hasHead = !/^(?:0|false|off)$/.test(stated);
  else if (!hasHead) hasHead = !/^[0-9A-Fa-f]{4}$/.test(bits) || (Number.parseInt(bits, 16) & FIRST_ROW_BIT) !== 0;
  if (!hasOnlyWords || !hasHead) return [createTextTable(undefined, lines, columnCount)];
  const titles = Array.from({ length: columnCount }, (_, column) => getPhrasingText(first!.get(column) ?? []));
  return [createTextTable(titles, others, columnCount)];
}

/** Splits a block into lines. The first one begins with a bullet or a number, if it is that of an item. */
function splitBlockIntoLines(block: Block, bullet: string): Phrasing[][] {
  const children = (block.nodes ?? []) as (Block | Phrasing)[];
  switch (block.type) {
    case "list-ordered":
    case "list-unordered": {
      const start = block.type === "list-ordered" ? (block.data?.start ?? 1) : undefined;
      return (children as Block[]).flatMap((item, i) =>
        splitBlockIntoLines(item, start === undefined ? "• " : `${start + i}. `),
      );
    }
    case "list-item":
    case "blockquote":
      return (children as Block[]).flatMap((child, i) => splitBlockIntoLines(child, i === 0 ? bullet : ""));
    case "code":
      return (children as Block[]).map((line) => {
        const text = getPhrasingText(line.nodes as Phrasing[]);
        return [{ object: "text", leaves: [{ object: "leaf", text, marks: [{ object: "mark", type: "code" }] }] }];
      });
    case "images":
      return [
        (children as BlockOf<"image">[]).map(({ data }): Phrasing => {
          const { ref, alt } = data!;
          const imageData = { ref, ...omitUndefined({ alt }) };
          return { object: "inline", type: "inline-image", isVoid: true, data: imageData };
        }),
      ];
    case "table":
      return (block.fragments ?? []).flatMap(({ nodes }) => nodes.flatMap((child) => splitBlockIntoLines(child, "")));
    default: {
      const line = children as Phrasing[];
      if (bullet === "") return [line];
      return [[{ object: "text", leaves: [{ object: "leaf", text: bullet, marks: [] }] }, ...line]];
    }
  }
}
