// The entries of a term: the pages that have it, in ascending order, and how often each has it in which field. Lists of them
// are kept as bytes and read anew each time: as arrays of numbers those of 100,000 pages took 90 MB, and as bytes they take 16.

import type { Writer } from "./bytes";

/** The number of a field. */
export const field = { text: 0, headings: 1, description: 2, title: 3 } as const;
/** By field: from which bit on an entry says how often the term stands in it. */
export const fieldShifts = [0, 5, 8, 10] as const;
/** By field: the largest count that an entry can hold; higher counts are stored as this. */
export const fieldMasks = [31, 7, 3, 3] as const;

/** An entry holds a page's number above so many bits, and in them how often the term stands in each field. */
export const entryBits = 12;
/** Entries are 32 bits without sign. */
export const mostPages = 2 ** (32 - entryBits);
const onceInText = 1;
const oftenMask = 2 ** entryBits - 1;

/** Lists of entries as bytes. By its index: where each of them ends. */
export interface PackedLists {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** Writes a list. Each page is stored as its distance from the one before, doubled, plus one if a second number says how often
 * the term occurs. */
export function writeEntries(out: Writer, entries: Uint32Array): void {
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

/** Reads lists, one after the other: what it gave stands until the next is read. */
export class EntryReader {
  #room = new Uint32Array(64);

  /** The list at an index of packed ones (undefined: none), and others that follow it. */
  read({ bytes, ends }: PackedLists, index: number | undefined, more: readonly number[]): Uint32Array {
    const start = index ? ends[index - 1]! : 0;
    const end = index === undefined ? 0 : ends[index]!;
    const most = end - start + more.length;
    if (this.#room.length < most) this.#room = new Uint32Array(most * 2);
    const room = this.#room;
    let count = 0;
    let page = 0;
    for (let at = start; at < end; ) {
      let byte = bytes[at++]!;
      let step = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] ?? 0;
        step |= (byte & 0x7f) << shift;
      }
      page += step >>> 1;
      let often = onceInText;
      if (step & 1) {
        byte = bytes[at++] ?? 0;
        often = byte & 0x7f;
        if (byte > 0x7f) often |= (bytes[at++] ?? 0) << 7;
      }
      room[count++] = (page << entryBits) | often;
    }
    for (const entry of more) room[count++] = entry;
    return room.subarray(0, count);
  }
}
