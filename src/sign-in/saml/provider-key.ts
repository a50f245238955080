// The key of an identity provider, pinned by the certificate in the provider's record. Keys in messages are ignored.

import { importX509 } from "jose";
import type { VerifySignature } from "./signature";

/** The elliptic curves, each with the algorithm by which jose imports it. */
const CURVES = [
  ["ES256", "P-256"],
  ["ES384", "P-384"],
  ["ES512", "P-521"],
] as const;

/** Returns a function that verifies signatures with the key of a certificate. */
export function createSignatureVerifier(certificate: string): VerifySignature {
  const publicKey = exportPublicKey(certificate);
  return async (method, signature, signed) => {
    const { curve, bytes } = await publicKey;
    const { name, hash } = method;
    if ((name === "ECDSA") !== (curve !== undefined)) return false;
    const algorithm = curve === undefined ? { name, hash } : { name, namedCurve: curve };
    const key = await crypto.subtle.importKey("spki", bytes, algorithm, false, ["verify"]);
    return crypto.subtle.verify(method as AlgorithmIdentifier, key, signature as BufferSource, signed as BufferSource);
  };
}

/** Returns the public key of a certificate (SPKI), and its curve unless it is an RSA key. */
async function exportPublicKey(certificate: string): Promise<{ readonly curve?: string; readonly bytes: ArrayBuffer }> {
  const exportKey = async (algorithm: string) =>
    crypto.subtle.exportKey("spki", (await importX509(certificate, algorithm, { extractable: true })) as CryptoKey);
  for (const [algorithm, curve] of CURVES) {
    const bytes = await exportKey(algorithm).catch(() => undefined);
    if (bytes) return { curve, bytes };
  }
  return { bytes: await exportKey("RS256") };
}
