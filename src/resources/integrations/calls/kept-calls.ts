// Writes down what integrations were asked. Anybody may ask, as often as they like. So many questions share a commit, and when
// they come faster than the storage takes them, some are not written down.

import { inSteps } from "../../../store/room";
import type { Store } from "../../../store/store";
import { type EventRecord, keepCall } from "../delivery/queue-records";

/** The most records that wait for the next commit. */
const MOST_WAITING = 500;

interface Keeper {
  readonly waiting: EventRecord[];
  readonly done: Promise<void>;
}

/** Those who are writing, by store and partition. */
const keepers = new WeakMap<Store, Map<string, Keeper>>();

/** Writes a question down in the partition of the integration's owner; resolves once it is there, or given up. */
export async function writeDown(store: Store, owner: string, record: EventRecord): Promise<void> {
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
  // Others come while these are written.
  while (waiting.length > 0) await inSteps(store, owner, taken(waiting), keepCall);
}

/** Takes records out of those that wait, the oldest first. */
function* taken(waiting: EventRecord[]): Generator<EventRecord> {
  while (waiting.length > 0) yield waiting.shift()!;
}
