// Draws strips below one another, with the frames around them: the frames first, the outer ones before the inner ones.

import type { Sheet } from "../file/sheet";
import { type Frame, getGap, type Strip } from "./strip";

interface Open {
  readonly frame: Frame;
  readonly depth: number;
  readonly left: number;
  readonly top: number;
  bottom: number;
}

/** Frames that were drawn before, and so continue from an earlier sheet. */
const begun = new WeakSet<Frame>();

/** Draws strips. `next` is the first strip of the following sheet. */
export function drawStack(sheet: Sheet, strips: readonly Strip[], left: number, top: number, next?: Strip): void {
  let y = top;
  const tops = strips.map((it, at) => {
    const start = y + getGap(strips[at - 1], it);
    y = start + it.height;
    return start;
  });
  const goesOn = new Set(next?.frames.map(({ frame }) => frame));
  for (const { frame, left: inset, top: start, bottom } of framesOf(strips, tops)) {
    const area = { left: left + inset, top: start, width: frame.width, height: bottom - start };
    frame.draw(sheet, { ...area, continuesFromAbove: begun.has(frame), continuesBelow: goesOn.has(frame) });
    begun.add(frame);
  }
  for (let at = 0; at < strips.length; at++) strips[at]!.draw(sheet, left, tops[at]!);
}

function framesOf(strips: readonly Strip[], tops: readonly number[]): Open[] {
  const open = new Map<Frame, Open>();
  for (let at = 0; at < strips.length; at++) {
    const it = strips[at]!;
    const top = tops[at]!;
    for (let depth = 0; depth < it.frames.length; depth++) {
      const { frame, left } = it.frames[depth]!;
      const known = open.get(frame);
      if (known) known.bottom = top + it.height;
      else open.set(frame, { frame, depth, left, top, bottom: top + it.height });
    }
  }
  return [...open.values()].sort((a, b) => a.depth - b.depth);
}
