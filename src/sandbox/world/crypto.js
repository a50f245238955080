// crypto: random values here, and crypto.subtle, whose keys and algorithms the host has. A key here is a number; what it
// is made of is not in this world, so a key that cannot be exported cannot be read either.

import { exactly, joined, viewOf } from "./bytes.js";
import { DOMException } from "./exceptions.js";
import { ask } from "./host.js";
import { expect } from "./waiting.js";

let numberOf;
/** Only this file makes keys. */
const making = Symbol();

export class CryptoKey {
  #number;
  #type;
  #extractable;
  #algorithm;
  #usages;

  static {
    numberOf = (key) => {
      if (typeof key !== "object" || key === null || !(#number in key)) throw new TypeError("The key is a CryptoKey.");
      return key.#number;
    };
  }

  constructor(key, facts) {
    if (key !== making) throw new TypeError("Illegal constructor");
    const { publicExponent, ...algorithm } = facts.algorithm;
    this.#number = facts.number;
    this.#type = facts.type;
    this.#extractable = facts.extractable;
    this.#usages = Object.freeze(facts.usages);
    this.#algorithm = publicExponent ? { ...algorithm, publicExponent: Uint8Array.from(publicExponent) } : algorithm;
  }

  get type() {
    return this.#type;
  }

  get extractable() {
    return this.#extractable;
  }

  get algorithm() {
    return this.#algorithm;
  }

  get usages() {
    return this.#usages;
  }
}

export class SubtleCrypto {
  constructor(key) {
    if (key !== making) throw new TypeError("Illegal constructor");
  }

  async digest(algorithm, data) {
    return buffer(await perform("digest", { ...read(algorithm), data: bytesOf(data) }));
  }

  async importKey(format, data, algorithm, extractable, usages) {
    const settings = {
      ...read(algorithm),
      format: `${format}`,
      extractable: Boolean(extractable),
      usages: listOf(usages),
    };
    const given = settings.format === "jwk" ? { jwk: plain(data) } : { data: bytesOf(data) };
    return keyOf((await perform("importKey", { ...settings, ...given })).answer.key);
  }

  async exportKey(format, key) {
    const done = await perform("exportKey", { format: `${format}`, key: numberOf(key) });
    return done.answer.jwk ?? buffer(done);
  }

  async generateKey(algorithm, extractable, usages) {
    const settings = { ...read(algorithm), extractable: Boolean(extractable), usages: listOf(usages) };
    const { key, publicKey, privateKey } = (await perform("generateKey", settings)).answer;
    return key ? keyOf(key) : { publicKey: keyOf(publicKey), privateKey: keyOf(privateKey) };
  }

  async sign(algorithm, key, data) {
    return buffer(await perform("sign", { ...read(algorithm), key: numberOf(key), data: bytesOf(data) }));
  }

  async verify(algorithm, key, signature, data) {
    const given = { key: numberOf(key), signature: bytesOf(signature), data: bytesOf(data) };
    return (await perform("verify", { ...read(algorithm), ...given })).answer.isRight;
  }

  async encrypt(algorithm, key, data) {
    return buffer(await perform("encrypt", { ...read(algorithm), key: numberOf(key), data: bytesOf(data) }));
  }

  async decrypt(algorithm, key, data) {
    return buffer(await perform("decrypt", { ...read(algorithm), key: numberOf(key), data: bytesOf(data) }));
  }
}

export class Crypto {
  #subtle = new SubtleCrypto(making);

  constructor(key) {
    if (key !== making) throw new TypeError("Illegal constructor");
  }

  get subtle() {
    return this.#subtle;
  }

  getRandomValues(array) {
    const view = viewOf(array);
    if (!view || array instanceof ArrayBuffer) throw new TypeError("getRandomValues fills a typed array.");
    if (view.length > 65_536) throw new DOMException("That is more than 65,536 bytes.", "QuotaExceededError");
    view.set(new Uint8Array(ask("random", view.length)));
    return array;
  }

  randomUUID() {
    const bytes = new Uint8Array(ask("random", 16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
}

export const crypto = new Crypto(making);

/** Has the host do something, later. What is bytes goes in one piece; the sizes tell it apart. */
function perform(name, settings) {
  const entries = Object.entries(settings);
  const parts = entries.filter(([, value]) => value instanceof Uint8Array);
  const values = entries.filter(([, value]) => !(value instanceof Uint8Array));
  const sizes = parts.map(([part, bytes]) => [part, bytes.length]);
  return new Promise((resolve, reject) => {
    const { id } = expect((answer, bytes) => {
      if (answer.error) reject(errorOf(answer.error));
      else resolve({ answer, bytes });
    });
    const value = { id, name, settings: Object.fromEntries(values), sizes };
    ask("subtle", value, exactly(joined(parts.map(([, bytes]) => bytes))));
  });
}

const buffer = ({ bytes }) => bytes ?? new ArrayBuffer(0);

const keyOf = (facts) => new CryptoKey(making, facts);

function errorOf({ name, message }) {
  return name === "TypeError" ? new TypeError(message) : new DOMException(message, name);
}

const numbers = ["length", "modulusLength", "saltLength", "tagLength"];
const buffers = ["additionalData", "iv", "label", "publicExponent"];

/** What an algorithm says, each member read once. */
function read(algorithm) {
  if (typeof algorithm !== "object" || algorithm === null) return { algorithm: `${algorithm}` };
  const { name, hash, namedCurve } = algorithm;
  if (name === undefined) throw new TypeError("The algorithm has no name.");
  const said = { algorithm: `${name}` };
  if (hash !== undefined) said.hash = `${typeof hash === "object" && hash !== null ? hash.name : hash}`;
  if (namedCurve !== undefined) said.namedCurve = `${namedCurve}`;
  for (const member of numbers) {
    const value = algorithm[member];
    if (value !== undefined) said[member] = Number(value);
  }
  for (const member of buffers) {
    const value = algorithm[member];
    if (value !== undefined) said[member] = bytesOf(value);
  }
  return said;
}

function listOf(usages) {
  return [...usages].map((usage) => `${usage}`);
}

function plain(data) {
  if (typeof data !== "object" || data === null || viewOf(data)) throw new TypeError("The data is a JsonWebKey.");
  return data;
}

function bytesOf(data) {
  const view = viewOf(data);
  if (!view) throw new TypeError("The data is a buffer.");
  return view;
}
