// Records calls to integrations. Anybody may cause calls, as often as they like. So many records share a commit, and
// when they come faster than the storage takes them, some are dropped.

import type { Store } from "../../../storage/store";
import { processInCommits } from "../../../storage/transaction-budget";
import { type EventRecord, storeInvocationRecord } from "../delivery/queue-records";

/** The most records that wait for the next commit. */
const MOST_WAITING = 500;

interface Keeper {
  readonly waiting: EventRecord[];
  readonly done: Promise<void>;
}

/** The writers at work, by store and partition. */
const keepers = new WeakMap<Store, Map<string, Keeper>>();

/** Records a call in the partition of the integration's owner. Resolves when it is stored or dropped. */
export async function recordInvocation(store: Store, owner: string, record: EventRecord): Promise<void> {
  const here = keepers.get(store) ?? new Map<string, Keeper>();
  keepers.set(store, here);
  const known = here.get(owner);
  if (known && known.waiting.length >= MOST_WAITING) return;
  if (known) {
    known.waiting.push(record);
    return known.done;
  }
  const waiting = [record];
  // The first record is written in the next turn, so that others that come meanwhile share its commit.
  const done = Promise.resolve()
    .then(() => writeAll(store, owner, waiting))
    .finally(() => here.delete(owner));
  here.set(owner, { waiting, done });
  return done;
}

async function writeAll(store: Store, owner: string, waiting: EventRecord[]): Promise<void> {
  // More records may come while these are written.
  while (waiting.length > 0) await processInCommits(store, owner, taken(waiting), storeInvocationRecord);
}

/** Takes waiting records, the oldest first. */
function* taken(waiting: EventRecord[]): Generator<EventRecord> {
  while (waiting.length > 0) yield waiting.shift()!;
}
