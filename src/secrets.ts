// The uses of the one secret: sealing cursors, signing tokens for visitors, encrypting values that must be read back.
// Each use has its own derived key, so a value made for one use is not valid for another.

import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { sha256Hex } from "./sha256";

/** The purposes; the name is part of the derivation and never changes. */
export type Purpose =
  | "cursor"
  | "visitor-claims"
  | "at-rest"
  | "fresh-code"
  | "download"
  | "pdf"
  | "integration-asset"
  | "integration-signing"
  | "installation-token"
  | "published-script"
  | "share-key"
  | "invite"
  | "domain-proof";

export interface Secrets {
  /** The 32-byte key of a purpose. */
  key(purpose: Purpose): Uint8Array;
  /** A keyed digest of a text. */
  digest(purpose: Purpose, text: string): Uint8Array;
  /** AES-256-GCM with the key "at-rest". `context` must be the same for decryption. */
  encrypt(text: string, context: string): Promise<string>;
  decrypt(sealed: string, context: string): Promise<string>;
}

export function createSecrets(secret: string, random: (bytes: number) => Uint8Array): Secrets {
  const root = utf8ToBytes(secret);
  const keys = new Map<Purpose, Uint8Array>();
  const key = (purpose: Purpose) => {
    const known = keys.get(purpose) ?? hkdf(sha256, root, undefined, utf8ToBytes(`octavo ${purpose}`), 32);
    keys.set(purpose, known);
    return known;
  };
  let imported: Promise<CryptoKey> | undefined;
  const atRest = () => {
    imported ??= crypto.subtle.importKey("raw", key("at-rest") as BufferSource, "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]);
    return imported;
  };
  return {
    key,
    digest: (purpose, text) => hmac(sha256, key(purpose), utf8ToBytes(text)),
    async encrypt(text, context) {
      const iv = random(12) as BufferSource & Uint8Array;
      const options = { name: "AES-GCM", iv, additionalData: utf8ToBytes(context) as BufferSource };
      const sealed = await crypto.subtle.encrypt(options, await atRest(), utf8ToBytes(text) as BufferSource);
      return toBase64url(iv) + toBase64url(new Uint8Array(sealed));
    },
    async decrypt(sealed, context) {
      const iv = fromBase64url(sealed.slice(0, 16)) as BufferSource & Uint8Array;
      const options = { name: "AES-GCM", iv, additionalData: utf8ToBytes(context) as BufferSource };
      const text = await crypto.subtle.decrypt(
        options,
        await atRest(),
        fromBase64url(sealed.slice(16)) as BufferSource,
      );
      return new TextDecoder().decode(text);
    },
  };
}

/** SHA-256 of a text, in hexadecimal. */
export function fingerprint(text: string): string {
  return sha256Hex(text);
}

/** Compares two texts in constant time. Only their lengths are not secret. */
export function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

export function toBase64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Throws when the text is not base64url. */
export function fromBase64url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}
