// The key of an identity provider, pinned by its certificate in the provider's record. A key that a message brings along
// is never looked at.

import { importX509 } from "jose";
import type { SignatureMethod, VerifySignature } from "./signature";

/** The curves, with the methods of jose that import them. */
const CURVES = [
  ["ES256", "P-256"],
  ["ES384", "P-384"],
  ["ES512", "P-521"],
] as const;

/** Verifies with the key of a certificate. */
export function createSignatureVerifier(certificate: string): VerifySignature {
  const spki = exportPublicKey(certificate);
  return async (method, signature, signed) => {
    const { curve, bytes } = await spki;
    if ((method.name === "ECDSA") !== (curve !== undefined)) return false;
    const key = await crypto.subtle.importKey("spki", bytes, importing(method, curve), false, ["verify"]);
    return crypto.subtle.verify(method as AlgorithmIdentifier, key, signature as BufferSource, signed as BufferSource);
  };
}

function importing(
  { name, hash }: SignatureMethod,
  curve: string | undefined,
): RsaHashedImportParams | EcKeyImportParams {
  return curve === undefined ? { name, hash } : { name, namedCurve: curve };
}

/** The public key of a certificate, by what it says of itself. */
async function exportPublicKey(certificate: string): Promise<{ readonly curve?: string; readonly bytes: ArrayBuffer }> {
  const exported = async (algorithm: string) =>
    crypto.subtle.exportKey("spki", (await importX509(certificate, algorithm, { extractable: true })) as CryptoKey);
  for (const [algorithm, curve] of CURVES) {
    const bytes = await exported(algorithm).catch(() => undefined);
    if (bytes) return { curve, bytes };
  }
  return { bytes: await exported("RS256") };
}
