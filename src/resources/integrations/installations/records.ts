// Installations. They are in the organization that installed, beside its spaces and sites. The owner of the integration has
// listings that lead to them, which jobs update, as the directory has for members.

import { defineJob } from "../../../jobs/jobs";
import { getOrganizationPartition } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Json } from "../../../storage/storage";
import type { IntegrationScope } from "../definitions/schema";

export type InstallationStatus = "active" | "pending" | "paused";
export type Selection = "all" | "selected";
export type Configuration = { readonly [name: string]: Json };

export type InstallationRecord = {
  readonly id: string;
  /** The name of the integration. */
  readonly integration: string;
  /** The id of the integration. One that is published again under the same name has another id. */
  readonly definition: string;
  /** The organization that publishes it. */
  readonly owner: string;
  readonly organization: string;
  readonly status: InstallationStatus;
  /** The scopes that an admin agreed to, and the version that requested them; absent if this was not yet recorded. */
  readonly agreed?: { readonly version: number; readonly scopes: readonly IntegrationScope[] };
  readonly spaceSelection: Selection;
  readonly siteSelection: Selection;
  readonly configuration: Configuration;
  readonly externalIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const installations = defineRecordSet("installation", {
  key: (it: InstallationRecord) => [it.id],
  indexes: { all: (it) => [it.createdAt] },
  unique: { integration: (it) => [it.integration.toLowerCase()] },
  totals: { all: () => [] },
  guards: { any: () => [] },
  sealed: [{ path: ["configuration"], lost: {} }],
});

/** The owner's listing of an installation: it is, or was, in this organization. */
export type InstallationListing = {
  readonly definition: string;
  readonly installation: string;
  readonly organization: string;
  readonly externalIds: readonly string[];
  readonly isInstalled: boolean;
  /** The version of the organization's partition from which the listing was made. */
  readonly asOf: number;
};

export const installationListings = defineRecordSet("installation-line", {
  key: (listing: InstallationListing) => [listing.installation],
  indexes: { ofIntegration: (listing) => (listing.isInstalled ? [listing.definition] : undefined) },
});

export type InstallationKey = Pick<InstallationRecord, "id" | "definition" | "owner" | "organization">;

/** Returns the identity of an installation, as jobs take it. */
export function getInstallationKey({ id, definition, owner, organization }: InstallationKey): InstallationKey {
  return { id, definition, owner, organization };
}

/** Updates the owner's listing of an installation. The later version wins. */
export const updateInstallationListing = defineJob<InstallationKey>("list-installation", async ({ store }, key) => {
  const { id, definition, owner, organization } = key;
  const view = await store.read(getOrganizationPartition(organization));
  const installation = await installations.get(view, id);
  await store.write(getOrganizationPartition(owner), async (tx) => {
    const stored = await installationListings.get(tx, id);
    if (stored && stored.asOf >= view.version) return;
    await installationListings.put(tx, {
      definition,
      installation: id,
      organization,
      externalIds: installation?.externalIds ?? [],
      isInstalled: installation !== undefined,
      asOf: view.version,
    });
  });
});
