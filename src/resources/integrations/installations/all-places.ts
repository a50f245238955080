// Installations that work on all spaces, or on all sites, of their organization.

import type { InstallationRecord, IntegrationRecord, PlaceKind, PlacementRecord } from "../records";
import { isConfigurationComplete, resolveConfiguration } from "./configuration";

export function isOnAllPlaces({ spaceSelection, siteSelection }: InstallationRecord, kind: PlaceKind): boolean {
  return (kind === "space" ? spaceSelection : siteSelection) === "all";
}

/** Creates the placement that such an installation has on a space or site on which it was not installed by name. It is not stored. */
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
