// A table as a grid: its heading is on every sheet, long cells are broken over lines. One with more columns than there is room
// for is printed row by row, with the title of each column beside its value.

import { omitUndefined } from "../../utils/objects";
import type { Sheet } from "../file/sheet";
import { row } from "../flow/row";
import type { Strip } from "../flow/strip";
import { COLOURS, type Colour, SIZES, TEXT_HEIGHT } from "../look";
import { spaced } from "./containers";
import { setParagraph } from "./paragraphs";
import { inside, type Setting } from "./setting";
import { setCell, titleItems } from "./table-cells";
import type { Column, Table } from "./table-reading";
import { columnWidths } from "./table-widths";

/** The space at both sides of a cell. */
const SIDE = 7;

/** The space above and below. */
const PADDING = 5;

/** Columns are no narrower than this. */
const NARROWEST_COLUMN = 42;

/** With more columns than this the text is smaller. */
const DENSE = 5;

/** Rows are torn when they are higher than this. */
const WHOLE = TEXT_HEIGHT * 0.3;

/** Draws a table as a grid. */
export function* gridView(table: Table, setting: Setting): Generator<Strip> {
  const isGrid = setting.width / table.columns.length >= NARROWEST_COLUMN;
  const size = isGrid && table.columns.length > DENSE ? SIZES.denseTable : SIZES.table;
  const inner = inside(setting, 0, 0, { size, space: 3, lists: 0 });
  yield* spaced(isGrid ? setGrid(table, inner) : setRecords(table, inner), setting.space + 2, setting.space + 2);
}

function* setGrid(table: Table, setting: Setting): Generator<Strip> {
  const widths = columnWidths(table, setting, 2 * SIDE);
  const lefts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width, 0));
  const cellSetting = (at: number): Setting => ({
    ...setting,
    width: widths[at]! - 2 * SIDE,
    align: alignmentOf(table.columns[at]!),
  });
  const heading = headingOf(table, (at) => lefts[at]! + SIDE, cellSetting, setting);
  if (heading) yield heading;
  for (const values of table.rows) {
    const cells = table.columns.map((column, at) => ({
      left: lefts[at]! + SIDE,
      strips: [...spaced(setCell(table, values, column, cellSetting(at)), 0, 0)],
    }));
    const ground = (sheet: Sheet, left: number, top: number, height: number) =>
      rule(sheet, left, top + height, setting.width, COLOURS.line);
    yield row(cells, { padding: PADDING, heading, whole: WHOLE, ground });
  }
}

function headingOf(
  table: Table,
  leftOf: (at: number) => number,
  cellSetting: (at: number) => Setting,
  setting: Setting,
): Strip | undefined {
  if (table.view.hideHeader === true || table.columns.every(({ title, words }) => title === "" && !words))
    return undefined;
  const cells = table.columns.map((column, at) => {
    const inner = cellSetting(at);
    const items = titleItems(column, inner);
    return { left: leftOf(at), strips: setParagraph(items, inner, { size: inner.size, align: inner.align }) };
  });
  const ground = (sheet: Sheet, left: number, top: number, height: number) => {
    sheet.fillBox(left, top, setting.width, height, COLOURS.wash);
    rule(sheet, left, top + height, setting.width, COLOURS.faint);
  };
  return { ...row(cells, { padding: PADDING, whole: TEXT_HEIGHT, ground }), staysWithNext: true };
}

function rule(sheet: Sheet, left: number, y: number, width: number, colour: Colour): void {
  sheet.line(
    [
      [left, y],
      [left + width, y],
    ],
    colour,
    0.6,
  );
}

function alignmentOf({ definition }: Column): "center" | "end" | undefined {
  if (definition.textAlignment === "center") return "center";
  return definition.textAlignment === "right" ? "end" : undefined;
}

/** Every row as a list of its values. */
function* setRecords(table: Table, setting: Setting): Generator<Strip> {
  const left = setting.width * 0.32;
  const title = { ...setting, width: left - SIDE };
  const value = { ...setting, width: setting.width - left };
  for (const values of table.rows) {
    for (const [at, column] of table.columns.entries()) {
      const cells = [
        { left: 0, strips: setParagraph(titleItems(column, title), title, { size: setting.size }) },
        { left, strips: [...spaced(setCell(table, values, column, value), 0, 0)] },
      ];
      const ground = (sheet: Sheet, x: number, y: number) => rule(sheet, x, y, setting.width, COLOURS.faint);
      yield row(cells, {
        padding: 2,
        before: at === 0 ? 8 : 0,
        whole: WHOLE,
        ...omitUndefined({ ground: at === 0 ? ground : undefined }),
      });
    }
  }
}
