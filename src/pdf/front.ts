// The parts before and around the pages: the title, the table of contents, and the footer of every sheet.

import type { Steps } from "../utils/concurrency/steps";
import type { LayoutContext } from "./blocks/layout-context";
import { drawLine, layOutParagraph } from "./blocks/paragraphs";
import type { BookHeading } from "./file/book";
import { Sheet } from "./file/sheet";
import { SheetFiller } from "./flow/sheet-filler";
import { drawStack } from "./flow/stack";
import { createGap, createStrip, type Strip } from "./flow/strip";
import type { Typeset } from "./fonts/typeset";
import { fitText } from "./text/fit-text";
import { sumWidths } from "./text/lines";
import { createTextStyle, shapeText } from "./text/runs";
import { COLORS, PAPER, SIZES, TEXT_HEIGHT, TEXT_WIDTH } from "./theme";

export type PrintedContentsEntry = Pick<BookHeading, "title" | "level" | "place" | "sheetsBefore">;

/** Deeper entries are indented as if they had this level. */
const DEEPEST = 6;

/** The base line of the footer. */
const FOOT = PAPER.height - PAPER.bottom + 34;

export function createTitleSheet(
  title: string,
  subtitle: string | undefined,
  date: string,
  context: LayoutContext,
): Sheet {
  const sheet = new Sheet();
  const size = title.length > 120 ? SIZES.pageTitle : SIZES.cover;
  const strips = [
    createStrip({ height: 5, draw: (sheet, left, top) => sheet.fillBox(left, top, 56, 5, COLORS.accent, 2.5) }),
    ...layOutParagraph([{ text: title, style: createTextStyle(size, { isBold: true }) }], context, {
      size,
      before: 26,
    }),
    ...layOutParagraph(
      [{ text: subtitle ?? "", style: createTextStyle(SIZES.coverSubtitle, { color: COLORS.muted }) }],
      context,
      {
        size: SIZES.coverSubtitle,
        before: 12,
      },
    ),
    ...layOutParagraph([{ text: date, style: createTextStyle(SIZES.body, { color: COLORS.muted }) }], context, {
      size: SIZES.body,
      before: 28,
    }),
  ];
  drawStack(sheet, strips, PAPER.left, PAPER.height * 0.3);
  return sheet;
}

/** Creates the sheets of the table of contents, in steps. Returns none if there is nothing to list. */
export function* createContentsSheets(
  entries: readonly PrintedContentsEntry[],
  context: LayoutContext,
): Steps<Sheet[]> {
  if (entries.length === 0) return [];
  const stacks: (readonly Strip[])[] = [];
  const filler = new SheetFiller(TEXT_HEIGHT, (strips) => stacks.push(strips));
  const style = createTextStyle(SIZES.pageTitle, { isBold: true });
  for (const strip of layOutParagraph([{ text: context.words.contents, style }], context, {
    size: SIZES.pageTitle,
    after: 14,
  }))
    filler.add(strip);
  for (const entry of entries) {
    // An entry has its title, a dotted line, and the number of its sheet.
    const isTop = entry.level === 0;
    const size = SIZES.body;
    const indent = Math.min(entry.level, DEEPEST) * 16;
    const title = fitText(
      context.typeset,
      entry.title,
      createTextStyle(size, { isBold: isTop }),
      TEXT_WIDTH - indent - 50,
    );
    const height = 17;
    const strip = createStrip({
      height,
      before: isTop ? 8 : 0,
      draw: (sheet, left, top) => {
        // The number depends on the length of the contents, so it is drawn when that is known.
        const number = shapeText(
          context.typeset,
          String(1 + stacks.length + entry.sheetsBefore + 1),
          createTextStyle(size, { color: COLORS.muted }),
        );
        const base = top + 12;
        const [from, to] = [left + indent + sumWidths(title) + 7, left + TEXT_WIDTH - sumWidths(number) - 7];
        drawLine(sheet, title, left + indent, base, size.size);
        if (to > from)
          sheet.drawLine(
            [
              [from, base - 1],
              [to, base - 1],
            ],
            COLORS.faint,
            0.7,
            true,
          );
        drawLine(sheet, number, left + TEXT_WIDTH - sumWidths(number), base, size.size);
        sheet.addLink({
          left: left + indent,
          top,
          right: left + TEXT_WIDTH,
          bottom: top + height,
          target: { place: entry.place },
        });
      },
    });
    filler.add(strip);
    yield;
  }
  filler.endSheet();
  const sheets: Sheet[] = [];
  for (const strips of stacks) {
    const sheet = new Sheet();
    drawStack(sheet, strips, PAPER.left, PAPER.top);
    sheets.push(sheet);
    yield;
  }
  return sheets;
}

export function drawFooter(sheet: Sheet, title: string, typeset: Typeset): void {
  const style = createTextStyle(SIZES.footer, { color: COLORS.muted });
  sheet.drawLine(
    [
      [PAPER.left, FOOT - 14],
      [PAPER.left + TEXT_WIDTH, FOOT - 14],
    ],
    COLORS.line,
    0.6,
  );
  drawLine(sheet, fitText(typeset, title, style, TEXT_WIDTH - 60), PAPER.left, FOOT, SIZES.footer.size);
}

export function drawSheetNumber(sheet: Sheet, number: number, typeset: Typeset): void {
  const label = shapeText(typeset, String(number), createTextStyle(SIZES.footer, { color: COLORS.muted }));
  drawLine(sheet, label, PAPER.left + TEXT_WIDTH - sumWidths(label), FOOT, SIZES.footer.size);
}

export function createEndNote(text: string, context: LayoutContext): Strip[] {
  const style = createTextStyle(SIZES.small, { isItalic: true, color: COLORS.muted });
  return [createGap(1, { before: 18 }), ...layOutParagraph([{ text, style }], context, { size: SIZES.small })];
}
