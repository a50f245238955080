// The active installations of an organization: which of them work on a site, sign in its visitors, or receive page views.
// Installation and definition are read each time, so a paused or unpublished one ends at once.

import { iterateRows } from "../../../operation/pagination";
import type { Reader } from "../../../storage/transaction";
import { findOrganizationPartition } from "../../people/organizations/records";
import type { IntegrationLookupContext } from "../../sites/site-integrations";
import type { IntegrationScope } from "../definitions/schema";
import { getGrantedScopes } from "../installations/agreed-scopes";
import {
  type InstallationRecord,
  type IntegrationRecord,
  installations,
  integrations,
  type PlaceKind,
  type PlacementRecord,
} from "../records";

export interface ActiveInstallation {
  readonly installation: InstallationRecord;
  readonly integration: IntegrationRecord;
  readonly scopes: readonly IntegrationScope[];
}

/** Lists the active installations of an organization, in the order of installation. Their integrations may be unpublished. */
export async function listActiveInstallations(tx: Reader): Promise<InstallationRecord[]> {
  const found: InstallationRecord[] = [];
  for await (const { record } of iterateRows((slice) => installations.list(tx, "all", slice)))
    if (record.status === "active") found.push(record);
  return found;
}

/** Loads an installation with its integration; undefined if it is not active, or the integration was unpublished. */
export async function loadActiveInstallation(
  context: IntegrationLookupContext,
  installation: InstallationRecord,
): Promise<ActiveInstallation | undefined> {
  if (installation.status !== "active") return undefined;
  const { owner, organization } = installation;
  const ownerPartition = owner === organization ? context.tx : await context.peek(findOrganizationPartition(owner)!);
  const integration = await integrations.get(ownerPartition, installation.integration);
  if (integration?.id !== installation.definition) return undefined;
  return { installation, integration, scopes: getGrantedScopes(installation, integration) };
}

/** Returns true if an installation works on a space or site: its placement there is configured, or it is on all of them. */
export function isActiveOnPlace(
  { spaceSelection, siteSelection }: InstallationRecord,
  kind: PlaceKind,
  placement: PlacementRecord | undefined,
): boolean {
  return placement ? placement.status === "active" : (kind === "space" ? spaceSelection : siteSelection) === "all";
}

export function formatContentSecurityPolicy({ contentSecurityPolicy: policy }: IntegrationRecord): string | undefined {
  if (policy === null || typeof policy === "string") return policy ?? undefined;
  const directives = Object.entries(policy).map(([name, value]) => `${name} ${value}`);
  return directives.length === 0 ? undefined : directives.join("; ");
}
