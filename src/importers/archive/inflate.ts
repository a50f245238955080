// Inflates the bytes of one entry, chunk by chunk into a buffer of the declared size. So an entry that is larger than declared is
// noticed before it takes more memory.

import { Inflate, inflateSync } from "fflate";
import { crc32 } from "../../utils/crc32";

/** A compressed chunk of this size inflates to at most eight megabytes. */
const CHUNK_BYTES = 8 * 1024;

/** The bytes of an entry, or what is wrong with it. */
export type InflateResult = Uint8Array | "damaged" | "larger than declared";

/** Inflates an entry that is declared to have `size` bytes with a checksum. */
export function inflateEntry(compressed: Uint8Array, size: number, crc: number): InflateResult {
  if (compressed.length <= CHUNK_BYTES) {
    // A stream takes a hundred kilobytes. For the many small entries of a large archive, the garbage collector would run
    // all the time, so small entries are inflated without one.
    try {
      // One more byte shows that there is more. Everything that does not fit is dropped.
      const bytes = inflateSync(compressed, { out: new Uint8Array(size + 1) });
      if (bytes.length > size) return "larger than declared";
      return bytes.length === size && crc32(bytes) === crc ? bytes : "damaged";
    } catch {
      return "damaged";
    }
  }

  const bytes = new Uint8Array(size);
  let filled = 0;
  let isTooLarge = false;
  const stream = new Inflate((chunk) => {
    isTooLarge ||= filled + chunk.length > size;
    if (isTooLarge) return;
    bytes.set(chunk, filled);
    filled += chunk.length;
  });
  try {
    for (let start = 0; !isTooLarge && start < compressed.length; start += CHUNK_BYTES)
      stream.push(compressed.subarray(start, start + CHUNK_BYTES), start + CHUNK_BYTES >= compressed.length);
  } catch {
    return "damaged";
  }
  if (isTooLarge) return "larger than declared";
  return filled === size && crc32(bytes) === crc ? bytes : "damaged";
}
