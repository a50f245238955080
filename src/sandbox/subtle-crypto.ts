// crypto.subtle of a run. The algorithms and the keys are those of the runtime; the script has a number for each key. One
// operation runs at a time, and each is charged before it runs. Keys that would cost more than their size tells are
// refused.

import { Stop } from "./failure";
import { member } from "./host-functions";
import type { Settled } from "./outbound-requests";

/** The bytes of all operations that wait. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
/** The keys of a run. */
const MOST_KEYS = 200;
/** A key of HMAC, and a key of an asymmetric algorithm in any format. */
const MOST_SECRET_BYTES = 64 * 1024;
const MOST_KEY_BYTES = 8 * 1024;
const MOST_MODULUS_BITS = 4096;

/** Steps of every operation, and for each byte that it takes or gives. */
const STEPS_AN_OPERATION = 5000;
const STEPS_A_BYTE = 1;
/** Steps of an operation with a key of an elliptic curve, and of reading or writing any asymmetric key. */
const STEPS_WITH_CURVE = 200_000;
/** Steps with an RSA key of 2048 bits: with the private key, with the public one, and for making a pair. */
const STEPS_PRIVATE = 250_000;
const STEPS_PUBLIC = 20_000;
const STEPS_A_PAIR = 60_000_000;

const digests = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];
const rsa = ["RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP"];
const algorithms = ["HMAC", "AES-GCM", ...rsa, "ECDSA"];

/** What an algorithm may say, beside its name. */
const numberMembers = ["length", "modulusLength", "saltLength", "tagLength"];
const textMembers = ["hash", "namedCurve"];
const byteMembers = ["additionalData", "iv", "label", "publicExponent"];

type Bytes = Uint8Array<ArrayBuffer>;

/** An algorithm under the name that the standard has for it. Nothing here trusts its members; the runtime checks them. */
interface Named {
  readonly name: string;
  readonly [member: string]: unknown;
}

/** What a script asks for. */
interface Wish {
  readonly id: number;
  readonly name: string;
  readonly settings: unknown;
  /** Undefined: it is refused, because too much waits. */
  readonly bytes: ReadonlyMap<string, Bytes> | undefined;
  readonly size: number;
}

/** What comes of it: told as JSON, or bytes. */
interface Answer {
  readonly value?: object;
  readonly bytes?: ArrayBuffer;
}

export class Subtle {
  private readonly keys: CryptoKey[] = [];
  private readonly waiting: Wish[] = [];
  private waitingBytes = 0;

  /** `charge` takes steps of the run, and throws when there are none. */
  constructor(private readonly charge: (steps: number) => void) {}

  /** Takes what a script asks for, to be done later. */
  begin(value: unknown, bytes: Uint8Array): void {
    this.charge(STEPS_AN_OPERATION + bytes.length * STEPS_A_BYTE);
    const isTooMuch = this.waitingBytes + bytes.length > MOST_WAITING_BYTES;
    const size = isTooMuch ? 0 : bytes.length;
    this.waitingBytes += size;
    this.waiting.push({
      id: Number(member(value, "id")),
      name: String(member(value, "name")),
      settings: member(value, "settings"),
      bytes: isTooMuch ? undefined : partsOf(member(value, "sizes"), bytes),
      size,
    });
  }

  /** Does what was asked for first; undefined when nothing waits. */
  async next(): Promise<Settled | undefined> {
    const wish = this.waiting.shift();
    if (!wish) return undefined;
    this.waitingBytes -= wish.size;
    try {
      const { value, bytes } = await this.answer(wish);
      this.charge((bytes?.byteLength ?? 0) * STEPS_A_BYTE);
      return { json: JSON.stringify({ ...value, id: wish.id }), bytes: bytes && new Uint8Array(bytes) };
    } catch (error) {
      if (error instanceof Stop) throw error;
      return { json: JSON.stringify({ id: wish.id, error: described(error) }), bytes: undefined };
    }
  }

  private async answer({ name, settings, bytes }: Wish): Promise<Answer> {
    if (!bytes) throw new DOMException("Too much waits to be computed.", "QuotaExceededError");
    const data = bytes.get("data") ?? new Uint8Array();
    if (name === "digest") return { bytes: await crypto.subtle.digest(named(settings, bytes, digests), data) };
    if (name === "importKey") return { value: { key: await this.imported(settings, bytes, data) } };
    if (name === "generateKey") return { value: await this.generated(settings, bytes) };
    const key = this.key(settings);
    if (name === "exportKey") return this.exported(settings, key);
    const algorithm = named(settings, bytes, algorithms);
    this.charge(costWith(key));
    if (name === "sign") return { bytes: await crypto.subtle.sign(algorithm, key, data) };
    if (name === "encrypt") return { bytes: await crypto.subtle.encrypt(algorithm, key, data) };
    if (name === "decrypt") return { bytes: await crypto.subtle.decrypt(algorithm, key, data) };
    const signature = bytes.get("signature") ?? new Uint8Array();
    return { value: { isRight: await crypto.subtle.verify(algorithm, key, signature, data) } };
  }

  private async imported(settings: unknown, bytes: ReadonlyMap<string, Bytes>, data: Bytes): Promise<object> {
    const algorithm = named(settings, bytes, algorithms);
    const format = String(member(settings, "format"));
    const jwk = member(settings, "jwk");
    const isSymmetric = algorithm.name === "HMAC" || algorithm.name === "AES-GCM";
    this.charge(isSymmetric ? data.length : STEPS_WITH_CURVE);
    const size = format === "jwk" ? JSON.stringify(jwk ?? null).length : data.length;
    if (size > (isSymmetric ? 2 * MOST_SECRET_BYTES : MOST_KEY_BYTES))
      throw new DOMException("The key is too large.", "DataError");
    const load = (isExtractable: boolean) =>
      format === "jwk"
        ? crypto.subtle.importKey("jwk", jwk as JsonWebKey, algorithm, isExtractable, usagesOf(settings))
        : crypto.subtle.importKey(format as "raw", data, algorithm, isExtractable, usagesOf(settings));
    if (rsa.includes(algorithm.name))
      needsPlain(format === "jwk" ? jwk : await crypto.subtle.exportKey("jwk", await load(true)));
    return this.keep(await load(member(settings, "extractable") === true));
  }

  private async generated(settings: unknown, bytes: ReadonlyMap<string, Bytes>): Promise<object> {
    const algorithm = named(settings, bytes, algorithms);
    if (rsa.includes(algorithm.name)) this.chargeForPair(algorithm);
    else this.charge(algorithm.name === "ECDSA" ? STEPS_WITH_CURVE : 0);
    if (Number(algorithm.length ?? 0) > 8 * MOST_SECRET_BYTES)
      throw new DOMException("The key is too large.", "OperationError");
    const isExtractable = member(settings, "extractable") === true;
    const made = await crypto.subtle.generateKey(algorithm, isExtractable, usagesOf(settings));
    if (!("privateKey" in made)) return { key: this.keep(made) };
    return { publicKey: this.keep(made.publicKey), privateKey: this.keep(made.privateKey) };
  }

  /** The time for a pair grows with the fourth power of its size, and has no bound for odd exponents. */
  private chargeForPair({ modulusLength, publicExponent }: Named): void {
    const bits = Number(modulusLength);
    if (!(bits >= 512 && bits <= MOST_MODULUS_BITS))
      throw new DOMException(`An RSA key has ${MOST_MODULUS_BITS} bits at most.`, "OperationError");
    const exponent = publicExponent instanceof Uint8Array ? [...publicExponent].join().replace(/^(0,)+/, "") : "";
    if (exponent !== "1,0,1" && exponent !== "3")
      throw new DOMException("The public exponent is 65537 or 3.", "OperationError");
    this.charge(STEPS_A_PAIR * Math.max((bits / 2048) ** 4, 0.2));
  }

  private async exported(settings: unknown, key: CryptoKey): Promise<Answer> {
    this.charge(key.type === "secret" ? 0 : STEPS_WITH_CURVE);
    // Not every runtime has the name of the standard for this.
    if (!key.extractable) throw new DOMException("The key cannot be exported.", "InvalidAccessError");
    const format = String(member(settings, "format"));
    if (format === "jwk") return { value: { jwk: await crypto.subtle.exportKey("jwk", key) } };
    return { bytes: await crypto.subtle.exportKey(format as "raw", key) };
  }

  private key(settings: unknown): CryptoKey {
    const key = this.keys[Number(member(settings, "key"))];
    if (!key) throw new TypeError("The key is a CryptoKey.");
    return key;
  }

  /** Keeps a key, and gives what the script is told of it. */
  private keep(key: CryptoKey): object {
    if (this.keys.length >= MOST_KEYS)
      throw new DOMException(`An event has ${MOST_KEYS} keys at most.`, "QuotaExceededError");
    const number = this.keys.push(key) - 1;
    const { publicExponent, ...algorithm } = key.algorithm as KeyAlgorithm & { publicExponent?: Uint8Array };
    const told = publicExponent ? { ...algorithm, publicExponent: [...publicExponent] } : algorithm;
    return { number, type: key.type, extractable: key.extractable, algorithm: told, usages: [...key.usages] };
  }
}

/** Steps of one operation with a key. */
function costWith({ type, algorithm }: CryptoKey): number {
  const { modulusLength, length } = algorithm as { readonly modulusLength?: number; readonly length?: number };
  if (type === "secret") return algorithm.name === "HMAC" ? (length ?? 0) / 8 : 0;
  if (modulusLength === undefined) return STEPS_WITH_CURVE;
  const ratio = modulusLength / 2048;
  return type === "private" ? STEPS_PRIVATE * ratio ** 3 : STEPS_PUBLIC * ratio ** 2;
}

/** Refuses an RSA key whose members are larger than its modulus makes them: each operation with it would take far longer
 * than its size tells. */
function needsPlain(jwk: unknown): void {
  const bytes = (name: string) => Math.floor((String(member(jwk, name) ?? "").length * 3) / 4);
  const size = bytes("n");
  if (size * 8 > MOST_MODULUS_BITS)
    throw new DOMException(`An RSA key has ${MOST_MODULUS_BITS} bits at most.`, "DataError");
  const isHalf = (name: string) => bytes(name) <= size / 2 + 8;
  const isPlain = bytes("e") <= 8 && bytes("d") <= size && ["p", "q", "dp", "dq", "qi"].every(isHalf);
  if (!isPlain) throw new DOMException("The members of the key do not fit its modulus.", "DataError");
}

/** The algorithm that a script names, with what it says of it; not supported if it is none of these. */
function named(settings: unknown, bytes: ReadonlyMap<string, Bytes>, among: readonly string[]): Named {
  const wanted = String(member(settings, "algorithm")).toUpperCase();
  const name = among.find((one) => one.toUpperCase() === wanted);
  if (name === undefined) throw new DOMException("The algorithm is not supported.", "NotSupportedError");
  const said: Record<string, unknown> = { name };
  for (const one of numberMembers) if (typeof member(settings, one) === "number") said[one] = member(settings, one);
  for (const one of textMembers) if (typeof member(settings, one) === "string") said[one] = member(settings, one);
  for (const one of byteMembers) if (bytes.has(one)) said[one] = bytes.get(one);
  return said as Named;
}

function usagesOf(settings: unknown): KeyUsage[] {
  const usages = member(settings, "usages");
  return Array.isArray(usages) ? usages.slice(0, 20).map((usage) => String(usage) as KeyUsage) : [];
}

/** The parts of some bytes, by name; undefined when the sizes do not add up. */
function partsOf(sizes: unknown, bytes: Uint8Array): ReadonlyMap<string, Bytes> | undefined {
  const parts = new Map<string, Bytes>();
  let at = 0;
  for (const size of Array.isArray(sizes) ? sizes : []) {
    const length = Number(size?.[1]);
    if (!Number.isInteger(length) || length < 0 || at + length > bytes.length) return undefined;
    parts.set(String(size[0]), bytes.slice(at, at + length) as Bytes);
    at += length;
  }
  return parts;
}

/** The errors of the standard keep their names; everything else is one that is no fault of the script's form. */
function described(error: unknown): { readonly name: string; readonly message: string } {
  const name = error instanceof DOMException || error instanceof TypeError ? error.name : "OperationError";
  return { name, message: (error instanceof Error ? error.message : "").slice(0, 500) };
}
