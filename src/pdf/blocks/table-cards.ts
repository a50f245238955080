// A table as cards beside one another, each with its picture, its text, and where it leads.

import type { Sheet } from "../file/sheet";
import { row } from "../flow/row";
import type { Strip } from "../flow/strip";
import { COLOURS, NARROWEST, SIZES, TEXT_HEIGHT } from "../look";
import type { Target } from "../targets";
import { spaced } from "./containers";
import { pictureStrip } from "./pictures";
import { refIn } from "./reading";
import { inside, leadsTo, type Setting } from "./setting";
import { setCell } from "./table-cells";
import { firstOf, type Table } from "./table-reading";

const GAP = 12;
const PADDING = 11;

/** Pictures on cards are no higher than this. */
const COVER = 110;

/** Draws a table as cards. */
export function* cardsView(table: Table, setting: Setting): Generator<Strip> {
  const wanted = table.view.cardSize === "large" ? 2 : 3;
  const room = Math.floor((setting.width + GAP) / (NARROWEST + 2 * PADDING + GAP));
  const beside = Math.max(1, Math.min(wanted, room, table.rows.length));
  const width = (setting.width - GAP * (beside - 1)) / beside;
  const inner = inside(setting, 0, 0, { width: width - 2 * PADDING, size: SIZES.table, space: 3, lists: 0 });
  const rows = chunked(table.rows, beside).map((group) => cardRow(table, group, width, inner));
  yield* spaced(rows, setting.space + 2, setting.space + 2);
}

function cardRow(
  table: Table,
  group: readonly Readonly<Record<string, unknown>>[],
  width: number,
  inner: Setting,
): Strip {
  const leftOf = (at: number) => at * (width + GAP);
  const cells = group.map((values, at) => ({ left: leftOf(at) + PADDING, strips: [...setCard(table, values, inner)] }));
  const targets = group.map((values) => leadsTo(refIn(firstOf(values, table.view.targetDefinition)), inner));
  const ground = (sheet: Sheet, left: number, top: number, height: number) => {
    for (const [at, target] of targets.entries()) drawCard(sheet, left + leftOf(at), top, width, height, target);
  };
  return row(cells, { padding: PADDING, before: GAP, after: GAP, whole: TEXT_HEIGHT * 0.6, ground });
}

function drawCard(
  sheet: Sheet,
  left: number,
  top: number,
  width: number,
  height: number,
  target: Target | undefined,
): void {
  sheet.strokeBox(left, top, width, height, target ? COLOURS.accent : COLOURS.line, 5);
  if (target) sheet.link({ left, top, right: left + width, bottom: top + height, target });
}

function* setCard(table: Table, values: Readonly<Record<string, unknown>>, inner: Setting): Generator<Strip> {
  const { coverDefinition, targetDefinition } = table.view;
  const cover = inner.album.picture(refIn(firstOf(values, coverDefinition)));
  if (cover) {
    const scale = Math.min(0.75, inner.width / cover.width, COVER / cover.height);
    const size = { width: cover.width * scale, height: cover.height * scale };
    yield pictureStrip(cover, size, inner.width, "start", 9);
  }
  for (const column of table.columns)
    if (column.id !== coverDefinition && column.id !== targetDefinition)
      yield* spaced(setCell(table, values, column, inner), 3, 3);
}

function chunked<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
