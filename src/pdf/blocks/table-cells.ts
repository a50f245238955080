// What stands in the cells of a table, by the type of the column.

import type { Block, Leaf } from "../../content/document";
import { type Strip, strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { COLOURS } from "../look";
import { oneLine } from "../text/clean";
import type { Item } from "../text/items";
import { setContent } from "./containers";
import { setParagraph } from "./paragraphs";
import { baseStyle, itemsOf, linked } from "./phrasing";
import { pictureStrip, sizeOf } from "./pictures";
import { blocksIn, leavesIn, listOf, numberIn, phrasingIn, refIn, textIn } from "./reading";
import { leadsTo, nameOf, type Setting } from "./setting";
import { type Column, cellValue, type Table } from "./table-reading";

/** Sets a cell. */
export function setCell(
  table: Table,
  row: Readonly<Record<string, unknown>>,
  column: Column,
  setting: Setting,
): Iterable<Strip> {
  const value = cellValue(row, column.id);
  const fragment = fragmentOf(table, column, value);
  if (fragment) return setContent({ ...fragment, nodes: blocksIn(fragment).map(asText) }, setting);
  if (column.definition.type === "checkbox") return [checkbox(value === true, setting)];
  if (column.definition.type === "image") return imageCell(value, setting);
  const items = valueItems(column, value, setting);
  return setParagraph(items, setting, { size: setting.size, align: setting.align });
}

/** The items of a column's title. */
export function titleItems({ title, words }: Column, setting: Setting): Item[] {
  const style = baseStyle(setting, { isBold: true });
  return words ? itemsOf(words, setting, style) : [{ text: title, style }];
}

/** The items that a cell is about as wide as. */
export function cellItems(
  table: Table,
  row: Readonly<Record<string, unknown>>,
  column: Column,
  setting: Setting,
): Item[] {
  const value = cellValue(row, column.id);
  const fragment = fragmentOf(table, column, value);
  if (!fragment) return valueItems(column, value, setting);
  return blocksIn(fragment).flatMap((block) => lineItems(block, setting));
}

/** The words of a block and of those inside it, each on lines of its own. */
function lineItems(block: Block, setting: Setting): Item[] {
  const end: Item = { text: "\n", style: baseStyle(setting) };
  const words = phrasingIn(block);
  const inside = blocksIn(block).flatMap((child) => lineItems(child, setting));
  return words.length > 0 || inside.length === 0 ? [...itemsOf(words, setting), end, ...inside] : inside;
}

/** A heading in a cell is bold text: it is none of the document. */
function asText(block: Block): Block {
  if (!/^heading-[123]$/.test(block.type)) return block;
  const nodes = phrasingIn(block).map((node) =>
    node.object === "text" ? { ...node, leaves: leavesIn(node).map(bold) } : node,
  );
  return { object: "block", type: "paragraph", nodes };
}

function bold(leaf: Leaf): Leaf {
  return { ...leaf, marks: [{ object: "mark", type: "bold" }] };
}

function fragmentOf(table: Table, { definition }: Column, value: unknown) {
  const isText = definition.type === "text" || definition.type === undefined;
  return isText && typeof value === "string" ? table.fragments.get(value) : undefined;
}

function valueItems(column: Column, value: unknown, setting: Setting): Item[] {
  const values = listOf(value);
  const parts = values.slice(0, 100).map((each) => valueItem(column, each, setting));
  const comma: Item = { text: ", ", style: baseStyle(setting) };
  return parts.filter((part) => part !== undefined).flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
}

function valueItem({ definition, labels }: Column, value: unknown, setting: Setting): Item | undefined {
  const style = baseStyle(setting);
  const ref = refIn(value);
  if (ref) return { text: name(nameOf(ref, setting)) || "…", style: linked(style, leadsTo(ref, setting)) };
  const words = definition.type === "rating" ? stars(value, definition.max) : labelOf(labels, value);
  return words ? { text: words, style } : undefined;
}

function labelOf(labels: Column["labels"], value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return name(labels.get(value) || textIn(value));
}

function stars(value: unknown, max: unknown): string {
  const most = Math.min(Math.max(Math.round(numberIn(max) ?? 5), 1), 10);
  const given = Math.min(Math.max(Math.round(numberIn(value) ?? 0), 0), most);
  return "★".repeat(given) + "☆".repeat(most - given);
}

function name(text: string | undefined): string {
  return oneLine(text ?? "", MAX_TITLE);
}

function checkbox(isChecked: boolean, setting: Setting): Strip {
  const { size, leading } = setting.size;
  const side = size * 0.9;
  return strip({
    height: leading,
    draw: (sheet, left, top) => {
      const [x, y] = [left, top + (leading - side) / 2];
      sheet.strokeBox(x, y, side, side, COLOURS.faint, 1.5, 0.8);
      const tick = [
        [x + side * 0.2, y + side * 0.5],
        [x + side * 0.42, y + side * 0.74],
        [x + side * 0.82, y + side * 0.24],
      ] as const;
      if (isChecked) sheet.line(tick, COLOURS.accent, 1.3);
    },
  });
}

function imageCell(value: unknown, setting: Setting): Strip[] {
  const ref = refIn(listOf(value)[0]);
  const picture = setting.album.picture(ref);
  if (picture) return [pictureStrip(picture, sizeOf(picture, {}, setting.width), setting.width, "start", 0)];
  const text = ref && (name(nameOf(ref, setting)) || setting.words.picture);
  const style = linked(baseStyle(setting), leadsTo(ref, setting));
  return text ? setParagraph([{ text, style }], setting, { size: setting.size }) : [];
}
