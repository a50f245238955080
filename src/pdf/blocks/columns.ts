// Columns beside one another. Where they would be too narrow they stand below one another.

import type { BlockOf } from "../../content/document";
import { row } from "../flow/row";
import type { Strip } from "../flow/strip";
import { NARROWEST, TEXT_HEIGHT } from "../look";
import { childrenOf, setContent, spaced } from "./containers";
import { dataOf } from "./reading";
import { inside, type Setting } from "./setting";

const GAP = 20;

/** Rows of columns are torn when they are higher than this. */
const WHOLE = TEXT_HEIGHT * 0.35;

/** Columns. */
export function* columns(block: BlockOf<"columns">, setting: Setting): Generator<Strip> {
  const all = childrenOf(block, "column");
  const widths = widthsOf(all, setting.width - GAP * (all.length - 1));
  if (all.length < 2 || widths.some((width) => width < NARROWEST)) {
    for (const column of all) yield* setContent(column, inside(setting, 0, 0));
    return;
  }
  let left = 0;
  const cells = all.map((column, at) => {
    const width = widths[at]!;
    const strips = [...spaced(setContent(column, inside(setting, 0, setting.width - width)), 0, 0)];
    const cell = { left, strips };
    left += width + GAP;
    return cell;
  });
  yield row(cells, { before: setting.space + 2, after: setting.space + 2, whole: WHOLE });
}

/** The widths that columns want, made to fit; those that want none share what is left. */
function widthsOf(all: readonly BlockOf<"column">[], room: number): number[] {
  const wanted = all.map((column) => {
    const { width } = dataOf(column);
    return typeof width === "number" && width >= 0 && width < 1000 ? width / 100 : undefined;
  });
  const given = wanted.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  const open = wanted.filter((part) => part === undefined).length;
  const share = open > 0 ? Math.max(0.1, 1 - given) / open : 0;
  const parts = wanted.map((part) => part ?? share);
  const sum = parts.reduce((total, part) => total + part, 0) || 1;
  return parts.map((part) => (part / sum) * room);
}
