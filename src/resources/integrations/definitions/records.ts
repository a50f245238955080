// Integrations. A definition is in the partition of the organization that publishes it. Names are unique everywhere, so
// they are claimed in the directory. The directory has a listing of each integration, which a job updates.

import type * as v from "valibot";
import { defineJob } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import { deleteDirectoryEntry, nameClaims } from "../../../storage/claims";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import type { Objects } from "../../../storage/objects";
import { defineRecordSet } from "../../../storage/records";
import { sealContexts } from "../../../storage/seal-contexts";
import type { Reader } from "../../../storage/transaction";
import { tryParseUrl } from "../../../utils/url";
import type { Integration, IntegrationScope } from "./schema";

/** The type of a computed page whose content an integration computes: `integration:<name>:<sourceId>`. */
export const SOURCE_TYPE = /^integration:([a-zA-Z0-9\-_.]{1,100}):([a-zA-Z0-9\-_.]{1,100})$/;

type IntegrationView = v.InferOutput<typeof Integration>;

/** A picture that belongs to an integration, as an object of its owner's partition. */
export interface IntegrationAsset {
  readonly object: string;
  readonly contentType: string;
}

export type IntegrationRecord = Pick<
  IntegrationView,
  "target" | "visibility" | "categories" | "blocks" | "contentSources" | "externalLinks"
> & {
  /** Distinguishes it from an earlier integration with the same name. */
  readonly id: string;
  readonly name: string;
  readonly organization: string;
  readonly version: number;
  readonly runtime: "v1" | "v2";
  readonly title: string;
  readonly description: string | null;
  readonly summary: string | null;
  /** The scopes that it requests. `agreed-scopes.ts` has the scopes that an installation of it has. */
  readonly scopes: readonly IntegrationScope[];
  /** The version since which each scope has been requested without a break; none if this was not yet recorded. */
  readonly scopesSince?: { readonly [scope in IntegrationScope]?: number };
  readonly configurations: NonNullable<IntegrationView["configurations"]>;
  readonly contentSecurityPolicy: NonNullable<IntegrationView["contentSecurityPolicy"]> | null;
  readonly icon: IntegrationAsset | null;
  readonly previewImages: readonly IntegrationAsset[];
  /** The object with the script; null if none was published yet. */
  readonly script: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const integrations = defineRecordSet("integration", {
  key: (it: IntegrationRecord) => [it.name],
  indexes: { all: () => [] },
  unique: { folded: (it) => [it.name.toLowerCase()], id: (it) => [it.id] },
  guards: { any: () => [] },
});

export const integrationSecrets = defineRecordSet("integration-secrets", {
  key: (it: { readonly integration: string; readonly sealed: string }) => [it.integration],
  sealedText: { name: "sealed", context: (it) => sealContexts.integrationSecrets(it.integration) },
});

/** The entry of an integration in the directory, by which lists find it, as of a version of its owner's partition. */
export type IntegrationListing = Pick<
  IntegrationRecord,
  "name" | "organization" | "visibility" | "title" | "description" | "categories" | "target" | "scopes"
> & {
  readonly blockDomains: readonly string[];
  readonly hasBlocks: boolean;
  readonly hasContentSources: boolean;
  readonly isPublished: boolean;
  readonly asOf: number;
};

export const integrationListings = defineRecordSet("integration-line", {
  key: (listing: IntegrationListing) => [listing.organization, listing.name],
  indexes: { byName: (listing) => (listing.isPublished ? [listing.name.toLowerCase()] : undefined) },
  guards: { any: () => [] },
});

/** Removes from the directory a name that an organization gave up. */
export const releaseIntegrationName = defineJob<{ organization: string; name: string }>(
  "release-integration-name",
  ({ store }, { organization, name }) =>
    deleteDirectoryEntry(store, getOrganizationPartition(organization), nameClaims.integration(name)),
);

/** Updates the listing of an integration in the directory. The later version wins, in whichever order they arrive. */
export const updateIntegrationListing = defineJob<{ organization: string; name: string }>(
  "list-integration",
  async ({ store }, { organization, name }) => {
    const view = await store.read(getOrganizationPartition(organization));
    const integration = await integrations.get(view, name);
    await store.write(DIRECTORY, async (tx) => {
      const stored = await integrationListings.get(tx, organization, name);
      if (stored && stored.asOf >= view.version) return;
      if (!integration) {
        if (stored) await integrationListings.put(tx, { ...stored, isPublished: false, asOf: view.version });
        return;
      }
      const { visibility, title, description, categories, target, scopes, blocks } = integration;
      const blockDomains = blocks.flatMap(({ urlUnfurl = [] }) =>
        urlUnfurl.flatMap((url) => {
          const urlWithScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
          return tryParseUrl(urlWithScheme)?.hostname ?? [];
        }),
      );
      await integrationListings.put(tx, {
        name: integration.name,
        organization: integration.organization,
        visibility,
        title,
        description,
        categories,
        target,
        scopes,
        blockDomains: [...new Set(blockDomains)].slice(0, 100),
        hasBlocks: blocks.length > 0,
        hasContentSources: integration.contentSources.length > 0,
        isPublished: true,
        asOf: view.version,
      });
    });
  },
);

/** Passes the hashes of the objects that integrations reference to `addHash`: scripts and pictures. */
export async function collectIntegrationObjects(
  view: Reader,
  _: Objects,
  addHash: (hash: string) => void,
): Promise<void> {
  for await (const { record } of iterateRows((slice) => integrations.list(view, "all", slice))) {
    const { script, icon, previewImages } = record;
    if (script !== null) addHash(script);
    for (const picture of [icon, ...previewImages]) if (picture) addHash(picture.object);
  }
}
