// CRC-32, the checksum of heads and segments: it finds decay and truncation, synchronously and fast. It is no signature: whoever
// can write to the bucket can also compute it.

import { crc32 } from "../adapter";

/** The checksum of bytes, as eight hexadecimal digits. */
export function computeChecksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}
