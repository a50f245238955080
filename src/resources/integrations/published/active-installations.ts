// The active installations of an organization: which of them work on a site, sign in its visitors, or receive page views.
// Installation and definition are read each time, so a paused or unpublished one ends at once.

import { iterateRows } from "../../../operation/pagination";
import type { Secrets } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import { getOrCompute } from "../../../utils/stamped-cache";
import { findOrganizationPartition } from "../../people/organizations/records";
import type { CachedLookupContext, IntegrationLookupContext } from "../../sites/site-integrations";
import type { IntegrationScope } from "../definitions/schema";
import { canReachPlace, canReceiveEvent, hasAgreedEventScope } from "../delivery/event-access";
import { deriveSigningSecrets } from "../delivery/signature";
import { getGrantedScopes } from "../installations/agreed-scopes";
import {
  type InstallationRecord,
  type IntegrationRecord,
  installations,
  integrations,
  type PlaceKind,
  type PlacementRecord,
  placements,
} from "../records";

/** An active installation with its integration and its scopes. */
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

/** Opens the partition of an owner, for an organization that has its integrations installed. */
export async function openOwnerPartition(
  { tx, peek }: IntegrationLookupContext,
  owner: string,
  organization: string,
): Promise<Reader> {
  return owner === organization ? tx : peek(findOrganizationPartition(owner)!);
}

/** Loads an installation with its integration; undefined if it is not active, or the integration was unpublished. */
export async function loadActiveInstallation(
  context: IntegrationLookupContext,
  installation: InstallationRecord,
): Promise<ActiveInstallation | undefined> {
  if (installation.status !== "active") return undefined;
  const ownerPartition = await openOwnerPartition(context, installation.owner, installation.organization);
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

/** Finds the named integration that signs in the visitors of a site; undefined if it is unable to. */
export async function findVisitorSigner(
  context: IntegrationLookupContext,
  site: string,
  name: string,
): Promise<ActiveInstallation | undefined> {
  const { tx } = context;
  const installation = await installations.find(tx, "integration", name.toLowerCase());
  if (!installation) return undefined;
  const placement = await placements.get(tx, installation.id, "site", site);
  if (!isActiveOnPlace(installation, "site", placement)) return undefined;
  const active = await loadActiveInstallation(context, installation);
  const canSign = active?.scopes.some((scope) => scope === "site:visitor:auth" || scope === "space:visitor:auth");
  return canSign ? active : undefined;
}

/** Derives the keys with which an integration signs visitors of a site: `signingSecrets.siteInstallation` of its environment. */
export function deriveVisitorKeys(
  secrets: Secrets,
  { installation, integration }: ActiveInstallation,
  site: string,
): string[] {
  return deriveSigningSecrets(secrets, integration.id, installation.id, site);
}

/**
 * Returns true if any installation may receive this kind of event. The installations that could are cached until an installation
 * changes, and only these are checked.
 */
export async function hasEventListener(
  context: CachedLookupContext,
  event: { readonly type: string; readonly spaceId?: string; readonly siteId?: string },
): Promise<boolean> {
  const { tx, organization, ports } = context;
  const keys = await getOrCompute(
    ports.cache,
    `${findOrganizationPartition(organization.id)} hearing ${event.type}`,
    `${await installations.getGuardVersion(tx, "any")}`,
    async () =>
      (await listActiveInstallations(tx)).filter((it) => hasAgreedEventScope(it, event.type)).map(({ id }) => [id]),
    ({ length }) => 100 * length,
  );
  for (const installation of await installations.getMany(tx, keys)) {
    if (!installation || !(await canReachPlace(tx, installation, event))) continue;
    const active = await loadActiveInstallation(context, installation);
    if (active && canReceiveEvent(active.scopes, event.type)) return true;
  }
  return false;
}

/** Returns the content security policy of an integration as one text. */
export function formatContentSecurityPolicy({ contentSecurityPolicy: policy }: IntegrationRecord): string | undefined {
  if (policy === null || typeof policy === "string") return policy ?? undefined;
  const directives = Object.entries(policy).map(([name, value]) => `${name} ${value}`);
  return directives.length === 0 ? undefined : directives.join("; ");
}
