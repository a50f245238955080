// The bytes of one entry. They are inflated piece by piece into as much room as the entry declares. So an entry that
// holds more than it declares is noticed before it takes more memory.

import { Inflate, inflateSync } from "fflate";
import { crc32 } from "../../utils/crc32";

/** A compressed piece of this size inflates to at most eight megabytes. */
const PIECE = 8 * 1024;

/** How an entry turned out: its bytes, or what is wrong with it. */
export type Inflated = Uint8Array | "damaged" | "larger than declared";

/** Inflates what `compressed` holds, which is said to be `size` bytes with this checksum. */
export function inflate(compressed: Uint8Array, size: number, crc: number): Inflated {
  return compressed.length <= PIECE ? inflateAtOnce(compressed, size, crc) : inflateInPieces(compressed, size, crc);
}

/** A stream takes a hundred kilobytes of its own. For the many small entries of a large archive, the collector would run all
 * the time. */
function inflateAtOnce(compressed: Uint8Array, size: number, crc: number): Inflated {
  try {
    // One byte more shows that there is more. What does not fit is not kept.
    const found = inflateSync(compressed, { out: new Uint8Array(size + 1) });
    if (found.length > size) return "larger than declared";
    return found.length === size && crc32(found) === crc ? found : "damaged";
  } catch {
    return "damaged";
  }
}

function inflateInPieces(compressed: Uint8Array, size: number, crc: number): Inflated {
  const whole = new Uint8Array(size);
  let filled = 0;
  let isTooLarge = false;
  const stream = new Inflate((piece) => {
    isTooLarge ||= filled + piece.length > size;
    if (isTooLarge) return;
    whole.set(piece, filled);
    filled += piece.length;
  });
  try {
    for (let at = 0; !isTooLarge && (at < compressed.length || at === 0); at += PIECE)
      stream.push(compressed.subarray(at, at + PIECE), at + PIECE >= compressed.length);
  } catch {
    return "damaged";
  }
  if (isTooLarge) return "larger than declared";
  return filled === size && crc32(whole) === crc ? whole : "damaged";
}
