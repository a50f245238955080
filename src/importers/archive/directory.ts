// The directory at the end of a zip file: what it lists, as it is declared. Nothing is inflated here, and every number
// is checked against the size of the file before it is used.

import { describeLimitOption, ImportError } from "../errors";
import type { ArchiveLimits } from "./limits";
import type { Reading } from "./reading";

/** An entry as the directory declares it. */
export interface ListedEntry {
  readonly name: Uint8Array;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** The type bits of a Unix mode; 0 where there is none. */
  readonly fileType: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly offset: number;
}

/** What the directory lists, and where it begins: no entry reaches beyond that. */
export interface Directory {
  readonly entries: readonly ListedEntry[];
  readonly start: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const END_64 = 0x06064b50;
const END_64_BYTES = 56;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_BYTES = 20;
const LISTED = 0x02014b50;
const LISTED_BYTES = 46;
const EXTRA_64 = 0x0001;
const EXTRA_UNICODE_NAME = 0x7075;
const MAX_COMMENT = 0xffff;

/** Entries that are looked at before others may have their turn. */
export const ENTRIES_A_TURN = 500;

/** Reads the directory of a zip file that has `fileSize` bytes. */
export function* readDirectory(fileSize: number, limits: ArchiveLimits): Reading<Directory> {
  const { count, size, start, at: end } = yield* endOfDirectory(fileSize);
  if (count > limits.entries)
    throw new ImportError(
      `The archive lists more than ${limits.entries} entries, and was not opened. ${describeLimitOption("maxFiles")}`,
    );
  if (start + size > end || count * LISTED_BYTES > size) throw damaged();
  const bytes = yield { from: start, to: end };
  const view = viewOf(bytes);
  const entries: ListedEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + LISTED_BYTES > bytes.length || view.getUint32(at, true) !== LISTED) throw damaged();
    const next = at + LISTED_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true);
    const after = next + view.getUint16(at + 32, true);
    if (after > bytes.length) throw damaged();
    entries.push(listedEntry(bytes, view, at, next));
    at = after;
    if (entries.length % ENTRIES_A_TURN === 0) yield;
  }
  return { entries, start };
}

/** Refuses a file that is not an archive, or is incomplete. */
export function damaged(): ImportError {
  return new ImportError("The file is not a zip archive, or it is damaged.");
}

interface End {
  readonly count: number;
  readonly size: number;
  readonly start: number;
  /** Where the record stands. */
  readonly at: number;
}

function* endOfDirectory(fileSize: number): Reading<End> {
  const from = Math.max(0, fileSize - LOCATOR_BYTES - END_BYTES - MAX_COMMENT);
  const view = viewOf(yield { from, to: fileSize });
  const at = findEnd(view);
  const disks = view.getUint16(at + 4, true) | view.getUint16(at + 6, true);
  const count = view.getUint16(at + 10, true);
  const [size, start] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
  const locator = at - LOCATOR_BYTES;
  const hasLocator = locator >= 0 && view.getUint32(locator, true) === LOCATOR_64;
  if (hasLocator && (count === 0xffff || size === 0xffffffff || start === 0xffffffff))
    return yield* end64(large(view, locator + 8), from + locator);
  if (disks !== 0 || count !== view.getUint16(at + 8, true))
    throw new ImportError("The archive is split into several files, which are not put together here.");
  return { count, size, start, at: from + at };
}

/** The last record whose comment ends with the file. */
function findEnd(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - MAX_COMMENT; at--) {
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength)
      return at;
  }
  throw damaged();
}

/** The wide record at a place that must be before the locator, which leads to it. */
function* end64(at: number, locator: number): Reading<End> {
  if (at + END_64_BYTES > locator) throw damaged();
  const view = viewOf(yield { from: at, to: at + END_64_BYTES });
  if (view.getUint32(0, true) !== END_64) throw damaged();
  return { count: large(view, 32), size: large(view, 40), start: large(view, 48), at };
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A 64-bit number; valid ones need no more than 53 bits. */
function large(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged();
  return Number(value);
}

function listedEntry(bytes: Uint8Array, view: DataView, at: number, next: number): ListedEntry {
  const extraAt = at + LISTED_BYTES + view.getUint16(at + 28, true);
  const name = bytes.subarray(at + LISTED_BYTES, extraAt);
  const flags = view.getUint16(at + 8, true);
  const declared = {
    size: view.getUint32(at + 24, true),
    compressed: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  };
  const extras = extrasIn(view, extraAt, next);
  const wide = extras.get(EXTRA_64);
  const unicode = extras.get(EXTRA_UNICODE_NAME);
  return {
    name: unicode && view.getUint8(unicode.from) === 1 ? bytes.subarray(unicode.from + 5, unicode.to) : name,
    method: view.getUint16(at + 10, true),
    // Bit 0: encrypted; bit 6: strongly; bit 13: the directory is masked.
    isEncrypted: (flags & 0x2041) !== 0,
    fileType: (view.getUint32(at + 38, true) >>> 16) & 0xf000,
    crc: view.getUint32(at + 16, true),
    ...(wide ? widened(view, wide, declared) : declared),
  };
}

interface Extra {
  readonly from: number;
  readonly to: number;
}

function extrasIn(view: DataView, from: number, to: number): Map<number, Extra> {
  const found = new Map<number, Extra>();
  for (let at = from; at + 4 <= to; ) {
    const extra = { from: at + 4, to: at + 4 + view.getUint16(at + 2, true) };
    if (extra.to > to) break;
    const isLongEnough = extra.to - extra.from >= 5;
    if (isLongEnough) found.set(view.getUint16(at, true), extra);
    at = extra.to;
  }
  return found;
}

type Declared = Pick<ListedEntry, "size" | "compressed" | "offset">;

/** Numbers that do not fit into 32 bits are in an extra field, in this order; only those that do not fit. */
function widened(view: DataView, { from, to }: Extra, declared: Declared): Declared {
  let at = from;
  const take = (value: number): number => {
    if (value !== 0xffffffff) return value;
    if (at + 8 > to) throw damaged();
    at += 8;
    return large(view, at - 8);
  };
  const size = take(declared.size);
  const compressed = take(declared.compressed);
  return { size, compressed, offset: take(declared.offset) };
}
