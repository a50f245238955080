// Lays out paragraphs as strips, one for each line of text.

import type { Sheet } from "../file/sheet";
import type { Strip } from "../flow/strip";
import type { PdfLinkTarget } from "../targets";
import { breakLines, type TextLine } from "../text/lines";
import type { TextLinePiece } from "../text/paragraph";
import { drawRun, type InlineItem } from "../text/runs";
import { COLORS, type TextSize } from "../theme";
import type { LayoutContext } from "./layout-context";

export interface ParagraphStyle {
  readonly size: TextSize;
  /** "end" is the right for text that begins at the left. */
  readonly align?: unknown;
  readonly before?: number;
  readonly after?: number;
  readonly staysWithNext?: boolean;
}

/** Lays out items as a paragraph. A line is never alone on a sheet, unless it is the only one. */
export function layOutParagraph(items: readonly InlineItem[], context: LayoutContext, style: ParagraphStyle): Strip[] {
  return [...layOutLines(items, context, style)];
}

const NO_FRAMES: Strip["frames"] = [];

/** Lays out a paragraph line by line, because it may be longer than all sheets. */
export function* layOutLines(
  items: readonly InlineItem[],
  context: LayoutContext,
  style: ParagraphStyle,
): Generator<Strip> {
  const waiting: TextLine[] = [];
  let at = 0;
  const createLineStrip = (line: TextLine, following: number): Strip => {
    const { size, leading } = style.size;
    let [tallest, deepest] = [0, 0];
    for (const piece of line.pieces) {
      if (!("box" in piece)) continue;
      tallest = Math.max(tallest, piece.box.height);
      deepest = Math.max(deepest, piece.box.depth ?? 0);
    }
    const below = Math.max((leading - size) / 2 + size * 0.22, deepest + 2);
    const base = Math.max(leading - below, tallest + 1);
    const free = Math.max(0, context.width - line.width);
    const left = style.align === "center" ? free / 2 : (style.align === "end") !== line.isRightToLeft ? free : 0;
    return {
      height: base + below,
      before: at === 0 ? (style.before ?? 0) : 0,
      after: following === 0 ? (style.after ?? 0) : 0,
      // The first two and the last two lines stay together.
      staysWithNext:
        following === 0 ? (style.staysWithNext ?? false) : at === 0 || following === 1 || style.staysWithNext === true,
      frames: NO_FRAMES,
      base,
      draw: (sheet, x, y) => drawLine(sheet, line.pieces, x + left, y + base, size),
    };
  };
  for (const line of breakLines(context.typeset, items, context.width)) {
    waiting.push(line);
    if (waiting.length <= 2) continue;
    yield createLineStrip(waiting.shift()!, 2);
    at++;
  }
  for (let line = waiting.shift(); line; line = waiting.shift()) {
    yield createLineStrip(line, waiting.length);
    at++;
  }
}

/** Draws the pieces of a line. `y` is the base line. */
export function drawLine(sheet: Sheet, pieces: readonly TextLinePiece[], left: number, y: number, size: number): void {
  // All backgrounds come first, because a letter may reach over the background of the next piece.
  let x = left;
  for (const piece of pieces) {
    if (!("box" in piece) && piece.style.background) {
      const { style, width } = piece;
      sheet.fillBox(x - 1.5, y - style.size * 0.95, width + 3, style.size * 1.3, piece.style.background, 2);
    }
    x += piece.width;
  }

  let link: { readonly target: PdfLinkTarget; readonly from: number } | undefined;
  const close = () => {
    if (link) {
      const { target, from } = link;
      sheet.drawLine(
        [
          [from, y + size * 0.16],
          [x, y + size * 0.16],
        ],
        COLORS.accent,
        0.35,
      );
      sheet.addLink({ left: from, right: x, top: y - size, bottom: y + size * 0.35, target });
    }
    link = undefined;
  };
  x = left;
  for (const piece of pieces) {
    const target = "box" in piece ? piece.box.target : piece.style.target;
    if (target !== link?.target) close();
    if (target && !link) link = { target, from: x };
    if ("box" in piece) piece.box.draw(sheet, x, y - piece.box.height);
    else drawRun(sheet, piece, x, y);
    x += piece.width;
  }
  close();
}
