// CRC-32, the checksum of heads and segments. It detects damage and truncation, and is fast and synchronous. It is not a signature: anyone
// who can write to the bucket can also compute it.

import { crc32 } from "../adapter";

/** Computes the checksum of bytes, as eight hexadecimal digits. */
export function computeChecksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}
