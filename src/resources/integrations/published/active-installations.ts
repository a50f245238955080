// What integrations do for the sites of an organization: which installations work on a site, which one signs in its
// visitors, and which get page views. Installation and definition are read each time, so a paused or unpublished one
// ends at once.

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

/** The active installations of an organization, in the order of installation. Their integrations may be gone. */
export async function listActiveInstallations(tx: Reader): Promise<InstallationRecord[]> {
  const found: InstallationRecord[] = [];
  for await (const { record } of iterateRows((slice) => installations.list(tx, "all", slice)))
    if (record.status === "active") found.push(record);
  return found;
}

/** The partition of an owner, for an organization that has its integrations installed. */
export async function openOwnerPartition(
  { tx, peek }: IntegrationLookupContext,
  owner: string,
  organization: string,
): Promise<Reader> {
  return owner === organization ? tx : peek(findOrganizationPartition(owner)!);
}

/** An installation with its integration; undefined while it is not active, or when the integration is gone. */
export async function loadActiveInstallation(
  looking: IntegrationLookupContext,
  installation: InstallationRecord,
): Promise<ActiveInstallation | undefined> {
  if (installation.status !== "active") return undefined;
  const home = await openOwnerPartition(looking, installation.owner, installation.organization);
  const integration = await integrations.get(home, installation.integration);
  if (integration?.id !== installation.definition) return undefined;
  return { installation, integration, scopes: getGrantedScopes(installation, integration) };
}

/** Whether an installation works on a space or site: its record there is configured, or it is on all of them. */
export function isActiveOnPlace(it: InstallationRecord, kind: PlaceKind, on: PlacementRecord | undefined): boolean {
  return on ? on.status === "active" : (kind === "space" ? it.spaceSelection : it.siteSelection) === "all";
}

/** The integration with a name that signs in the visitors of a site; undefined while it cannot. */
export async function findVisitorSigner(
  looking: IntegrationLookupContext,
  site: string,
  name: string,
): Promise<ActiveInstallation | undefined> {
  const { tx } = looking;
  const installation = await installations.find(tx, "integration", name.toLowerCase());
  if (!installation) return undefined;
  const on = await placements.get(tx, installation.id, "site", site);
  if (!isActiveOnPlace(installation, "site", on)) return undefined;
  const found = await loadActiveInstallation(looking, installation);
  return found && maySign(found) ? found : undefined;
}

function maySign({ scopes: held }: ActiveInstallation): boolean {
  return held.includes("site:visitor:auth") || held.includes("space:visitor:auth");
}

/** The keys with which an integration signs visitors of a site: `deriveSigningSecrets.siteInstallation` of its environment. */
export function deriveVisitorKeys(
  secrets: Secrets,
  { installation, integration }: ActiveInstallation,
  site: string,
): string[] {
  return deriveSigningSecrets(secrets, integration.id, installation.id, site);
}

/** Whether any installation may get this kind of event. Which ones could is remembered until an installation changes, and
 * only these are asked. */
export async function hasEventListener(
  looking: CachedLookupContext,
  event: { readonly type: string; readonly spaceId?: string; readonly siteId?: string },
): Promise<boolean> {
  const { tx, organization, ports } = looking;
  const able = await getOrCompute(
    ports.cache,
    `${findOrganizationPartition(organization.id)} hearing ${event.type}`,
    `${await installations.getGuardVersion(tx, "any")}`,
    async () =>
      (await listActiveInstallations(tx)).filter((it) => hasAgreedEventScope(it, event.type)).map(({ id }) => [id]),
    (ids) => 100 * ids.length,
  );
  for (const installation of await installations.getMany(tx, able)) {
    if (!installation || !(await canReachPlace(tx, installation, event))) continue;
    const found = await loadActiveInstallation(looking, installation);
    if (found && canReceiveEvent(found.scopes, event.type)) return true;
  }
  return false;
}

/** The content security policy of an integration as one text. */
export function formatContentSecurityPolicy({ contentSecurityPolicy: policy }: IntegrationRecord): string | undefined {
  if (policy === null || typeof policy === "string") return policy ?? undefined;
  const directives = Object.entries(policy).map(([name, value]) => `${name} ${value}`);
  return directives.length === 0 ? undefined : directives.join("; ");
}
