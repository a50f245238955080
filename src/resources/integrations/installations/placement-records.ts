// Installations on spaces and sites, in the organization that installed, and their events. When a space or site is
// deleted, its installation records are deleted, the installation gets an event, and the owner's rows are updated.

import { defineJob, enqueueJob, type JobContext } from "../../../jobs/jobs";
import type { OutgoingEvent } from "../../../jobs/outbox";
import { getOrganizationPartition, type PartitionRef } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import {
  type Configuration,
  getInstallationKey,
  type InstallationKey,
  type InstallationListing,
  type InstallationRecord,
  type InstallationStatus,
  installations,
} from "./records";
import { tasks } from "./task-records";

/** What an integration can be installed on, below an organization. */
export type PlaceKind = "space" | "site";

/** An installation on one space or site. */
export type PlacementRecord = {
  readonly installation: string;
  readonly kind: PlaceKind;
  readonly place: string;
  readonly status: Exclude<InstallationStatus, "paused">;
  readonly configuration: Configuration;
  readonly externalIds: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const placements = defineRecordSet("placed-installation", {
  key: (it: PlacementRecord) => [it.installation, it.kind, it.place],
  indexes: {
    ofInstallation: (it) => [it.installation, it.kind],
    ofPlace: (it) => [it.kind, it.place],
  },
  totals: { ofInstallation: (it) => [it.installation, it.kind] },
  guards: { any: () => [] },
  sealed: [{ path: ["configuration"], lost: {} }],
});

/** Whether an installation works on a space or site: on all of them, or on those it was installed on. */
export async function isInstalledOnPlace(
  tx: Reader,
  it: InstallationRecord,
  kind: PlaceKind,
  place: string,
): Promise<boolean> {
  const selection = kind === "space" ? it.spaceSelection : it.siteSelection;
  return selection === "all" || (await placements.get(tx, it.id, kind, place)) !== undefined;
}

/** The most spaces that are shown for an installation on all of them. */
const MAX_SPACES = 10_000;

/** The spaces of an installation; `all` when it is on all of them. */
export async function getInstallationSpaceIds(tx: Reader, id: string): Promise<readonly string[] | "all"> {
  const found = await installations.get(tx, id);
  if (!found) return [];
  if (found.spaceSelection === "all") return "all";
  const theirs = await placements.readGuarded(tx, "ofInstallation", [[id, "space"]]);
  const rows = await placements.list(theirs, "ofInstallation", { under: [id, "space"], limit: MAX_SPACES });
  return rows.map(({ record }) => record.place);
}

/** The event of an installation that was installed on, or configured for, a space or site. */
export function createPlacementSetupEvent(on: PlacementRecord, before?: PlacementRecord): OutgoingEvent {
  const previous = before && { status: before.status, configuration: before.configuration };
  const told = { installationId: on.installation, status: on.status, ...omitUndefined({ previous }) };
  return on.kind === "space"
    ? { type: "space_installation_setup", spaceId: on.place, ...told }
    : { type: "site_installation_setup", siteId: on.place, ...told };
}

/** The event of an installation that was removed from a space or site. */
export function createPlacementDeletedEvent({
  installation,
  kind,
  place,
  configuration,
}: PlacementRecord): OutgoingEvent {
  const told = { installationId: installation, previous: { configuration } };
  return kind === "space"
    ? { type: "space_installation_deleted", spaceId: place, ...told }
    : { type: "site_installation_deleted", siteId: place, ...told };
}

/** A row of the owner: an installation is, or was, on this space or site. */
export type PlacementListing = InstallationListing & { readonly kind: PlaceKind; readonly place: string };

export const placementListings = defineRecordSet("placed-line", {
  key: (line: PlacementListing) => [line.installation, line.kind, line.place],
  indexes: {
    ofIntegration: (line) => (line.isInstalled ? [line.definition, line.kind] : undefined),
    ofInstallation: (line) => [line.installation],
  },
});

/** What identifies an installation on a space or site. */
export type PlacementKey = InstallationKey & { readonly kind: PlaceKind; readonly place: string };

/** Updates the owner's row of an installation on a space or site. */
export const updatePlacementListing = defineJob<PlacementKey>("list-placed-installation", async ({ store }, name) => {
  const { id, definition, owner, organization, kind, place } = name;
  const view = await store.read(getOrganizationPartition(organization));
  const found = await placements.get(view, id, kind, place);
  await store.write(getOrganizationPartition(owner), async (tx) => {
    const known = await placementListings.get(tx, id, kind, place);
    if (known && known.asOf >= view.version) return;
    await placementListings.put(tx, {
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

/**
 * Removes the records of a removed installation on spaces and sites, and its tasks. Its id is never used again. So the owner's rows can
 * go as soon as the installation is gone, whatever the owner has heard of it yet.
 */
export const emptyInstallation = defineJob<InstallationKey>("empty-installation", async ({ store }, name) => {
  if (await installations.get(await store.read(getOrganizationPartition(name.organization)), name.id)) return false;
  const under = [name.id];
  const hasMoreHere = await store.write(getOrganizationPartition(name.organization), (tx) =>
    placements.drain(tx, "ofInstallation", under),
  );
  const hasMoreTasks = await store.write(getOrganizationPartition(name.organization), (tx) =>
    tasks.drain(tx, "ofInstallation", under),
  );
  const hasMoreThere = await store.write(getOrganizationPartition(name.owner), (tx) =>
    placementListings.drain(tx, "ofInstallation", under),
  );
  return hasMoreHere || hasMoreTasks || hasMoreThere;
});

/**
 * Removes installations from a space or site that has left the partition, with their events, as many as there is room
 * for. True: there are more.
 */
export function deletePlacements(
  work: JobContext,
  at: PartitionRef,
  tx: Transaction,
  kind: PlaceKind,
  place: string,
): Promise<boolean> {
  return placements.drain(tx, "ofPlace", [kind, place], async (record) => {
    const installation = await installations.get(tx, record.installation);
    if (!installation) return;
    work.outbox.emit(at, tx, createPlacementDeletedEvent(record));
    enqueueJob(work, at, tx, updatePlacementListing, { ...getInstallationKey(installation), kind, place });
  });
}
