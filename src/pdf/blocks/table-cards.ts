// A table as cards, each with its picture, its text and its link.

import type { Sheet } from "../file/sheet";
import { createRow } from "../flow/row";
import type { Strip } from "../flow/strip";
import { COLORS, MIN_TEXT_WIDTH, SIZES, TEXT_HEIGHT } from "../theme";
import { replaceOuterSpace } from "./containers";
import { createInnerContext, type LayoutContext, resolveReferenceTarget } from "./layout-context";
import { createPictureStrip } from "./pictures";
import { toReference } from "./read-document";
import { getFirstValue, type PrintedTable } from "./read-table";
import { layOutCell } from "./table-cells";

const GAP = 12;
const PADDING = 11;

/** The maximum height of pictures on cards. */
const MAX_COVER_HEIGHT = 110;

export function layOutCards(table: PrintedTable, context: LayoutContext): Iterable<Strip> {
  const { coverDefinition, targetDefinition } = table.view;
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
  const rows: Strip[] = [];
  for (let start = 0; start < table.rows.length; start += beside) {
    const cards = table.rows.slice(start, start + beside).map((values, at) => {
      const strips: Strip[] = [];
      const cover = inner.album.getPicture(toReference(getFirstValue(values, coverDefinition)));
      if (cover) {
        const scale = Math.min(0.75, inner.width / cover.width, MAX_COVER_HEIGHT / cover.height);
        const size = { width: cover.width * scale, height: cover.height * scale };
        strips.push(createPictureStrip(cover, size, inner.width, "start", 9));
      }
      for (const column of table.columns)
        if (column.id !== coverDefinition && column.id !== targetDefinition)
          strips.push(...replaceOuterSpace(layOutCell(table, values, column, inner), 3, 3));
      const target = resolveReferenceTarget(toReference(getFirstValue(values, targetDefinition)), inner);
      return { left: at * (width + GAP), strips, target };
    });
    const drawBackground = (sheet: Sheet, left: number, top: number, height: number) => {
      for (const card of cards) {
        const [x, target] = [left + card.left, card.target];
        sheet.strokeBox(x, top, width, height, target ? COLORS.accent : COLORS.line, 5);
        if (target) sheet.addLink({ left: x, top, right: x + width, bottom: top + height, target });
      }
    };
    rows.push(
      createRow(
        cards.map(({ left, strips }) => ({ left: left + PADDING, strips })),
        { padding: PADDING, before: GAP, after: GAP, maxUnsplitHeight: TEXT_HEIGHT * 0.6, drawBackground },
      ),
    );
  }
  return replaceOuterSpace(rows, context.space + 2, context.space + 2);
}
