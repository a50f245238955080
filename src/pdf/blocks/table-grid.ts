// A table as a grid: its heading is repeated on every sheet, and long cells are broken into lines. A table with too many
// columns is printed row by row, with the title of each column beside its value.

import { omitUndefined } from "../../utils/objects";
import type { Sheet } from "../file/sheet";
import { createRow } from "../flow/row";
import type { Strip } from "../flow/strip";
import { COLORS, type PdfColor, SIZES, TEXT_HEIGHT } from "../theme";
import { replaceOuterSpace } from "./containers";
import { createInnerContext, type LayoutContext } from "./layout-context";
import { layOutParagraph } from "./paragraphs";
import type { PrintedTable } from "./read-table";
import { getTitleItems, layOutCell } from "./table-cells";
import { computeColumnWidths } from "./table-widths";

/** The space at both sides of a cell. */
const SIDE_PADDING = 7;

/** The space above and below. */
const PADDING = 5;

/** The minimum width of a column. */
const NARROWEST_COLUMN = 42;

/** The text is smaller with more columns than this. */
const MAX_COLUMNS_IN_FULL_SIZE = 5;

/** Rows up to this height are never split. */
const MAX_UNSPLIT_HEIGHT = TEXT_HEIGHT * 0.3;

export function layOutGrid(table: PrintedTable, context: LayoutContext): Iterable<Strip> {
  const isGrid = context.width / table.columns.length >= NARROWEST_COLUMN;
  const size = isGrid && table.columns.length > MAX_COLUMNS_IN_FULL_SIZE ? SIZES.denseTable : SIZES.table;
  const inner = createInnerContext(context, 0, 0, { size, space: 3, lists: 0 });
  return replaceOuterSpace(
    isGrid ? layOutGridRows(table, inner) : layOutRecords(table, inner),
    context.space + 2,
    context.space + 2,
  );
}

/** Lays out the heading and the rows of a grid. */
function* layOutGridRows(table: PrintedTable, context: LayoutContext): Generator<Strip> {
  const widths = computeColumnWidths(table, context, 2 * SIDE_PADDING);
  const lefts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width, 0));
  const getCellContext = (at: number): LayoutContext => {
    const alignment = table.columns[at]!.definition.textAlignment;
    const align = alignment === "center" ? "center" : alignment === "right" ? "end" : undefined;
    return { ...context, width: widths[at]! - 2 * SIDE_PADDING, align };
  };
  let heading: Strip | undefined;
  if (table.view.hideHeader !== true && table.columns.some(({ title, words }) => title !== "" || words)) {
    const cells = table.columns.map((column, at) => {
      const inner = getCellContext(at);
      const items = getTitleItems(column, inner);
      return {
        left: lefts[at]! + SIDE_PADDING,
        strips: layOutParagraph(items, inner, { size: inner.size, align: inner.align }),
      };
    });
    const drawBackground = (sheet: Sheet, left: number, top: number, height: number) => {
      sheet.fillBox(left, top, context.width, height, COLORS.wash);
      drawRule(sheet, left, top + height, context.width, COLORS.faint);
    };
    const row = createRow(cells, { padding: PADDING, maxUnsplitHeight: TEXT_HEIGHT, drawBackground });
    heading = { ...row, staysWithNext: true };
    yield heading;
  }
  for (const values of table.rows) {
    const cells = table.columns.map((column, at) => ({
      left: lefts[at]! + SIDE_PADDING,
      strips: [...replaceOuterSpace(layOutCell(table, values, column, getCellContext(at)), 0, 0)],
    }));
    const drawBackground = (sheet: Sheet, left: number, top: number, height: number) =>
      drawRule(sheet, left, top + height, context.width, COLORS.line);
    yield createRow(cells, { padding: PADDING, heading, maxUnsplitHeight: MAX_UNSPLIT_HEIGHT, drawBackground });
  }
}

function drawRule(sheet: Sheet, left: number, y: number, width: number, color: PdfColor): void {
  sheet.drawLine(
    [
      [left, y],
      [left + width, y],
    ],
    color,
    0.6,
  );
}

/** Lays out every row as a list of its values. */
function* layOutRecords(table: PrintedTable, context: LayoutContext): Generator<Strip> {
  const left = context.width * 0.32;
  const title = { ...context, width: left - SIDE_PADDING };
  const value = { ...context, width: context.width - left };
  for (const values of table.rows) {
    for (const [at, column] of table.columns.entries()) {
      const cells = [
        { left: 0, strips: layOutParagraph(getTitleItems(column, title), title, { size: context.size }) },
        { left, strips: [...replaceOuterSpace(layOutCell(table, values, column, value), 0, 0)] },
      ];
      const drawBackground = (sheet: Sheet, left: number, top: number) =>
        drawRule(sheet, left, top, context.width, COLORS.faint);
      yield createRow(cells, {
        padding: 2,
        before: at === 0 ? 8 : 0,
        maxUnsplitHeight: MAX_UNSPLIT_HEIGHT,
        ...omitUndefined({ drawBackground: at === 0 ? drawBackground : undefined }),
      });
    }
  }
}
