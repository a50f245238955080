// How wide the columns of a table are.

import type { Item } from "../text/items";
import { measure } from "../text/lines";
import { PageNotes } from "./notes";
import { fieldsOf, numberIn } from "./reading";
import type { Setting } from "./setting";
import { cellItems, titleItems } from "./table-cells";
import type { Table } from "./table-reading";

/** Rows that are looked at, spread over the table. */
const LOOKED_AT = 80;

/** The most width that a word asks for, and that a cell asks for. */
const WIDEST_WORD = 130;
const WIDEST_CELL = 330;

/** Points that a pixel of a given width takes. */
const PIXEL = 0.75;

/** What a column asks for: the width of its longest word, and the width at which nothing is broken. */
interface Wish {
  readonly least: number;
  readonly most: number;
}

/** The widths of the columns, which take the whole room together. */
export function columnWidths(table: Table, setting: Setting, padding: number): number[] {
  // Measuring must not count as printing.
  const measuring = { ...setting, notes: new PageNotes() };
  const given = fieldsOf(table.view.columnWidths);
  const every = Math.ceil(table.rows.length / LOOKED_AT);
  const rows = table.rows.filter((_, at) => at % every === 0);
  const wishes = table.columns.map((column) => {
    const width = Object.hasOwn(given, column.id) ? numberIn(given[column.id]) : undefined;
    if (width !== undefined && width > 0) return { least: width * PIXEL, most: width * PIXEL };
    const title = titleItems(column, measuring);
    const cells = rows.map((row) => cellItems(table, row, column, measuring));
    return wishOf([title, ...cells], setting, padding);
  });
  return shared(wishes, setting.width);
}

function wishOf(cells: readonly (readonly Item[])[], { typeset }: Setting, padding: number): Wish {
  let [word, line] = [0, 0];
  for (const items of cells) {
    const wide = measure(typeset, items);
    word = Math.max(word, wide.word);
    line = Math.max(line, wide.line);
  }
  const least = Math.min(word, WIDEST_WORD) + padding;
  // Slightly more, so that rounding never breaks a line that just fits.
  return { least, most: Math.max(least, Math.min(line, WIDEST_CELL) + padding) + 1 };
}

function shared(wishes: readonly Wish[], room: number): number[] {
  const least = wishes.reduce((sum, wish) => sum + wish.least, 0);
  const most = wishes.reduce((sum, wish) => sum + wish.most, 0);
  if (most <= room) return wishes.map((wish) => (wish.most / most) * room);
  if (least >= room || most === least) return wishes.map((wish) => (wish.least / least) * room);
  return wishes.map((wish) => wish.least + ((room - least) * (wish.most - wish.least)) / (most - least));
}
