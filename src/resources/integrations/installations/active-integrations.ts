// The integrations that work on a space or a site: their installation is active there, and the integration still exists. The list
// is cached until an installation, one of its placements, or an integration changes, in the same organization or in that of an
// owner. Each request reads in its own snapshots when that was. The cache says where to look; responses read the records again.

import type { Reader } from "../../../storage/transaction";
import type { VersionedCache } from "../../../utils/versioned-cache";
import { findOrganizationPartition } from "../../people/organizations/records";
import type { IntegrationLookupContext } from "../../sites/site-integrations";
import {
  type ActiveInstallation,
  isActiveOnPlace,
  listActiveInstallations,
  loadActiveInstallation,
} from "../published/active-installations";
import {
  type InstallationRecord,
  type IntegrationRecord,
  installations,
  integrations,
  type PlaceKind,
  placements,
} from "../records";

/** A lookup whose result is cached until an integration changes. */
export interface IntegrationCacheContext extends IntegrationLookupContext {
  readonly ports: { readonly cache: VersionedCache };
}

export interface BuiltFromIntegration {
  /** The partition of the integration, if it is not that of the installation. */
  readonly foreignPartition?: string;
}

/** Returns the partition of an installation's integration, if it is not that of the installation. */
export function tagForeignPartition({ owner, organization }: InstallationRecord): BuiltFromIntegration {
  return owner === organization ? {} : { foreignPartition: findOrganizationPartition(owner)! };
}

/** An integration that works on a space or a site. */
export interface CachedIntegration extends BuiltFromIntegration {
  readonly installation: Pick<InstallationRecord, "id" | "createdAt">;
  readonly integration: IntegrationRecord;
}

/** Lists the integrations that work on a space or a site, in the order of installation. The list may come from the cache. */
export function listActiveIntegrations(
  context: IntegrationCacheContext,
  kind: PlaceKind,
  place: string,
): Promise<readonly CachedIntegration[]> {
  return getOrBuildFromIntegrations(context, `${place} integrations`, "", async (lookup) => {
    const active = await selectActive(lookup, kind, place, await listActiveInstallations(lookup.tx));
    return active.map(({ installation, integration }) => ({
      installation: { id: installation.id, createdAt: installation.createdAt },
      integration,
      ...tagForeignPartition(installation),
    }));
  });
}

/** Reads the installations of cached integrations again, and returns those that still work on a space or a site. */
export async function reloadActiveIntegrations(
  context: IntegrationLookupContext,
  kind: PlaceKind,
  place: string,
  cached: readonly CachedIntegration[],
): Promise<ActiveInstallation[]> {
  const keys = cached.map(({ installation }) => [installation.id]);
  const found = await installations.getMany(context.tx, keys);
  return selectActive(
    context,
    kind,
    place,
    found.flatMap((installation) => installation ?? []),
  );
}

async function selectActive(
  context: IntegrationLookupContext,
  kind: PlaceKind,
  place: string,
  candidates: readonly InstallationRecord[],
): Promise<ActiveInstallation[]> {
  const keys = candidates.map(({ id }) => [id, kind, place]);
  const placed = await placements.getMany(context.tx, keys);
  const onPlace = candidates.filter((it, i) => isActiveOnPlace(it, kind, placed[i]));
  const active = await Promise.all(onPlace.map((it) => loadActiveInstallation(context, it)));
  return active.filter((it) => it !== undefined);
}

interface CachedValues<Value> {
  readonly value: readonly Value[];
  /** The other partitions, and the times at which an integration in each last changed. */
  readonly others: readonly string[];
  readonly changeTimes: string;
}

/**
 * Returns values that are built from the installations of an organization and their integrations. They are cached until one of
 * these changes, or the stamp of the other things that they are built from.
 */
export async function getOrBuildFromIntegrations<Value extends BuiltFromIntegration>(
  context: IntegrationCacheContext,
  name: string,
  stamp: string,
  build: (context: IntegrationLookupContext) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  const { tx, ports } = context;
  // A cache does not contain the writes of a transaction.
  if (tx.unchecked !== tx) return build(context);

  // Each partition is read in one snapshot, so that what was read there belongs to the time of the last change.
  const { peek: openPartition } = context;
  const views = new Map<string, Promise<Reader>>();
  const peek = (partition: string) => {
    const view = views.get(partition) ?? openPartition(partition);
    views.set(partition, view);
    return view;
  };
  const readChangeTimes = async (partitions: readonly string[]) => {
    const versions = partitions.map(async (partition) => integrations.getGuardVersion(await peek(partition), "any"));
    return (await Promise.all(versions)).join(" ");
  };
  const versions = await Promise.all([
    installations.getGuardVersion(tx, "any"),
    placements.getGuardVersion(tx, "any"),
    integrations.getGuardVersion(tx, "any"),
    stamp,
  ]);
  const cached = ports.cache.get<CachedValues<Value>>(name, versions);
  if (cached && (await readChangeTimes(cached.others)) === cached.changeTimes) return cached.value;
  const value = await build({ tx, peek });
  const others = [...new Set(value.flatMap((it) => it.foreignPartition ?? []))];
  const built: CachedValues<Value> = { value, others, changeTimes: await readChangeTimes(others) };
  ports.cache.set(name, built, { versions, bytes: 2 * JSON.stringify(value).length });
  return value;
}
