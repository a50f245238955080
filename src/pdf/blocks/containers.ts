// What containers have in common: the space around them, what is inside, and the frame.

import type { Block } from "../../content/document";
import type { Sheet } from "../file/sheet";
import { type Frame, type FrameArea, framed, gap, moved, type Strip } from "../flow/strip";
import { setLines } from "./paragraphs";
import { baseStyle, itemsOf } from "./phrasing";
import { blocksIn, phrasingIn } from "./reading";
import type { Setting } from "./setting";

/** What stands inside a node: its blocks, or its text as a paragraph. */
export function* setContent(node: unknown, setting: Setting): Iterable<Strip> {
  const blocks = blocksIn(node);
  if (blocks.length > 0) yield* setting.set(blocks, setting);
  else {
    const items = itemsOf(phrasingIn(node), setting, baseStyle(setting));
    yield* setLines(items, setting, { size: setting.size, before: setting.space, after: setting.space });
  }
}

/** The blocks of a type among the children of a block. */
export function childrenOf<Type extends Block["type"]>(block: unknown, type: Type): Extract<Block, { type: Type }>[] {
  return blocksIn(block).filter((child): child is Extract<Block, { type: Type }> => child.type === type);
}

/** Strips with other spaces above the first and below the last. */
export function* spaced(strips: Iterable<Strip>, before: number, after: number): Generator<Strip> {
  let held: Strip | undefined;
  for (const it of strips) {
    if (held) yield held;
    held = held ? it : { ...it, before };
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

/** Strips inside a frame as wide as the setting. Nothing inside, no frame. */
export function* enclosed(
  strips: Iterable<Strip>,
  width: number,
  { left, top, bottom }: Padding,
  space: number,
  draw: (sheet: Sheet, area: FrameArea) => void,
): Generator<Strip> {
  const frame: Frame = { width, draw };
  let held: Strip | undefined;
  for (const it of strips) {
    const inner = framed(moved(it, left), frame);
    if (held) yield held;
    else yield framed(gap(top, { before: space, staysWithNext: true, base: it.base && top + it.base }), frame);
    held = held ? inner : { ...inner, before: 0 };
  }
  if (!held) return;
  yield { ...held, after: 0, staysWithNext: true };
  yield framed(gap(bottom, { after: space }), frame);
}

/** The area of a frame, with some room where it continues on another sheet, so that text does not touch its end. */
export function bled(area: FrameArea): FrameArea {
  const up = area.goesUp ? 5 : 0;
  const down = area.goesDown ? 5 : 0;
  return { ...area, top: area.top - up, height: area.height + up + down };
}
