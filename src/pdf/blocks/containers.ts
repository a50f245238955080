// Helpers for containers: the space around them, their content, and the frame.

import type { Block } from "../../content/document";
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
import { getBaseStyle, toInlineItems } from "./inline-items";
import type { LayoutContext } from "./layout-context";
import { layOutLines } from "./paragraphs";
import { getBlocks, getPhrasing } from "./read-document";

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
export interface Padding {
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
