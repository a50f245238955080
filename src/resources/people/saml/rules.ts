// Who may do what with SAML providers, and what makes one complete.

import { createValidationError } from "../../../errors";
import type { Target } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { loadJose } from "../jose";
import { type InOrganization, organization, organizationAbove } from "../organizations/rules";
import { type SamlProviderRecord, samlProviders } from "./records";

export const samlProvider: Target<InOrganization & { readonly provider: SamlProviderRecord }, "admin"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await organizationAbove(scope);
    const provider = await samlProviders.get(scope.tx, scope.params.samlProviderId!);
    return provider && { ...above, provider };
  },
  notFoundReason: "saml_provider_not_found",
  rights: { view: organization.rights.admin, admin: organization.rights.admin },
};

/** Pending until everything is set that signing in needs. */
export function statusOf({ entityID, certificate, ssoURL }: SamlProviderRecord): "active" | "pending" {
  return entityID !== null && certificate !== null && ssoURL !== null ? "active" : "pending";
}

/** The service-provider data that a provider needs. */
export function serviceUrls(organization: string, id: string, urls: Urls) {
  const at = urls.api(`/orgs/${organization}/saml/${id}`);
  return { acsURL: `${at}/acs`, startURL: `${at}/start`, entityID: `${at}/metadata` };
}

const ALGORITHMS = ["RS256", "ES256", "ES384", "ES512"];

/** Reads an X.509 certificate as PEM or as bare base64, and returns it as PEM. Refuses everything else. */
export async function checkCertificate(given: string): Promise<string> {
  if (/PRIVATE KEY/.test(given))
    throw createValidationError("body.certificate", "This is a private key: send the certificate, and renew the key");
  const base64 = given.replace(/-----(BEGIN|END) CERTIFICATE-----/g, "").replace(/\s+/g, "");
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
