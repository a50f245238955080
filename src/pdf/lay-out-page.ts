// Lays out a page of the content: its head, its blocks and its footnotes. A group of pages has no head; its title is
// printed above the first page in it.

import type { PrintedPage } from "../content/print-job";
import { layOutBlocks } from "./blocks";
import { decorateFirst, replaceOuterSpace } from "./blocks/containers";
import { createInnerContext, type LayoutContext } from "./blocks/layout-context";
import { drawLine, layOutParagraph } from "./blocks/paragraphs";
import { getBlocks } from "./blocks/read-document";
import type { Sheet } from "./file/sheet";
import { createGap, createStrip, decorateStrip, moveStrip, type Strip } from "./flow/strip";
import { MAX_TITLE } from "./limits";
import { getPlaceName } from "./targets";
import { fitText } from "./text/fit-text";
import { sumWidths } from "./text/lines";
import { createTextStyle, shapeText, toPrintableLine, toPrintableText } from "./text/runs";
import { COLORS, SIZES } from "./theme";

/** A page or a group with its printed depth and title. */
export interface TitledPage {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

export interface PageAncestors {
  /** The titles of its ancestors, outermost first. */
  readonly path: readonly string[];
  readonly groups: readonly TitledPage[];
}

/** Deeper pages are printed at this depth. */
const DEEPEST = 12;

export function toTitledPage({ id, title, depth }: PrintedPage): TitledPage {
  const level = Number.isFinite(depth) ? Math.min(Math.max(Math.trunc(depth), 0), DEEPEST) : 0;
  return { id, title: toPrintableLine(String(title), MAX_TITLE) || "–", depth: level };
}

export function* layOutPage(
  page: PrintedPage,
  titled: TitledPage,
  above: PageAncestors,
  context: LayoutContext,
): Generator<Strip> {
  // Links to the page and to its groups lead to its path, or to its title if it has none.
  const mark = (sheet: Sheet, _: number, top: number) => {
    for (const { id, title, depth } of [...above.groups, titled]) {
      sheet.addPlace(getPlaceName(id), top);
      sheet.addBookmark({ title, level: depth, isPage: true, top });
    }
  };
  const strips: Strip[] = [];
  if (above.path.length > 0) {
    const style = createTextStyle(SIZES.small, { color: COLORS.accent, isBold: true });
    const runs = fitText(context.typeset, above.path.join("  ›  "), style, context.width);
    const draw = (sheet: Sheet, left: number, top: number) => drawLine(sheet, runs, left, top + 10, SIZES.small.size);
    strips.push(createStrip({ height: 18, staysWithNext: true, draw }));
  }
  const title = { text: titled.title, style: createTextStyle(SIZES.pageTitle, { isBold: true }) };
  const subtitle = {
    text: toPrintableText(page.description ?? "").trim(),
    style: createTextStyle(SIZES.description, { color: COLORS.muted }),
  };
  strips.push(
    ...layOutParagraph([title], context, { size: SIZES.pageTitle, after: 8, staysWithNext: true }),
    ...layOutParagraph([subtitle], context, { size: SIZES.description, after: 10, staysWithNext: true }),
  );
  yield decorateStrip(strips[0]!, mark);
  yield* strips.slice(1);
  yield createGap(1, { after: 5, staysWithNext: true });

  yield* layOutBlocks(getBlocks(page.document), context);

  // The footnotes stand below the page. Printing one may add more.
  const indent = 20;
  const inner = createInnerContext(context, indent, 0, { size: SIZES.small, space: 3, color: COLORS.muted });
  for (const [at, body] of context.notes.bodies.entries()) {
    const number = at + 1;
    const label = shapeText(context.typeset, String(number), createTextStyle(SIZES.small, { color: COLORS.muted }));
    if (at === 0) {
      yield createStrip({
        height: 8,
        before: 22,
        staysWithNext: true,
        draw: (sheet, left, top) =>
          sheet.drawLine(
            [
              [left, top],
              [left + 90, top],
            ],
            COLORS.line,
          ),
      });
      const style = createTextStyle(SIZES.small, { isBold: true, color: COLORS.muted });
      yield* layOutParagraph([{ text: context.words.notes, style }], context, {
        size: SIZES.small,
        staysWithNext: true,
      });
    }
    const drawNumber = (sheet: Sheet, left: number, top: number, base = 9) => {
      sheet.addPlace(getPlaceName(context.page.id, context.notes.getAnchor(number)), top);
      drawLine(sheet, label, left - 6 - sumWidths(label), top + base, SIZES.small.size);
    };
    const content = replaceOuterSpace(layOutBlocks(body, inner), 4, 4);
    for (const strip of decorateFirst(content, drawNumber)) yield moveStrip(strip, indent);
  }
}
