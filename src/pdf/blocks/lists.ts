// Lists: numbered, with bullets, of tasks, and inside one another.

import type { BlockOf } from "../../content/document";
import type { Sheet } from "../file/sheet";
import { gap, marked, moved, type Strip } from "../flow/strip";
import { COLOURS } from "../look";
import { widthOf } from "../text/lines";
import { setRuns } from "../text/runs";
import { childrenOf, setContent, spaced } from "./containers";
import { drawLine } from "./paragraphs";
import { baseStyle } from "./phrasing";
import { dataOf, numberIn } from "./reading";
import { indentation, inside, type Setting } from "./setting";

type List = BlockOf<"list-ordered"> | BlockOf<"list-unordered"> | BlockOf<"list-tasks">;

/** Draws what stands before an item; `y` is the base line, and `left` where the item's text begins. */
type Marker = (sheet: Sheet, left: number, y: number) => void;

/** A list of any kind. */
export function* list(block: List, setting: Setting): Generator<Strip> {
  const around = setting.lists > 0 ? 3 : setting.space;
  yield* spaced(setItems(block, setting), around, around);
}

function* setItems(block: List, setting: Setting): Generator<Strip> {
  const items = childrenOf(block, "list-item");
  const first = block.type === "list-ordered" ? Math.round(numberIn(dataOf(block).start) ?? 1) : 1;
  const widest = block.type === "list-ordered" ? String(first + items.length - 1).length : 1;
  const indent = indentation(setting, Math.max(18, widest * setting.size.size * 0.58 + 10));
  const space = Math.min(setting.space, 4);
  const inner = inside(setting, indent, 0, { space, lists: setting.lists + 1 });
  for (const [at, item] of items.entries()) {
    const marker = indent > 0 ? markerOf(block, item, first + at, setting) : () => {};
    yield* setItem(item, inner, indent, space, marker);
  }
}

function* setItem(
  item: BlockOf<"list-item">,
  inner: Setting,
  indent: number,
  space: number,
  marker: Marker,
): Generator<Strip> {
  const mark = (sheet: Sheet, left: number, top: number, base: number | undefined) =>
    marker(sheet, left, top + (base ?? inner.size.leading * 0.7));
  let isFirst = true;
  for (const it of setContent(item, inner)) {
    yield moved(isFirst ? marked({ ...it, before: space }, mark) : it, indent);
    isFirst = false;
  }
  // An empty item still has its bullet.
  if (isFirst) yield moved(marked(gap(inner.size.leading, { before: space, after: space }), mark), indent);
}

function markerOf(block: List, item: BlockOf<"list-item">, number: number, setting: Setting): Marker {
  if (block.type === "list-tasks") return taskBox(dataOf(item).checked === true, setting.size.size);
  if (block.type === "list-ordered") return text(`${number}.`, setting, 6);
  return text(setting.lists % 2 === 0 ? "•" : "–", setting, setting.lists % 2 === 0 ? 8 : 7);
}

function text(label: string, setting: Setting, distance: number): Marker {
  const runs = setRuns(setting.typeset, label, baseStyle(setting, { isBold: false }));
  return (sheet, left, y) => drawLine(sheet, runs, left - distance - widthOf(runs), y, setting.size.size);
}

function taskBox(isChecked: boolean, size: number): Marker {
  const side = size * 0.85;
  return (sheet, left, y) => {
    const [x, top] = [left - side - 7, y - side + size * 0.07];
    if (!isChecked) {
      sheet.strokeBox(x, top, side, side, COLOURS.faint, 1.5, 0.8);
      return;
    }
    sheet.fillBox(x, top, side, side, COLOURS.accent, 1.5);
    sheet.line(
      [
        [x + side * 0.22, top + side * 0.52],
        [x + side * 0.43, top + side * 0.72],
        [x + side * 0.78, top + side * 0.28],
      ],
      COLOURS.white,
      1.1,
    );
  };
}
