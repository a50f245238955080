// An installation that works on all spaces, or on all sites, of its organization: what it is on each of them, where it was
// not put on that one by name.

import type { InstallationRecord, IntegrationRecord, PlacedRecord, PlaceKind } from "../records";
import { configured, isComplete } from "./configuration";

/** Whether an installation works on all spaces, or sites. */
export function isOnEvery({ spaceSelection, siteSelection }: InstallationRecord, kind: PlaceKind): boolean {
  return (kind === "space" ? spaceSelection : siteSelection) === "all";
}

/** What it is on one of them. Nothing of this is stored. */
export function onEvery(
  kind: PlaceKind,
  { installation, integration }: { readonly installation: InstallationRecord; readonly integration: IntegrationRecord },
  place: string,
): PlacedRecord {
  const schema = integration.configurations[kind];
  const configuration = configured(schema, {}, "configuration");
  const { id, createdAt, updatedAt } = installation;
  const status = isComplete(schema, configuration) ? "active" : "pending";
  return { installation: id, kind, place, status, configuration, externalIds: [], createdAt, updatedAt };
}
