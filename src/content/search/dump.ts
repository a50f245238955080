// An index as bytes, so that a process that starts need not build it again. The same pages give the same bytes, in
// whatever order they came. Layout: magic, format, analyser, checksum of the rest; then the ids, the lengths of their
// fields, the terms, the lengths of their lists, and the lists.

import type { Steps } from "../markdown/steps";
import { Bytes, Writer } from "./bytes";
import { fieldLengths, Pages } from "./pages";
import { Vocabulary } from "./vocabulary";
import { analyserVersion } from "./words";

const magic = [0x4f, 0x63, 0x53, 0x78] as const; // "OcSx"
const formatVersion = 1;
const headLength = 12;

/** How many numbers or bytes are gone through in one step. */
const STEP = 5000;
const STEP_BYTES = 1 << 20;

/** The bytes of an index; it is swept, put into the order of its ids, and packed. */
export function* dumpPages(pages: Pages): Steps<Uint8Array> {
  yield* pages.sweep("by id");
  yield* pages.vocabulary.pack();
  const out = new Writer();
  out.text(JSON.stringify(pages.ids));
  for (const number of pages.ids.keys()) {
    for (const ofField of pages.lengths) out.number(ofField[number]!);
    if (number % STEP === STEP - 1) yield;
  }
  yield* writeLines(out, pages.vocabulary.terms());
  const { bytes, ends } = pages.vocabulary.packed;
  for (let index = 0; index < ends.length; index++) {
    out.number(ends[index]! - (ends[index - 1] ?? 0));
    if (index % STEP === STEP - 1) yield;
  }
  const dumped = new Uint8Array(headLength + out.length + bytes.length);
  dumped.set([...magic, formatVersion, 0, analyserVersion & 0xff, analyserVersion >> 8]);
  dumped.set(out.done(), headLength);
  dumped.set(bytes, headLength + out.length);
  yield;
  new DataView(dumped.buffer).setUint32(8, yield* checksum(dumped.subarray(headLength)));
  return dumped;
}

/** Writes lines as one text. */
function* writeLines(out: Writer, lines: readonly string[]): Steps<void> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let from = 0; from < lines.length; from += STEP) {
    const piece = new TextEncoder().encode((from === 0 ? "" : "\n") + lines.slice(from, from + STEP).join("\n"));
    length += piece.length;
    pieces.push(piece);
    yield;
  }
  out.number(length);
  for (const piece of pieces) out.bytes(piece);
  yield;
}

/** The pages of a dump; `undefined` when it is damaged, or of another format or analyser. */
export function* loadPages(dumped: Uint8Array): Steps<Pages | undefined> {
  if (!(yield* isOurs(dumped))) return undefined;
  try {
    return yield* readPages(new Bytes(dumped.subarray(headLength)));
  } catch {
    return undefined; // the checksum was right, the contents were not: not written by us
  }
}

function* isOurs(dumped: Uint8Array): Steps<boolean> {
  if (dumped.length < headLength || magic.some((byte, index) => dumped[index] !== byte)) return false;
  const head = new DataView(dumped.buffer, dumped.byteOffset, headLength);
  if (head.getUint16(4, true) !== formatVersion || head.getUint16(6, true) !== analyserVersion) return false;
  return head.getUint32(8) === (yield* checksum(dumped.subarray(headLength)));
}

function* readPages(body: Bytes): Steps<Pages> {
  const ids = JSON.parse(body.text()) as string[];
  const lengths = fieldLengths(ids.length);
  for (const number of ids.keys()) {
    for (const ofField of lengths) ofField[number] = body.number();
    if (number % STEP === STEP - 1) yield;
  }
  const joined = body.text();
  const terms = joined === "" ? [] : joined.split("\n");
  yield;
  const ends = new Uint32Array(terms.length);
  let end = 0;
  for (let index = 0; index < terms.length; index++) {
    end += body.number();
    ends[index] = end;
    if (index % STEP === STEP - 1) yield;
  }
  const bytes = body.rest().slice();
  if (bytes.length !== end) throw new RangeError("The lists are not as long as they should be.");
  yield;
  return new Pages(yield* Vocabulary.of(terms, { bytes, ends }), ids, lengths);
}

/** FNV-1a: detects damage, not attacks; only our own data is stored here. */
function* checksum(bytes: Uint8Array): Steps<number> {
  let sum = 0x811c9dc5;
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    const end = Math.min(bytes.length, from + STEP_BYTES);
    for (let index = from; index < end; index++) sum = Math.imul(sum ^ bytes[index]!, 0x01000193);
    yield;
  }
  return sum >>> 0;
}
