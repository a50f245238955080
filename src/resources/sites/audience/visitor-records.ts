// What decides who is let in: the share links of a site, the key that signs its visitors, and the schema of what may be
// known of them. No secret is stored as it is: keys of links as a keyed digest, the signing key encrypted.

import type { ClaimsSchema } from "../../../content/claims";
import { type Secrets, toBase64url } from "../../../secrets";
import { records } from "../../../store/records";
import type { Reader, Transaction } from "../../../store/transaction";
import type { SiteRecord } from "../records";

/** A key that opens a site, under a name. */
export type ShareLinkRecord = {
  readonly site: string;
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** The key's digest; the key itself is nowhere. */
  readonly digest: string;
  readonly createdAt: string;
};

export const shareLinks = records("share-link", {
  key: (link: ShareLinkRecord) => [link.site, link.id],
  indexes: { ofSite: (link) => [link.site, link.createdAt] },
  unique: { digest: (link) => [link.site, link.digest] },
  totals: { ofSite: (link) => [link.site] },
});

/** The most share links of a site. */
export const MAX_SHARE_LINKS = 100;

/** The digest that a key of a site is kept as; the key of one site is not that of another. */
export function shareKeyDigest(secrets: Secrets, site: string, key: string): string {
  return toBase64url(secrets.digest("share-key", JSON.stringify([site, key])));
}

/** How visitors of a site sign in. */
export type PublishingAuthRecord = {
  readonly site: string;
  readonly backend: "custom" | "integration";
  /** The name of the integration that signs visitors in. */
  readonly integration: string | null;
  /** Where visitors are sent who are not signed in. */
  readonly fallbackURL: string | null;
  /** The key that their JWTs are signed with, encrypted; null: nobody can sign yet. */
  readonly sealedKey: string | null;
  readonly keyCreatedAt: string | null;
};

const publishingAuths = records("publishing-auth", { key: (auth: PublishingAuthRecord) => [auth.site] });

/** How visitors of a site sign in, also where nobody has said so yet. */
export async function publishingAuthOf(tx: Reader, { id }: SiteRecord): Promise<PublishingAuthRecord> {
  const unset = { site: id, backend: "custom", integration: null, fallbackURL: null } as const;
  return (await publishingAuths.get(tx, id)) ?? { ...unset, sealedKey: null, keyCreatedAt: null };
}

export function putPublishingAuth(tx: Transaction, auth: PublishingAuthRecord): Promise<void> {
  return publishingAuths.put(tx, auth);
}

/** What a key is encrypted for: it opens nothing but the visitors of its own site. */
export function keyContext(site: string): string {
  return `visitors of ${site}`;
}

/** The schema of a site's visitors. */
export type AdaptiveSchemaRecord = {
  readonly site: string;
  readonly jsonSchema: ClaimsSchema;
  readonly updatedAt: string;
};

const adaptiveSchemas = records("adaptive-schema", { key: (schema: AdaptiveSchemaRecord) => [schema.site] });

/** The schema of a site's visitors; one that nobody has set knows of nothing, since the site was made. */
export async function adaptiveSchemaOf(tx: Reader, { id, createdAt }: SiteRecord): Promise<AdaptiveSchemaRecord> {
  return (await adaptiveSchemas.get(tx, id)) ?? { site: id, jsonSchema: NOTHING_KNOWN, updatedAt: createdAt };
}

const NOTHING_KNOWN: ClaimsSchema = { type: "object", properties: {}, additionalProperties: false };

export function putAdaptiveSchema(tx: Transaction, schema: AdaptiveSchemaRecord): Promise<void> {
  return adaptiveSchemas.put(tx, schema);
}

/** Takes away what a site that is gone knew of its visitors, as far as there is room; true when there is more. */
export async function dropVisitors(tx: Transaction, site: string): Promise<boolean> {
  await publishingAuths.delete(tx, site);
  await adaptiveSchemas.delete(tx, site);
  return shareLinks.drain(tx, "ofSite", [site]);
}
