// Finds the installations that listen to an event: they are active, are on its space or site, and hold the scope for it. The
// event is added to the queue of each.

import type { JobContext } from "../../../jobs/jobs";
import type { InternalReceivers } from "../../../jobs/outbox";
import { iterateRows } from "../../../operation/pagination";
import { getOrganizationPartition } from "../../../storage/ids";
import type { Key } from "../../../storage/storage";
import { type Store, shareSnapshots } from "../../../storage/store";
import type { Transaction } from "../../../storage/transaction";
import { forEachRow, type RowListing } from "../../../storage/transaction-budget";
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

/**
 * Creates the receivers that add events to the queues of installations. `getJobContext` is a function, because the context does not
 * exist yet when the receivers are created.
 */
export function createEventReceivers(getJobContext: () => JobContext): InternalReceivers {
  /** The snapshots of the owners of integrations, shared by all events that one transaction hands on. */
  const ownerStores = new WeakMap<Transaction, Store>();

  return {
    hasReceivers: async (view) => (await installations.total(view, "all")) > 0,
    async deliver(tx, event, after, addWork) {
      // Deliveries run beside this, so a slow receiver does not delay the others.
      const jobContext: JobContext = { ...getJobContext(), waitUntil: getJobContext().waitUntil ?? addWork };
      const { organizationId: _, createdAt, ...members } = event;
      const installationId = "installationId" in event ? event.installationId : undefined;
      if (installationId !== undefined) {
        const receiver = (await installations.get(tx, installationId)) ?? (await deliveries.get(tx, installationId));
        if (receiver) await enqueueEvent(jobContext, tx, receiver, members as unknown as EventPayload, createdAt);
        return undefined;
      }

      const owners = ownerStores.get(tx) ?? shareSnapshots(getJobContext().store);
      ownerStores.set(tx, owners);
      let last = after;
      const enqueueForListener = async (installation: InstallationRecord, position: Key) => {
        last = position;
        if (installation.status !== "active" || event.createdAt < installation.createdAt) return;
        if (!(await canReachPlace(tx, installation, event))) return;
        const owner = await owners.read(getOrganizationPartition(installation.owner));
        const integration = await integrations.get(owner, installation.integration);
        if (integration?.id !== installation.definition) return;
        const scopes = getGrantedScopes(installation, integration);
        // Only this read is checked at the commit, so that changes of other installations do not make it fail.
        if (!canReceiveEvent(scopes, event.type) || !(await installations.get(tx, installation.id))) return;
        const payload = { ...members, installationId: installation.id } as unknown as EventPayload;
        await enqueueEvent(jobContext, tx, installation, redactEvent(scopes, payload), createdAt);
      };
      // The installations that may be on the space or site of the event, in the order of installation.
      const kind: PlaceKind = "spaceId" in event ? "space" : "site";
      const place = "spaceId" in event ? event.spaceId : "siteId" in event ? event.siteId : undefined;
      const list: RowListing<InstallationRecord> = async (reader, { after, limit }) => {
        if (place === undefined) throw new Error(`An event ${event.type} is of no place.`);
        const listIdsOnAllPlaces = async () => {
          const ids: string[] = [];
          for await (const { record } of iterateRows((slice) => installations.list(reader, "all", slice)))
            if (isOnAllPlaces(record, kind)) ids.push(record.id);
          return ids;
        };
        const { cache } = getJobContext().ports;
        const name = `${event.organizationId} installations on every ${kind}`;
        const versions = [await installations.getGuardVersion(reader, "any")];
        const onAllPlaces = await cache.getOrCompute(name, versions, listIdsOnAllPlaces, ({ length }) => 100 * length);
        const ids = new Set(onAllPlaces);
        const rows = iterateRows((slice) => placements.list(reader, "ofPlace", { under: [kind, place], ...slice }));
        for await (const { record } of rows) ids.add(record.installation);
        return (await installations.getMany(reader, [...ids]))
          .flatMap((record) => (record ? [{ record, position: installations.getPosition("all", record)! }] : []))
          .sort((a, b) => (a.position < b.position ? -1 : 1))
          .filter(({ position }) => after === undefined || position > after)
          .slice(0, limit);
      };
      return (await forEachRow(tx, list, enqueueForListener, after)) ? (last ?? "") : undefined;
    },
  };
}

/** Adds an event to the queue of an installation. If nobody delivers the queue, this commit also takes its first event. */
export async function enqueueEvent(
  jobContext: JobContext,
  tx: Transaction,
  receiver: Pick<DeliveryRecord, "id" | "definition" | "owner" | "organization" | "integration">,
  payload: EventPayload,
  createdAt: string,
): Promise<void> {
  const { id, organization, integration } = receiver;
  const state: DeliveryRecord = (await deliveries.get(tx, id)) ?? {
    ...getInstallationKey(receiver),
    integration,
    next: 1,
    failures: 0,
  };
  const number = state.next;
  await queuedEvents.put(tx, { installation: id, number, createdAt, attempts: 0, payload });
  await deliveries.put(tx, { ...state, next: number + 1 });
  const now = jobContext.store.now().getTime();
  const isScheduled = (state.runner?.until ?? 0) > now || (state.retryAt ?? 0) > now;
  if (!isScheduled) await deliverEvents.start(jobContext, tx, { organization, installation: id });
}
