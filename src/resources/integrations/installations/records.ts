// Installations are in the organization that installed, beside its spaces and sites. The owner of the integration has
// rows that lead to them, which steps update, as the directory has for members.

import { defineJob } from "../../../jobs/jobs";
import { getOrganizationPartition } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Json } from "../../../storage/storage";
import type { IntegrationScope } from "../definitions/schema";

export type InstallationStatus = "active" | "pending" | "paused";
export type Selection = "all" | "selected";
/** The values of a configuration. */
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
  /**
   * The scopes that an admin agreed to, and the version that requested them; absent: installed before this was
   * recorded.
   */
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

/** A row of the owner: this installation is, or was, in this organization. */
export type InstallationListing = {
  readonly definition: string;
  readonly installation: string;
  readonly organization: string;
  readonly externalIds: readonly string[];
  readonly isInstalled: boolean;
  /** The version of the organization's partition that the row was made from. */
  readonly asOf: number;
};

export const installationListings = defineRecordSet("installation-line", {
  key: (line: InstallationListing) => [line.installation],
  indexes: { ofIntegration: (line) => (line.isInstalled ? [line.definition] : undefined) },
});

/** What identifies an installation. */
export type InstallationKey = Pick<InstallationRecord, "id" | "definition" | "owner" | "organization">;

/** The payload with the identity of an installation. */
export function getInstallationKey({ id, definition, owner, organization }: InstallationKey): InstallationKey {
  return { id, definition, owner, organization };
}

/** Updates the owner's row of an installation. The later version wins. */
export const updateInstallationListing = defineJob<InstallationKey>("list-installation", async ({ store }, name) => {
  const { id, definition, owner, organization } = name;
  const view = await store.read(getOrganizationPartition(organization));
  const found = await installations.get(view, id);
  await store.write(getOrganizationPartition(owner), async (tx) => {
    const known = await installationListings.get(tx, id);
    if (known && known.asOf >= view.version) return;
    await installationListings.put(tx, {
      definition,
      installation: id,
      organization,
      externalIds: found?.externalIds ?? [],
      isInstalled: found !== undefined,
      asOf: view.version,
    });
  });
});
