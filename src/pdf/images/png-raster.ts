// The pixels of a PNG: inflated within bounds, without their filters, and out of the seven passes if they come in those.

import { Unzlib } from "fflate";
import { MAX_IMAGE_RASTER } from "../limits";
import type { PngHead } from "./png-chunks";

/** Packed bytes that are inflated at a time, so that a zip bomb is noticed before it has grown. */
const STEP = 16 * 1024;

/** Where the pixels of each of the seven passes are. */
const PASSES = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** How many samples a pixel has. */
export function samplesPerPixel({ colourType }: PngHead): number {
  return ({ 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as Record<number, number>)[colourType] ?? 1;
}

/** The pixels, row by row without filters; undefined when they are incomplete. If only completeness is asked, they are
 * left as they are. */
export function unpackRaster(head: PngHead, packed: Uint8Array, needsPixels: boolean): Uint8Array | undefined {
  const bits = samplesPerPixel(head) * head.depth;
  const passes = head.isInterlaced ? PASSES : [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
  const sizes = passes.map(({ x, y, stepX, stepY }) => ({
    width: Math.max(0, Math.ceil((head.width - x) / stepX)),
    height: Math.max(0, Math.ceil((head.height - y) / stepY)),
  }));
  const rowBytes = (width: number) => Math.ceil((width * bits) / 8);
  const filteredSize = ({ width, height }: { width: number; height: number }) =>
    width === 0 ? 0 : (rowBytes(width) + 1) * height;
  const expected = sizes.reduce((sum, size) => sum + filteredSize(size), 0);
  if (expected > MAX_IMAGE_RASTER) return undefined;
  const filtered = inflate(packed, expected);
  if (!filtered || !needsPixels) return filtered;
  if (!head.isInterlaced) return unfilter(filtered, rowBytes(head.width), head.height, bits);
  const whole = new Uint8Array(rowBytes(head.width) * head.height);
  let at = 0;
  for (const [pass, size] of sizes.entries()) {
    const end = at + filteredSize(size);
    if (end > at) {
      const part = unfilter(filtered.subarray(at, end), rowBytes(size.width), size.height, bits);
      spread(part, size, whole, rowBytes(head.width), PASSES[pass]!, bits);
    }
    at = end;
  }
  return whole;
}

/** Inflates to exactly this many bytes; undefined when there are fewer. Further bytes are ignored. */
function inflate(packed: Uint8Array, expected: number): Uint8Array | undefined {
  const whole = new Uint8Array(expected);
  let length = 0;
  const stream = new Unzlib((part) => {
    whole.set(part.subarray(0, expected - length), length);
    length = Math.min(expected, length + part.length);
  });
  for (let at = 0; at < packed.length && length < expected; at += STEP)
    stream.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
  return length === expected ? whole : undefined;
}

/** Undoes the filters of rows: each byte was written as the difference to its neighbours. */
function unfilter(filtered: Uint8Array, rowBytes: number, height: number, bits: number): Uint8Array {
  const pixels = new Uint8Array(rowBytes * height);
  const back = Math.max(1, bits >> 3);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (rowBytes + 1)]!;
    const from = y * (rowBytes + 1) + 1;
    const to = y * rowBytes;
    for (let x = 0; x < rowBytes; x++) {
      const left = x >= back ? pixels[to + x - back]! : 0;
      const up = y > 0 ? pixels[to + x - rowBytes]! : 0;
      const corner = x >= back && y > 0 ? pixels[to + x - rowBytes - back]! : 0;
      pixels[to + x] = filtered[from + x]! + predicted(filter, left, up, corner);
    }
  }
  return pixels;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Puts the pixels of a pass where they belong in the whole. */
function spread(
  part: Uint8Array,
  size: { readonly width: number; readonly height: number },
  whole: Uint8Array,
  wholeRow: number,
  pass: (typeof PASSES)[number],
  bits: number,
): void {
  const partRow = Math.ceil((size.width * bits) / 8);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const row = (pass.y + y * pass.stepY) * wholeRow;
      const column = pass.x + x * pass.stepX;
      if (bits >= 8) {
        const bytes = bits >> 3;
        for (let at = 0; at < bytes; at++) whole[row + column * bytes + at] = part[y * partRow + x * bytes + at]!;
      } else {
        const value = (part[y * partRow + ((x * bits) >> 3)]! >> (8 - bits - ((x * bits) & 7))) & (2 ** bits - 1);
        const target = row + ((column * bits) >> 3);
        whole[target] = whole[target]! | (value << (8 - bits - ((column * bits) & 7)));
      }
    }
}
