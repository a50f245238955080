// The pixels of a PNG: as they were before they were packed, with their filters or without, and out of the seven passes if
// they come in those. Work on pixels goes in steps, so that a large picture holds nobody up.

import { runSteps } from "../../utils/concurrency/event-loop";
import { unpack, unpackInParts } from "../file/packing";
import type { PngHead } from "./png-chunks";

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
export function samplesPerPixel({ colorType }: PngHead): number {
  return ({ 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as Record<number, number>)[colorType] ?? 1;
}

/** Bytes that are worked on in one step. */
export const STEP = 512 * 1024;

/** The bytes of a row, without the one that names its filter. */
export function bytesPerRow(head: PngHead, width = head.width): number {
  return Math.ceil((width * samplesPerPixel(head) * head.depth) / 8);
}

/** Returns how many bytes a picture has when it is unpacked. */
export function rasterBytes(head: PngHead): number {
  return passesOf(head).reduce((sum, pass) => sum + pass.size, 0);
}

/**
 * Unpacks the rows as they are filtered, each with its filter before it, a few at a time; those of seven passes are put
 * together and have none. A block is valid until the next one is asked for. Throws when rows are missing.
 */
export async function* unpackRows(head: PngHead, packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const stride = bytesPerRow(head) + 1;
  const blockBytes = stride * Math.max(1, Math.floor(STEP / stride));
  if (head.isInterlaced) {
    const rows = await unpack(packed, rasterBytes(head));
    if (!rows) throw new RangeError("The picture ends too early.");
    const whole = await runSteps(together(head, rows));
    for (let at = 0; at < whole.length; at += blockBytes) yield whole.subarray(at, at + blockBytes);
    return;
  }
  let left = stride * head.height;
  let filled = 0;
  const block = new Uint8Array(Math.min(blockBytes, left));
  for await (const part of unpackInParts(packed)) {
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

type Pass = ReturnType<typeof passesOf>[number];

/** What each pass has; most pictures have one. */
function passesOf(head: PngHead) {
  const passes = head.isInterlaced ? PASSES : [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
  return passes.map((pass) => {
    const width = Math.max(0, Math.ceil((head.width - pass.x) / pass.stepX));
    const height = Math.max(0, Math.ceil((head.height - pass.y) / pass.stepY));
    const row = bytesPerRow(head, width);
    return { ...pass, width, height, row, size: width === 0 ? 0 : (row + 1) * height };
  });
}

function* together(head: PngHead, filtered: Uint8Array): Generator<void, Uint8Array> {
  const bits = samplesPerPixel(head) * head.depth;
  const stride = bytesPerRow(head) + 1;
  const whole = new Uint8Array(stride * head.height);
  let at = 0;
  for (const pass of passesOf(head)) {
    const part = yield* unfiltered(
      filtered.subarray(at, at + pass.size),
      pass.row,
      pass.size / (pass.row + 1),
      bits >> 3,
    );
    yield* spread(part, pass, whole, stride, bits);
    at += pass.size;
  }
  return whole;
}

/** Undoes the filters of rows that come block by block. */
export class Unfilter {
  readonly #rowBytes: number;
  readonly #bytesPerPixel: number;
  /** The row above the next one, and behind it the rows of a block. */
  #pixels: Uint8Array;

  constructor(rowBytes: number, bytesPerPixel: number) {
    this.#rowBytes = rowBytes;
    this.#bytesPerPixel = Math.max(1, bytesPerPixel);
    this.#pixels = new Uint8Array(rowBytes);
  }

  /** Returns the pixels of whole rows. They are valid until the next block is given. */
  next(filtered: Uint8Array): Uint8Array {
    const rowBytes = this.#rowBytes;
    const height = filtered.length / (rowBytes + 1);
    const above = this.#pixels.slice(-rowBytes);
    if (this.#pixels.length !== rowBytes * (height + 1)) this.#pixels = new Uint8Array(rowBytes * (height + 1));
    this.#pixels.set(above);
    for (let y = 0; y < height; y++) {
      const from = y * (rowBytes + 1) + 1;
      const row = filtered.subarray(from, from + rowBytes);
      undo(filtered[from - 1]!, row, this.#pixels, (y + 1) * rowBytes, this.#bytesPerPixel);
    }
    return this.#pixels.subarray(rowBytes);
  }
}

/**
 * Returns a check of rows of opacity that come block by block: whether all of them are opaque. As long as they are, every
 * neighbour of a byte is 255, so what each filter makes of the next one is known, and no filter has to be undone.
 */
export function createOpaqueCheck(rowBytes: number, bytesPerPixel: number): (filtered: Uint8Array) => boolean {
  let up = 0;
  return (filtered) => {
    for (let start = 0; start < filtered.length; start += rowBytes + 1) {
      const filter = filtered[start]!;
      const first = opaqueByte(filter, 0, up);
      const next = opaqueByte(filter, 255, up);
      const firstEnd = start + 1 + bytesPerPixel;
      for (let at = start + 1; at < firstEnd; at++) if (filtered[at] !== first) return false;
      for (let at = firstEnd; at <= start + rowBytes; at++) if (filtered[at] !== next) return false;
      up = 255;
    }
    return true;
  };
}

/** Returns how a filter writes 255 beside a byte to the left and one above, which are 255 or missing. */
function opaqueByte(filter: number, left: number, up: number): number {
  if (filter === 0) return 255;
  return 255 - (filter === 1 ? left : predicted(filter, left, up, Math.min(left, up)));
}

/** Undoes the filters of rows: each byte was written as the difference to its neighbours. */
function* unfiltered(
  filtered: Uint8Array,
  rowBytes: number,
  height: number,
  bytesPerPixel: number,
): Generator<void, Uint8Array> {
  const back = Math.max(1, bytesPerPixel);
  const pixels = new Uint8Array(rowBytes * height);
  const rowsAtOnce = Math.max(1, Math.floor(STEP / Math.max(1, rowBytes)));
  for (let y = 0; y < height; y++) {
    const from = y * (rowBytes + 1) + 1;
    undo(filtered[from - 1]!, filtered.subarray(from, from + rowBytes), pixels, y * rowBytes, back);
    if (y % rowsAtOnce === rowsAtOnce - 1) yield;
  }
  return pixels;
}

/** One row, which is written at a place behind the row above it. */
function undo(filter: number, row: Uint8Array, pixels: Uint8Array, to: number, back: number): void {
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
      pixels[to + x] = row[x]! + predicted(filter, left, upper, corner);
    }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 3) return (left + up) >> 1;
  return filter === 4 ? paeth(left, up, corner) : filter === 2 ? up : 0;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const byLeft = Math.abs(guess - left);
  const byUp = Math.abs(guess - up);
  const byCorner = Math.abs(guess - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Puts the pixels of a pass where they belong in the whole. */
function* spread(part: Uint8Array, pass: Pass, whole: Uint8Array, stride: number, bits: number): Generator<void> {
  const rowsAtOnce = Math.max(1, Math.floor(STEP / Math.max(1, pass.row)));
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
}
