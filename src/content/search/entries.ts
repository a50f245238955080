// The entries of a term: the pages that have it, in ascending order, and its count in each field of the page. Lists of entries are
// stored as bytes and decoded each time: for 100,000 pages, arrays of numbers took 90 MB, and bytes take 16.

import type { ByteWriter } from "./bytes";

/** The numbers of the fields. */
export const FIELDS = { text: 0, headings: 1, description: 2, title: 3 } as const;
/** The lowest bit of each field's count in an entry. */
export const FIELD_SHIFTS = [0, 5, 8, 10] as const;
/** The highest count of each field that an entry can hold. Higher counts are stored as this. */
export const FIELD_MASKS = [31, 7, 3, 3] as const;

/** The lowest bit of the page number in an entry. The bits below it hold the counts. */
export const PAGE_NUMBER_SHIFT = 12;
/** The most pages of an index. Entries are unsigned 32-bit numbers. */
export const MAX_PAGES = 2 ** (32 - PAGE_NUMBER_SHIFT);
const ONCE_IN_TEXT = 1;
const COUNTS_MASK = 2 ** PAGE_NUMBER_SHIFT - 1;

/** Lists of entries as bytes, and the end of each list. */
export interface PackedLists {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/**
 * Writes a list. Each page is stored as its distance from the one before, doubled. One is added if the counts follow, which they do
 * unless the term occurs once, in the text.
 */
export function writeEntries(writer: ByteWriter, entries: Uint32Array): void {
  let lastPage = 0;
  for (const entry of entries) {
    const page = entry >>> PAGE_NUMBER_SHIFT;
    const counts = entry & COUNTS_MASK;
    const hasCounts = counts !== ONCE_IN_TEXT;
    writer.writeNumber((page - lastPage) * 2 + (hasCounts ? 1 : 0));
    if (hasCounts) writer.writeNumber(counts);
    lastPage = page;
  }
}

/** Reads lists, one after the other. Each result is valid until the next list is read. */
export class EntryReader {
  #buffer = new Uint32Array(64);

  /** Reads the packed list at an index, if there is one, and appends further entries. */
  read({ bytes, ends }: PackedLists, index: number | undefined, furtherEntries: readonly number[]): Uint32Array {
    const start = index ? ends[index - 1]! : 0;
    const end = index === undefined ? 0 : ends[index]!;
    const maxEntries = end - start + furtherEntries.length;
    if (this.#buffer.length < maxEntries) this.#buffer = new Uint32Array(maxEntries * 2);
    const buffer = this.#buffer;
    let length = 0;
    let page = 0;
    for (let position = start; position < end; ) {
      let byte = bytes[position++]!;
      let distance = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[position++] ?? 0;
        distance |= (byte & 0x7f) << shift;
      }
      page += distance >>> 1;
      let counts = ONCE_IN_TEXT;
      if (distance & 1) {
        byte = bytes[position++] ?? 0;
        counts = byte & 0x7f;
        if (byte > 0x7f) counts |= (bytes[position++] ?? 0) << 7;
      }
      buffer[length++] = (page << PAGE_NUMBER_SHIFT) | counts;
    }
    for (const entry of furtherEntries) buffer[length++] = entry;
    return buffer.subarray(0, length);
  }
}
