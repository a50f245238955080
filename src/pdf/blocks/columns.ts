// Columns. Where they would be too narrow, they are printed below one another.

import type { BlockOf } from "../../content/document";
import { createRow } from "../flow/row";
import type { Strip } from "../flow/strip";
import { MIN_TEXT_WIDTH, TEXT_HEIGHT } from "../theme";
import { findChildren, joinStrips, layOutContent, replaceOuterSpace } from "./containers";
import { createInnerContext, type LayoutContext } from "./layout-context";
import { getData } from "./read-document";

const GAP = 20;

/** Rows of columns up to this height are never split. */
const MAX_UNSPLIT_HEIGHT = TEXT_HEIGHT * 0.35;

export function layOutColumns(block: BlockOf<"columns">, context: LayoutContext): Iterable<Strip> {
  const all = findChildren(block, "column");
  // Scale the stated widths of the columns to the available width. Columns without a width share the rest.
  const availableWidth = context.width - GAP * (all.length - 1);
  const statedShares = all.map((column) => {
    const { width } = getData(column);
    return typeof width === "number" && width >= 0 && width < 1000 ? width / 100 : undefined;
  });
  const statedSum = statedShares.reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const openCount = statedShares.filter((share) => share === undefined).length;
  const restShare = openCount > 0 ? Math.max(0.1, 1 - statedSum) / openCount : 0;
  const shares = statedShares.map((share) => share ?? restShare);
  const sum = shares.reduce((total, share) => total + share, 0) || 1;
  const widths = shares.map((share) => (share / sum) * availableWidth);
  if (all.length < 2 || widths.some((width) => width < MIN_TEXT_WIDTH))
    return joinStrips(all.map((column) => layOutContent(column, createInnerContext(context, 0, 0))));
  let left = 0;
  const cells = all.map((column, at) => {
    const width = widths[at]!;
    const strips = [
      ...replaceOuterSpace(layOutContent(column, createInnerContext(context, 0, context.width - width)), 0, 0),
    ];
    const cell = { left, strips };
    left += width + GAP;
    return cell;
  });
  const around = context.space + 2;
  return [createRow(cells, { before: around, after: around, maxUnsplitHeight: MAX_UNSPLIT_HEIGHT })];
}
