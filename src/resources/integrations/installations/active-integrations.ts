// The integrations that work on a space or a site: their installation is active there, and the integration still exists.
// Which ones these are is remembered until an installation, a place of one, or an integration changes: one of the same
// organization, or of an owner of one of them. Each request reads in its own snapshots when that was. The memory says where
// to look. What an answer shows is read again.

import type { Reader } from "../../../storage/transaction";
import type { StampedCache } from "../../../utils/stamped-cache";
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

/** A request that may remember. */
export interface IntegrationCacheContext extends IntegrationLookupContext {
  readonly ports: { readonly cache: StampedCache };
}

/** Something that was made from an integration. */
export interface FromIntegration {
  /** The partition of the integration, where it is another one. */
  readonly elsewhere?: string;
}

/** Where the integration of an installation is, if that is another partition. */
export function elsewhere({ owner, organization }: InstallationRecord): FromIntegration {
  return owner === organization ? {} : { elsewhere: findOrganizationPartition(owner)! };
}

/** An installation that works on a place. */
export interface CachedIntegration extends FromIntegration {
  readonly installation: Pick<InstallationRecord, "id" | "createdAt">;
  readonly integration: IntegrationRecord;
}

/** The installations that work on a space or a site, in the order of installation, as they are remembered. */
export function listActiveIntegrations(
  looking: IntegrationCacheContext,
  kind: PlaceKind,
  place: string,
): Promise<readonly CachedIntegration[]> {
  const make = async (from: IntegrationLookupContext) => {
    const found = await stillAtWork(from, kind, place, await listActiveInstallations(from.tx));
    return found.map(({ installation, integration }) => ({
      installation: { id: installation.id, createdAt: installation.createdAt },
      integration,
      ...elsewhere(installation),
    }));
  };
  return getOrBuildFromIntegrations(looking, `${place} integrations`, "", make);
}

/** Those of remembered installations that work on a space or a site now. */
export async function reloadActiveIntegrations(
  looking: IntegrationLookupContext,
  kind: PlaceKind,
  place: string,
  some: readonly CachedIntegration[],
): Promise<ActiveInstallation[]> {
  const found = await installations.getMany(
    looking.tx,
    some.map(({ installation }) => [installation.id]),
  );
  return stillAtWork(
    looking,
    kind,
    place,
    found.flatMap((it) => it ?? []),
  );
}

async function stillAtWork(
  looking: IntegrationLookupContext,
  kind: PlaceKind,
  place: string,
  some: readonly InstallationRecord[],
): Promise<ActiveInstallation[]> {
  const there = await placements.getMany(
    looking.tx,
    some.map(({ id }) => [id, kind, place]),
  );
  const here = some.filter((it, i) => isActiveOnPlace(it, kind, there[i]));
  const found = await Promise.all(here.map((it) => loadActiveInstallation(looking, it)));
  return found.filter((it) => it !== undefined);
}

interface Known<Value> {
  readonly value: readonly Value[];
  /** The other partitions, and when an integration in each was last changed. */
  readonly others: readonly string[];
  readonly touched: string;
}

/** Something that was made from the installations of an organization and their integrations, remembered until one of them
 * changes, or the stamp of the rest that it was made from. */
export async function getOrBuildFromIntegrations<Value extends FromIntegration>(
  looking: IntegrationCacheContext,
  name: string,
  stamp: string,
  make: (from: IntegrationLookupContext) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  const { tx, ports } = looking;
  // A memory knows nothing of the writes of a transaction.
  if (tx.unchecked !== tx) return make(looking);
  const from = { tx, peek: peekingOnce(looking) };
  const touched = await Promise.all([
    installations.getGuardVersion(tx, "any"),
    placements.getGuardVersion(tx, "any"),
    integrations.getGuardVersion(tx, "any"),
  ]);
  const now = `${touched.join(" ")} ${stamp}`;
  const known = ports.cache.get<Known<Value>>(name, now);
  if (known && (await changedIn(from, known.others)) === known.touched) return known.value;
  const value = await make(from);
  const others = [...new Set(value.flatMap((it) => it.elsewhere ?? []))];
  const made: Known<Value> = { value, others, touched: await changedIn(from, others) };
  ports.cache.set(name, now, made, 2 * JSON.stringify(value).length);
  return value;
}

/** Reads each partition at one moment: what was read there belongs to the time of the last change. */
function peekingOnce({ peek }: IntegrationLookupContext): IntegrationLookupContext["peek"] {
  const views = new Map<string, Promise<Reader>>();
  return (partition) => {
    const view = views.get(partition) ?? peek(partition);
    views.set(partition, view);
    return view;
  };
}

/** When an integration in some partitions was last changed. */
async function changedIn({ peek }: IntegrationLookupContext, others: readonly string[]): Promise<string> {
  const touched = others.map(async (partition) => integrations.getGuardVersion(await peek(partition), "any"));
  return (await Promise.all(touched)).join(" ");
}
