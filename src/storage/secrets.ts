// The uses of the secret: sealing cursors, signing tokens for visitors, encrypting values that must be read back.
// Each use has its own derived key, so a value made for one use is not valid for another.

import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { hmacSha256, sha256Hex } from "../utils/sha256";

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
  | "visit"
  | "invite"
  | "oauth-client"
  | "sign-in"
  | "domain-proof"
  | "saml-request"
  | "audit"
  | "secret-check";

export interface Secrets {
  /** The 32-byte key of a purpose. */
  key(purpose: Purpose): Uint8Array;
  /** The keys of a purpose under all secrets, the current one first: for what may have been made with an older one. */
  keys(purpose: Purpose): readonly Uint8Array[];
  /** A keyed digest of a text. */
  digest(purpose: Purpose, text: string): Uint8Array;
  /** The digests of a text under all secrets, the current one first. */
  digests(purpose: Purpose, text: string): readonly Uint8Array[];
  /** Whether this is the digest of a text, under any secret; as base64url, of its first bytes. Takes the same time for
   * every wrong one. */
  isDigest(purpose: Purpose, text: string, given: string, bytes?: number): boolean;
  /** AES-256-GCM with the key "at-rest". `context` must be the same for decryption. */
  encrypt(text: string, context: string): Promise<string>;
  /** Throws when no secret opens it. */
  decrypt(sealed: string, context: string): Promise<string>;
  /** The same sealed with the current secret; undefined when it already is, and when no secret opens it. */
  reseal(sealed: string, context: string): Promise<string | undefined>;
}

/** The uses of a secret. With several, the first makes what is new, and all are tried on what was made before. */
export function createSecrets(secrets: readonly string[], random: (bytes: number) => Uint8Array): Secrets {
  const rings = secrets.map(createKeyRing);
  const current = rings[0]!;
  const digest = (ring: KeyRing, purpose: Purpose, text: string) => hmacSha256(ring.key(purpose), text);

  async function encrypt(text: string, context: string): Promise<string> {
    const iv = random(12) as BufferSource & Uint8Array;
    const options = { name: "AES-GCM", iv, additionalData: utf8ToBytes(context) as BufferSource };
    const sealed = await crypto.subtle.encrypt(options, await current.atRest(), utf8ToBytes(text) as BufferSource);
    return toBase64url(iv) + toBase64url(new Uint8Array(sealed));
  }

  /** The text, with the number of the secret that opened it. */
  async function open(sealed: string, context: string): Promise<{ readonly text: string; readonly by: number }> {
    const iv = fromBase64url(sealed.slice(0, 16)) as BufferSource & Uint8Array;
    const options = { name: "AES-GCM", iv, additionalData: utf8ToBytes(context) as BufferSource };
    const bytes = fromBase64url(sealed.slice(16)) as BufferSource;
    for (let by = 0; ; by++) {
      try {
        const text = await crypto.subtle.decrypt(options, await rings[by]!.atRest(), bytes);
        return { text: new TextDecoder().decode(text), by };
      } catch (error) {
        if (by === rings.length - 1) throw error;
      }
    }
  }

  return {
    key: (purpose) => current.key(purpose),
    keys: (purpose) => rings.map((ring) => ring.key(purpose)),
    digest: (purpose, text) => digest(current, purpose, text),
    digests: (purpose, text) => rings.map((ring) => digest(ring, purpose, text)),
    isDigest: (purpose, text, given, bytes) =>
      rings.some((ring) => isEqualInConstantTime(toBase64url(digest(ring, purpose, text).slice(0, bytes)), given)),
    encrypt,
    decrypt: async (sealed, context) => (await open(sealed, context)).text,
    async reseal(sealed, context) {
      const opened = await open(sealed, context).catch(() => undefined);
      return opened && opened.by > 0 ? encrypt(opened.text, context) : undefined;
    },
  };
}

/** The keys of one secret. */
interface KeyRing {
  key(purpose: Purpose): Uint8Array;
  atRest(): Promise<CryptoKey>;
}

/** The keys that were derived from the secrets that were used last. A Worker opens an API for every request, and a derivation
 * takes longer than most of what opening does. */
const derived = new Map<string, Map<Purpose, Uint8Array>>();
/** Of how many secrets. A host has one, and a second one while it is replaced. */
const MAX_CACHED_SECRETS = 4;

function derivedFrom(secret: string): Map<Purpose, Uint8Array> {
  const keys = derived.get(secret) ?? new Map<Purpose, Uint8Array>();
  derived.delete(secret);
  derived.set(secret, keys);
  if (derived.size > MAX_CACHED_SECRETS) derived.delete(derived.keys().next().value!);
  return keys;
}

function createKeyRing(secret: string): KeyRing {
  const root = utf8ToBytes(secret);
  const keys = derivedFrom(secret);
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
  return { key, atRest };
}

/** SHA-256 of a text, in hexadecimal. */
export function hashFingerprint(text: string): string {
  return sha256Hex(text);
}

/** Compares two texts in constant time. Only their lengths are not secret. */
export function isEqualInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

/** Every write has a digest in this form. `btoa`, with the letters replaced afterwards, takes twice the time. */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 6; ) {
      bits -= 6;
      text += LETTERS[(held >> bits) & 63];
    }
  }
  return bits > 0 ? text + LETTERS[(held << (6 - bits)) & 63] : text;
}

/** Throws when the text is not base64url. */
export function fromBase64url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}
