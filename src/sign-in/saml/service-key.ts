// The key pair of this service provider, one for each organization. Identity providers encrypt assertions with it, and it signs
// logout messages. The private key is encrypted in the storage.

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

/** Generates a key pair with a certificate. */
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
  const details = { commonName, serial: random(16), from: now() };
  return {
    privateKey: toBase64(privateKey),
    certificate: await createSelfSignedCertificate(new Uint8Array(spki), privateKey, details),
  };
}

/** Returns a function that decrypts content keys. */
export function createKeyUnwrapper({ privateKey }: Pick<ServiceKey, "privateKey">): UnwrapKey {
  return async (hash, wrapped) => {
    const algorithm = { name: "RSA-OAEP", hash };
    const key = await crypto.subtle.importKey("pkcs8", fromBase64(privateKey), algorithm, false, ["decrypt"]);
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, wrapped as BufferSource));
  };
}

/** Signs a text with RSA and SHA-256. */
export async function signText({ privateKey }: Pick<ServiceKey, "privateKey">, text: string): Promise<Uint8Array> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("pkcs8", fromBase64(privateKey), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text)));
}
