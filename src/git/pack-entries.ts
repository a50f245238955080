// A pack as a row of entries: a head, in some cases the object that a delta stands on, and a deflated stream of which only
// the inflated size is told. Where a stream ends is known once it was inflated.

import pako from "pako";
import { GitRefused } from "./refused";

/** Where the entries begin: after the mark, the version and their number. */
export const FIRST_ENTRY = 12;
/** The digest at the end. */
export const TRAILER = 20;
export const MARK = 0x5041434b;
export const VERSION = 2;

/** What a repository is made of. */
export type ObjectType = "commit" | "tree" | "blob" | "tag";

export const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const NAMES = new Map<number, ObjectType>(Object.entries(TYPES).map(([name, type]) => [type, name as ObjectType]));
const OFS_DELTA = 6;
const REF_DELTA = 7;
/** No size beyond this is read to its end. */
const ABSURD = 2 ** 40;
/** Room beyond an object, without which its last bytes are inflated slowly. */
const SPARE = 512;

export interface PackEntry {
  readonly start: number;
  /** Undefined for a delta: it is what its base is. */
  readonly type: ObjectType | undefined;
  /** What a delta stands on: the start of an entry, or the oid of an object. */
  readonly base: number | string | undefined;
  /** Bytes of what is deflated: the object, or the delta. */
  readonly size: number;
  /** Where the deflated stream begins. */
  readonly from: number;
}

/** The number of entries, as the pack tells it. */
export function countOf(pack: Uint8Array): number {
  if (pack.length < FIRST_ENTRY + TRAILER) throw damaged();
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  if (view.getUint32(0) !== MARK || view.getUint32(4) !== VERSION) throw damaged();
  return view.getUint32(8);
}

/** The entry that begins here. */
export function entryAt(pack: Uint8Array, start: number): PackEntry {
  const first = byteAt(pack, start);
  const number = (first >> 4) & 7;
  const { value: size, next } =
    first < 128 ? { value: first & 15, next: start + 1 } : sizeAt(pack, start + 1, first & 15, 16);
  if (number === OFS_DELTA) {
    const { base, from } = baseBefore(pack, start, next);
    return { start, type: undefined, base, size, from };
  }
  if (number === REF_DELTA) {
    const from = next + 20;
    return { start, type: undefined, base: hex(pack.subarray(next, from)), size, from };
  }
  const type = NAMES.get(number);
  if (type === undefined) throw damaged();
  return { start, type, base: undefined, size, from: next };
}

/** Seven bits a byte, the highest first, and one more for each byte that follows: no number can be written twice. */
function baseBefore(pack: Uint8Array, start: number, at: number): { base: number; from: number } {
  let from = at;
  let byte = byteAt(pack, from++);
  let back = byte & 127;
  while (byte & 128) {
    byte = byteAt(pack, from++);
    back = (back + 1) * 128 + (byte & 127);
    if (back > start) throw damaged();
  }
  return { base: start - back, from };
}

/** A size: seven bits a byte, the lowest first. It may have begun already. */
export function sizeAt(bytes: Uint8Array, start: number, begun = 0, factor = 1): { value: number; next: number } {
  let value = begun;
  for (let at = start, times = factor; ; times *= 128) {
    const byte = byteAt(bytes, at++);
    value += (byte & 127) * times;
    if (value > ABSURD) throw tooLarge("an object of an absurd size");
    if (byte < 128) return { value, next: at };
  }
}

/** What an entry holds, inflated, and where the next one begins. Refuses a stream that is not of the size it was told. */
export function inflated(pack: Uint8Array, { size, from }: PackEntry): { bytes: Uint8Array; next: number } {
  let bytes = new Uint8Array();
  // All of it in one piece, which a stream that unfolds to more does not fit into.
  const inflate = new pako.Inflate({ chunkSize: size + SPARE });
  inflate.onData = (chunk) => {
    bytes = chunk as Uint8Array<ArrayBuffer>;
  };
  const rest = pack.subarray(from);
  const isWhole = inflate.push(rest, true);
  const { strm } = inflate as unknown as { strm: { avail_in: number } };
  if (!isWhole || bytes.length !== size) throw damaged();
  return { bytes, next: from + rest.length - strm.avail_in };
}

export function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw damaged();
  return byte;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function damaged(): GitRefused {
  return new GitRefused("damaged", "What the Git server sent is damaged.");
}

export function tooLarge(what: string): GitRefused {
  return new GitRefused("too_large", `The repository holds ${what}.`);
}
