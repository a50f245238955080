// What a document is made of once it is laid out: strips of paper that are put below one another. A strip knows its height
// and how to draw itself, and is never torn, except where it says how.

import type { Sheet } from "../file/sheet";

/** A strip of a width that whoever made it knows. */
export interface Strip {
  readonly height: number;
  /** The free space that it wants above and below; of two neighbours the larger wish counts. */
  readonly before: number;
  readonly after: number;
  /** Whether it must not be the last on a sheet. */
  readonly staysWithNext: boolean;
  /** What is drawn around it and its neighbours, outermost first. */
  readonly frames: readonly FramePart[];
  /** How far down the base line of its text is, if it has any. */
  readonly base?: number | undefined;
  /** Draws it with its upper left corner at a place. */
  draw(sheet: Sheet, left: number, top: number): void;
  /** Tears it so that the first part is no higher than there is room; undefined when it cannot be torn there. */
  tear?: ((room: number) => readonly [Strip, Strip] | undefined) | undefined;
  /** What is repeated above it when it is the first on a sheet. */
  readonly heading?: Strip | undefined;
}

/** Something around strips that follow one another: a ground, an edge, a bar. On every sheet it is drawn again. */
export interface Frame {
  readonly width: number;
  draw(sheet: Sheet, area: FrameArea): void;
}

/** Where a frame is on a sheet. */
export interface FrameArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Whether it began on an earlier sheet. */
  readonly goesUp: boolean;
  /** Whether it goes on on the next one. */
  readonly goesDown: boolean;
}

/** A frame around a strip, and how far it is from the strip's left edge. */
export interface FramePart {
  readonly frame: Frame;
  readonly left: number;
}

/** A strip with what it needs; the rest is as for most strips. */
export function strip(given: Pick<Strip, "height" | "draw"> & Partial<Strip>): Strip {
  return { before: 0, after: 0, staysWithNext: false, frames: [], ...given };
}

/** An empty strip. */
export function gap(height: number, given: Partial<Strip> = {}): Strip {
  return strip({ height, draw: () => {}, ...given });
}

/** A strip, further to the right. */
export function moved(it: Strip, by: number): Strip {
  if (by === 0) return it;
  return rewrapped(it, (part) => ({
    ...part,
    frames: part.frames.map(({ frame, left }) => ({ frame, left: left + by })),
    draw: (sheet, left, top) => part.draw(sheet, left + by, top),
  }));
}

/** A strip inside a frame, which begins at its left edge. */
export function framed(it: Strip, frame: Frame): Strip {
  return rewrapped(it, (part) => ({ ...part, frames: [{ frame, left: 0 }, ...part.frames] }));
}

/** A strip with something drawn beside its beginning; where it is torn, the rest has none. */
export function marked(
  it: Strip,
  mark: (sheet: Sheet, left: number, top: number, base: number | undefined) => void,
): Strip {
  return {
    ...it,
    draw: (sheet, left, top) => {
      mark(sheet, left, top, it.base);
      it.draw(sheet, left, top);
    },
    tear:
      it.tear &&
      ((room) => {
        const torn = it.tear!(room);
        return torn && [marked(torn[0], mark), torn[1]];
      }),
  };
}

/** Changes a strip, what it is torn into, and what is repeated above it. */
function rewrapped(it: Strip, change: (part: Strip) => Strip): Strip {
  const changed = change(it);
  return {
    ...changed,
    tear:
      it.tear &&
      ((room) => {
        const torn = it.tear!(room);
        return torn && [rewrapped(torn[0], change), rewrapped(torn[1], change)];
      }),
    heading: it.heading && rewrapped(it.heading, change),
  };
}

/** The free space between two strips. */
export function between(upper: Strip | undefined, lower: Strip): number {
  return upper ? Math.max(upper.after, lower.before) : 0;
}

/** The height of strips below one another. */
export function heightOf(strips: readonly Strip[]): number {
  let height = 0;
  for (let at = 0; at < strips.length; at++) height += between(strips[at - 1], strips[at]!) + strips[at]!.height;
  return height;
}
