// crypto: random values, digests, and HMAC. The host has the algorithms.

import { joined } from "./blob.js";
import { atob, binary, btoa, exactly, viewOf } from "./bytes.js";
import { DOMException } from "./exceptions.js";
import { ask } from "./host.js";

const blocks = { "SHA-1": 64, "SHA-256": 64, "SHA-384": 128, "SHA-512": 128 };

let secretOf;

class CryptoKey {
  #secret;

  static {
    secretOf = (key) => key.#secret;
  }

  constructor(secret, hash, extractable, usages) {
    this.#secret = secret;
    const algorithm = Object.freeze({ name: "HMAC", hash: Object.freeze({ name: hash }), length: secret.length * 8 });
    Object.assign(this, { type: "secret", extractable: Boolean(extractable), algorithm, usages: [...usages] });
    Object.freeze(this);
  }
}

const subtle = {
  async digest(algorithm, data) {
    return ask("digest", { hash: hashOf(algorithm) }, exactly(bytesOf(data)));
  },

  async importKey(format, data, algorithm, extractable, usages) {
    needsHmac(algorithm);
    if (format === "raw") return new CryptoKey(bytesOf(data).slice(), hashOf(algorithm.hash), extractable, usages);
    if (format !== "jwk" || data?.kty !== "oct") throw unsupported("A key is imported as raw or as a symmetric jwk.");
    const text = atob(`${data.k}`.replaceAll("-", "+").replaceAll("_", "/"));
    return new CryptoKey(
      Uint8Array.from(text, (one) => one.charCodeAt(0)),
      hashOf(algorithm.hash),
      extractable,
      usages,
    );
  },

  async generateKey(algorithm, extractable, usages) {
    needsHmac(algorithm);
    const hash = hashOf(algorithm.hash);
    const length = algorithm.length === undefined ? blocks[hash] : Math.ceil(algorithm.length / 8);
    return new CryptoKey(new Uint8Array(ask("random", length)), hash, extractable, usages);
  },

  async exportKey(format, key) {
    if (!key.extractable) throw new DOMException("The key cannot be exported.", "InvalidAccessError");
    if (format === "raw") return secretOf(key).slice().buffer;
    if (format !== "jwk") throw unsupported("A key is exported as raw or jwk.");
    const k = btoa(binary(secretOf(key)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
    return { kty: "oct", k, alg: `HS${key.algorithm.hash.name.slice(4)}`, ext: true, key_ops: [...key.usages] };
  },

  async sign(algorithm, key, data) {
    needsHmac(algorithm);
    if (!key.usages.includes("sign")) throw new DOMException("The key does not sign.", "InvalidAccessError");
    return mac(key, data);
  },

  async verify(algorithm, key, signature, data) {
    needsHmac(algorithm);
    if (!key.usages.includes("verify")) throw new DOMException("The key does not verify.", "InvalidAccessError");
    const right = new Uint8Array(mac(key, data));
    const given = bytesOf(signature);
    let difference = right.length ^ given.length;
    for (let at = 0; at < right.length; at++) difference |= right[at] ^ given[at];
    return difference === 0;
  },
};

export const crypto = Object.freeze({
  subtle: Object.freeze(subtle),

  getRandomValues(array) {
    const view = viewOf(array);
    if (!view || array instanceof ArrayBuffer) throw new TypeError("getRandomValues fills a typed array.");
    if (view.length > 65_536) throw new DOMException("That is more than 65,536 bytes.", "QuotaExceededError");
    view.set(new Uint8Array(ask("random", view.length)));
    return array;
  },

  randomUUID() {
    const bytes = new Uint8Array(ask("random", 16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  },
});

function mac(key, data) {
  const secret = secretOf(key);
  const settings = { hash: key.algorithm.hash.name, keyLength: secret.length };
  return ask("hmac", settings, exactly(joined([secret, bytesOf(data)])));
}

function bytesOf(data) {
  const view = viewOf(data);
  if (!view) throw new TypeError("The data is a buffer.");
  return view;
}

function hashOf(algorithm) {
  const name = `${algorithm?.name ?? algorithm}`.toUpperCase();
  if (!Object.hasOwn(blocks, name)) throw unsupported("The hash is SHA-1, SHA-256, SHA-384 or SHA-512.");
  return name;
}

function needsHmac(algorithm) {
  if (`${algorithm?.name ?? algorithm}`.toUpperCase() !== "HMAC") throw unsupported("The algorithm is HMAC.");
}

function unsupported(message) {
  return new DOMException(message, "NotSupportedError");
}
