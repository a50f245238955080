// A segment: an immutable object with items in key order. It consists of a line with the format, blocks of lines, and an index of the
// blocks, which contains their checksums. The head contains the checksum of the index.

import { Corrupt, concatBytes, type Key } from "../adapter";
import { computeChecksum } from "./checksum";
import type { SegmentRef } from "./head";
import { Item } from "./item";

const FORMAT = "octavo-segment 1\n";

/** The size of a block in characters. A lookup reads one block if nothing is cached. */
const BLOCK_SIZE = 64 * 1024;

/** The location of a block, and its first key. */
export interface BlockRef {
  readonly first: Key;
  readonly at: number;
  readonly bytes: number;
  readonly checksum: string;
}

/** The index of a segment, which has at least one block. */
export interface SegmentIndex {
  readonly last: Key;
  readonly blocks: readonly BlockRef[];
}

const utf8 = new TextEncoder();

/** Writes a segment incrementally: add the items in key order, take the pieces at any time, and finish. */
export class SegmentWriter {
  #pieces: Uint8Array[] = [utf8.encode(FORMAT)];
  #at = FORMAT.length;
  readonly #blocks: BlockRef[] = [];
  #lines: string[] = [];
  #size = 0;
  #first: Key = "";
  #last: Key = "";
  #items = 0;

  add(item: Item): void {
    if (this.#lines.length === 0) this.#first = item.key;
    this.#lines.push(item.line);
    this.#size += item.line.length;
    this.#last = item.key;
    this.#items++;
    if (this.#size >= BLOCK_SIZE) this.#cut();
  }

  get items(): number {
    return this.#items;
  }

  /** Returns the pieces since the last call. */
  take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  /** Writes the index, which must be taken afterwards, and returns the reference for the head. */
  finish(name: string): SegmentRef {
    if (this.#lines.length > 0) this.#cut();
    const index: SegmentIndex = { last: this.#last, blocks: this.#blocks };
    const bytes = utf8.encode(JSON.stringify(index));
    const indexAt = this.#at;
    this.#push(bytes);
    return { name, bytes: this.#at, items: this.#items, indexAt, indexChecksum: computeChecksum(bytes) };
  }

  #cut(): void {
    const bytes = utf8.encode(this.#lines.join("\n"));
    this.#blocks.push({ first: this.#first, at: this.#at, bytes: bytes.length, checksum: computeChecksum(bytes) });
    this.#push(bytes);
    this.#lines = [];
    this.#size = 0;
  }

  #push(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#at += bytes.length;
  }
}

/** Joins pieces to one array. A single piece is not copied. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : concatBytes(pieces);
}

export function parseIndex(object: string, ref: SegmentRef, bytes: Uint8Array): SegmentIndex {
  if (bytes.length !== ref.bytes - ref.indexAt || computeChecksum(bytes) !== ref.indexChecksum)
    throw new Corrupt(`The index of ${object} is damaged: its checksum is another.`);
  return JSON.parse(new TextDecoder().decode(bytes)) as SegmentIndex;
}

export function parseBlock(object: string, ref: BlockRef, bytes: Uint8Array): Item[] {
  if (bytes.length !== ref.bytes || computeChecksum(bytes) !== ref.checksum)
    throw new Corrupt(`The block at ${ref.at} of ${object} is damaged: its checksum is another.`);
  return new TextDecoder().decode(bytes).split("\n").map(Item.parse);
}

/** Returns the first of `count` indexes for which the predicate is true, by binary search; `count` if there is none. */
export function findFirstIndex(count: number, predicate: (i: number) => boolean): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (predicate(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
