// Placements: installations on spaces and sites, in the organization that installed, and their events. When a space or site is
// deleted, its placements are deleted, their installations get an event, and the owner's listings are updated.

import { defineJob } from "../../../jobs/jobs";
import type { OutgoingEvent } from "../../../jobs/outbox";
import { getOrganizationPartition } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import {
  type Configuration,
  type InstallationKey,
  type InstallationListing,
  type InstallationRecord,
  type InstallationStatus,
  installations,
} from "./records";
import { tasks } from "./task-records";

/** The kinds of places below an organization on which an integration can be installed. */
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

/** Returns true if an installation is on a space or site: on all of them, or on this one by name. */
export async function isInstalledOnPlace(
  tx: Reader,
  it: InstallationRecord,
  kind: PlaceKind,
  place: string,
): Promise<boolean> {
  const selection = kind === "space" ? it.spaceSelection : it.siteSelection;
  return selection === "all" || (await placements.get(tx, it.id, kind, place)) !== undefined;
}

/** Creates the event of an installation that was installed on, or configured for, a space or site. */
export function createPlacementSetupEvent(placement: PlacementRecord, before?: PlacementRecord): OutgoingEvent {
  const { installation, kind, place, status } = placement;
  const previous = before && { status: before.status, configuration: before.configuration };
  const members = { installationId: installation, status, ...omitUndefined({ previous }) };
  return kind === "space"
    ? { type: "space_installation_setup", spaceId: place, ...members }
    : { type: "site_installation_setup", siteId: place, ...members };
}

/** Creates the event of an installation that was removed from a space or site. */
export function createPlacementDeletedEvent({
  installation,
  kind,
  place,
  configuration,
}: PlacementRecord): OutgoingEvent {
  const members = { installationId: installation, previous: { configuration } };
  return kind === "space"
    ? { type: "space_installation_deleted", spaceId: place, ...members }
    : { type: "site_installation_deleted", siteId: place, ...members };
}

/** The owner's listing of a placement: an installation is, or was, on this space or site. */
export type PlacementListing = InstallationListing & { readonly kind: PlaceKind; readonly place: string };

export const placementListings = defineRecordSet("placed-line", {
  key: (listing: PlacementListing) => [listing.installation, listing.kind, listing.place],
  indexes: {
    ofIntegration: (listing) => (listing.isInstalled ? [listing.definition, listing.kind] : undefined),
    ofInstallation: (listing) => [listing.installation],
  },
});

export type PlacementKey = InstallationKey & { readonly kind: PlaceKind; readonly place: string };

/** Updates the owner's listing of a placement. */
export const updatePlacementListing = defineJob<PlacementKey>("list-placed-installation", async ({ store }, key) => {
  const { id, definition, owner, organization, kind, place } = key;
  const view = await store.read(getOrganizationPartition(organization));
  const placement = await placements.get(view, id, kind, place);
  await store.write(getOrganizationPartition(owner), async (tx) => {
    const stored = await placementListings.get(tx, id, kind, place);
    if (stored && stored.asOf >= view.version) return;
    await placementListings.put(tx, {
      definition,
      installation: id,
      organization,
      kind,
      place,
      externalIds: placement?.externalIds ?? [],
      isInstalled: placement !== undefined,
      asOf: view.version,
    });
  });
});

/**
 * Removes the placements and tasks of a removed installation. Its id is never used again. So the owner's listings can go as soon as
 * the installation is gone, whether or not they show its removal yet.
 */
export const emptyInstallation = defineJob<InstallationKey>("empty-installation", async ({ store }, key) => {
  const partition = getOrganizationPartition(key.organization);
  const owner = getOrganizationPartition(key.owner);
  if (await installations.get(await store.read(partition), key.id)) return false;
  const under = [key.id];
  const hasMorePlacements = await store.write(partition, (tx) => placements.drain(tx, "ofInstallation", under));
  const hasMoreTasks = await store.write(partition, (tx) => tasks.drain(tx, "ofInstallation", under));
  const hasMoreListings = await store.write(owner, (tx) => placementListings.drain(tx, "ofInstallation", under));
  return hasMorePlacements || hasMoreTasks || hasMoreListings;
});
