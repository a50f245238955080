// What stands before and around the pages: the title, the contents, and the foot of every sheet.

import { drawLine, setParagraph } from "./blocks/paragraphs";
import type { Setting } from "./blocks/setting";
import type { Heading } from "./file/book";
import { Sheet } from "./file/sheet";
import { SheetFiller } from "./flow/sheets";
import { drawStack } from "./flow/stack";
import { gap, type Strip, strip } from "./flow/strip";
import type { Typeset } from "./fonts/typeset";
import { COLOURS, PAPER, SIZES, TEXT_HEIGHT, TEXT_WIDTH } from "./look";
import { fitted } from "./text/fitted";
import { plain } from "./text/items";
import { widthOf } from "./text/lines";
import { setRuns } from "./text/runs";

/** A line of the contents. */
export type ContentsEntry = Pick<Heading, "title" | "level" | "place" | "sheetsBefore">;

/** Entries are moved in no deeper than this. */
const DEEPEST = 6;

/** The base line of what is in the foot. */
const FOOT = PAPER.height - PAPER.bottom + 34;

/** The first sheet. */
export function titleSheet(title: string, subtitle: string | undefined, date: string, setting: Setting): Sheet {
  const sheet = new Sheet();
  const size = title.length > 120 ? SIZES.pageTitle : SIZES.cover;
  const strips = [
    barStrip(),
    ...setParagraph([{ text: title, style: plain(size, { isBold: true }) }], setting, { size, before: 26 }),
    ...setParagraph([{ text: subtitle ?? "", style: plain(SIZES.coverSubtitle, { colour: COLOURS.muted }) }], setting, {
      size: SIZES.coverSubtitle,
      before: 12,
    }),
    ...setParagraph([{ text: date, style: plain(SIZES.body, { colour: COLOURS.muted }) }], setting, {
      size: SIZES.body,
      before: 28,
    }),
  ];
  drawStack(sheet, strips, PAPER.left, PAPER.height * 0.3);
  return sheet;
}

function barStrip(): Strip {
  return strip({ height: 5, draw: (sheet, left, top) => sheet.fillBox(left, top, 56, 5, COLOURS.accent, 2.5) });
}

/** How many sheets contents may need at most. */
export function mostContentsSheets(entries: number): number {
  return entries === 0 ? 0 : Math.ceil((entries * 27 + 60) / (TEXT_HEIGHT - 30));
}

/** The contents: as many sheets as they need, none if there is nothing to list. Made in steps. */
export function* contentsSheets(entries: readonly ContentsEntry[], setting: Setting): Generator<void, Sheet[]> {
  if (entries.length === 0) return [];
  const stacks: (readonly Strip[])[] = [];
  const filler = new SheetFiller(TEXT_HEIGHT, (strips) => stacks.push(strips));
  const style = plain(SIZES.pageTitle, { isBold: true });
  for (const it of setParagraph([{ text: setting.words.contents, style }], setting, {
    size: SIZES.pageTitle,
    after: 14,
  }))
    filler.add(it);
  // The page numbers depend on the length of the contents, so they are drawn when that is known.
  const before = () => 1 + stacks.length;
  for (const entry of entries) {
    filler.add(entryStrip(entry, setting.typeset, before));
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

function entryStrip(entry: ContentsEntry, typeset: Typeset, before: () => number): Strip {
  const isTop = entry.level === 0;
  const size = SIZES.body;
  const indent = Math.min(entry.level, DEEPEST) * 16;
  const title = fitted(typeset, entry.title, plain(size, { isBold: isTop }), TEXT_WIDTH - indent - 50);
  const height = 17;
  return strip({
    height,
    before: isTop ? 8 : 0,
    draw: (sheet, left, top) => {
      const number = setRuns(
        typeset,
        String(before() + entry.sheetsBefore + 1),
        plain(size, { colour: COLOURS.muted }),
      );
      const base = top + 12;
      const [from, to] = [left + indent + widthOf(title) + 7, left + TEXT_WIDTH - widthOf(number) - 7];
      drawLine(sheet, title, left + indent, base, size.size);
      if (to > from)
        sheet.line(
          [
            [from, base - 1],
            [to, base - 1],
          ],
          COLOURS.faint,
          0.7,
          true,
        );
      drawLine(sheet, number, left + TEXT_WIDTH - widthOf(number), base, size.size);
      sheet.link({
        left: left + indent,
        top,
        right: left + TEXT_WIDTH,
        bottom: top + height,
        target: { place: entry.place },
      });
    },
  });
}

/** The foot of every sheet: a line, and the title of the document. */
export function drawFoot(sheet: Sheet, title: string, typeset: Typeset): void {
  const style = plain(SIZES.footer, { colour: COLOURS.muted });
  sheet.line(
    [
      [PAPER.left, FOOT - 14],
      [PAPER.left + TEXT_WIDTH, FOOT - 14],
    ],
    COLOURS.line,
    0.6,
  );
  drawLine(sheet, fitted(typeset, title, style, TEXT_WIDTH - 60), PAPER.left, FOOT, SIZES.footer.size);
}

/** The number of a sheet, in its foot. */
export function drawNumber(sheet: Sheet, number: number, typeset: Typeset): void {
  const label = setRuns(typeset, String(number), plain(SIZES.footer, { colour: COLOURS.muted }));
  drawLine(sheet, label, PAPER.left + TEXT_WIDTH - widthOf(label), FOOT, SIZES.footer.size);
}

/** A note at the end of a document. */
export function endNote(text: string, setting: Setting): Strip[] {
  const style = plain(SIZES.small, { isItalic: true, colour: COLOURS.muted });
  return [gap(1, { before: 18 }), ...setParagraph([{ text, style }], setting, { size: SIZES.small })];
}
