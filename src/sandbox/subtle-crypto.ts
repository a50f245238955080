// crypto.subtle of a run. The runtime has the algorithms and the keys; the script has a number for each key. One operation
// runs at a time, and each is charged before it runs. Keys that would cost more than their size suggests are refused.

import { SandboxError } from "./failure";
import type { SettledRequest } from "./outbound-requests";
import { getMember } from "./untrusted";

const MAX_QUEUED_BYTES = 8 * 1024 * 1024;
const MAX_KEYS = 200;
/** The size of a key of HMAC, and of a key of an asymmetric algorithm in any format. */
const MAX_SECRET_BYTES = 64 * 1024;
const MAX_KEY_BYTES = 8 * 1024;
const MAX_MODULUS_BITS = 4096;

/** The steps of every operation, and for each byte that goes in or out. */
const OPERATION_STEPS = 5000;
const STEPS_PER_BYTE = 1;
/** The steps of an operation with a key of an elliptic curve, and of reading or writing any asymmetric key. */
const CURVE_STEPS = 200_000;
/** The steps with an RSA key of 2048 bits: for the private key, for the public key, and for creating a pair. */
const RSA_PRIVATE_STEPS = 250_000;
const RSA_PUBLIC_STEPS = 20_000;
const RSA_PAIR_STEPS = 60_000_000;

const DIGESTS = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];
const RSA_ALGORITHMS = ["RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP"];
const ALGORITHMS = ["HMAC", "AES-GCM", ...RSA_ALGORITHMS, "ECDSA"];

/** The members of an algorithm in addition to its name. */
const NUMBER_MEMBERS = ["length", "modulusLength", "saltLength", "tagLength"];
const TEXT_MEMBERS = ["hash", "namedCurve"];
const BYTE_MEMBERS = ["additionalData", "iv", "label", "publicExponent"];

type Bytes = Uint8Array<ArrayBuffer>;
type BytesByName = ReadonlyMap<string, Bytes>;

/** An algorithm by its standard name. The members are not checked here; the runtime checks them. */
interface CryptoAlgorithm {
  readonly name: string;
  readonly [member: string]: unknown;
}

interface CryptoOperation {
  readonly id: number;
  readonly name: string;
  readonly settings: unknown;
  /** Undefined if the operation is refused because the queue is full, or if its sizes do not add up. */
  readonly bytes: BytesByName | undefined;
  readonly size: number;
}

/** The result of an operation: members of the JSON, or bytes. */
interface CryptoResult {
  readonly value?: object;
  readonly bytes?: ArrayBuffer;
}

export class SubtleCryptoQueue {
  private readonly keys: CryptoKey[] = [];
  private readonly queue: CryptoOperation[] = [];
  private queuedBytes = 0;

  /** `charge` takes steps of the run, and throws when there are none left. */
  constructor(private readonly charge: (steps: number) => void) {}

  /** Adds an operation of the script to the queue. */
  enqueue(value: unknown, bytes: Uint8Array): void {
    this.charge(OPERATION_STEPS + bytes.length * STEPS_PER_BYTE);
    const isFull = this.queuedBytes + bytes.length > MAX_QUEUED_BYTES;
    const size = isFull ? 0 : bytes.length;
    this.queuedBytes += size;
    this.queue.push({
      id: Number(getMember(value, "id")),
      name: String(getMember(value, "name")),
      settings: getMember(value, "settings"),
      bytes: isFull ? undefined : splitBytes(getMember(value, "sizes"), bytes),
      size,
    });
  }

  /** Runs the first operation of the queue. Returns undefined if the queue is empty. */
  async runNext(): Promise<SettledRequest | undefined> {
    const operation = this.queue.shift();
    if (!operation) return undefined;
    this.queuedBytes -= operation.size;
    const { id } = operation;
    try {
      const { value, bytes } = await this.execute(operation);
      this.charge((bytes?.byteLength ?? 0) * STEPS_PER_BYTE);
      return { json: JSON.stringify({ ...value, id }), bytes: bytes && new Uint8Array(bytes) };
    } catch (error) {
      if (error instanceof SandboxError) throw error;
      // Errors of the standard keep their names.
      const name = error instanceof DOMException || error instanceof TypeError ? error.name : "OperationError";
      const message = (error instanceof Error ? error.message : "").slice(0, 500);
      return { json: JSON.stringify({ id, error: { name, message } }), bytes: undefined };
    }
  }

  private async execute({ name, settings, bytes }: CryptoOperation): Promise<CryptoResult> {
    if (!bytes) throw new DOMException("Too much waits to be computed.", "QuotaExceededError");
    const data = bytes.get("data") ?? new Uint8Array();
    if (name === "digest") return { bytes: await crypto.subtle.digest(parseAlgorithm(settings, bytes, DIGESTS), data) };
    if (name === "importKey") return { value: { key: await this.importKey(settings, bytes, data) } };
    if (name === "generateKey") return { value: await this.generateKey(settings, bytes) };

    const key = this.keys[Number(getMember(settings, "key"))];
    if (!key) throw new TypeError("The key is a CryptoKey.");
    if (name === "exportKey") {
      this.charge(key.type === "secret" ? 0 : CURVE_STEPS);
      // Not every runtime throws the error of the standard.
      if (!key.extractable) throw new DOMException("The key cannot be exported.", "InvalidAccessError");
      const format = String(getMember(settings, "format"));
      if (format === "jwk") return { value: { jwk: await crypto.subtle.exportKey("jwk", key) } };
      return { bytes: await crypto.subtle.exportKey(format as "raw", key) };
    }

    const algorithm = parseAlgorithm(settings, bytes, ALGORITHMS);
    const { modulusLength, length } = key.algorithm as { readonly modulusLength?: number; readonly length?: number };
    let steps = CURVE_STEPS;
    if (key.type === "secret") steps = key.algorithm.name === "HMAC" ? (length ?? 0) / 8 : 0;
    else if (modulusLength !== undefined) {
      const ratio = modulusLength / 2048;
      steps = key.type === "private" ? RSA_PRIVATE_STEPS * ratio ** 3 : RSA_PUBLIC_STEPS * ratio ** 2;
    }
    this.charge(steps);
    if (name === "sign") return { bytes: await crypto.subtle.sign(algorithm, key, data) };
    if (name === "encrypt") return { bytes: await crypto.subtle.encrypt(algorithm, key, data) };
    if (name === "decrypt") return { bytes: await crypto.subtle.decrypt(algorithm, key, data) };
    const signature = bytes.get("signature") ?? new Uint8Array();
    return { value: { isRight: await crypto.subtle.verify(algorithm, key, signature, data) } };
  }

  private async importKey(settings: unknown, bytes: BytesByName, data: Bytes): Promise<object> {
    const algorithm = parseAlgorithm(settings, bytes, ALGORITHMS);
    const format = String(getMember(settings, "format"));
    const jwk = getMember(settings, "jwk");
    const isSymmetric = algorithm.name === "HMAC" || algorithm.name === "AES-GCM";
    this.charge(isSymmetric ? data.length : CURVE_STEPS);
    const size = format === "jwk" ? JSON.stringify(jwk ?? null).length : data.length;
    if (size > (isSymmetric ? 2 * MAX_SECRET_BYTES : MAX_KEY_BYTES))
      throw new DOMException("The key is too large.", "DataError");

    const load = (isExtractable: boolean) =>
      format === "jwk"
        ? crypto.subtle.importKey("jwk", jwk as JsonWebKey, algorithm, isExtractable, getUsages(settings))
        : crypto.subtle.importKey(format as "raw", data, algorithm, isExtractable, getUsages(settings));
    if (RSA_ALGORITHMS.includes(algorithm.name)) {
      // Each operation with a key whose members are larger than those of its modulus should be would take far longer than
      // its size suggests.
      const members = format === "jwk" ? jwk : await crypto.subtle.exportKey("jwk", await load(true));
      const getBytes = (name: string) => Math.floor((String(getMember(members, name) ?? "").length * 3) / 4);
      const modulusBytes = getBytes("n");
      if (modulusBytes * 8 > MAX_MODULUS_BITS)
        throw new DOMException(`An RSA key has ${MAX_MODULUS_BITS} bits at most.`, "DataError");
      const isHalfSize = (name: string) => getBytes(name) <= modulusBytes / 2 + 8;
      const areMembersInBounds =
        getBytes("e") <= 8 && getBytes("d") <= modulusBytes && ["p", "q", "dp", "dq", "qi"].every(isHalfSize);
      if (!areMembersInBounds) throw new DOMException("The members of the key do not fit its modulus.", "DataError");
    }
    return this.addKey(await load(getMember(settings, "extractable") === true));
  }

  private async generateKey(settings: unknown, bytes: BytesByName): Promise<object> {
    const algorithm = parseAlgorithm(settings, bytes, ALGORITHMS);
    if (RSA_ALGORITHMS.includes(algorithm.name)) {
      // The time for a pair grows with the fourth power of its size, and has no bound for unusual exponents.
      const bits = Number(algorithm.modulusLength);
      if (!(bits >= 512 && bits <= MAX_MODULUS_BITS))
        throw new DOMException(`An RSA key has ${MAX_MODULUS_BITS} bits at most.`, "OperationError");
      const { publicExponent } = algorithm;
      const exponent = publicExponent instanceof Uint8Array ? [...publicExponent].join().replace(/^(0,)+/, "") : "";
      if (exponent !== "1,0,1" && exponent !== "3")
        throw new DOMException("The public exponent is 65537 or 3.", "OperationError");
      this.charge(RSA_PAIR_STEPS * Math.max((bits / 2048) ** 4, 0.2));
    } else this.charge(algorithm.name === "ECDSA" ? CURVE_STEPS : 0);
    if (Number(algorithm.length ?? 0) > 8 * MAX_SECRET_BYTES)
      throw new DOMException("The key is too large.", "OperationError");

    const isExtractable = getMember(settings, "extractable") === true;
    const generated = await crypto.subtle.generateKey(algorithm, isExtractable, getUsages(settings));
    if (!("privateKey" in generated)) return { key: this.addKey(generated) };
    return { publicKey: this.addKey(generated.publicKey), privateKey: this.addKey(generated.privateKey) };
  }

  private addKey(key: CryptoKey): object {
    if (this.keys.length >= MAX_KEYS)
      throw new DOMException(`An event has ${MAX_KEYS} keys at most.`, "QuotaExceededError");
    const number = this.keys.push(key) - 1;
    const { publicExponent, ...rest } = key.algorithm as KeyAlgorithm & { publicExponent?: Uint8Array };
    const algorithm = publicExponent ? { ...rest, publicExponent: [...publicExponent] } : rest;
    return { number, type: key.type, extractable: key.extractable, algorithm, usages: [...key.usages] };
  }
}

/** Returns the algorithm of the settings with its known members. Throws if it is not one of the allowed algorithms. */
function parseAlgorithm(settings: unknown, bytes: BytesByName, allowed: readonly string[]): CryptoAlgorithm {
  const requestedName = String(getMember(settings, "algorithm")).toUpperCase();
  const name = allowed.find((name) => name.toUpperCase() === requestedName);
  if (name === undefined) throw new DOMException("The algorithm is not supported.", "NotSupportedError");
  const members: Record<string, unknown> = {};
  for (const member of NUMBER_MEMBERS)
    if (typeof getMember(settings, member) === "number") members[member] = getMember(settings, member);
  for (const member of TEXT_MEMBERS)
    if (typeof getMember(settings, member) === "string") members[member] = getMember(settings, member);
  for (const member of BYTE_MEMBERS) if (bytes.has(member)) members[member] = bytes.get(member);
  return { name, ...members };
}

function getUsages(settings: unknown): KeyUsage[] {
  const usages = getMember(settings, "usages");
  return Array.isArray(usages) ? usages.slice(0, 20).map((usage) => String(usage) as KeyUsage) : [];
}

/** Splits bytes into named parts. Returns undefined if the sizes do not add up. */
function splitBytes(sizes: unknown, bytes: Uint8Array): BytesByName | undefined {
  const parts = new Map<string, Bytes>();
  let offset = 0;
  for (const size of Array.isArray(sizes) ? sizes : []) {
    const length = Number(size?.[1]);
    if (!Number.isInteger(length) || length < 0 || offset + length > bytes.length) return undefined;
    parts.set(String(size[0]), bytes.slice(offset, offset + length) as Bytes);
    offset += length;
  }
  return parts;
}
