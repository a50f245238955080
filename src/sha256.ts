// SHA-256 in hexadecimal, synchronous: by the platform where it has a synchronous hash, otherwise by a library. Both
// give the same result.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

interface NativeHash {
  update(content: string | Uint8Array): NativeHash;
  digest(form: "hex"): string;
}
interface NativeCrypto {
  createHash(name: "sha256"): NativeHash;
}

/** The hash of bytes, or of a text as UTF-8. */
export const sha256Hex: (content: string | Uint8Array) => string = native() ?? portable;

function native() {
  // Looked up at run time: Workers may not have this module, and bundlers must not resolve it.
  const host = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } };
  const crypto = host.process?.getBuiltinModule?.("crypto");
  return crypto && ((content: string | Uint8Array) => crypto.createHash("sha256").update(content).digest("hex"));
}

/** The same without the platform. */
export function portable(content: string | Uint8Array): string {
  return bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content));
}
