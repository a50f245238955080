// Our own key pair towards the identity providers of an organization: they encrypt assertions with it, and we sign
// requests for logout. The private part is sealed in the storage.

import { fromBase64, toBase64 } from "./base64";
import { createSelfSignedCertificate } from "./certificate";
import type { UnwrapKey } from "./decryption";

export interface ServiceKey {
  /** PKCS 8, in base64. */
  readonly privateKey: string;
  /** DER, in base64. */
  readonly certificate: string;
}

const RSA = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };

/** A new key pair, with a certificate. */
export async function generateServiceKey(
  commonName: string,
  { now, random }: { readonly now: () => Date; readonly random: (bytes: number) => Uint8Array },
): Promise<ServiceKey> {
  const made = { name: "RSA-OAEP", hash: "SHA-256", ...RSA };
  const pair = await crypto.subtle.generateKey(made, true, ["encrypt", "decrypt"]);
  const [pkcs8, spki] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", pair.privateKey),
    crypto.subtle.exportKey("spki", pair.publicKey),
  ]);
  const bytes = new Uint8Array(pkcs8);
  const naming = { commonName, serial: random(16), from: now() };
  return {
    privateKey: toBase64(bytes),
    certificate: await createSelfSignedCertificate(new Uint8Array(spki), bytes, naming),
  };
}

/** Opens keys that were encrypted for us. */
export function createKeyUnwrapper({ privateKey }: Pick<ServiceKey, "privateKey">): UnwrapKey {
  return async (hash, wrapped) => {
    const algorithm = { name: "RSA-OAEP", hash };
    const key = await crypto.subtle.importKey("pkcs8", fromBase64(privateKey), algorithm, false, ["decrypt"]);
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, wrapped as BufferSource));
  };
}

/** Signs with RSA and SHA-256. */
export async function signText({ privateKey }: Pick<ServiceKey, "privateKey">, text: string): Promise<Uint8Array> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("pkcs8", fromBase64(privateKey), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text)));
}
