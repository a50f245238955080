// SHA-256, alone and keyed, synchronous: by the platform where it has a synchronous hash, otherwise by a library. Both
// give the same result.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

interface NativeHash {
  update(content: string | Uint8Array): NativeHash;
  digest(form: "hex" | "latin1"): string;
}
interface NativeCrypto {
  createHash(name: "sha256"): NativeHash;
  /** The hash of something short in one call. Not every runtime has it; where it is there, it takes half the time. */
  hash?(name: "sha256", content: string | Uint8Array, form: "hex"): string;
  createHmac(name: "sha256", key: Uint8Array): NativeHash;
}

// Looked up at run time: Workers may not have this module, and bundlers must not resolve it.
const host = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } };
const crypto = host.process?.getBuiltinModule?.("crypto");

/** The hash of bytes, or of a text as UTF-8, in hexadecimal. */
export const sha256Hex: (content: string | Uint8Array) => string = crypto?.hash
  ? (content) => crypto.hash!("sha256", content, "hex")
  : crypto
    ? (content) => crypto.createHash("sha256").update(content).digest("hex")
    : computePortableSha256;

/** The same without the platform. */
export function computePortableSha256(content: string | Uint8Array): string {
  return bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content));
}

/** HMAC-SHA-256 of a text as UTF-8. */
export const hmacSha256: (key: Uint8Array, text: string) => Uint8Array = crypto
  ? (key, text) => bytesOf(crypto.createHmac("sha256", key).update(text).digest("latin1"))
  : computePortableHmac;

/** Bytes from a text that has one in each character. The platform makes such a text in less time than a buffer. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The same without the platform. */
export function computePortableHmac(key: Uint8Array, text: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(text));
}
