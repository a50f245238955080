// Reads the directory at the end of a zip file: its entries, as they are declared. Nothing is inflated here, and every number is
// checked against the size of the file before it is used.

import { describeLimitOption, ImportError } from "../errors";
import type { ArchiveLimits } from "./limits";
import type { RangedRead } from "./ranged-read";

export interface DirectoryEntry {
  readonly name: Uint8Array;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** The type bits of a Unix mode. 0 if there is none. */
  readonly fileType: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  /** The start of its local header. */
  readonly offset: number;
}

export interface ZipDirectory {
  readonly entries: readonly DirectoryEntry[];
  /** The start of the directory. No entry may reach beyond it. */
  readonly start: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END_64_SIGNATURE = 0x06064b50;
const END_64_BYTES = 56;
const LOCATOR_64_SIGNATURE = 0x07064b50;
const LOCATOR_BYTES = 20;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const EXTRA_64 = 0x0001;
const EXTRA_UNICODE_NAME = 0x7075;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_32_BITS = 0xffffffff;

/** The number of entries between two yields to the event loop. */
export const ENTRIES_PER_YIELD = 500;

/** Reads the directory of a zip file that has `fileSize` bytes. */
export function* readDirectory(fileSize: number, limits: ArchiveLimits): RangedRead<ZipDirectory> {
  const { count, size, start, offset: end } = yield* readEndRecord(fileSize);
  if (count > limits.maxEntries)
    throw new ImportError(
      `The archive lists more than ${limits.maxEntries} entries, and was not opened. ${describeLimitOption("maxFiles")}`,
    );
  if (start + size > end || count * ENTRY_BYTES > size) throw createDamagedError();

  const bytes = yield { from: start, to: end };
  const view = createDataView(bytes);
  const entries: DirectoryEntry[] = [];
  for (let offset = 0; entries.length < count; ) {
    if (offset + ENTRY_BYTES > bytes.length || view.getUint32(offset, true) !== ENTRY_SIGNATURE)
      throw createDamagedError();
    const extraStart = offset + ENTRY_BYTES + view.getUint16(offset + 28, true);
    const extraEnd = extraStart + view.getUint16(offset + 30, true);
    const nextOffset = extraEnd + view.getUint16(offset + 32, true);
    if (nextOffset > bytes.length) throw createDamagedError();
    entries.push(parseEntry(bytes, view, offset, extraStart, extraEnd));
    offset = nextOffset;
    if (entries.length % ENTRIES_PER_YIELD === 0) yield;
  }
  return { entries, start };
}

/** Creates the error for a file that is not an archive, or is incomplete. */
export function createDamagedError(): ImportError {
  return new ImportError("The file is not a zip archive, or it is damaged.");
}

/** The record at the end of a zip file. */
interface EndRecord {
  readonly count: number;
  /** The size and the start of the directory. */
  readonly size: number;
  readonly start: number;
  /** The start of the record itself. */
  readonly offset: number;
}

/** Reads the record at the end of a zip file, or the 64-bit one that stands for it. */
function* readEndRecord(fileSize: number): RangedRead<EndRecord> {
  const from = Math.max(0, fileSize - LOCATOR_BYTES - END_BYTES - MAX_COMMENT_BYTES);
  const view = createDataView(yield { from, to: fileSize });
  // The end record is the last one whose comment ends with the file.
  const isEndRecord = (at: number) =>
    view.getUint32(at, true) === END_SIGNATURE && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength;
  let offset = view.byteLength - END_BYTES;
  const lowestOffset = Math.max(0, offset - MAX_COMMENT_BYTES);
  while (offset >= lowestOffset && !isEndRecord(offset)) offset--;
  if (offset < lowestOffset) throw createDamagedError();
  const disks = view.getUint16(offset + 4, true) | view.getUint16(offset + 6, true);
  const count = view.getUint16(offset + 10, true);
  const [size, start] = [view.getUint32(offset + 12, true), view.getUint32(offset + 16, true)];

  const locator = offset - LOCATOR_BYTES;
  const hasLocator = locator >= 0 && view.getUint32(locator, true) === LOCATOR_64_SIGNATURE;
  if (hasLocator && (count === 0xffff || size === MAX_32_BITS || start === MAX_32_BITS)) {
    // The 64-bit record must be before the locator, which leads to it.
    const wideOffset = readUint64(view, locator + 8);
    if (wideOffset + END_64_BYTES > from + locator) throw createDamagedError();
    const wide = createDataView(yield { from: wideOffset, to: wideOffset + END_64_BYTES });
    if (wide.getUint32(0, true) !== END_64_SIGNATURE) throw createDamagedError();
    return {
      count: readUint64(wide, 32),
      size: readUint64(wide, 40),
      start: readUint64(wide, 48),
      offset: wideOffset,
    };
  }
  if (disks !== 0 || count !== view.getUint16(offset + 8, true))
    throw new ImportError("The archive is split into several files, which isn't supported. Upload a single archive.");
  return { count, size, start, offset: from + offset };
}

export function createDataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads a 64-bit number. Valid ones need no more than 53 bits. */
function readUint64(view: DataView, offset: number): number {
  const value = view.getBigUint64(offset, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw createDamagedError();
  return Number(value);
}

function parseEntry(
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  extraStart: number,
  extraEnd: number,
): DirectoryEntry {
  const extras = new Map<number, { readonly from: number; readonly to: number }>();
  for (let from = extraStart; from + 4 <= extraEnd; ) {
    const extra = { from: from + 4, to: from + 4 + view.getUint16(from + 2, true) };
    if (extra.to > extraEnd) break;
    const isLongEnough = extra.to - extra.from >= 5;
    if (isLongEnough) extras.set(view.getUint16(from, true), extra);
    from = extra.to;
  }

  // Numbers that do not fit into 32 bits are in an extra field, in this order. It has only those that do not fit.
  const wide = extras.get(EXTRA_64);
  let wideOffset = wide?.from ?? 0;
  const readNumber = (numberOffset: number): number => {
    const value = view.getUint32(numberOffset, true);
    if (!wide || value !== MAX_32_BITS) return value;
    if (wideOffset + 8 > wide.to) throw createDamagedError();
    wideOffset += 8;
    return readUint64(view, wideOffset - 8);
  };
  const size = readNumber(offset + 24);
  const compressed = readNumber(offset + 20);
  const localOffset = readNumber(offset + 42);

  const unicode = extras.get(EXTRA_UNICODE_NAME);
  const hasUnicodeName = unicode && view.getUint8(unicode.from) === 1;
  return {
    name: hasUnicodeName
      ? bytes.subarray(unicode.from + 5, unicode.to)
      : bytes.subarray(offset + ENTRY_BYTES, extraStart),
    method: view.getUint16(offset + 10, true),
    // Bit 0: encrypted; bit 6: strongly; bit 13: the directory is masked.
    isEncrypted: (view.getUint16(offset + 8, true) & 0x2041) !== 0,
    fileType: (view.getUint32(offset + 38, true) >>> 16) & 0xf000,
    crc: view.getUint32(offset + 16, true),
    size,
    compressed,
    offset: localOffset,
  };
}
