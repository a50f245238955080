// Converts tables. A layout table is replaced with its content, and blocks in a cell are converted to lines.

import type { Block, BlockOf, ColumnDefinition, Fragment, Mark, Phrasing, TableRecord } from "../../content/document";
import { getPhrasingText, isEmpty } from "../../content/markdown/document-parts";
import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import {
  createParagraph,
  type ElementReader,
  enterBlock,
  type HtmlBlockContext,
  takeAnchorParagraph,
} from "./block-context";
import { filterElements, findElement, getAttribute } from "./elements";
import { readPlainLine } from "./lines";
import { isNoise } from "./noise";
import type { HtmlElement } from "./parse-html";

/** Rows of cells. A position that another cell spans is empty. */
type TableGrid = readonly (readonly (HtmlElement | undefined)[])[];

const MAX_COLUMNS = 100;
const MAX_GRID_CELLS = 50_000;

/** Reads a table, with its caption above it. */
export function* readTableInSteps(
  reader: ElementReader,
  element: HtmlElement,
  context: HtmlBlockContext,
): Steps<Block[]> {
  // The rows of the head come first, then those of the body, then those of the foot.
  const sections: [head: HtmlElement[], body: HtmlElement[], foot: HtmlElement[]] = [[], [], []];
  for (const part of filterElements(element.children)) {
    if (isNoise(part)) continue;
    const section = sections[part.name === "thead" ? 0 : part.name === "tfoot" ? 2 : 1];
    const isRow = ({ name }: HtmlElement) => name === "tr";
    const partRows = isRow(part) ? [part] : filterElements(part.children).filter((it) => isRow(it) && !isNoise(it));
    for (const row of partRows) section.push(row);
  }
  const rows = sections.flat().filter((row) => listCells(row).length > 0);
  const cells = rows.flatMap(listCells);
  const isLayout = (cell: HtmlElement) =>
    findElement(cell, ({ name }) => /^(?:table|h[1-3]|article|section|form)$/.test(name)) !== undefined;
  if (cells.length <= 1 || cells.some(isLayout)) return yield* reader.readUnwrapped(element, context);

  const grid = buildGrid(rows);
  const columnCount = grid.reduce((most, { length }) => Math.max(most, length), 0);
  if (columnCount === 0) return [];
  const hasHead = listCells(rows[0]!).every(({ name }) => name === "th");
  const caption = filterElements(element.children).find(({ name }) => name === "caption");
  const captionLine = caption ? reader.readLine(caption.children) : [];
  const above = isEmpty(captionLine) ? takeAnchorParagraph(reader.anchors) : [createParagraph(captionLine)];

  const ids = Array.from({ length: columnCount }, (_, i) => `c${i + 1}`);
  const head = hasHead ? grid[0]! : [];
  const body = hasHead ? grid.slice(1) : grid;
  const bodyRows = hasHead ? rows.slice(1) : rows;
  const definition: Record<string, ColumnDefinition> = {};
  for (const [i, id] of ids.entries()) {
    const firstCell = head[i] ?? body[0]?.[i];
    const style = firstCell ? getAttribute(firstCell, "style").slice(0, 500) : "";
    const stated = (firstCell && getAttribute(firstCell, "align")) || /text-align:\s*(\w+)/.exec(style)?.[1];
    const textAlignment = stated === "center" || stated === "right" || stated === "left" ? stated : undefined;
    const title = head[i] ? readPlainLine(head[i].children) : "";
    definition[id] = { id, title, type: "text", ...omitUndefined({ textAlignment }) };
  }

  const cellContext = enterBlock(element, context);
  const records: Record<string, TableRecord> = {};
  const fragments: Fragment[] = [];
  for (const [r, row] of body.entries()) {
    const values: Record<string, string> = {};
    reader.anchors.collect(bodyRows[r]!);
    for (const [c, cell] of row.entries()) {
      if (!cell) continue;
      reader.anchors.collect(cell);
      const marks: readonly Mark[] = cell.name === "th" ? [{ object: "mark", type: "bold" }] : [];
      const blocks = yield* reader.read(cell.children, { ...enterBlock(cell, cellContext), marks });
      const nodes = blocks.flatMap(flattenToLines);
      if (nodes.length === 0) continue;
      const fragment = `r${r + 1}c${c + 1}`;
      values[ids[c]!] = fragment;
      fragments.push({ object: "fragment", fragment, type: "cell", nodes });
    }
    records[`r${r + 1}`] = { orderIndex: String(r + 1).padStart(6, "0"), values };
  }
  const data = { view: { type: "grid" as const, columns: ids, hideHeader: !hasHead }, records, definition };
  return [...above, { object: "block", type: "table", isVoid: true, data, fragments }];
}

function listCells(row: HtmlElement): HtmlElement[] {
  return filterElements(row.children).filter(({ name }) => name === "td" || name === "th");
}

/** Arranges cells in rows and columns, up to a number of cells. */
function buildGrid(rows: readonly HtmlElement[]): TableGrid {
  const grid: (HtmlElement | undefined)[][] = [];
  /** The number of rows, for each column, that a cell above still spans. */
  let spans: number[] = [];
  let cellCount = 0;
  for (const row of rows) {
    const line: (HtmlElement | undefined)[] = [];
    const nextSpans: number[] = [];
    const skipSpanned = () => {
      while ((spans[line.length] ?? 0) > 0 && line.length < MAX_COLUMNS) {
        nextSpans[line.length] = spans[line.length]! - 1;
        line.push(undefined);
      }
    };
    for (const cell of listCells(row)) {
      skipSpanned();
      const [columns, span] = [getSpan(cell, "colspan", MAX_COLUMNS), getSpan(cell, "rowspan", rows.length)];
      for (let i = 0; i < columns && line.length < MAX_COLUMNS; i++) {
        nextSpans[line.length] = span - 1;
        line.push(i === 0 ? cell : undefined);
      }
    }
    skipSpanned();
    spans = nextSpans;
    cellCount += line.length;
    if (cellCount > MAX_GRID_CELLS) break;
    grid.push(line);
  }
  return grid;
}

function getSpan(cell: HtmlElement, name: string, max: number): number {
  const span = Number.parseInt(getAttribute(cell, name), 10);
  return span > 1 ? Math.min(span, max) : 1;
}

/** Returns a block as paragraphs, for places that hold no other blocks. */
function flattenToLines(block: Block): BlockOf<"paragraph">[] {
  switch (block.type) {
    case "paragraph":
      return [block];
    case "code": {
      const lines = (block.nodes as BlockOf<"code-line">[]).map(({ nodes }) => getPhrasingText(nodes as Phrasing[]));
      const leaves = lines.flatMap((text, i) => {
        const leaf = { object: "leaf" as const, text, marks: [{ object: "mark" as const, type: "code" as const }] };
        return i > 0 ? [{ object: "leaf" as const, text: "\n", marks: [] }, leaf] : [leaf];
      });
      return [createParagraph([{ object: "text", leaves }])];
    }
    case "list-item": {
      const [first, ...others] = (block.nodes as Block[]).flatMap(flattenToLines);
      if (!first) return [];
      const bullet: Phrasing = { object: "text", leaves: [{ object: "leaf", text: "• ", marks: [] }] };
      return [createParagraph([bullet, ...(first.nodes as Phrasing[])]), ...others];
    }
    case "images": {
      const images = (block.nodes as BlockOf<"image">[]).map(({ data, fragments }): Phrasing => {
        const caption = getPhrasingText((fragments?.[0]?.nodes[0]?.nodes ?? []) as Phrasing[]);
        const { ref, alt = "" } = data!;
        return {
          object: "inline",
          type: "inline-image",
          isVoid: true,
          data: { ref, alt, ...omitUndefined({ caption: caption === "" ? undefined : caption }) },
        };
      });
      return [createParagraph(images)];
    }
    default: {
      const blocks = (block.nodes ?? []).filter((node) => node.object === "block");
      const fragmentBlocks = block.fragments?.flatMap(({ nodes }) => nodes) ?? [];
      if (blocks.length + fragmentBlocks.length > 0) return [...blocks, ...fragmentBlocks].flatMap(flattenToLines);
      return block.nodes?.length ? [createParagraph(block.nodes as Phrasing[])] : [];
    }
  }
}
