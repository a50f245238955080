// The integrations that work on a space or a site: their installation is active there, and the integration still exists.
// Which ones these are is remembered until an installation, a place of one, or an integration of one of their owners
// changes. Each request reads in its own snapshots when that was. The memory says where to look. What an answer shows is
// read again.

import type { Memory } from "../../../parts/memory";
import type { Reader } from "../../../store/transaction";
import type { Looking } from "../../sites/served-by-integrations";
import { activeIn, homeIn, type Working, working, worksOn } from "../published/for-sites";
import {
  type InstallationRecord,
  type IntegrationRecord,
  installations,
  integrations,
  type PlaceKind,
  placed,
} from "../records";

/** A request that only reads: a memory knows nothing of the writes of a transaction. */
export interface Remembering extends Looking {
  readonly organization: { readonly id: string };
  readonly parts: { readonly memory: Memory };
}

/** An installation that works on a place, in the order of installation. */
export interface AtWork {
  readonly installation: Pick<InstallationRecord, "id" | "createdAt">;
  readonly integration: IntegrationRecord;
}

/** The installations that work on a space or a site, in the order of installation, as far as they are remembered. */
export function atWorkOn(looking: Remembering, kind: PlaceKind, place: string): Promise<readonly AtWork[]> {
  const make = async (from: Looking) => {
    const found = await stillAtWork(from, kind, place, await activeIn(from.tx));
    return found.map(({ installation: { id, createdAt }, integration }) => ({
      installation: { id, createdAt },
      integration,
    }));
  };
  return knownOfIntegrations(looking, `${place} integrations`, "", make);
}

/** Those of some installations that work on a space or a site now. */
export async function stillAtWork(
  looking: Looking,
  kind: PlaceKind,
  place: string,
  some: readonly InstallationRecord[],
): Promise<Working[]> {
  const there = await placed.getMany(
    looking.tx,
    some.map(({ id }) => [id, kind, place]),
  );
  const here = some.filter((it, i) => worksOn(it, kind, there[i]));
  const found = await Promise.all(here.map((it) => working(looking, it)));
  return found.filter((it) => it !== undefined);
}

/** The same for remembered ones. */
export async function readAgain(
  looking: Looking,
  kind: PlaceKind,
  place: string,
  some: readonly AtWork[],
): Promise<Working[]> {
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

interface Known<Value> {
  readonly value: readonly Value[];
  /** The owners of the integrations, and when an integration of each was last changed. */
  readonly owners: readonly string[];
  readonly touched: string;
}

/** Something that was made from the installations of an organization and their integrations, remembered until one of them
 * changes, or the stamp of the rest that it was made from. */
export async function knownOfIntegrations<
  Value extends { readonly integration: Pick<IntegrationRecord, "organization"> },
>(
  looking: Remembering,
  name: string,
  stamp: string,
  make: (from: Looking) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  const { tx, parts, organization } = looking;
  const from = { tx, peek: peekingOnce(looking) };
  const touched = await Promise.all([installations.touched(tx, "any"), placed.touched(tx, "any")]);
  const now = `${touched.join(" ")} ${stamp}`;
  const known = parts.memory.find<Known<Value>>(name, now);
  if (known && (await changedAt(from, organization.id, known.owners)) === known.touched) return known.value;
  const value = await make(from);
  const owners = [...new Set(value.map(({ integration }) => integration.organization))];
  const made: Known<Value> = { value, owners, touched: await changedAt(from, organization.id, owners) };
  parts.memory.keep(name, now, made, 2 * JSON.stringify(value).length);
  return value;
}

/** Reads each partition at one moment: what was read of an owner belongs to the time of its last change. */
function peekingOnce({ peek }: Looking): Looking["peek"] {
  const views = new Map<string, Promise<Reader>>();
  return (partition) => {
    const view = views.get(partition) ?? peek(partition);
    views.set(partition, view);
    return view;
  };
}

/** When an integration of some owners was last changed. */
async function changedAt(from: Looking, organization: string, owners: readonly string[]): Promise<string> {
  const touched = owners.map(async (owner) => integrations.touched(await homeIn(from, owner, organization), "any"));
  return (await Promise.all(touched)).join(" ");
}
