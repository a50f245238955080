// Computes SHA-256 and HMAC-SHA-256 synchronously: with the platform if it has a synchronous hash, otherwise with a library.
// Both return the same.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Steps } from "./concurrency/steps";

interface NativeHash {
  update(content: string | Uint8Array): NativeHash;
  digest(encoding: "hex" | "latin1"): string;
}
interface NativeCrypto {
  createHash(name: "sha256"): NativeHash;
  /** Hashes short content in one call, in half the time. Not every runtime has it. */
  hash?(name: "sha256", content: string | Uint8Array, encoding: "hex"): string;
  createHmac(name: "sha256", key: Uint8Array): NativeHash;
}

// Looked up at run time: Workers may not have this module, and bundlers must not resolve it.
const host = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } };
const crypto = host.process?.getBuiltinModule?.("crypto");

/** Returns the SHA-256 of bytes, or of a text as UTF-8, in hexadecimal. */
export const sha256Hex: (content: string | Uint8Array) => string = crypto?.hash
  ? (content) => crypto.hash!("sha256", content, "hex")
  : crypto
    ? (content) => crypto.createHash("sha256").update(content).digest("hex")
    : computePortableSha256;

const BYTES_PER_STEP = 1 << 20;

/** Computes the same as `sha256Hex`, a part of the bytes in each step. */
export function* sha256HexInSteps(bytes: Uint8Array): Steps<string> {
  const native = crypto?.createHash("sha256");
  const hash = native ?? sha256.create();
  for (let start = 0; start < bytes.length; start += BYTES_PER_STEP) {
    hash.update(bytes.subarray(start, start + BYTES_PER_STEP));
    yield;
  }
  return native ? native.digest("hex") : bytesToHex((hash as ReturnType<typeof sha256.create>).digest());
}

/** Computes the same as `sha256Hex` without the platform. */
export function computePortableSha256(content: string | Uint8Array): string {
  return bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content));
}

/** Returns the HMAC-SHA-256 of a text as UTF-8. */
export const hmacSha256: (key: Uint8Array, text: string) => Uint8Array = crypto
  ? (key, text) => {
      // The platform creates a text with one byte per character faster than a buffer.
      const digest = crypto.createHmac("sha256", key).update(text).digest("latin1");
      const bytes = new Uint8Array(digest.length);
      for (let i = 0; i < digest.length; i++) bytes[i] = digest.charCodeAt(i);
      return bytes;
    }
  : computePortableHmac;

/** Computes the same as `hmacSha256` without the platform. */
export function computePortableHmac(key: Uint8Array, text: string): Uint8Array {
  return hmac(sha256, key, utf8ToBytes(text));
}
