// The stored settings that decide who is admitted to a site: its share links, the key that signs its visitors' JWTs, and the schema of
// their claims. No secret is stored in plain text: the keys of links are stored as keyed digests, and the signing key is encrypted.

import type { ClaimsSchema } from "../../../content/claims";
import { defineRecordSet } from "../../../storage/records";
import { sealContexts } from "../../../storage/seal-contexts";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import type { SiteRecord } from "../records";

/** A named key that opens a site. */
export type ShareLinkRecord = {
  readonly site: string;
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** The digest of the key. The key itself isn't stored. */
  readonly digest: string;
  readonly createdAt: string;
};

export const shareLinks = defineRecordSet("share-link", {
  key: (link: ShareLinkRecord) => [link.site, link.id],
  indexes: { ofSite: (link) => [link.site, link.createdAt] },
  unique: { digest: (link) => [link.site, link.digest] },
  totals: { ofSite: (link) => [link.site] },
});

export const MAX_SHARE_LINKS = 100;

/** Returns the digests of a key with all secrets of the server. The first is stored. They include the site, so that a key opens only its own. */
export function computeShareKeyDigests(secrets: Secrets, site: string, key: string): string[] {
  return secrets.digests("share-key", JSON.stringify([site, key])).map(toBase64url);
}

/** The sign-in settings of a site's visitors. */
export type PublishingAuthRecord = {
  readonly site: string;
  readonly backend: "custom" | "integration";
  /** The name of the integration that signs visitors in. */
  readonly integration: string | null;
  /** The URL to which visitors who aren't signed in are redirected. */
  readonly fallbackURL: string | null;
  /** The encrypted key that signs their JWTs; null if there is none yet. */
  readonly sealedKey: string | null;
  readonly keyCreatedAt: string | null;
};

export const publishingAuths = defineRecordSet("publishing-auth", {
  key: (auth: PublishingAuthRecord) => [auth.site],
  sealedText: { name: "sealedKey", context: (auth) => sealContexts.signingKey(auth.site) },
});

/** Returns the sign-in settings of a site, or the defaults. */
export async function loadPublishingAuth(tx: Reader, { id }: SiteRecord): Promise<PublishingAuthRecord> {
  const defaults = { site: id, backend: "custom", integration: null, fallbackURL: null } as const;
  return (await publishingAuths.get(tx, id)) ?? { ...defaults, sealedKey: null, keyCreatedAt: null };
}

export type AdaptiveSchemaRecord = {
  readonly site: string;
  readonly jsonSchema: ClaimsSchema;
  readonly updatedAt: string;
};

export const adaptiveSchemas = defineRecordSet("adaptive-schema", {
  key: (schema: AdaptiveSchemaRecord) => [schema.site],
});

/** Returns the schema of the claims of a site's visitors. The default is empty, and as old as the site. */
export async function loadAdaptiveSchema(tx: Reader, { id, createdAt }: SiteRecord): Promise<AdaptiveSchemaRecord> {
  return (await adaptiveSchemas.get(tx, id)) ?? { site: id, jsonSchema: EMPTY_SCHEMA, updatedAt: createdAt };
}

const EMPTY_SCHEMA: ClaimsSchema = { type: "object", properties: {}, additionalProperties: false };
