// Lists: ordered, unordered, of tasks, and nested.

import type { BlockOf } from "../../content/document";
import type { Sheet } from "../file/sheet";
import { createGap, decorateStrip, moveStrip, type Strip } from "../flow/strip";
import { sumWidths } from "../text/lines";
import { shapeText } from "../text/runs";
import { COLORS } from "../theme";
import { findChildren, layOutContent, replaceOuterSpace } from "./containers";
import { getBaseStyle } from "./inline-items";
import { createInnerContext, getIndentation, type LayoutContext } from "./layout-context";
import { drawLine } from "./paragraphs";
import { getData, toNumber } from "./read-document";

type PrintedListBlock = BlockOf<"list-ordered"> | BlockOf<"list-unordered"> | BlockOf<"list-tasks">;

/** Draws the marker of an item. `y` is the base line, and `left` is the start of the item's text. */
type DrawMarker = (sheet: Sheet, left: number, y: number) => void;

export function layOutList(block: PrintedListBlock, context: LayoutContext): Iterable<Strip> {
  const around = context.lists > 0 ? 3 : context.space;
  return replaceOuterSpace(layOutItems(block, context), around, around);
}

function* layOutItems(block: PrintedListBlock, context: LayoutContext): Generator<Strip> {
  const items = findChildren(block, "list-item");
  const first = block.type === "list-ordered" ? Math.round(toNumber(getData(block).start) ?? 1) : 1;
  const widest = block.type === "list-ordered" ? String(first + items.length - 1).length : 1;
  const indent = getIndentation(context, Math.max(18, widest * context.size.size * 0.58 + 10));
  const space = Math.min(context.space, 4);
  const inner = createInnerContext(context, indent, 0, { space, lists: context.lists + 1 });
  for (const [at, item] of items.entries()) {
    const marker = indent > 0 ? createMarker(block, item, first + at, context) : () => {};
    const mark = (sheet: Sheet, left: number, top: number, base: number | undefined) =>
      marker(sheet, left, top + (base ?? inner.size.leading * 0.7));
    let isFirst = true;
    for (const strip of layOutContent(item, inner)) {
      yield moveStrip(isFirst ? decorateStrip({ ...strip, before: space }, mark) : strip, indent);
      isFirst = false;
    }
    // An empty item still has its marker.
    if (isFirst)
      yield moveStrip(decorateStrip(createGap(inner.size.leading, { before: space, after: space }), mark), indent);
  }
}

function createMarker(
  block: PrintedListBlock,
  item: BlockOf<"list-item">,
  number: number,
  context: LayoutContext,
): DrawMarker {
  if (block.type === "list-tasks") {
    const isChecked = getData(item).checked === true;
    const size = context.size.size;
    const side = size * 0.85;
    return (sheet, left, y) => {
      const [x, top] = [left - side - 7, y - side + size * 0.07];
      if (!isChecked) {
        sheet.strokeBox(x, top, side, side, COLORS.faint, 1.5, 0.8);
        return;
      }
      sheet.fillBox(x, top, side, side, COLORS.accent, 1.5);
      sheet.drawLine(
        [
          [x + side * 0.22, top + side * 0.52],
          [x + side * 0.43, top + side * 0.72],
          [x + side * 0.78, top + side * 0.28],
        ],
        COLORS.white,
        1.1,
      );
    };
  }
  let [label, distance] = context.lists % 2 === 0 ? ["•", 8] : ["–", 7];
  if (block.type === "list-ordered") [label, distance] = [`${number}.`, 6];
  const runs = shapeText(context.typeset, label, getBaseStyle(context, { isBold: false }));
  return (sheet, left, y) => drawLine(sheet, runs, left - distance - sumWidths(runs), y, context.size.size);
}
