// Writes down what integrations were asked. Anybody may ask, as often as they like, so many questions share a commit, and of
// those that come faster than the storage takes them some are not written down.

import type { Store } from "../../store/store";
import { type EventRecord, keepCalls } from "./queue-records";

/** Records that one commit holds, and those that wait for the next ones. */
const AT_ONCE = 10;
const MOST_WAITING = 500;

interface Keeper {
  readonly waiting: EventRecord[];
  readonly done: Promise<void>;
}

/** Those who are writing, by store and partition. */
const keepers = new WeakMap<Store, Map<string, Keeper>>();

/** Keeps the record of a question in the partition of the integration's owner; resolves once it is there, or given up. */
export async function keepCall(store: Store, owner: string, record: EventRecord): Promise<void> {
  const here = keepers.get(store) ?? new Map<string, Keeper>();
  keepers.set(store, here);
  const known = here.get(owner);
  if (known && known.waiting.length >= MOST_WAITING) return;
  if (known) {
    known.waiting.push(record);
    return known.done;
  }
  const waiting = [record];
  // The first one is written in the next turn, once it can be found here by those who come meanwhile.
  const done = Promise.resolve()
    .then(() => writeAll(store, owner, waiting))
    .finally(() => here.delete(owner));
  here.set(owner, { waiting, done });
  return done;
}

async function writeAll(store: Store, owner: string, waiting: EventRecord[]): Promise<void> {
  while (waiting.length > 0) {
    const some = waiting.slice(0, AT_ONCE);
    await store.write(owner, (tx) => keepCalls(tx, some));
    waiting.splice(0, some.length);
  }
}
