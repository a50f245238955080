// A look through a pack before anything is made of it: each object is as large as it says and within bounds, each delta
// stands on an earlier object, and the checksum is right. What passes can be unpacked without surprises: its cost is known.

import pako from "pako";
import type { GitLimits } from "./port";
import { GitRefused } from "./refused";

/** Git makes no longer chains of deltas itself. */
const MAX_CHAIN = 4095;
const TRAILER = 20;
const OFS_DELTA = 6;
const REF_DELTA = 7;

/** Bytes that are enough for the two sizes with which a delta begins. */
const DELTA_HEAD = 20;

/** Refuses a pack that is damaged, or larger than allowed once unpacked. */
export async function checkPack(pack: Uint8Array<ArrayBuffer>, limits: Required<GitLimits>): Promise<void> {
  const count = countOf(pack);
  if (count > limits.maxObjects) throw tooLarge(`more than ${limits.maxObjects} objects`);
  await checkSum(pack);
  const end = pack.length - TRAILER;
  const chains = new Map<number, number>();
  let unpacked = 0;
  let at = 12;
  for (let index = 0; index < count; index++) {
    const start = at;
    const entry = entryAt(pack.subarray(0, end), start);
    chains.set(start, chainOf(entry, start, chains));
    if (entry.size > limits.maxObjectBytes) throw tooLarge(`an object of more than ${limits.maxObjectBytes} bytes`);
    const { next, head } = inflated(pack.subarray(0, end), entry);
    const size = entry.type < OFS_DELTA ? entry.size : resultOf(head);
    if (size > limits.maxObjectBytes) throw tooLarge(`an object of more than ${limits.maxObjectBytes} bytes`);
    unpacked += size;
    if (unpacked > limits.maxUnpackedBytes)
      throw tooLarge(`more than ${limits.maxUnpackedBytes} bytes once it is unpacked`);
    at = next;
  }
  if (at !== end) throw damaged();
}

interface Entry {
  readonly type: number;
  /** Of what is deflated: the object, or the delta. */
  readonly size: number;
  /** Where the object begins that an offset delta stands on. */
  readonly base: number | undefined;
  /** Where the deflated bytes begin. */
  readonly from: number;
}

function countOf(pack: Uint8Array): number {
  if (pack.length < 12 + TRAILER) throw damaged();
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  if (view.getUint32(0) !== 0x5041434b || view.getUint32(4) !== 2) throw damaged();
  return view.getUint32(8);
}

async function checkSum(pack: Uint8Array<ArrayBuffer>): Promise<void> {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-1", pack.subarray(0, -TRAILER)));
  if (sum.some((byte, index) => byte !== pack[pack.length - TRAILER + index])) throw damaged();
}

function entryAt(pack: Uint8Array, start: number): Entry {
  let at = start;
  const first = byteAt(pack, at++);
  const type = (first >> 4) & 7;
  if (type === 0 || type === 5) throw damaged();
  const size = number(pack, at, first);
  at = size.next;
  if (type === REF_DELTA) return { type, size: size.value, base: undefined, from: at + 20 };
  if (type !== OFS_DELTA) return { type, size: size.value, base: undefined, from: at };
  // Seven bits a byte, the highest first, and one more for each byte that follows: no number can be written twice.
  let byte = byteAt(pack, at++);
  let back = byte & 127;
  while (byte & 128) {
    byte = byteAt(pack, at++);
    back = (back + 1) * 128 + (byte & 127);
    if (back > start) throw damaged();
  }
  return { type, size: size.value, base: start - back, from: at };
}

/** The rest of a size whose first byte holds four bits of it. */
function number(pack: Uint8Array, start: number, first: number): { value: number; next: number } {
  let at = start;
  let value = first & 15;
  for (let byte = first, factor = 16; byte & 128; factor *= 128) {
    byte = byteAt(pack, at++);
    value += (byte & 127) * factor;
    if (value > 2 ** 40) throw tooLarge("an object of an absurd size");
  }
  return { value, next: at };
}

function chainOf(entry: Entry, start: number, chains: ReadonlyMap<number, number>): number {
  if (entry.type === REF_DELTA) return 1;
  if (entry.base === undefined) return 0;
  // Only what came before is there, so a delta cannot stand on itself, nor two on each other.
  const below = entry.base < start ? chains.get(entry.base) : undefined;
  if (below === undefined || below >= MAX_CHAIN) throw damaged();
  return below + 1;
}

/** Inflates an object without keeping it: where it ends, and how it begins. */
function inflated(pack: Uint8Array, { size, from }: Entry): { next: number; head: Uint8Array } {
  const head: number[] = [];
  let length = 0;
  const inflate = new pako.Inflate({ chunkSize: Math.min(Math.max(size, 64), 65_536) });
  inflate.onData = (chunk) => {
    const bytes = chunk as Uint8Array;
    for (let index = 0; head.length < DELTA_HEAD && index < bytes.length; index++) head.push(bytes[index]!);
    length += bytes.length;
    // Stops here, whatever else the stream would unfold to.
    if (length > size) throw damaged();
  };
  const rest = pack.subarray(from);
  inflate.push(rest, false);
  const { ended, strm } = inflate as unknown as { ended: boolean; strm: { avail_in: number } };
  if (!ended || inflate.err !== 0 || length !== size) throw damaged();
  return { next: from + rest.length - strm.avail_in, head: Uint8Array.from(head) };
}

/** The size that a delta promises for its result. */
function resultOf(head: Uint8Array): number {
  let at = 0;
  const next = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = byteAt(head, at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  next();
  return next();
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw damaged();
  return byte;
}

function damaged(): GitRefused {
  return new GitRefused("damaged", "What the Git server sent is damaged.");
}

function tooLarge(what: string): GitRefused {
  return new GitRefused("too_large", `The repository holds ${what}.`);
}
