// The target and rights of SAML providers, and the checks that make one complete.

import { createValidationError } from "../../../errors";
import type { Urls } from "../../../ports/urls";
import { loadJose } from "../jose";
import { adminRights, defineOrganizationTarget } from "../organizations/rules";
import { type SamlProviderRecord, samlProviders } from "./records";

export const samlProvider = defineOrganizationTarget(
  "saml_provider_not_found",
  async ({ tx, params }) => {
    const provider = await samlProviders.get(tx, params.samlProviderId!);
    return provider && { provider };
  },
  adminRights,
);

/** Returns `pending` until everything is set that signing in needs. */
export function getSamlProviderStatus({ entityID, certificate, ssoURL }: SamlProviderRecord): "active" | "pending" {
  return entityID !== null && certificate !== null && ssoURL !== null ? "active" : "pending";
}

/** Returns the service-provider data that an identity provider needs. */
export function getSamlServiceUrls(organization: string, id: string, urls: Urls) {
  const base = urls.api(`/orgs/${organization}/saml/${id}`);
  return { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: `${base}/metadata` };
}

const ALGORITHMS = ["RS256", "ES256", "ES384", "ES512"];

/** Parses an X.509 certificate as PEM or bare base64, and returns it as PEM. Throws for everything else. */
export async function parseCertificate(text: string): Promise<string> {
  if (/PRIVATE KEY/.test(text))
    throw createValidationError(
      "body.certificate",
      "This is a private key. Send the certificate instead, and replace the key",
    );
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, "").replace(/\s+/g, "");
  const pem = `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})(?=.)/g, "$1\n")}\n-----END CERTIFICATE-----`;
  const { importX509 } = await loadJose();
  for (const algorithm of ALGORITHMS) {
    try {
      await importX509(pem, algorithm);
      return pem;
    } catch {}
  }
  throw createValidationError(
    "body.certificate",
    "Expected an X.509 certificate with an RSA or EC key, as PEM or base64",
  );
}
