// Computes the widths of the columns of a table.

import { measureItems } from "../text/lines";
import type { LayoutContext } from "./layout-context";
import { PageNotes } from "./notes";
import { toFields, toNumber } from "./read-document";
import type { PrintedTable } from "./read-table";
import { getCellItems, getTitleItems } from "./table-cells";

/** The number of rows that are measured, spread over the table. */
const MEASURED_ROWS = 80;

/** The maximum width that a word, and a cell, asks for. */
const WIDEST_WORD = 130;
const WIDEST_CELL = 330;

/** The points of a pixel in a stated width. */
const PIXEL = 0.75;

/** Computes the widths of the columns, which add up to the available width. */
export function computeColumnWidths(table: PrintedTable, context: LayoutContext, padding: number): number[] {
  // Measuring must not add footnotes to the page.
  const measuring = { ...context, notes: new PageNotes() };
  const given = toFields(table.view.columnWidths);
  const every = Math.ceil(table.rows.length / MEASURED_ROWS);
  const rows = table.rows.filter((_, at) => at % every === 0);
  // `least` is the width of the longest word of a column, and `most` is the width at which no line is broken.
  const wishes = table.columns.map((column) => {
    const width = Object.hasOwn(given, column.id) ? toNumber(given[column.id]) : undefined;
    if (width !== undefined && width > 0) return { least: width * PIXEL, most: width * PIXEL };
    const cells = rows.map((row) => getCellItems(table, row, column, measuring));
    let [word, line] = [0, 0];
    for (const items of [getTitleItems(column, measuring), ...cells]) {
      const widths = measureItems(context.typeset, items);
      word = Math.max(word, widths.word);
      line = Math.max(line, widths.line);
    }
    const least = Math.min(word, WIDEST_WORD) + padding;
    // Slightly more, so that rounding never breaks a line that just fits.
    return { least, most: Math.max(least, Math.min(line, WIDEST_CELL) + padding) + 1 };
  });
  const room = context.width;
  const least = wishes.reduce((sum, wish) => sum + wish.least, 0);
  const most = wishes.reduce((sum, wish) => sum + wish.most, 0);
  if (most <= room) return wishes.map((wish) => (wish.most / most) * room);
  if (least >= room || most === least) return wishes.map((wish) => (wish.least / least) * room);
  return wishes.map((wish) => wish.least + ((room - least) * (wish.most - wish.least)) / (most - least));
}
