// Inflates the pixels of a PNG, undoes their filters, and merges the seven passes of interlaced pictures. The work is done in
// steps, so that a large picture doesn't block the event loop.

import { runSteps } from "../../utils/concurrency/event-loop";
import type { Steps } from "../../utils/concurrency/steps";
import { inflateInParts } from "../file/deflate";
import type { PngHeader } from "./png-chunks";

const PASSES = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** The number of bytes that are processed in one step. */
export const BYTES_PER_STEP = 512 * 1024;

/** Returns the number of bytes in a row, without its filter byte. */
export function countBytesPerRow(header: PngHeader, width = header.width): number {
  return Math.ceil((width * header.samples * header.depth) / 8);
}

export function countRasterBytes(header: PngHeader): number {
  return listPasses(header).reduce((sum, pass) => sum + pass.size, 0);
}

/**
 * Inflates rows, a few at a time, with their filter bytes. The rows of interlaced pictures are merged and have no filters. A
 * block is valid until the next one is requested. Throws if rows are missing.
 */
export async function* unpackRows(header: PngHeader, compressed: Uint8Array): AsyncGenerator<Uint8Array> {
  const stride = countBytesPerRow(header) + 1;
  const blockBytes = stride * Math.max(1, Math.floor(BYTES_PER_STEP / stride));
  if (header.isInterlaced) {
    const rows = new Uint8Array(countRasterBytes(header));
    let length = 0;
    for await (const part of inflateInParts(compressed)) {
      rows.set(part.subarray(0, rows.length - length), length);
      length += part.length;
      if (length >= rows.length) break;
    }
    if (length < rows.length) throw new RangeError("The picture ends too early.");
    const whole = await runSteps(mergePasses(header, rows));
    for (let at = 0; at < whole.length; at += blockBytes) yield whole.subarray(at, at + blockBytes);
    return;
  }
  let left = stride * header.height;
  let filled = 0;
  const block = new Uint8Array(Math.min(blockBytes, left));
  for await (const part of inflateInParts(compressed)) {
    for (let at = 0; at < part.length && left > 0; ) {
      const piece = part.subarray(at, at + Math.min(block.length, left) - filled);
      block.set(piece, filled);
      at += piece.length;
      filled += piece.length;
      if (filled < Math.min(block.length, left)) continue;
      yield block.subarray(0, filled);
      left -= filled;
      filled = 0;
    }
    if (left === 0) return;
  }
  throw new RangeError("The picture ends too early.");
}

/** Lists the passes of a picture with their sizes. Pictures that are not interlaced have one. */
function listPasses(header: PngHeader) {
  const passes = header.isInterlaced ? PASSES : [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
  return passes.map((pass) => {
    const width = Math.max(0, Math.ceil((header.width - pass.x) / pass.stepX));
    const height = Math.max(0, Math.ceil((header.height - pass.y) / pass.stepY));
    const row = countBytesPerRow(header, width);
    return { ...pass, width, height, row, size: width === 0 ? 0 : (row + 1) * height };
  });
}

/** Merges the passes of an interlaced picture into rows without filters. */
function* mergePasses(header: PngHeader, filtered: Uint8Array): Steps<Uint8Array> {
  const bits = header.samples * header.depth;
  const stride = countBytesPerRow(header) + 1;
  const whole = new Uint8Array(stride * header.height);
  let at = 0;
  for (const pass of listPasses(header)) {
    const rowsAtOnce = Math.max(1, Math.floor(BYTES_PER_STEP / Math.max(1, pass.row)));
    const rows = pass.size / (pass.row + 1);
    const part = new Uint8Array(pass.row * rows);
    for (let y = 0; y < rows; y++) {
      const start = at + y * (pass.row + 1) + 1;
      const row = filtered.subarray(start, start + pass.row);
      undoRowFilter(filtered[start - 1]!, row, part, y * pass.row, Math.max(1, bits >> 3));
      if (y % rowsAtOnce === rowsAtOnce - 1) yield;
    }
    // The pixels of the pass are copied to their positions in the picture.
    for (let y = 0; y < pass.height; y++) {
      const row = (pass.y + y * pass.stepY) * stride + 1;
      for (let x = 0; x < pass.width; x++) {
        const column = pass.x + x * pass.stepX;
        if (bits >= 8) {
          const bytes = bits >> 3;
          for (let at = 0; at < bytes; at++) whole[row + column * bytes + at] = part[y * pass.row + x * bytes + at]!;
        } else {
          const value = (part[y * pass.row + ((x * bits) >> 3)]! >> (8 - bits - ((x * bits) & 7))) & (2 ** bits - 1);
          const target = row + ((column * bits) >> 3);
          whole[target] = whole[target]! | (value << (8 - bits - ((column * bits) & 7)));
        }
      }
      if (y % rowsAtOnce === rowsAtOnce - 1) yield;
    }
    at += pass.size;
  }
  return whole;
}

/** Undoes the filters of blocks of rows. */
export class Unfilter {
  readonly #rowBytes: number;
  readonly #bytesPerPixel: number;
  /** The row above the block, followed by the rows of the block. */
  #pixels: Uint8Array;

  constructor(rowBytes: number, bytesPerPixel: number) {
    this.#rowBytes = rowBytes;
    this.#bytesPerPixel = Math.max(1, bytesPerPixel);
    this.#pixels = new Uint8Array(rowBytes);
  }

  /** Returns the pixels of a block of rows. They are valid until the next call. */
  next(filtered: Uint8Array): Uint8Array {
    const rowBytes = this.#rowBytes;
    const height = filtered.length / (rowBytes + 1);
    const above = this.#pixels.slice(-rowBytes);
    if (this.#pixels.length !== rowBytes * (height + 1)) this.#pixels = new Uint8Array(rowBytes * (height + 1));
    this.#pixels.set(above);
    for (let y = 0; y < height; y++) {
      const from = y * (rowBytes + 1) + 1;
      const row = filtered.subarray(from, from + rowBytes);
      undoRowFilter(filtered[from - 1]!, row, this.#pixels, (y + 1) * rowBytes, this.#bytesPerPixel);
    }
    return this.#pixels.subarray(rowBytes);
  }
}

/**
 * Creates a check that blocks of opacity rows are opaque. As long as they are, every neighbor of a byte is 255, so the filtered
 * value of the next opaque byte is known, and no filter has to be undone.
 */
export function createOpaqueCheck(rowBytes: number, bytesPerPixel: number): (filtered: Uint8Array) => boolean {
  let up = 0;
  return (filtered) => {
    for (let start = 0; start < filtered.length; start += rowBytes + 1) {
      const filter = filtered[start]!;
      // The filtered values of 255 for its left neighbor, which is missing or 255.
      const [first, next] = [0, 255].map((left) => {
        if (filter === 0) return 255;
        return 255 - (filter === 1 ? left : computePrediction(filter, left, up, Math.min(left, up)));
      });
      const firstEnd = start + 1 + bytesPerPixel;
      for (let at = start + 1; at < firstEnd; at++) if (filtered[at] !== first) return false;
      for (let at = firstEnd; at <= start + rowBytes; at++) if (filtered[at] !== next) return false;
      up = 255;
    }
    return true;
  };
}

/** Undoes the filter of a row, in which each byte is the difference to a prediction, and writes it after the row above it. */
function undoRowFilter(filter: number, row: Uint8Array, pixels: Uint8Array, to: number, back: number): void {
  const up = to - row.length;
  if (filter === 0) pixels.set(row, to);
  else if (filter === 1)
    for (let x = 0; x < row.length; x++) pixels[to + x] = row[x]! + (x < back ? 0 : pixels[to + x - back]!);
  else if (filter === 2 && up >= 0) for (let x = 0; x < row.length; x++) pixels[to + x] = row[x]! + pixels[up + x]!;
  else
    for (let x = 0; x < row.length; x++) {
      const left = x < back ? 0 : pixels[to + x - back]!;
      const upper = up < 0 ? 0 : pixels[up + x]!;
      const corner = x < back || up < 0 ? 0 : pixels[up + x - back]!;
      pixels[to + x] = row[x]! + computePrediction(filter, left, upper, corner);
    }
}

/** Predicts a byte from its neighbors, as the filter does. */
function computePrediction(filter: number, left: number, up: number, corner: number): number {
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return filter === 2 ? up : 0;
  // The Paeth filter uses the neighbor that is nearest to this estimate.
  const estimate = left + up - corner;
  const byLeft = Math.abs(estimate - left);
  const byUp = Math.abs(estimate - up);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
