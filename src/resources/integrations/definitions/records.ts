// Integrations. A definition is in the partition of the organization that publishes it. Names are unique everywhere, so
// they are claimed in the directory. A row of the directory lists each integration, and a step updates it.

import type * as v from "valibot";
import { defineJob } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import { deleteDirectoryEntry, type NameClaim } from "../../../storage/claims";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import type { Objects } from "../../../storage/objects";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { tryParseUrl } from "../../../utils/url";
import type { Integration, IntegrationScope } from "./schema";

type Shown = v.InferOutput<typeof Integration>;

/** A picture that belongs to an integration, as an object of its owner's partition. */
export interface IntegrationAsset {
  readonly object: string;
  readonly contentType: string;
}

export type IntegrationRecord = Pick<
  Shown,
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
  /**
   * For each scope, the version since which it has been requested without a break. No number: since before this was
   * recorded.
   */
  readonly scopesSince?: { readonly [scope in IntegrationScope]?: number };
  readonly configurations: NonNullable<Shown["configurations"]>;
  readonly contentSecurityPolicy: NonNullable<Shown["contentSecurityPolicy"]> | null;
  readonly icon: IntegrationAsset | null;
  readonly previewImages: readonly IntegrationAsset[];
  /** The object with the script; null: none was published yet. */
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

/** The sealed secrets of an integration. */
export const integrationSecrets = defineRecordSet("integration-secrets", {
  key: (it: { readonly integration: string; readonly sealed: string }) => [it.integration],
  sealedText: { name: "sealed", context: (it) => getSecretsSealContext(it.integration) },
});

/** The context with which secrets are sealed. */
export const getSecretsSealContext = (integration: string) => `integration ${integration}`;

/** A row of the directory: what lists need to find an integration, as of a version of its owner's partition. */
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
  key: (line: IntegrationListing) => [line.organization, line.name],
  indexes: { byName: (line) => (line.isPublished ? [line.name.toLowerCase()] : undefined) },
  guards: { any: () => [] },
});

/** The claim on a name. Names are not case-sensitive. */
export function getIntegrationClaim(name: string): NameClaim {
  return { kind: "integration", name: name.toLowerCase() };
}

/** Removes from the directory a name that an organization gave up. */
export const releaseIntegrationName = defineJob<{ organization: string; name: string }>(
  "release-integration-name",
  ({ store }, { organization, name }) =>
    deleteDirectoryEntry(store, getOrganizationPartition(organization), getIntegrationClaim(name)),
);

/** Updates the row of an integration in the directory. The later version wins, in whichever order they arrive. */
export const updateIntegrationListing = defineJob<{ organization: string; name: string }>(
  "list-integration",
  async ({ store }, { organization, name }) => {
    const view = await store.read(getOrganizationPartition(organization));
    const found = await integrations.get(view, name);
    await store.write(DIRECTORY, async (tx) => {
      const known = await integrationListings.get(tx, organization, name);
      if (known && known.asOf >= view.version) return;
      const line = found ? lineOf(found) : known && { ...known, isPublished: false };
      if (line) await integrationListings.put(tx, { ...line, asOf: view.version });
    });
  },
);

function lineOf(it: IntegrationRecord): Omit<IntegrationListing, "asOf"> {
  const { name, organization, visibility, title, description, categories, target, scopes } = it;
  return {
    name,
    organization,
    visibility,
    title,
    description,
    categories,
    target,
    scopes,
    blockDomains: [...new Set(it.blocks.flatMap(({ urlUnfurl = [] }) => urlUnfurl.flatMap(hostOf)))].slice(0, 100),
    hasBlocks: it.blocks.length > 0,
    hasContentSources: it.contentSources.length > 0,
    isPublished: true,
  };
}

/** The host of a URL, which may have no scheme. */
function hostOf(url: string): string[] {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
  const host = tryParseUrl(full)?.hostname;
  return host === undefined ? [] : [host];
}

/** The objects that integrations reference: scripts and pictures. */
export async function collectIntegrationObjects(view: Reader, _: Objects, tell: (hash: string) => void): Promise<void> {
  for await (const { record } of iterateRows((slice) => integrations.list(view, "all", slice)))
    objectsOf(record).forEach(tell);
}

function objectsOf({ script, icon, previewImages }: IntegrationRecord): string[] {
  return [...(script === null ? [] : [script]), ...[icon, ...previewImages].flatMap((it) => (it ? [it.object] : []))];
}
