// Installations live in the organization that installed, beside the spaces that they are about. The owner of the integration
// has lines that lead to them, brought up to date by steps, as the directory has of members.

import { homeOf } from "../../../store/ids";
import { records } from "../../../store/records";
import type { Json } from "../../../store/storage";
import { step } from "../../../work/jobs";
import type { IntegrationScope } from "../definitions/schema";

export type InstallationStatus = "active" | "pending" | "paused";
export type Selection = "all" | "selected";
/** What a configuration holds. */
export type Configuration = { readonly [name: string]: Json };

export type InstallationRecord = {
  readonly id: string;
  /** The name of the integration. */
  readonly integration: string;
  /** Its id: one that is published anew under the same name is another. */
  readonly definition: string;
  /** The organization that publishes it. */
  readonly owner: string;
  readonly organization: string;
  readonly status: InstallationStatus;
  /** What an admin agreed to, and the version of the integration that asked; absent: installed before this was kept. */
  readonly agreed?: { readonly version: number; readonly scopes: readonly IntegrationScope[] };
  readonly spaceSelection: Selection;
  readonly siteSelection: Selection;
  readonly configuration: Configuration;
  readonly externalIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const installations = records("installation", {
  key: (it: InstallationRecord) => [it.id],
  indexes: { all: (it) => [it.createdAt] },
  unique: { integration: (it) => [it.integration.toLowerCase()] },
  totals: { all: () => [] },
  sealed: [{ path: ["configuration"], lost: {} }],
});

/** A line of the owner: this installation of an integration is, or was, in this organization. */
export type InstallationLine = {
  readonly definition: string;
  readonly installation: string;
  readonly organization: string;
  readonly externalIds: readonly string[];
  readonly isInstalled: boolean;
  /** The version of the organization's partition that it was seen at. */
  readonly asOf: number;
};

export const installationLines = records("installation-line", {
  key: (line: InstallationLine) => [line.installation],
  indexes: { ofIntegration: (line) => (line.isInstalled ? [line.definition] : undefined) },
});

/** What names an installation, wherever it is spoken of. */
export type InstallationName = Pick<InstallationRecord, "id" | "definition" | "owner" | "organization">;

/** The payload that names an installation. */
export function nameOf({ id, definition, owner, organization }: InstallationName): InstallationName {
  return { id, definition, owner, organization };
}

/** Makes the owner's line of an installation agree with it. What was seen later wins. */
export const listInstallation = step<InstallationName>("list-installation", async ({ store }, name) => {
  const { id, definition, owner, organization } = name;
  const view = await store.read(homeOf(organization));
  const found = await installations.get(view, id);
  await store.write(homeOf(owner), async (tx) => {
    const known = await installationLines.get(tx, id);
    if (known && known.asOf >= view.version) return;
    await installationLines.put(tx, {
      definition,
      installation: id,
      organization,
      externalIds: found?.externalIds ?? [],
      isInstalled: found !== undefined,
      asOf: view.version,
    });
  });
});
