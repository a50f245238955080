// Draws strips below each other with their frames. Frames come first, outer ones before inner ones.

import type { Sheet } from "../file/sheet";
import { getGap, type Strip, type StripFrame } from "./strip";

interface LocatedFrame {
  readonly frame: StripFrame;
  readonly depth: number;
  readonly left: number;
  readonly top: number;
  bottom: number;
}

/** Frames that have been drawn on an earlier sheet, and so continue from above. */
const startedFrames = new WeakSet<StripFrame>();

/** Draws strips. `next` is the first strip of the following sheet. */
export function drawStack(sheet: Sheet, strips: readonly Strip[], left: number, top: number, next?: Strip): void {
  let y = top;
  const tops = strips.map((strip, at) => {
    const start = y + getGap(strips[at - 1], strip);
    y = start + strip.height;
    return start;
  });
  const goesOn = new Set(next?.frames.map(({ frame }) => frame));
  const open = new Map<StripFrame, LocatedFrame>();
  for (let at = 0; at < strips.length; at++) {
    const strip = strips[at]!;
    const top = tops[at]!;
    for (let depth = 0; depth < strip.frames.length; depth++) {
      const { frame, left } = strip.frames[depth]!;
      const known = open.get(frame);
      if (known) known.bottom = top + strip.height;
      else open.set(frame, { frame, depth, left, top, bottom: top + strip.height });
    }
  }
  const frames = [...open.values()].sort((a, b) => a.depth - b.depth);
  for (const { frame, left: inset, top: start, bottom } of frames) {
    const area = { left: left + inset, top: start, width: frame.width, height: bottom - start };
    frame.draw(sheet, { ...area, continuesFromAbove: startedFrames.has(frame), continuesBelow: goesOn.has(frame) });
    startedFrames.add(frame);
  }
  for (let at = 0; at < strips.length; at++) strips[at]!.draw(sheet, left, tops[at]!);
}
