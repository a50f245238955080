// An installation that works on all spaces, or on all sites, of its organization: what it is on each of them, where it was
// not put on that one by name.

import type { InstallationRecord, IntegrationRecord, PlaceKind, PlacementRecord } from "../records";
import { isConfigurationComplete, resolveConfiguration } from "./configuration";

/** Whether an installation works on all spaces, or sites. */
export function isOnAllPlaces({ spaceSelection, siteSelection }: InstallationRecord, kind: PlaceKind): boolean {
  return (kind === "space" ? spaceSelection : siteSelection) === "all";
}

/** What it is on one of them. Nothing of this is stored. */
export function createImplicitPlacement(
  kind: PlaceKind,
  { installation, integration }: { readonly installation: InstallationRecord; readonly integration: IntegrationRecord },
  place: string,
): PlacementRecord {
  const schema = integration.configurations[kind];
  const configuration = resolveConfiguration(schema, {}, "configuration");
  const { id, createdAt, updatedAt } = installation;
  const status = isConfigurationComplete(schema, configuration) ? "active" : "pending";
  return { installation: id, kind, place, status, configuration, externalIds: [], createdAt, updatedAt };
}
