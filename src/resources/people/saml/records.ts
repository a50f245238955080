// SAML providers of an organization. The certificate is the provider's public one, so nothing here is secret.

import type { Role } from "../../../operation/common-schemas";
import { defineRecordSet } from "../../../storage/records";
import type { Transaction } from "../../../storage/transaction";

export type SamlProviderRecord = {
  readonly id: string;
  readonly label: string;
  readonly entityID: string | null;
  readonly certificate: string | null;
  readonly ssoURL: string | null;
  /** The URL at which the provider is notified that a user has signed out. */
  readonly sloURL?: string | null;
  readonly defaultTeam: string | null;
  /** Null: a guest. */
  readonly defaultRole: Role | null;
  readonly createdAt: string;
};

export const samlProviders = defineRecordSet("saml-provider", {
  key: (provider: SamlProviderRecord) => [provider.id],
  indexes: {
    createdAt: (provider) => [provider.createdAt],
    defaultTeam: (provider) => (provider.defaultTeam === null ? undefined : [provider.defaultTeam]),
  },
  unique: { entityID: (provider) => (provider.entityID === null ? undefined : [provider.entityID]) },
  totals: { all: () => [] },
});

/** The key pair that identifies us to the providers of an organization. There is at most one. */
export type SamlKeyRecord = {
  readonly id: "own";
  /** PKCS 8, in base64; absent if it was encrypted with a secret that is lost. */
  readonly privateKey?: string;
  /** DER, in base64. */
  readonly certificate: string;
};

export const samlKeys = defineRecordSet("saml-key", {
  key: (it: SamlKeyRecord) => [it.id],
  sealed: [{ path: ["privateKey"] }],
});

/** The most providers that an organization can have. */
export const MAX_SAML_PROVIDERS = 50;

/** Removes a team that is being deleted from the providers that assign people to it. */
export async function forgetDefaultTeam(tx: Transaction, team: string): Promise<void> {
  const rows = await samlProviders.list(tx, "defaultTeam", { under: [team], limit: MAX_SAML_PROVIDERS });
  for (const { record } of rows) await samlProviders.put(tx, { ...record, defaultTeam: null });
}
