// A pack as a list of entries. An entry has a head, for some deltas the base, and a deflated stream. Only the inflated
// size is stated, so the end of a stream is known only after inflating it.

import { bytesToHex } from "@noble/hashes/utils.js";
import { Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit } from "pako";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { GitError } from "./port";

/** The offset of the first entry, after the signature, the version and the number of entries. */
export const PACK_HEADER_BYTES = 12;
/** The length of the digest at the end of the pack. */
export const PACK_DIGEST_BYTES = 20;
/** `PACK` in ASCII. */
export const PACK_SIGNATURE = 0x5041434b;
export const PACK_VERSION = 2;

export type ObjectType = "commit" | "tree" | "blob" | "tag";

export const TYPE_NUMBERS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const TYPES_BY_NUMBER = new Map(Object.entries(TYPE_NUMBERS).map(([type, number]) => [number, type as ObjectType]));
const OFS_DELTA = 6;
const REF_DELTA = 7;
const OID_BYTES = 20;
/** The point from which a size is absurd, and is not read to its end. */
const MAX_SIZE = 2 ** 40;

export interface PackEntry {
  readonly start: number;
  /** Undefined for a delta, which has the type of its base. */
  readonly type: ObjectType | undefined;
  /** The base of a delta: the offset of an entry, or the oid of an object. */
  readonly base: number | string | undefined;
  /** The inflated size of the object or the delta. */
  readonly size: number;
  /** The offset of the deflated stream. */
  readonly dataStart: number;
}

/** Reads the head of the entry at an offset. */
export function readEntry(pack: Uint8Array, start: number): PackEntry {
  const first = readByte(pack, start);
  const typeNumber = (first >> 4) & 7;
  const { value: size, end } =
    first < 128 ? { value: first & 15, end: start + 1 } : readSize(pack, start + 1, first & 15, 16);

  if (typeNumber === OFS_DELTA) {
    // The distance to the base: seven bits a byte, the highest first. Each further byte adds one, so every number has
    // exactly one encoding.
    let dataStart = end;
    let byte = readByte(pack, dataStart++);
    let distance = byte & 127;
    while (byte & 128) {
      byte = readByte(pack, dataStart++);
      distance = (distance + 1) * 128 + (byte & 127);
      if (distance > start) throw createDamagedPackError();
    }
    return { start, type: undefined, base: start - distance, size, dataStart };
  }

  if (typeNumber === REF_DELTA) {
    const dataStart = end + OID_BYTES;
    return { start, type: undefined, base: bytesToHex(pack.subarray(end, dataStart)), size, dataStart };
  }

  const type = TYPES_BY_NUMBER.get(typeNumber);
  if (type === undefined) throw createDamagedPackError();
  return { start, type, base: undefined, size, dataStart: end };
}

/**
 * Reads a size: seven bits a byte, the lowest first. For the size of an entry, whose lowest bits stand in the byte before,
 * the caller passes these bits and the factor of the next ones.
 */
export function readSize(bytes: Uint8Array, start: number, lowestBits = 0, factor = 1): { value: number; end: number } {
  let value = lowestBits;
  for (let offset = start, byteFactor = factor; ; byteFactor *= 128) {
    const byte = readByte(bytes, offset++);
    value += (byte & 127) * byteFactor;
    if (value > MAX_SIZE) throw new GitError("too_large", "The repository contains an object with an invalid size.");
    if (byte < 128) return { value, end: offset };
  }
}

/** Larger contents are inflated in pieces, with yields to the event loop. */
const MAX_WHOLE_BYTES = 512 * 1024;
/** A compressed piece of this size inflates to at most two megabytes. */
const PIECE_BYTES = 2 * 1024;
/** Extra space in the buffer. Without it, the last bytes of an object are inflated slowly. */
const SPARE_BYTES = 512;

/** Inflates an entry, and finds the offset of the next. Throws if the size of the stream differs from the stated one. */
export async function inflateEntry(
  pack: Uint8Array,
  { size, dataStart }: PackEntry,
): Promise<{ bytes: Uint8Array; end: number }> {
  const stream = new ZStream();
  // The buffer has the stated size, so a stream that inflates to more does not fit.
  stream.output = new Uint8Array(size + SPARE_BYTES);
  stream.avail_out = stream.output.length;
  stream.input = pack;
  stream.next_in = dataStart;
  zlibInflateInit(stream);

  const stepBytes = size > MAX_WHOLE_BYTES ? PIECE_BYTES : pack.length;
  while (stream.next_in < pack.length) {
    stream.avail_in = Math.min(stepBytes, pack.length - stream.next_in);
    const status = zlibInflate(stream, Z_NO_FLUSH);
    if (status === Z_STREAM_END && stream.total_out === size)
      return { bytes: stream.output.subarray(0, size), end: stream.next_in };
    if (status !== Z_OK || stream.avail_in > 0) break;
    await yieldToEventLoop();
  }
  throw createDamagedPackError();
}

/** Returns the byte at an offset. Throws past the end. */
export function readByte(bytes: Uint8Array, offset: number): number {
  const byte = bytes[offset];
  if (byte === undefined) throw createDamagedPackError();
  return byte;
}

export function createDamagedPackError(): GitError {
  return new GitError("damaged", "The Git server sent damaged data. Try again.");
}
