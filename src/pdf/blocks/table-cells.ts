// The content of the cells of a table, by the type of the column.

import type { Block, Leaf } from "../../content/document";
import type { Sheet } from "../file/sheet";
import { createStrip, type Strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { type InlineItem, toPrintableLine } from "../text/runs";
import { COLORS } from "../theme";
import { layOutContent } from "./containers";
import { addLinkStyle, getBaseStyle, toInlineItems } from "./inline-items";
import { getReferenceName, type LayoutContext, resolveReferenceTarget } from "./layout-context";
import { layOutParagraph } from "./paragraphs";
import { createPictureStrip, getPictureSize } from "./pictures";
import { getBlocks, getLeaves, getPhrasing, readString, toList, toNumber, toReference } from "./read-document";
import { getCellValue, type PrintedTable, type TableColumn } from "./read-table";

export function layOutCell(
  table: PrintedTable,
  row: Readonly<Record<string, unknown>>,
  column: TableColumn,
  context: LayoutContext,
): Iterable<Strip> {
  const value = getCellValue(row, column.id);
  const fragment = findFragment(table, column, value);
  if (fragment) {
    const toBold = (leaf: Leaf): Leaf => ({ ...leaf, marks: [{ object: "mark", type: "bold" }] });
    const nodes = getBlocks(fragment).map((block): Block => {
      if (!/^heading-[123]$/.test(block.type)) return block;
      // A heading becomes bold text, because in a cell it is not part of the document's outline.
      const texts = getPhrasing(block).map((node) =>
        node.object === "text" ? { ...node, leaves: getLeaves(node).map(toBold) } : node,
      );
      return { object: "block", type: "paragraph", nodes: texts };
    });
    return layOutContent({ ...fragment, nodes }, context);
  }
  if (column.definition.type === "checkbox") {
    const { size, leading } = context.size;
    const side = size * 0.9;
    const draw = (sheet: Sheet, x: number, top: number) => {
      const y = top + (leading - side) / 2;
      sheet.strokeBox(x, y, side, side, COLORS.faint, 1.5, 0.8);
      const tick = [
        [x + side * 0.2, y + side * 0.5],
        [x + side * 0.42, y + side * 0.74],
        [x + side * 0.82, y + side * 0.24],
      ] as const;
      if (value === true) sheet.drawLine(tick, COLORS.accent, 1.3);
    };
    return [createStrip({ height: leading, draw })];
  }
  if (column.definition.type === "image") {
    const ref = toReference(toList(value)[0]);
    const picture = context.album.getPicture(ref);
    if (picture)
      return [createPictureStrip(picture, getPictureSize(picture, {}, context.width), context.width, "start", 0)];
    const text = ref && (toPrintableLine(getReferenceName(ref, context) ?? "", MAX_TITLE) || context.words.picture);
    const style = addLinkStyle(getBaseStyle(context), resolveReferenceTarget(ref, context));
    return text ? layOutParagraph([{ text, style }], context, { size: context.size }) : [];
  }
  const items = getValueItems(column, value, context);
  return layOutParagraph(items, context, { size: context.size, align: context.align });
}

export function getTitleItems({ title, words }: TableColumn, context: LayoutContext): InlineItem[] {
  const style = getBaseStyle(context, { isBold: true });
  return words ? toInlineItems(words, context, style) : [{ text: title, style }];
}

/** Returns items that are about as wide as a cell. */
export function getCellItems(
  table: PrintedTable,
  row: Readonly<Record<string, unknown>>,
  column: TableColumn,
  context: LayoutContext,
): InlineItem[] {
  const value = getCellValue(row, column.id);
  const fragment = findFragment(table, column, value);
  if (!fragment) return getValueItems(column, value, context);
  return getBlocks(fragment).flatMap((block) => getLineItems(block, context));
}

/** Returns the text of a block and of the blocks inside it, each on separate lines. */
function getLineItems(block: Block, context: LayoutContext): InlineItem[] {
  const end: InlineItem = { text: "\n", style: getBaseStyle(context) };
  const words = getPhrasing(block);
  const inside = getBlocks(block).flatMap((child) => getLineItems(child, context));
  return words.length > 0 || inside.length === 0 ? [...toInlineItems(words, context), end, ...inside] : inside;
}

function findFragment(table: PrintedTable, { definition }: TableColumn, value: unknown) {
  const isText = definition.type === "text" || definition.type === undefined;
  return isText && typeof value === "string" ? table.fragments.get(value) : undefined;
}

/** Returns the items of a value: its references, its rating in stars, or its labels, separated by commas. */
function getValueItems({ definition, labels }: TableColumn, values: unknown, context: LayoutContext): InlineItem[] {
  const style = getBaseStyle(context);
  const items: InlineItem[] = [];
  for (const value of toList(values).slice(0, 100)) {
    const ref = toReference(value);
    let text: string;
    if (ref) text = toPrintableLine(getReferenceName(ref, context) ?? "", MAX_TITLE) || "…";
    else if (definition.type === "rating") {
      const max = Math.min(Math.max(Math.round(toNumber(definition.max) ?? 5), 1), 10);
      const rating = Math.min(Math.max(Math.round(toNumber(value) ?? 0), 0), max);
      text = "★".repeat(rating) + "☆".repeat(max - rating);
    } else if (typeof value === "number" || typeof value === "boolean") text = String(value);
    else text = toPrintableLine(labels.get(value) || readString(value), MAX_TITLE);
    if (!text) continue;
    if (items.length > 0) items.push({ text: ", ", style });
    items.push({ text, style: ref ? addLinkStyle(style, resolveReferenceTarget(ref, context)) : style });
  }
  return items;
}
