// Converts an index to bytes and back, so that a process that starts need not build it again. The same pages result in the same bytes,
// in whatever order they came. Layout: magic bytes, format version, analyzer version, checksum of the rest; then the ids, the lengths
// of their fields, the terms, the lengths of their lists, and the lists.

import type { Steps } from "../../utils/concurrency/steps";
import { ByteReader, ByteWriter } from "./bytes";
import { FIELD_MASKS } from "./entries";
import { IndexedPages } from "./pages";
import { Vocabulary } from "./vocabulary";
import { ANALYZER_VERSION } from "./words";

const MAGIC = [0x4f, 0x63, 0x53, 0x78] as const; // "OcSx"
const FORMAT_VERSION = 1;
const HEADER_BYTES = 12;

/** The numbers, lines and bytes that are processed in one step. */
const NUMBERS_PER_STEP = 5000;
const BYTES_PER_STEP = 1 << 20;

/** Returns the bytes of an index. The index is swept, sorted by its ids, and packed. */
export function* serializePagesInSteps(pages: IndexedPages): Steps<Uint8Array> {
  yield* pages.sweepInSteps("by id");
  yield* pages.vocabulary.packInSteps();

  const writer = new ByteWriter();
  writer.writeText(JSON.stringify(pages.ids));
  for (const number of pages.ids.keys()) {
    for (const fieldLengths of pages.lengths) writer.writeNumber(fieldLengths[number]!);
    if (number % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
  }

  // The terms are written as one text with a line for each, in chunks.
  const terms = pages.vocabulary.listTerms();
  const chunks: Uint8Array[] = [];
  let textLength = 0;
  for (let i = 0; i < terms.length; i += NUMBERS_PER_STEP) {
    const lines = terms.slice(i, i + NUMBERS_PER_STEP).join("\n");
    const chunk = new TextEncoder().encode(i === 0 ? lines : `\n${lines}`);
    textLength += chunk.length;
    chunks.push(chunk);
    yield;
  }
  writer.writeNumber(textLength);
  for (const chunk of chunks) writer.writeBytes(chunk);
  yield;

  const { bytes: lists, ends } = pages.vocabulary.packed;
  for (let i = 0; i < ends.length; i++) {
    writer.writeNumber(ends[i]! - (ends[i - 1] ?? 0));
    if (i % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
  }

  const serialized = new Uint8Array(HEADER_BYTES + writer.length + lists.length);
  serialized.set([...MAGIC, FORMAT_VERSION, 0, ANALYZER_VERSION & 0xff, ANALYZER_VERSION >> 8]);
  serialized.set(writer.getBytes(), HEADER_BYTES);
  serialized.set(lists, HEADER_BYTES + writer.length);
  yield;
  new DataView(serialized.buffer).setUint32(8, yield* computeChecksumInSteps(serialized.subarray(HEADER_BYTES)));
  return serialized;
}

/** Returns the pages of a serialized index, or undefined if it is damaged, or of another format or analyzer version. */
export function* deserializePagesInSteps(serialized: Uint8Array): Steps<IndexedPages | undefined> {
  if (serialized.length < HEADER_BYTES || MAGIC.some((byte, i) => serialized[i] !== byte)) return undefined;
  const header = new DataView(serialized.buffer, serialized.byteOffset, HEADER_BYTES);
  if (header.getUint16(4, true) !== FORMAT_VERSION || header.getUint16(6, true) !== ANALYZER_VERSION) return undefined;
  const content = serialized.subarray(HEADER_BYTES);
  if (header.getUint32(8) !== (yield* computeChecksumInSteps(content))) return undefined;
  try {
    const reader = new ByteReader(content);
    const ids = JSON.parse(reader.readText()) as string[];
    const lengths = FIELD_MASKS.map(() => new Uint32Array(ids.length));
    for (const number of ids.keys()) {
      for (const fieldLengths of lengths) fieldLengths[number] = reader.readNumber();
      if (number % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
    }

    const text = reader.readText();
    const terms = text === "" ? [] : text.split("\n");
    yield;

    const ends = new Uint32Array(terms.length);
    let end = 0;
    for (let i = 0; i < terms.length; i++) {
      end += reader.readNumber();
      ends[i] = end;
      if (i % NUMBERS_PER_STEP === NUMBERS_PER_STEP - 1) yield;
    }
    const bytes = reader.readRest().slice();
    if (bytes.length !== end) throw new RangeError("The lists are not as long as they should be.");
    yield;
    return new IndexedPages(yield* Vocabulary.createInSteps(terms, { bytes, ends }), ids, lengths);
  } catch {
    // The checksum is right but the contents are not, so this code did not write them.
    return undefined;
  }
}

/** Computes the FNV-1a hash. It detects damage, not attacks; only our own data is stored here. */
function* computeChecksumInSteps(bytes: Uint8Array): Steps<number> {
  let sum = 0x811c9dc5;
  for (let start = 0; start < bytes.length; start += BYTES_PER_STEP) {
    const end = Math.min(bytes.length, start + BYTES_PER_STEP);
    for (let i = start; i < end; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
    yield;
  }
  return sum >>> 0;
}
