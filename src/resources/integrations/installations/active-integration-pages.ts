// Pages of the integrations that work on a space or a site, or are installed in an organization, and of their blocks.

import type { PageRequest } from "../../../operation/pagination";
import { paginateGroup, paginateRows } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { encodeKey } from "../../../storage/key";
import type { Secrets } from "../../../storage/secrets";
import { type IntegrationContext, loadIntegrationContext } from "../definitions/rules";
import { presentIntegration } from "../definitions/views";
import { openOwnerPartition } from "../published/active-installations";
import { type InstallationRecord, installations, type PlaceKind } from "../records";
import {
  type CachedIntegration,
  type IntegrationCacheContext,
  listActiveIntegrations,
  reloadActiveIntegrations,
} from "./active-integrations";

interface Listed extends Pick<TargetContext, "tx" | "actor" | "peek"> {
  readonly pageRequest: PageRequest;
  readonly urls: Urls;
  readonly secrets: Secrets;
}

/** A page of the integrations that work on a place. */
export async function paginateActiveIntegrations(
  context: Listed & IntegrationCacheContext,
  kind: PlaceKind,
  place: string,
) {
  const rows = (await listActiveIntegrations(context, kind, place)).map((record) => ({
    record,
    position: positionOf(record),
  }));
  return paginateRows(context.pageRequest, rows, async (some) => {
    const found = await reloadActiveIntegrations(context, kind, place, some);
    return integrationViews(
      context,
      found.map(({ installation }) => installation),
    );
  });
}

/** A page of the integrations that are installed in an organization. */
export function paginateInstalledIntegrations(context: Listed) {
  // One that was unpublished just now is counted until its installation is removed.
  return paginateGroup(context, installations, "all", [], (some) => integrationViews(context, some));
}

/** A page of the blocks of the integrations that work on a space. */
export async function paginateActiveBlocks(context: Listed & IntegrationCacheContext, id: string) {
  const rows = (await listActiveIntegrations(context, "space", id)).flatMap((from) =>
    from.integration.blocks.map((_, at) => ({ record: { from, at }, position: positionOf(from) + encodeKey(at) })),
  );
  return paginateRows(context.pageRequest, rows, async (shown) => {
    const found = await reloadActiveIntegrations(context, "space", id, [...new Set(shown.map(({ from }) => from))]);
    const now = new Map(found.map((it) => [it.installation.id, it.integration]));
    return shown.flatMap(({ from, at }) => {
      const integration = now.get(from.installation.id);
      const block = integration?.blocks[at];
      return block ? [{ ...block, integration: integration.name }] : [];
    });
  });
}

/** The integrations of installations on the wire. One that is gone is left out. */
async function integrationViews(context: Omit<Listed, "pageRequest">, some: readonly InstallationRecord[]) {
  const all = await Promise.all(some.map((it) => definitionOf(context, it)));
  return all.flatMap((it) => (it ? [presentIntegration(it, context)] : []));
}

/** Where an installation stands in the order of installation. */
function positionOf({ installation: { createdAt, id } }: CachedIntegration): string {
  return encodeKey(createdAt, id);
}

/** The integration of an installation, as the caller sees it; undefined when it is gone. */
async function definitionOf(
  { tx, peek, actor }: Omit<Listed, "pageRequest">,
  { owner, organization, integration, definition }: InstallationRecord,
): Promise<IntegrationContext | undefined> {
  const found = await loadIntegrationContext(
    await openOwnerPartition({ tx, peek }, owner, organization),
    integration,
    actor.user.id,
  );
  return found?.integration.id === definition ? found : undefined;
}
