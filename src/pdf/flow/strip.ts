// Strips: the horizontal pieces that a laid-out document consists of, from top to bottom. A strip knows its height and how
// to draw itself, and is never split unless it defines how.

import type { Sheet } from "../file/sheet";

/** A piece of a document. Its width is known to the code that created it. */
export interface Strip {
  readonly height: number;
  /** The space above and below. Between two strips, the larger value counts. */
  readonly before: number;
  readonly after: number;
  /** True if the strip must not be the last on a sheet. */
  readonly staysWithNext: boolean;
  /** The frames around the strip and its neighbors, outermost first. */
  readonly frames: readonly FramePart[];
  /** The distance from the top to the base line of its text, if it has any. */
  readonly base?: number | undefined;
  /** Draws the strip with its upper left corner at a point. */
  draw(sheet: Sheet, left: number, top: number): void;
  /** Splits the strip so that the first part fits into `room`. Returns undefined if it cannot be split there. */
  split?: ((room: number) => readonly [Strip, Strip] | undefined) | undefined;
  /** The strip that is repeated above when this one is the first on a sheet. */
  readonly heading?: Strip | undefined;
}

/** A decoration around consecutive strips: a background, a border, a bar. It is drawn again on every sheet. */
export interface StripFrame {
  readonly width: number;
  draw(sheet: Sheet, area: FrameArea): void;
}

export interface FrameArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** True if the frame began on an earlier sheet. */
  readonly continuesFromAbove: boolean;
  /** True if the frame continues on the next sheet. */
  readonly continuesBelow: boolean;
}

/** A frame around a strip, and its distance from the strip's left edge. */
export interface FramePart {
  readonly frame: StripFrame;
  readonly left: number;
}

export function createStrip(given: Pick<Strip, "height" | "draw"> & Partial<Strip>): Strip {
  return { before: 0, after: 0, staysWithNext: false, frames: [], ...given };
}

export function createGap(height: number, given: Partial<Strip> = {}): Strip {
  return createStrip({ height, draw: () => {}, ...given });
}

export function moveStrip(strip: Strip, by: number): Strip {
  if (by === 0) return strip;
  return mapStrip(strip, (part) => ({
    ...part,
    frames: part.frames.map(({ frame, left }) => ({ frame, left: left + by })),
    draw: (sheet, left, top) => part.draw(sheet, left + by, top),
  }));
}

/** Puts a strip into a frame that begins at its left edge. */
export function addFrame(strip: Strip, frame: StripFrame): Strip {
  return mapStrip(strip, (part) => ({ ...part, frames: [{ frame, left: 0 }, ...part.frames] }));
}

/** Draws a decoration beside the first line of a strip. */
export type DrawMark = (sheet: Sheet, left: number, top: number, base: number | undefined) => void;

/** Adds a decoration at the beginning of a strip. If the strip is split, only the first part has it. */
export function decorateStrip(strip: Strip, mark: DrawMark): Strip {
  return {
    ...strip,
    draw: (sheet, left, top) => {
      mark(sheet, left, top, strip.base);
      strip.draw(sheet, left, top);
    },
    split:
      strip.split &&
      ((room) => {
        const halves = strip.split!(room);
        return halves && [decorateStrip(halves[0], mark), halves[1]];
      }),
  };
}

/** Changes a strip, the parts that it is split into, and its repeated heading. */
function mapStrip(strip: Strip, change: (part: Strip) => Strip): Strip {
  const changed = change(strip);
  return {
    ...changed,
    split:
      strip.split &&
      ((room) => {
        const halves = strip.split!(room);
        return halves && [mapStrip(halves[0], change), mapStrip(halves[1], change)];
      }),
    heading: strip.heading && mapStrip(strip.heading, change),
  };
}

/** Returns the space between two strips. */
export function getGap(upper: Strip | undefined, lower: Strip): number {
  return upper ? Math.max(upper.after, lower.before) : 0;
}

export function getStackHeight(strips: readonly Strip[]): number {
  let height = 0;
  for (let at = 0; at < strips.length; at++) height += getGap(strips[at - 1], strips[at]!) + strips[at]!.height;
  return height;
}
