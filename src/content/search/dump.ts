// An index as bytes, so that a process that starts need not build it again. The same pages give the same bytes, in
// whatever order they came. Layout: magic, format, analyser, checksum of the rest; then the ids, the lengths of their
// fields, the terms, the lengths of their lists, and the lists. A list is read when its term is first asked for: most
// never are.

import type { Steps } from "../markdown/steps";
import { entryBits, Pages } from "./pages";
import { Vocabulary } from "./vocabulary";
import { analyserVersion } from "./words";

const magic = [0x4f, 0x63, 0x53, 0x78] as const; // "OcSx"
const formatVersion = 1;
const headLength = 12;
const onceInText = 1;
const oftenMask = 2 ** entryBits - 1;

/** How many numbers, terms or bytes are gone through in one step. */
const STEP = 5000;
const STEP_BYTES = 1 << 20;

/** The bytes of an index; it is swept and put into the order of its ids. */
export function* dumpPages(pages: Pages): Steps<Uint8Array> {
  yield* pages.sweep("by id");
  yield* pages.vocabulary.sort();
  const out = new Writer();
  out.text(JSON.stringify(pages.ids));
  for (const length of pages.lengths) out.number(length);
  yield;
  const terms = pages.vocabulary.terms();
  out.text(terms.join("\n"));
  const lists = new Writer();
  let written = 0;
  for (const term of terms) {
    const before = lists.length;
    writeList(lists, pages.vocabulary.get(term)!);
    out.number(lists.length - before);
    written += 1 + lists.length - before;
    if (written < STEP) continue;
    written = 0;
    yield;
  }
  out.bytes(lists.done());
  const body = out.done();
  const dumped = new Uint8Array(headLength + body.length);
  dumped.set([...magic, formatVersion, 0, analyserVersion & 0xff, analyserVersion >> 8]);
  new DataView(dumped.buffer).setUint32(8, yield* checksum(body));
  dumped.set(body, headLength);
  return dumped;
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
  const lengths = Array.from({ length: ids.length * 4 }, () => body.number());
  yield;
  const joined = body.text();
  const terms = joined === "" ? [] : joined.split("\n");
  yield;
  const ends = new Uint32Array(terms.length);
  let end = 0;
  for (let index = 0; index < terms.length; index++) {
    end += body.number();
    ends[index] = end;
  }
  const lists = body.rest();
  if (lists.length !== end) throw new RangeError("The lists are not as long as they should be.");
  const listAt = (index: number) => readList(lists, index === 0 ? 0 : ends[index - 1]!, ends[index]!);
  yield;
  return new Pages(yield* Vocabulary.of(terms, listAt), ids, lengths);
}

/** Each page is stored as its distance from the one before, doubled, plus one if a second number says how often the
 * term occurs. */
function writeList(out: Writer, entries: readonly number[]): void {
  let before = 0;
  for (const entry of entries) {
    const page = entry >>> entryBits;
    const often = entry & oftenMask;
    const isUsual = often === onceInText;
    out.number((page - before) * 2 + (isUsual ? 0 : 1));
    if (!isUsual) out.number(often);
    before = page;
  }
}

function readList(lists: Uint8Array, start: number, end: number): number[] {
  const bytes = new Bytes(lists.subarray(start, end));
  const entries: number[] = [];
  let page = 0;
  while (!bytes.isAtEnd) {
    const step = bytes.number();
    page += step >>> 1;
    entries.push(((page << entryBits) | (step & 1 ? bytes.number() : onceInText)) >>> 0);
  }
  return entries;
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

/** Numbers in seven bits a byte, the lowest first; texts in UTF-8 after their length. */
class Writer {
  length = 0;
  #room = new Uint8Array(1024);

  number(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#room[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#room[this.length++] = rest;
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.number(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#room.set(bytes, this.length);
    this.length += bytes.length;
  }

  done(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#room.length) return;
    const room = new Uint8Array((this.length + more) * 2);
    room.set(this.done());
    this.#room = room;
  }
}

/** Reads what a `Writer` wrote. After the end it gives zeros, so a truncated list ends without harm. */
class Bytes {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let byte = this.#bytes[this.#at++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  text(): string {
    const length = this.number();
    this.#at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#at - length, this.#at));
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}
