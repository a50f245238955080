// Tables. A table that only arranges the page is dissolved. A cell with more than lines is written as lines.

import type { Block, BlockOf, ColumnDefinition, Fragment, Mark, Phrasing, TableRecord } from "../../content/document";
import { isEmpty } from "../../content/markdown/reader/leaves";
import { saidBy } from "../../content/markdown/reader/words";
import type { Steps } from "../../content/markdown/steps";
import { omitUndefined } from "../../utils/objects";
import { attribute, elementsIn, find } from "./looking";
import { isNoise } from "./noise";
import { plainLine } from "./phrasing";
import { anchorLine, type BlockPlace, inner, paragraph, type ReadsBlocks } from "./reading-blocks";
import type { Element } from "./tree";

const MAX_COLUMNS = 100;
const MAX_CELLS = 50_000;

/** A table, with its caption above it. */
export function* tableBlocks(reader: ReadsBlocks, element: Element, place: BlockPlace): Steps<Block[]> {
  const rows = rowsOf(element).filter((row) => cellsOf(row).length > 0);
  const cells = rows.flatMap(cellsOf);
  if (cells.length <= 1 || cells.some(isArranged)) return yield* reader.dissolved(element, place);
  const grid = gridOf(rows);
  const columns = grid.reduce((most, { length }) => Math.max(most, length), 0);
  if (columns === 0) return [];
  const hasHead = isHead(rows[0]!);
  const caption = elementsIn(element.children).find(({ name }) => name === "caption");
  const words = caption ? reader.line(caption.children) : [];
  const above = isEmpty(words) ? anchorLine(reader.anchors) : [paragraph(words)];
  const body = (hasHead ? rows.slice(1) : rows).slice(0, grid.length);
  return [...above, yield* tableOf(reader, grid, body, columns, hasHead, inner(element, place))];
}

function rowsOf(table: Element): Element[] {
  const parts = elementsIn(table.children).filter((part) => !isNoise(part));
  const order = ["thead", "", "tfoot"];
  const rank = ({ name }: Element) => (name === "thead" ? 0 : name === "tfoot" ? 2 : 1);
  return order.flatMap((_, i) =>
    parts.filter((part) => rank(part) === i).flatMap((part) => (part.name === "tr" ? [part] : partRows(part))),
  );
}

function partRows(part: Element): Element[] {
  return elementsIn(part.children).filter((row) => row.name === "tr" && !isNoise(row));
}

function cellsOf(row: Element): Element[] {
  return elementsIn(row.children).filter(({ name }) => name === "td" || name === "th");
}

/** Whether a cell is a part of a page rather than of a table. */
function isArranged(cell: Element): boolean {
  return find(cell, ({ name }) => /^(?:table|h[1-3]|article|section|form)$/.test(name)) !== undefined;
}

function isHead(row: Element): boolean {
  const cells = cellsOf(row);
  return cells.length > 0 && cells.every(({ name }) => name === "th");
}

/** Rows of cells; a cell that spans others leaves them empty. */
function gridOf(rows: readonly Element[]): (Element | undefined)[][] {
  const grid: (Element | undefined)[][] = [];
  let left: number[] = [];
  let count = 0;
  for (const row of rows) {
    const line: (Element | undefined)[] = [];
    const below: number[] = [];
    const skip = () => {
      while ((left[line.length] ?? 0) > 0 && line.length < MAX_COLUMNS) {
        below[line.length] = left[line.length]! - 1;
        line.push(undefined);
      }
    };
    for (const cell of cellsOf(row)) {
      skip();
      const [columns, span] = [spanOf(cell, "colspan", MAX_COLUMNS), spanOf(cell, "rowspan", rows.length)];
      for (let i = 0; i < columns && line.length < MAX_COLUMNS; i++) {
        below[line.length] = span - 1;
        line.push(i === 0 ? cell : undefined);
      }
    }
    skip();
    left = below;
    count += line.length;
    if (count > MAX_CELLS) break;
    grid.push(line);
  }
  return grid;
}

function spanOf(cell: Element, name: string, most: number): number {
  const span = Number.parseInt(attribute(cell, name), 10);
  return span > 1 ? Math.min(span, most) : 1;
}

function* tableOf(
  reader: ReadsBlocks,
  grid: readonly (readonly (Element | undefined)[])[],
  rows: readonly Element[],
  columns: number,
  hasHead: boolean,
  place: BlockPlace,
): Steps<BlockOf<"table">> {
  const ids = Array.from({ length: columns }, (_, i) => `c${i + 1}`);
  const head = hasHead ? grid[0]! : [];
  const body = hasHead ? grid.slice(1) : grid;
  const definition: Record<string, ColumnDefinition> = {};
  for (const [i, id] of ids.entries()) {
    const textAlignment = alignmentOf(head[i] ?? body[0]?.[i]);
    const title = head[i] ? plainLine(head[i].children) : "";
    definition[id] = {
      id,
      title,
      type: "text",
      ...omitUndefined({ textAlignment: textAlignment ? textAlignment : undefined }),
    };
  }
  const records: Record<string, TableRecord> = {};
  const fragments: Fragment[] = [];
  for (const [r, row] of body.entries()) {
    const values: Record<string, string> = {};
    reader.anchors.meet(rows[r]!);
    for (const [c, cell] of row.entries()) {
      const nodes = cell ? yield* linesOf(reader, cell, place) : [];
      if (nodes.length === 0) continue;
      const fragment = `r${r + 1}c${c + 1}`;
      values[ids[c]!] = fragment;
      fragments.push({ object: "fragment", fragment, type: "cell", nodes });
    }
    records[`r${r + 1}`] = { orderIndex: String(r + 1).padStart(6, "0"), values };
  }
  const data = { view: { type: "grid" as const, columns: ids, hideHeader: !hasHead }, records, definition };
  return { object: "block", type: "table", isVoid: true, data, fragments };
}

/** What a cell holds, as paragraphs. */
function* linesOf(reader: ReadsBlocks, cell: Element, place: BlockPlace): Steps<BlockOf<"paragraph">[]> {
  reader.anchors.meet(cell);
  const marks: readonly Mark[] = cell.name === "th" ? [{ object: "mark", type: "bold" }] : [];
  const blocks = yield* reader.read(cell.children, { ...inner(cell, place), marks });
  return blocks.flatMap((block) => asLines(block));
}

/** A block as paragraphs, for places that hold no other blocks. */
function asLines(block: Block): BlockOf<"paragraph">[] {
  switch (block.type) {
    case "paragraph":
      return [block];
    case "code":
      return [paragraph(codeLines(block))];
    case "list-item":
      return bulleted((block.nodes as Block[]).flatMap(asLines));
    case "images":
      return [paragraph((block.nodes as BlockOf<"image">[]).map(inlineImage))];
    default: {
      const inside = (block.nodes ?? []).filter((node) => node.object === "block");
      const apart = block.fragments?.flatMap(({ nodes }) => nodes) ?? [];
      if (inside.length + apart.length > 0) return [...inside, ...apart].flatMap((each) => asLines(each));
      return block.nodes?.length ? [paragraph(block.nodes as Phrasing[])] : [];
    }
  }
}

function bulleted([first, ...others]: BlockOf<"paragraph">[]): BlockOf<"paragraph">[] {
  if (!first) return [];
  const bullet: Phrasing = { object: "text", leaves: [{ object: "leaf", text: "• ", marks: [] }] };
  return [paragraph([bullet, ...(first.nodes as Phrasing[])]), ...others];
}

function codeLines(code: BlockOf<"code">): Phrasing[] {
  const lines = (code.nodes as BlockOf<"code-line">[]).map(({ nodes }) => saidBy(nodes as Phrasing[]));
  const leaves = lines.flatMap((text, i) => [
    ...(i > 0 ? [{ object: "leaf" as const, text: "\n", marks: [] }] : []),
    { object: "leaf" as const, text, marks: [{ object: "mark" as const, type: "code" as const }] },
  ]);
  return [{ object: "text", leaves }];
}

function inlineImage({ data, fragments }: BlockOf<"image">): Phrasing {
  const caption = saidBy((fragments?.[0]?.nodes[0]?.nodes ?? []) as Phrasing[]);
  const { ref, alt = "" } = data!;
  return {
    object: "inline",
    type: "inline-image",
    isVoid: true,
    data: { ref, alt, ...omitUndefined({ caption: caption === "" ? undefined : caption }) },
  };
}

function alignmentOf(cell: Element | undefined): ColumnDefinition["textAlignment"] {
  if (!cell) return undefined;
  const stated = attribute(cell, "align") || /text-align:\s*(\w+)/.exec(attribute(cell, "style").slice(0, 500))?.[1];
  return stated === "center" || stated === "right" || stated === "left" ? stated : undefined;
}
