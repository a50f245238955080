// The key pair of this service provider, one for each organization. Identity providers encrypt assertions with it, and it signs
// logout messages. The private key is encrypted in the storage.

import { concatBytes, toBase64 } from "../../utils/bytes";
import { fromBase64 } from "./base64";
import type { UnwrapKey } from "./decryption";

export interface ServiceKey {
  /** PKCS 8, in base64. */
  readonly privateKey: string;
  /** DER, in base64. */
  readonly certificate: string;
}

const RSA = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };

const SIGNATURE_ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

export async function generateServiceKey(
  commonName: string,
  { now, random }: { readonly now: () => Date; readonly random: (bytes: number) => Uint8Array },
): Promise<ServiceKey> {
  const algorithm = { name: "RSA-OAEP", hash: "SHA-256", ...RSA };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["encrypt", "decrypt"]);
  const [pkcs8, spki] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", pair.privateKey),
    crypto.subtle.exportKey("spki", pair.publicKey),
  ]);
  const privateKey = new Uint8Array(pkcs8);

  // The certificate is signed with its own key. Identity providers import a public key in this format, and use only the key.
  const from = now();
  const until = new Date(from);
  until.setUTCFullYear(from.getUTCFullYear() + 30);
  const name = encodeSequence(
    encodeDer(SET, encodeSequence(COMMON_NAME, encodeDer(0x0c, new TextEncoder().encode(commonName.slice(0, 64))))),
  );
  const body = encodeSequence(
    encodeDer(0xa0, encodeInteger(Uint8Array.of(2))),
    encodeInteger(random(16)),
    SHA256_WITH_RSA,
    name,
    encodeSequence(encodeTime(from), encodeTime(until)),
    name,
    new Uint8Array(spki),
  );
  const key = await crypto.subtle.importKey("pkcs8", privateKey, SIGNATURE_ALGORITHM, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign(SIGNATURE_ALGORITHM, key, body));
  const certificate = encodeSequence(
    body,
    SHA256_WITH_RSA,
    encodeDer(0x03, concatBytes([Uint8Array.of(0), signature])),
  );
  return {
    privateKey: toBase64(privateKey),
    certificate: toBase64(certificate),
  };
}

export function createKeyUnwrapper({ privateKey }: Pick<ServiceKey, "privateKey">): UnwrapKey {
  return async (hash, wrapped) => {
    const algorithm = { name: "RSA-OAEP", hash };
    const key = await crypto.subtle.importKey("pkcs8", fromBase64(privateKey), algorithm, false, ["decrypt"]);
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, wrapped as BufferSource));
  };
}

/** Signs a text with RSA and SHA-256. */
export async function signText({ privateKey }: Pick<ServiceKey, "privateKey">, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("pkcs8", fromBase64(privateKey), SIGNATURE_ALGORITHM, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(SIGNATURE_ALGORITHM, key, new TextEncoder().encode(text)));
}

const SET = 0x31;
/** The object identifier 2.5.4.3. */
const COMMON_NAME = Uint8Array.of(0x06, 0x03, 0x55, 0x04, 0x03);
/** The object identifier 1.2.840.113549.1.1.11, without parameters. */
const SHA256_WITH_RSA = encodeSequence(
  Uint8Array.of(0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b),
  Uint8Array.of(0x05, 0x00),
);

/** Encodes a DER value: its tag, its length and its content. */
function encodeDer(tag: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return concatBytes([Uint8Array.of(tag, ...size), content]);
}

function encodeSequence(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return encodeDer(0x30, concatBytes(parts));
}

/** Encodes a number that isn't negative. A zero byte in front of a set first bit keeps it from being read as the sign. */
function encodeInteger(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  return encodeDer(0x02, short[0]! >= 0x80 ? concatBytes([Uint8Array.of(0), short]) : short);
}

/** Encodes a time. Until 2049 the year has two digits. */
function encodeTime(date: Date): Uint8Array<ArrayBuffer> {
  const digits = `${date.toISOString().replace(/\.\d+/, "").replace(/[-:T]/g, "")}`;
  const isShort = date.getUTCFullYear() < 2050;
  return encodeDer(isShort ? 0x17 : 0x18, new TextEncoder().encode(isShort ? digits.slice(2) : digits));
}
