// Code in fixed width, with every line kept. A line that is too long continues below, slightly indented.

import type { BlockOf } from "../../content/document";
import { type Strip, strip } from "../flow/strip";
import type { Typeset } from "../fonts/typeset";
import { MAX_LINES, MAX_TITLE } from "../limits";
import { COLOURS, SIZES } from "../look";
import { oneLine, printable } from "../text/clean";
import { fitted } from "../text/fitted";
import { plain } from "../text/items";
import { together, widthOf } from "../text/lines";
import type { Piece } from "../text/paragraph";
import { type Run, setRuns } from "../text/runs";
import { bled, childrenOf, enclosed } from "./containers";
import { drawLine } from "./paragraphs";
import { dataOf, plainText, textIn, writtenText } from "./reading";
import { inside, type Setting } from "./setting";

const { size, leading } = SIZES.code;
const STYLE = plain(SIZES.code, { isMono: true });

/** Columns from one tab stop to the next. */
const TAB = 4;

/** The indentation of a continued line. */
const CONTINUED = 14;

/** Characters of a line. */
const LONGEST = 1_000_000;

/** A block of code. */
export function* code(block: BlockOf<"code">, setting: Setting): Generator<Strip> {
  const title = oneLine(textIn(dataOf(block).title), MAX_TITLE);
  const padding = { left: 11, right: 11, top: title ? 6 : 8, bottom: 8 };
  const inner = inside(setting, padding.left, padding.right);
  yield* enclosed(withTitle(title, block, inner), setting.width, padding, setting.space + 2, (sheet, area) => {
    const { left, top, width, height } = bled(area);
    sheet.fillBox(left, top, width, height, COLOURS.wash, 4);
    sheet.strokeBox(left, top, width, height, COLOURS.line, 4, 0.6);
  });
}

function* withTitle(title: string, block: BlockOf<"code">, inner: Setting): Generator<Strip> {
  if (title) yield titleStrip(title, inner);
  const lines = linesOf(block);
  const numbered = dataOf(block).lineNumbers === true;
  const gutter = numbered ? String(lines.length).length * size * 0.62 + 12 : 0;
  for (const [at, line] of lines.entries()) {
    const isAtEdge = at === 0 || at === lines.length - 2;
    const label = numbered ? String(at + 1) : undefined;
    for (const it of codeLine(line, label, gutter, inner)) yield isAtEdge ? { ...it, staysWithNext: true } : it;
  }
}

function titleStrip(title: string, { typeset, width }: Setting): Strip {
  const runs = fitted(typeset, title, plain(SIZES.small, { isBold: true, colour: COLOURS.muted }), width);
  return strip({
    height: 21,
    after: 3,
    staysWithNext: true,
    draw: (sheet, left, top) => {
      drawLine(sheet, runs, left, top + 12, SIZES.small.size);
      sheet.line(
        [
          [left - 11, top + 20],
          [left + width + 11, top + 20],
        ],
        COLOURS.line,
        0.6,
      );
    },
  });
}

interface CodeLine {
  readonly text: string;
  readonly isHighlighted: boolean;
}

function linesOf(block: BlockOf<"code">): CodeLine[] {
  const children = childrenOf(block, "code-line");
  if (children.length === 0)
    return plainText(block)
      .split("\n")
      .map((text) => ({ text, isHighlighted: false }));
  return children.flatMap((line) => {
    const text = writtenText(line, LONGEST).replace(/\n$/, "");
    return text.split("\n").map((part) => ({ text: part, isHighlighted: dataOf(line).highlighted === true }));
  });
}

function* codeLine(
  { text, isHighlighted }: CodeLine,
  label: string | undefined,
  gutter: number,
  inner: Setting,
): Generator<Strip> {
  const width = inner.width - gutter;
  for (const [at, runs] of broken(inner.typeset, withoutTabs(printable(text).trimEnd()), width).entries()) {
    const number = at === 0 && label ? setRuns(inner.typeset, label, { ...STYLE, colour: COLOURS.faint }) : [];
    yield strip({
      height: leading,
      base: leading * 0.74,
      draw: (sheet, left, top) => {
        if (isHighlighted) sheet.fillBox(left - 11, top, inner.width + 22, leading, COLOURS.highlight);
        drawLine(sheet, number, left + gutter - 12 - widthOf(number), top + leading * 0.74, size);
        drawLine(sheet, runs, left + gutter + (at > 0 ? CONTINUED : 0), top + leading * 0.74, size);
      },
    });
  }
}

/** Tabs as the spaces up to the next stop. */
function withoutTabs(text: string): string {
  const [first = "", ...rest] = text.split("\t");
  return rest.reduce((line, part) => line + " ".repeat(TAB - (line.length % TAB)) + part, first);
}

/** A line of code as printed lines: broken before a word if possible, else between characters. */
function broken(typeset: Typeset, text: string, width: number): Piece[][] {
  const lines: Piece[][] = [[]];
  let used = 0;
  const add = (runs: readonly Run[]) => {
    lines.at(-1)!.push(...runs);
    used += widthOf(runs);
  };
  const end = () => {
    lines.push([]);
    used = CONTINUED;
  };
  for (const [word] of text.matchAll(/\s{1,80}|\S{1,80}/gu)) {
    const runs = setRuns(typeset, word, STYLE);
    const needed = widthOf(runs);
    if (used + needed <= width) add(runs);
    else if (needed <= (width - CONTINUED) / 2) {
      end();
      if (word.trim()) add(runs);
    } else
      for (const character of word) {
        const run = setRuns(typeset, character, STYLE);
        if (used + widthOf(run) > width) end();
        add(run);
      }
    if (lines.length > MAX_LINES) break;
  }
  return lines.map(together);
}
