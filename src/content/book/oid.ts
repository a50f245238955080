// The names that Git has for the bytes of files.

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** The name that Git has for these bytes, or for a text in UTF-8. */
export function blobOid(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? utf8ToBytes(content) : content;
  const hash = sha1.create();
  hash.update(utf8ToBytes(`blob ${bytes.length}\0`));
  hash.update(bytes);
  return bytesToHex(hash.digest());
}
