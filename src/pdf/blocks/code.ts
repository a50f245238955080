// Code in a monospaced font, with all of its lines. A line that is too long continues below, slightly indented.

import type { BlockOf } from "../../content/document";
import { createStrip, type Strip } from "../flow/strip";
import type { Typeset } from "../fonts/typeset";
import { MAX_LINES, MAX_TITLE } from "../limits";
import { fitText } from "../text/fit-text";
import { createTextStyle } from "../text/items";
import { mergePieces, sumWidths } from "../text/lines";
import type { TextLinePiece } from "../text/paragraph";
import { toPrintableText, toSingleLine } from "../text/printable";
import { type GlyphRun, shapeText } from "../text/runs";
import { COLORS, SIZES } from "../theme";
import { encloseStrips, extendArea, findChildren } from "./containers";
import { createInnerContext, type LayoutContext } from "./layout-context";
import { drawLine } from "./paragraphs";
import { getData, getPlainText, getRawText, toText } from "./read-document";

const { size, leading } = SIZES.code;
const STYLE = createTextStyle(SIZES.code, { isMono: true });

/** The columns between two tab stops. */
const TAB = 4;

/** The indentation of a continued line. */
const CONTINUED = 14;

/** The maximum number of characters of a line. */
const LONGEST = 1_000_000;

/** Lays out a block of code. */
export function* layOutCode(block: BlockOf<"code">, context: LayoutContext): Generator<Strip> {
  const title = toSingleLine(toText(getData(block).title), MAX_TITLE);
  const padding = { left: 11, right: 11, top: title ? 6 : 8, bottom: 8 };
  const inner = createInnerContext(context, padding.left, padding.right);
  yield* encloseStrips(
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

function* layOutCodeContent(title: string, block: BlockOf<"code">, inner: LayoutContext): Generator<Strip> {
  if (title) yield createCodeTitle(title, inner);
  const lines = getCodeLines(block);
  const numbered = getData(block).lineNumbers === true;
  const gutter = numbered ? String(lines.length).length * size * 0.62 + 12 : 0;
  for (const [at, line] of lines.entries()) {
    const isAtEdge = at === 0 || at === lines.length - 2;
    const label = numbered ? String(at + 1) : undefined;
    for (const it of layOutCodeLine(line, label, gutter, inner)) yield isAtEdge ? { ...it, staysWithNext: true } : it;
  }
}

function createCodeTitle(title: string, { typeset, width }: LayoutContext): Strip {
  const runs = fitText(typeset, title, createTextStyle(SIZES.small, { isBold: true, color: COLORS.muted }), width);
  return createStrip({
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

interface CodeLine {
  readonly text: string;
  readonly isHighlighted: boolean;
}

function getCodeLines(block: BlockOf<"code">): CodeLine[] {
  const children = findChildren(block, "code-line");
  if (children.length === 0)
    return getPlainText(block)
      .split("\n")
      .map((text) => ({ text, isHighlighted: false }));
  return children.flatMap((line) => {
    const text = getRawText(line, LONGEST).replace(/\n$/, "");
    return text.split("\n").map((part) => ({ text: part, isHighlighted: getData(line).highlighted === true }));
  });
}

function* layOutCodeLine(
  { text, isHighlighted }: CodeLine,
  label: string | undefined,
  gutter: number,
  inner: LayoutContext,
): Generator<Strip> {
  const width = inner.width - gutter;
  for (const [at, runs] of breakCodeLine(inner.typeset, expandTabs(toPrintableText(text).trimEnd()), width).entries()) {
    const number = at === 0 && label ? shapeText(inner.typeset, label, { ...STYLE, color: COLORS.faint }) : [];
    yield createStrip({
      height: leading,
      base: leading * 0.74,
      draw: (sheet, left, top) => {
        if (isHighlighted) sheet.fillBox(left - 11, top, inner.width + 22, leading, COLORS.highlight);
        drawLine(sheet, number, left + gutter - 12 - sumWidths(number), top + leading * 0.74, size);
        drawLine(sheet, runs, left + gutter + (at > 0 ? CONTINUED : 0), top + leading * 0.74, size);
      },
    });
  }
}

/** Replaces tabs by the spaces up to the next tab stop. */
function expandTabs(text: string): string {
  const [first = "", ...rest] = text.split("\t");
  return rest.reduce((line, part) => line + " ".repeat(TAB - (line.length % TAB)) + part, first);
}

/** Breaks a line of code into printed lines, before a word if possible, or else between characters. */
function breakCodeLine(typeset: Typeset, text: string, width: number): TextLinePiece[][] {
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
  for (const [word] of text.matchAll(/\s{1,80}|\S{1,80}/gu)) {
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
