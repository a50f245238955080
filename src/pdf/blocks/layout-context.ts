// The context that a block is laid out in: its place, its width and the style of its text; with paragraphs and containers in it.

import type { Block, ContentRef } from "../../content/document";
import type { PrintJob } from "../../content/print-job";
import type { Sheet } from "../file/sheet";
import {
  addFrame,
  createGap,
  type DrawMark,
  decorateStrip,
  type FrameArea,
  moveStrip,
  type Strip,
  type StripFrame,
} from "../flow/strip";
import type { Typeset } from "../fonts/typeset";
import type { FormulaParser } from "../formulas/parse-formula";
import type { Album } from "../images/album";
import { getPlaceName, type PdfLinkTarget, sanitizeUrl } from "../targets";
import { breakLines, type TextLine } from "../text/lines";
import type { TextLinePiece } from "../text/paragraph";
import { drawRun, type InlineItem } from "../text/runs";
import { COLORS, MIN_TEXT_WIDTH, type PdfColor, type TextSize } from "../theme";
import type { PrinterMessages } from "../words";
import { getBaseStyle, toInlineItems } from "./inline-items";
import type { PageNotes } from "./notes";
import { getBlocks, getPhrasing } from "./read-document";

/** The place and the style of blocks. */
export interface LayoutContext {
  readonly job: PrintJob;
  readonly typeset: Typeset;
  readonly album: Album;
  readonly words: PrinterMessages;
  /** Parses formulas, if the page has any. */
  readonly formulas: FormulaParser | undefined;
  /** The printed page of the content. */
  readonly page: { readonly id: string; readonly depth: number };
  /** The titles of pages that were printed. */
  readonly titles: ReadonlyMap<string, string>;
  readonly notes: PageNotes;
  readonly width: number;
  readonly size: TextSize;
  readonly color: PdfColor;
  readonly isBold: boolean;
  /** The default alignment of paragraphs. */
  readonly align?: "center" | "end" | undefined;
  /** The space around a paragraph. */
  readonly space: number;
  /** The number of blocks around this one. */
  readonly depth: number;
  /** The number of lists around this block. */
  readonly lists: number;
  readonly layOutBlocks: (blocks: readonly Block[], context: LayoutContext) => Iterable<Strip>;
}

/** Creates the context inside of a block that takes space at the left and at the right. */
export function createInnerContext(
  context: LayoutContext,
  left: number,
  right: number,
  changes: Partial<LayoutContext> = {},
): LayoutContext {
  return { ...context, width: context.width - left - right, depth: context.depth + 1, ...changes };
}

/** Returns the wanted indentation, or none if too little width would be left. */
export function getIndentation(context: LayoutContext, wanted: number): number {
  return context.width - wanted >= MIN_TEXT_WIDTH ? wanted : 0;
}

/** Resolves a reference on the printed page. Returns undefined if it has no target. */
export function resolveReferenceTarget(ref: ContentRef | undefined, context: LayoutContext): PdfLinkTarget | undefined {
  if (typeof ref !== "object" || ref === null) return undefined;
  // A reference that names a space points outside of the printed one.
  let place: string | undefined;
  if (ref.kind === "page" && ref.space === undefined) place = getPlaceName(ref.page);
  if (ref.kind === "anchor" && ref.space === undefined) place = getPlaceName(ref.page ?? context.page.id, ref.anchor);
  const url = sanitizeUrl(ref.kind === "url" ? ref.url : context.job.url(ref));
  return place === undefined && url === undefined ? undefined : { place, url };
}

/** Returns the name of a reference: that of the job, a title that was printed, or its URL. */
export function getReferenceName(ref: ContentRef | undefined, context: LayoutContext): string | undefined {
  if (typeof ref !== "object" || ref === null) return undefined;
  const own = context.job.name?.(ref) || (ref.kind === "page" && context.titles.get(ref.page));
  return own || resolveReferenceTarget(ref, context)?.url;
}

/** Lays out the content of a node: its blocks, or its text as a paragraph. */
export function layOutContent(node: unknown, context: LayoutContext): Iterable<Strip> {
  const blocks = getBlocks(node);
  if (blocks.length > 0) return context.layOutBlocks(blocks, context);
  const items = toInlineItems(getPhrasing(node), context, getBaseStyle(context));
  return layOutLines(items, context, { size: context.size, before: context.space, after: context.space });
}

/** Joins strips, each of which is laid out when it is needed. */
export function* joinStrips(parts: readonly Iterable<Strip>[]): Generator<Strip> {
  for (const part of parts) yield* part;
}

/** Adds a decoration at the beginning of the first strip. */
export function* decorateFirst(strips: Iterable<Strip>, mark: DrawMark): Generator<Strip> {
  let isFirst = true;
  for (const strip of strips) {
    yield isFirst ? decorateStrip(strip, mark) : strip;
    isFirst = false;
  }
}

export function findChildren<Type extends Block["type"]>(block: unknown, type: Type): Extract<Block, { type: Type }>[] {
  return getBlocks(block).filter((child): child is Extract<Block, { type: Type }> => child.type === type);
}

/** Replaces the space above the first and below the last strip. */
export function* replaceOuterSpace(strips: Iterable<Strip>, before: number, after: number): Generator<Strip> {
  let held: Strip | undefined;
  for (const strip of strips) {
    if (held) yield held;
    held = held ? strip : { ...strip, before };
  }
  if (held) yield { ...held, after };
}

/** The space inside a frame. */
interface Padding {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Puts strips into a frame. Without strips there is no frame. */
export function* wrapInFrame(
  strips: Iterable<Strip>,
  width: number,
  { left, top, bottom }: Padding,
  space: number,
  draw: (sheet: Sheet, area: FrameArea) => void,
): Generator<Strip> {
  const frame: StripFrame = { width, draw };
  let held: Strip | undefined;
  for (const strip of strips) {
    const inner = addFrame(moveStrip(strip, left), frame);
    if (held) yield held;
    else
      yield addFrame(
        createGap(top, { before: space, staysWithNext: true, base: strip.base && top + strip.base }),
        frame,
      );
    held = held ? inner : { ...inner, before: 0 };
  }
  if (!held) return;
  yield { ...held, after: 0, staysWithNext: true };
  yield addFrame(createGap(bottom, { after: space }), frame);
}

/** Extends the area of a frame where it continues on another sheet, so that text does not touch its edge. */
export function extendArea(area: FrameArea): FrameArea {
  const up = area.continuesFromAbove ? 5 : 0;
  const down = area.continuesBelow ? 5 : 0;
  return { ...area, top: area.top - up, height: area.height + up + down };
}

interface ParagraphStyle {
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
