// A table as cards, each with its picture, its text and its link.

import type { Sheet } from "../file/sheet";
import { createRow } from "../flow/row";
import type { Strip } from "../flow/strip";
import type { PdfLinkTarget } from "../targets";
import { COLORS, MIN_TEXT_WIDTH, SIZES, TEXT_HEIGHT } from "../theme";
import { replaceOuterSpace } from "./containers";
import { createInnerContext, type LayoutContext, resolveTarget } from "./layout-context";
import { createPictureStrip } from "./pictures";
import { toReference } from "./read-document";
import { getFirstValue, type PrintedTable } from "./read-table";
import { layOutCell } from "./table-cells";

const GAP = 12;
const PADDING = 11;

/** The maximum height of pictures on cards. */
const COVER = 110;

/** Lays out a table as cards. */
export function* layOutCards(table: PrintedTable, context: LayoutContext): Generator<Strip> {
  const wanted = table.view.cardSize === "large" ? 2 : 3;
  const room = Math.floor((context.width + GAP) / (MIN_TEXT_WIDTH + 2 * PADDING + GAP));
  const beside = Math.max(1, Math.min(wanted, room, table.rows.length));
  const width = (context.width - GAP * (beside - 1)) / beside;
  const inner = createInnerContext(context, 0, 0, {
    width: width - 2 * PADDING,
    size: SIZES.table,
    space: 3,
    lists: 0,
  });
  const rows = splitIntoChunks(table.rows, beside).map((group) => createCardRow(table, group, width, inner));
  yield* replaceOuterSpace(rows, context.space + 2, context.space + 2);
}

function createCardRow(
  table: PrintedTable,
  group: readonly Readonly<Record<string, unknown>>[],
  width: number,
  inner: LayoutContext,
): Strip {
  const leftOf = (at: number) => at * (width + GAP);
  const cells = group.map((values, at) => ({
    left: leftOf(at) + PADDING,
    strips: [...layOutCard(table, values, inner)],
  }));
  const targets = group.map((values) =>
    resolveTarget(toReference(getFirstValue(values, table.view.targetDefinition)), inner),
  );
  const ground = (sheet: Sheet, left: number, top: number, height: number) => {
    for (const [at, target] of targets.entries()) drawCard(sheet, left + leftOf(at), top, width, height, target);
  };
  return createRow(cells, {
    padding: PADDING,
    before: GAP,
    after: GAP,
    maxUnsplitHeight: TEXT_HEIGHT * 0.6,
    drawBackground: ground,
  });
}

function drawCard(
  sheet: Sheet,
  left: number,
  top: number,
  width: number,
  height: number,
  target: PdfLinkTarget | undefined,
): void {
  sheet.strokeBox(left, top, width, height, target ? COLORS.accent : COLORS.line, 5);
  if (target) sheet.addLink({ left, top, right: left + width, bottom: top + height, target });
}

function* layOutCard(
  table: PrintedTable,
  values: Readonly<Record<string, unknown>>,
  inner: LayoutContext,
): Generator<Strip> {
  const { coverDefinition, targetDefinition } = table.view;
  const cover = inner.album.picture(toReference(getFirstValue(values, coverDefinition)));
  if (cover) {
    const scale = Math.min(0.75, inner.width / cover.width, COVER / cover.height);
    const size = { width: cover.width * scale, height: cover.height * scale };
    yield createPictureStrip(cover, size, inner.width, "start", 9);
  }
  for (const column of table.columns)
    if (column.id !== coverDefinition && column.id !== targetDefinition)
      yield* replaceOuterSpace(layOutCell(table, values, column, inner), 3, 3);
}

function splitIntoChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
