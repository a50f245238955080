// Derives keys from the secret for each of its uses, such as sealing cursors, signing visitor tokens and encrypting stored values.
// Each use has its own key, so a value created for one use is not valid for another.

import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { hmacSha256 } from "../utils/sha256";

/** The purposes of derived keys. The name is part of the derivation and never changes. */
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
  /** Returns the 32-byte key of a purpose. */
  key(purpose: Purpose): Uint8Array;
  /** Returns the keys of a purpose under all secrets, the current one first, for values that may be older than the current secret. */
  keys(purpose: Purpose): readonly Uint8Array[];
  /** Returns a keyed digest of a text. */
  digest(purpose: Purpose, text: string): Uint8Array;
  /** Returns the digests of a text under all secrets, the current one first. */
  digests(purpose: Purpose, text: string): readonly Uint8Array[];
  /** Returns whether `given` is the start of a text's digest under any secret, in the same time for all wrong ones. */
  isDigest(purpose: Purpose, text: string, given: string, bytes?: number): boolean;
  /** Encrypts a text using AES-256-GCM with the key "at-rest". `context` must be the same for decryption. */
  encrypt(text: string, context: string): Promise<string>;
  /** Decrypts a text. Throws if no secret decrypts it. */
  decrypt(sealed: string, context: string): Promise<string>;
  /** Encrypts a sealed text again with the current secret. Returns undefined if it already is, or if no secret decrypts it. */
  reseal(sealed: string, context: string): Promise<string | undefined>;
}

/** Creates the uses of one or more secrets. New values are created with the first one; all are tried on existing values. */
export function createSecrets(secrets: readonly string[], random: (bytes: number) => Uint8Array): Secrets {
  const rings = secrets.map((secret) => new KeyRing(secret));
  const current = rings[0]!;
  const digest = (ring: KeyRing, purpose: Purpose, text: string) => hmacSha256(ring.key(purpose), text);

  async function encrypt(text: string, context: string): Promise<string> {
    const iv = random(12) as BufferSource & Uint8Array;
    const options = { name: "AES-GCM", iv, additionalData: utf8ToBytes(context) as BufferSource };
    const sealed = await crypto.subtle.encrypt(options, await current.atRest(), utf8ToBytes(text) as BufferSource);
    return toBase64url(iv) + toBase64url(new Uint8Array(sealed));
  }

  /** Decrypts a text. Returns it with the index of the secret that decrypted it. */
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

/** The keys of recently used secrets. A Worker opens an API for every request, and deriving takes long. */
const derivedKeys = new Map<string, Map<Purpose, Uint8Array>>();
/** The maximum number of secrets whose keys are cached. A host has one, and a second one while it is being replaced. */
const MAX_CACHED_SECRETS = 4;

class KeyRing {
  readonly #root: Uint8Array;
  readonly #keys: Map<Purpose, Uint8Array>;
  #imported: Promise<CryptoKey> | undefined;

  constructor(secret: string) {
    this.#root = utf8ToBytes(secret);
    this.#keys = derivedKeys.get(secret) ?? new Map<Purpose, Uint8Array>();
    derivedKeys.delete(secret);
    derivedKeys.set(secret, this.#keys);
    if (derivedKeys.size > MAX_CACHED_SECRETS) derivedKeys.delete(derivedKeys.keys().next().value!);
  }

  key(purpose: Purpose): Uint8Array {
    const known = this.#keys.get(purpose);
    const derived = known ?? hkdf(sha256, this.#root, undefined, utf8ToBytes(`octavo ${purpose}`), 32);
    this.#keys.set(purpose, derived);
    return derived;
  }

  atRest(): Promise<CryptoKey> {
    this.#imported ??= crypto.subtle.importKey("raw", this.key("at-rest") as BufferSource, "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]);
    return this.#imported;
  }
}

/** Compares two texts in constant time. Their lengths are not secret. */
export function isEqualInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

/** Encodes bytes as base64url. Every write needs a digest in this form, and `btoa` with replaced letters takes twice the time. */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    for (bits += 8; bits >= 6; ) {
      bits -= 6;
      text += LETTERS[(buffer >> bits) & 63];
    }
  }
  return bits > 0 ? text + LETTERS[(buffer << (6 - bits)) & 63] : text;
}

/** Decodes base64url. Throws if the text is not base64url. */
export function fromBase64url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}
