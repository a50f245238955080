// The two names of a content: the id that Git has for it, and the hash that it is stored under.

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256Hex } from "../../utils/sha256";

/** Returns the id of a Git blob with these bytes, or with this text in UTF-8. */
export function computeBlobOid(content: Uint8Array | string): string {
  const bytes = typeof content === "string" ? utf8ToBytes(content) : content;
  const hash = sha1.create();
  hash.update(utf8ToBytes(`blob ${bytes.length}\0`));
  hash.update(bytes);
  return bytesToHex(hash.digest());
}

/** Returns the hash that a text is stored under. Half of a surrogate pair has no bytes in UTF-8, so it is replaced. */
export function hashText(text: string): string {
  return sha256Hex(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"));
}
