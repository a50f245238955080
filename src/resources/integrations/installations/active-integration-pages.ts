// Lists, page by page, the integrations that work on a space or a site or are installed in an organization, and their blocks.

import type { CallContext } from "../../../operation/operation";
import { paginateRows } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
import { encodeKey } from "../../../storage/key";
import { findOrganizationPartition } from "../../people/organizations/records";
import { loadIntegrationContext } from "../definitions/rules";
import { presentIntegration } from "../definitions/views";
import type { InstallationRecord, PlaceKind } from "../records";
import {
  type CachedIntegration,
  type IntegrationCacheContext,
  listActiveIntegrations,
  reloadActiveIntegrations,
} from "./active-integrations";

type IntegrationListContext = Pick<TargetContext, "tx" | "actor" | "peek" | "secrets"> &
  Pick<CallContext, "pageRequest" | "urls">;

export async function paginateActiveIntegrations(
  context: IntegrationListContext & IntegrationCacheContext,
  kind: PlaceKind,
  place: string,
) {
  const rows = (await listActiveIntegrations(context, kind, place)).map((record) => ({
    record,
    position: getPosition(record),
  }));
  return paginateRows(context.pageRequest, rows, async (cached) => {
    const active = await reloadActiveIntegrations(context, kind, place, cached);
    return presentDefinitions(
      context,
      active.map(({ installation }) => installation),
    );
  });
}

export async function paginateActiveBlocks(context: IntegrationListContext & IntegrationCacheContext, spaceId: string) {
  const rows = (await listActiveIntegrations(context, "space", spaceId)).flatMap((cached) =>
    cached.integration.blocks.map((_, index) => ({
      record: { cached, index },
      position: getPosition(cached) + encodeKey(index),
    })),
  );
  return paginateRows(context.pageRequest, rows, async (records) => {
    const cachedIntegrations = [...new Set(records.map(({ cached }) => cached))];
    const active = await reloadActiveIntegrations(context, "space", spaceId, cachedIntegrations);
    const integrationById = new Map(active.map((it) => [it.installation.id, it.integration]));
    return records.flatMap(({ cached, index }) => {
      const integration = integrationById.get(cached.installation.id);
      const block = integration?.blocks[index];
      return block ? [{ ...block, integration: integration.name }] : [];
    });
  });
}

function getPosition({ installation: { createdAt, id } }: CachedIntegration): string {
  return encodeKey(createdAt, id);
}

/** Returns the integrations of installations as they are on the wire. One that was unpublished is left out. */
export async function presentDefinitions(
  context: Omit<IntegrationListContext, "pageRequest">,
  records: readonly InstallationRecord[],
) {
  const views = await Promise.all(
    records.map(async ({ owner, organization, integration, definition }) => {
      const ownerPartition =
        owner === organization ? context.tx : await context.peek(findOrganizationPartition(owner)!);
      const loaded = await loadIntegrationContext(ownerPartition, integration, context.actor.user.id);
      return loaded?.integration.id === definition ? [presentIntegration(loaded, context)] : [];
    }),
  );
  return views.flat();
}
