// Finds the installations that hear an event: they are active, are on its space or site, and hold the scope for it. The
// event is added to the queue of each.

import type { JobContext } from "../../../jobs/jobs";
import type { DocsEvent, InternalReceivers } from "../../../jobs/outbox";
import { iterateRows } from "../../../operation/pagination";
import { getOrganizationPartition } from "../../../storage/ids";
import type { Key } from "../../../storage/storage";
import { type Store, shareSnapshots } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { forEachRow, type PositionedRecord, type RowListing } from "../../../storage/transaction-budget";
import { getOrCompute } from "../../../utils/stamped-cache";
import type { IntegrationScope } from "../definitions/schema";
import { getGrantedScopes } from "../installations/agreed-scopes";
import { isOnAllPlaces } from "../installations/all-places";
import {
  type DeliveryRecord,
  deliveries,
  type EventPayload,
  getInstallationKey,
  type InstallationRecord,
  installations,
  integrations,
  type PlaceKind,
  placements,
  queuedEvents,
} from "../records";
import { deliverEvents } from "./delivery-queue";
import { canReachPlace, canReceiveEvent, redactEvent } from "./event-access";

/** Adds events to the queues of installations. `jobs` is a function, because it does not exist yet when this is made. */
export function createEventReceivers(work: () => JobContext): InternalReceivers {
  /** Where the owners of integrations are read, for all events that one transaction hands on. */
  const owners = new WeakMap<Transaction, Store>();
  const ownersFor = (tx: Transaction) => {
    const known = owners.get(tx) ?? shareSnapshots(work().store);
    owners.set(tx, known);
    return known;
  };
  return {
    hasReceivers: async (view) => (await installations.total(view, "all")) > 0,
    async deliver(tx, event, after, running) {
      // Deliveries run beside this, so a slow receiver does not delay the others.
      const aside: JobContext = { ...work(), waitUntil: work().waitUntil ?? running };
      const { organizationId: _, createdAt, ...told } = event;
      const direct = "installationId" in event ? event.installationId : undefined;
      if (direct !== undefined) {
        const found = (await installations.get(tx, direct)) ?? (await deliveries.get(tx, direct));
        if (found) await enqueueEvent(aside, tx, found, told as unknown as EventPayload, createdAt);
        return undefined;
      }
      let last = after;
      const tell = async (record: InstallationRecord, position: Key) => {
        last = position;
        const held = await scopesToHear(ownersFor(tx), tx, record, event);
        // Only this read is checked at the commit. So changes of other installations do not make it fail.
        if (!held || !(await installations.get(tx, record.id))) return;
        const payload = redactEvent(held, { ...told, installationId: record.id } as unknown as EventPayload);
        await enqueueEvent(aside, tx, record, payload, createdAt);
      };
      const list: RowListing<InstallationRecord> = async (reader, { after, limit }) =>
        (await candidates(work(), reader, event))
          .filter(({ position }) => after === undefined || position > after)
          .slice(0, limit);
      return (await forEachRow(tx, list, tell, after)) ? (last ?? "") : undefined;
    },
  };
}

/** The installations that may be on the space or site of an event, in the order in which they were made. */
async function candidates(
  { ports }: JobContext,
  tx: Reader,
  event: DocsEvent,
): Promise<PositionedRecord<InstallationRecord>[]> {
  const [kind, place] = placeOf(event);
  const name = `${event.organizationId} installations on every ${kind}`;
  const stamp = String(await installations.getGuardVersion(tx, "any"));
  const everywhere = await getOrCompute(ports.cache, name, stamp, () => idsOnEvery(tx, kind), bytesOf);
  const ids = new Set(everywhere);
  for await (const { record } of iterateRows((slice) =>
    placements.list(tx, "ofPlace", { under: [kind, place], ...slice }),
  ))
    ids.add(record.installation);
  const found = await installations.getMany(
    tx,
    [...ids].map((id) => [id]),
  );
  return found
    .flatMap((record) => (record ? [{ record, position: installations.getPosition("all", record)! }] : []))
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** What an event that is not of one installation is about. */
function placeOf(event: DocsEvent): [kind: PlaceKind, id: string] {
  if ("spaceId" in event) return ["space", event.spaceId];
  if ("siteId" in event) return ["site", event.siteId];
  throw new Error(`An event ${event.type} is of no place.`);
}

/** The ids of the installations on all spaces, or on all sites. */
async function idsOnEvery(tx: Reader, kind: PlaceKind): Promise<string[]> {
  const ids: string[] = [];
  for await (const { record } of iterateRows((slice) => installations.list(tx, "all", slice)))
    if (isOnAllPlaces(record, kind)) ids.push(record.id);
  return ids;
}

const bytesOf = (ids: readonly string[]) => 100 * ids.length;

/** The scopes of an installation that may hear an event; undefined when it may not. */
async function scopesToHear(
  store: Store,
  tx: Reader,
  it: InstallationRecord,
  event: DocsEvent,
): Promise<readonly IntegrationScope[] | undefined> {
  if (it.status !== "active" || event.createdAt < it.createdAt) return undefined;
  if (!(await canReachPlace(tx, it, event))) return undefined;
  const owner = await store.read(getOrganizationPartition(it.owner));
  const integration = await integrations.get(owner, it.integration);
  if (integration?.id !== it.definition) return undefined;
  const held = getGrantedScopes(it, integration);
  return canReceiveEvent(held, event.type) ? held : undefined;
}

type Named = Pick<DeliveryRecord, "id" | "definition" | "owner" | "organization" | "integration">;

/** Adds an event to the queue of an installation. If nobody delivers the queue, this commit also takes its first event. */
export async function enqueueEvent(
  work: JobContext,
  tx: Transaction,
  to: Named,
  payload: EventPayload,
  createdAt: string,
): Promise<void> {
  const known = await deliveries.get(tx, to.id);
  const state: DeliveryRecord = known ?? {
    ...getInstallationKey(to),
    integration: to.integration,
    next: 1,
    failures: 0,
  };
  const number = state.next;
  await queuedEvents.put(tx, { installation: to.id, number, createdAt, attempts: 0, payload });
  await deliveries.put(tx, { ...state, next: number + 1 });
  const now = work.store.now().getTime();
  const isTakenCareOf = (state.runner?.until ?? 0) > now || (state.retryAt ?? 0) > now;
  if (!isTakenCareOf) await deliverEvents.start(work, tx, { organization: to.organization, installation: to.id });
}
