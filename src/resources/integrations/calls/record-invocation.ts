// Records invocations. Anybody may cause them, as often as they like. So many records share a commit, and when they come faster
// than the storage takes them, some are dropped.

import type { Store } from "../../../storage/store";
import { processInCommits } from "../../../storage/transaction-budget";
import { type EventRecord, storeInvocationRecord } from "../delivery/queue-records";

/** The most records that wait for the next commit. */
const MAX_PENDING = 500;

/** Records that wait to be stored. `done` resolves when all of them are. */
interface PendingRecords {
  readonly records: EventRecord[];
  readonly done: Promise<void>;
}

/** The pending records of each store, by partition. */
const pendingByStore = new WeakMap<Store, Map<string, PendingRecords>>();

/** Records a call in the partition of the integration's owner. Resolves when the record is stored or dropped. */
export async function recordInvocation(store: Store, owner: string, record: EventRecord): Promise<void> {
  const pendingByOwner = pendingByStore.get(store) ?? new Map<string, PendingRecords>();
  pendingByStore.set(store, pendingByOwner);
  const pending = pendingByOwner.get(owner);
  if (pending && pending.records.length >= MAX_PENDING) return;
  if (pending) {
    pending.records.push(record);
    return pending.done;
  }

  const records = [record];
  function* takeOldestFirst(): Generator<EventRecord> {
    while (records.length > 0) yield records.shift()!;
  }
  // The first record is written in the next turn, so that others that come in the meantime share its commit.
  const done = Promise.resolve()
    .then(async () => {
      // More records may come while these are written.
      while (records.length > 0) await processInCommits(store, owner, takeOldestFirst(), storeInvocationRecord);
    })
    .finally(() => pendingByOwner.delete(owner));
  pendingByOwner.set(owner, { records, done });
  return done;
}
