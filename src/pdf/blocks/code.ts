// Code in a monospaced font, with all of its lines. A line that is too long continues below, slightly indented.

import type { BlockOf } from "../../content/document";
import { createStrip, type Strip } from "../flow/strip";
import type { Typeset } from "../fonts/typeset";
import { MAX_LINES, MAX_TITLE } from "../limits";
import { fitText } from "../text/fit-text";
import { mergePieces, sumWidths } from "../text/lines";
import type { TextLinePiece } from "../text/paragraph";
import { createTextStyle, type GlyphRun, shapeText, toPrintableLine, toPrintableText } from "../text/runs";
import { COLORS, SIZES } from "../theme";
import { extendArea, findChildren, wrapInFrame } from "./containers";
import { createInnerContext, type LayoutContext } from "./layout-context";
import { drawLine } from "./paragraphs";
import { getData, getPlainText, getRawText, readString } from "./read-document";

const { size, leading } = SIZES.code;
const STYLE = createTextStyle(SIZES.code, { isMono: true });

/** The columns between two tab stops. */
const TAB = 4;

/** The indentation of a continued line. */
const CONTINUED = 14;

/** The maximum number of characters of a line. */
const LONGEST = 1_000_000;

export function layOutCode(block: BlockOf<"code">, context: LayoutContext): Iterable<Strip> {
  const title = toPrintableLine(readString(getData(block).title), MAX_TITLE);
  const padding = { left: 11, right: 11, top: title ? 6 : 8, bottom: 8 };
  const inner = createInnerContext(context, padding.left, padding.right);
  return wrapInFrame(
    layOutCodeContent(title, block, inner),
    context.width,
    padding,
    context.space + 2,
    (sheet, area) => {
      const { left, top, width, height } = extendArea(area);
      sheet.fillBox(left, top, width, height, COLORS.wash, 4);
      sheet.strokeBox(left, top, width, height, COLORS.line, 4, 0.6);
    },
  );
}

function* layOutCodeContent(title: string, block: BlockOf<"code">, context: LayoutContext): Generator<Strip> {
  const { typeset, width } = context;
  if (title) {
    const runs = fitText(typeset, title, createTextStyle(SIZES.small, { isBold: true, color: COLORS.muted }), width);
    yield createStrip({
      height: 21,
      after: 3,
      staysWithNext: true,
      draw: (sheet, left, top) => {
        drawLine(sheet, runs, left, top + 12, SIZES.small.size);
        sheet.drawLine(
          [
            [left - 11, top + 20],
            [left + width + 11, top + 20],
          ],
          COLORS.line,
          0.6,
        );
      },
    });
  }
  const children = findChildren(block, "code-line");
  const lines =
    children.length === 0
      ? getPlainText(block)
          .split("\n")
          .map((text) => ({ text, isHighlighted: false }))
      : children.flatMap((line) => {
          const isHighlighted = getData(line).highlighted === true;
          const text = getRawText(line, LONGEST).replace(/\n$/, "");
          return text.split("\n").map((part) => ({ text: part, isHighlighted }));
        });
  const hasNumbers = getData(block).lineNumbers === true;
  const gutter = hasNumbers ? String(lines.length).length * size * 0.62 + 12 : 0;
  for (const [index, { text, isHighlighted }] of lines.entries()) {
    const label = hasNumbers ? String(index + 1) : "";
    const number = label ? shapeText(typeset, label, { ...STYLE, color: COLORS.faint }) : [];
    for (const [at, runs] of breakCodeLine(typeset, toPrintableText(text).trimEnd(), width - gutter).entries()) {
      yield createStrip({
        height: leading,
        base: leading * 0.74,
        staysWithNext: index === 0 || index === lines.length - 2,
        draw: (sheet, left, top) => {
          const y = top + leading * 0.74;
          if (isHighlighted) sheet.fillBox(left - 11, top, width + 22, leading, COLORS.highlight);
          if (at === 0) drawLine(sheet, number, left + gutter - 12 - sumWidths(number), y, size);
          drawLine(sheet, runs, left + gutter + (at > 0 ? CONTINUED : 0), y, size);
        },
      });
    }
  }
}

/** Breaks a line of code into printed lines, before a word if possible, or else between characters. */
function breakCodeLine(typeset: Typeset, text: string, width: number): TextLinePiece[][] {
  // A tab is as wide as the spaces up to the next tab stop.
  const [first = "", ...rest] = text.split("\t");
  const expanded = rest.reduce((line, part) => line + " ".repeat(TAB - (line.length % TAB)) + part, first);
  const lines: TextLinePiece[][] = [[]];
  let used = 0;
  const add = (runs: readonly GlyphRun[]) => {
    lines.at(-1)!.push(...runs);
    used += sumWidths(runs);
  };
  const end = () => {
    lines.push([]);
    used = CONTINUED;
  };
  for (const [word] of expanded.matchAll(/\s{1,80}|\S{1,80}/gu)) {
    const runs = shapeText(typeset, word, STYLE);
    const needed = sumWidths(runs);
    if (used + needed <= width) add(runs);
    else if (needed <= (width - CONTINUED) / 2) {
      end();
      if (word.trim()) add(runs);
    } else
      for (const character of word) {
        const run = shapeText(typeset, character, STYLE);
        if (used + sumWidths(run) > width) end();
        add(run);
      }
    if (lines.length > MAX_LINES) break;
  }
  return lines.map(mergePieces);
}
