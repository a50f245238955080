// Installations live in the organization that installed, beside the spaces that they are about. The owner of the integration
// has lines that lead to them, brought up to date by steps, as the directory has of members.

import { codeOf, organizationPartition } from "../../store/ids";
import { records } from "../../store/records";
import type { Json } from "../../store/storage";
import type { Reader, Transaction } from "../../store/transaction";
import { step } from "../../work/jobs";

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
});

/** Whether an id is one of an installation. */
export function isInstallation(id: string): boolean {
  return codeOf("installation", id) !== undefined;
}

/** The most spaces that an installation on all of them is shown. */
const MAX_SPACES = 10_000;

/** The spaces that an installation may work in; `all` where it is on every one. */
export async function spacesOfInstallation(tx: Reader, id: string): Promise<readonly string[] | "all"> {
  const found = await installations.get(tx, id);
  if (!found) return [];
  if (found.spaceSelection === "all") return "all";
  const rows = await placed.list(tx, "ofInstallation", { under: [id, "space"], limit: MAX_SPACES });
  return rows.map(({ record }) => record.place);
}

/** What an integration can be installed on, below an organization. */
export type PlaceKind = "space" | "site";

/** An installation on one space or site. */
export type PlacedRecord = {
  readonly installation: string;
  readonly kind: PlaceKind;
  readonly place: string;
  readonly status: Exclude<InstallationStatus, "paused">;
  readonly configuration: Configuration;
  readonly externalIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const placed = records("placed-installation", {
  key: (it: PlacedRecord) => [it.installation, it.kind, it.place],
  indexes: {
    ofInstallation: (it) => [it.installation, it.kind],
    ofPlace: (it) => [it.kind, it.place],
  },
  totals: { ofInstallation: (it) => [it.installation, it.kind] },
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

/** A line of the owner: an installation is, or was, on this space or site. */
export type PlacedLine = InstallationLine & { readonly kind: PlaceKind; readonly place: string };

export const placedLines = records("placed-line", {
  key: (line: PlacedLine) => [line.installation, line.kind, line.place],
  indexes: {
    ofIntegration: (line) => (line.isInstalled ? [line.definition, line.kind] : undefined),
    ofInstallation: (line) => [line.installation],
  },
});

const homeOf = (organization: string) => organizationPartition(codeOf("organization", organization)!);

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

type PlacedName = InstallationName & { readonly kind: PlaceKind; readonly place: string };

/** Makes the owner's line of an installation on a space or site agree with it. */
export const listPlaced = step<PlacedName>("list-placed-installation", async ({ store }, name) => {
  const { id, definition, owner, organization, kind, place } = name;
  const view = await store.read(homeOf(organization));
  const found = await placed.get(view, id, kind, place);
  await store.write(homeOf(owner), async (tx) => {
    const known = await placedLines.get(tx, id, kind, place);
    if (known && known.asOf >= view.version) return;
    await placedLines.put(tx, {
      definition,
      installation: id,
      organization,
      kind,
      place,
      externalIds: found?.externalIds ?? [],
      isInstalled: found !== undefined,
      asOf: view.version,
    });
  });
});

/** Records that one transaction removes; each is several entries of a batch. */
const AT_ONCE = 40;

/** Takes away what an installation that is gone had on spaces and sites. */
export const emptyInstallation = step<InstallationName>("empty-installation", async ({ store }, name) => {
  const hasMoreHere = await store.write(homeOf(name.organization), async (tx) => {
    if (await installations.get(tx, name.id)) return false;
    const rows = await placed.list(tx, "ofInstallation", { under: [name.id], limit: AT_ONCE });
    for (const { record } of rows) await placed.delete(tx, record.installation, record.kind, record.place);
    return rows.length === AT_ONCE;
  });
  const hasMoreThere = await store.write(homeOf(name.owner), async (tx) => {
    if ((await installationLines.get(tx, name.id))?.isInstalled) return false;
    const rows = await placedLines.list(tx, "ofInstallation", { under: [name.id], limit: AT_ONCE });
    for (const { record } of rows) await placedLines.delete(tx, record.installation, record.kind, record.place);
    return rows.length === AT_ONCE;
  });
  return hasMoreHere || hasMoreThere;
});

/** Takes away what installations had on a space or site that is gone; true when there is more. */
export async function dropPlaced(tx: Transaction, kind: PlaceKind, place: string): Promise<boolean> {
  const rows = await placed.list(tx, "ofPlace", { under: [kind, place], limit: AT_ONCE });
  for (const { record } of rows) await placed.delete(tx, record.installation, kind, place);
  return rows.length === AT_ONCE;
}
