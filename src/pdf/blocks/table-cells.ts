// The content of the cells of a table, by the type of the column.

import type { Block, Leaf } from "../../content/document";
import { createStrip, type Strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import type { InlineItem } from "../text/items";
import { toSingleLine } from "../text/printable";
import { COLORS } from "../theme";
import { layOutContent } from "./containers";
import { addLinkStyle, getBaseStyle, toInlineItems } from "./inline-items";
import { getReferenceName, type LayoutContext, resolveTarget } from "./layout-context";
import { layOutParagraph } from "./paragraphs";
import { createPictureStrip, getPictureSize } from "./pictures";
import { getBlocks, getLeaves, getPhrasing, toList, toNumber, toReference, toText } from "./read-document";
import { getCellValue, type PrintedTable, type TableColumn } from "./read-table";

/** Lays out a cell. */
export function layOutCell(
  table: PrintedTable,
  row: Readonly<Record<string, unknown>>,
  column: TableColumn,
  context: LayoutContext,
): Iterable<Strip> {
  const value = getCellValue(row, column.id);
  const fragment = findFragment(table, column, value);
  if (fragment) return layOutContent({ ...fragment, nodes: getBlocks(fragment).map(convertHeading) }, context);
  if (column.definition.type === "checkbox") return [createCheckbox(value === true, context)];
  if (column.definition.type === "image") {
    const ref = toReference(toList(value)[0]);
    const picture = context.album.picture(ref);
    if (picture)
      return [createPictureStrip(picture, getPictureSize(picture, {}, context.width), context.width, "start", 0)];
    const text = ref && (toCellLabel(getReferenceName(ref, context)) || context.words.picture);
    const style = addLinkStyle(getBaseStyle(context), resolveTarget(ref, context));
    return text ? layOutParagraph([{ text, style }], context, { size: context.size }) : [];
  }
  const items = getValueItems(column, value, context);
  return layOutParagraph(items, context, { size: context.size, align: context.align });
}

/** Returns the items of a column's title. */
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

/** Converts a heading to bold text, because a heading in a cell is not part of the document's outline. */
function convertHeading(block: Block): Block {
  if (!/^heading-[123]$/.test(block.type)) return block;
  const nodes = getPhrasing(block).map((node) =>
    node.object === "text" ? { ...node, leaves: getLeaves(node).map(makeBold) } : node,
  );
  return { object: "block", type: "paragraph", nodes };
}

function makeBold(leaf: Leaf): Leaf {
  return { ...leaf, marks: [{ object: "mark", type: "bold" }] };
}

function findFragment(table: PrintedTable, { definition }: TableColumn, value: unknown) {
  const isText = definition.type === "text" || definition.type === undefined;
  return isText && typeof value === "string" ? table.fragments.get(value) : undefined;
}

function getValueItems(column: TableColumn, value: unknown, context: LayoutContext): InlineItem[] {
  const values = toList(value);
  const parts = values.slice(0, 100).map((each) => createValueItem(column, each, context));
  const comma: InlineItem = { text: ", ", style: getBaseStyle(context) };
  return parts.filter((part) => part !== undefined).flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
}

function createValueItem(
  { definition, labels }: TableColumn,
  value: unknown,
  context: LayoutContext,
): InlineItem | undefined {
  const style = getBaseStyle(context);
  const ref = toReference(value);
  if (ref)
    return {
      text: toCellLabel(getReferenceName(ref, context)) || "…",
      style: addLinkStyle(style, resolveTarget(ref, context)),
    };
  const words = definition.type === "rating" ? formatRating(value, definition.max) : getCellLabel(labels, value);
  return words ? { text: words, style } : undefined;
}

function getCellLabel(labels: TableColumn["labels"], value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return toCellLabel(labels.get(value) || toText(value));
}

function formatRating(value: unknown, max: unknown): string {
  const most = Math.min(Math.max(Math.round(toNumber(max) ?? 5), 1), 10);
  const given = Math.min(Math.max(Math.round(toNumber(value) ?? 0), 0), most);
  return "★".repeat(given) + "☆".repeat(most - given);
}

function toCellLabel(text: string | undefined): string {
  return toSingleLine(text ?? "", MAX_TITLE);
}

function createCheckbox(isChecked: boolean, context: LayoutContext): Strip {
  const { size, leading } = context.size;
  const side = size * 0.9;
  return createStrip({
    height: leading,
    draw: (sheet, left, top) => {
      const [x, y] = [left, top + (leading - side) / 2];
      sheet.strokeBox(x, y, side, side, COLORS.faint, 1.5, 0.8);
      const tick = [
        [x + side * 0.2, y + side * 0.5],
        [x + side * 0.42, y + side * 0.74],
        [x + side * 0.82, y + side * 0.24],
      ] as const;
      if (isChecked) sheet.drawLine(tick, COLORS.accent, 1.3);
    },
  });
}
