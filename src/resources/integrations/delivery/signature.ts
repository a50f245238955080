// Signs deliveries, so that an integration can verify them: a signature over the time and the body, with a secret that
// the integration knows. Secrets are derived, so none is stored, and a copy of the storage reveals none.

import { bytesToHex } from "@noble/hashes/utils.js";
import type { Secrets } from "../../../storage/secrets";

/** Derives the secret of an integration, of an installation, or of an installation on a space or a site. */
export function deriveSigningSecret(secrets: Secrets, ...name: readonly string[]): string {
  return deriveSigningSecrets(secrets, ...name)[0]!;
}

/** Derives the same under all secrets, because an integration may have signed before the secret was replaced. */
export function deriveSigningSecrets(secrets: Secrets, ...name: readonly string[]): string[] {
  return secrets.digests("integration-signing", JSON.stringify(name)).map(bytesToHex);
}
