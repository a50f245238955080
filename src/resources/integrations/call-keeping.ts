// Writes down what integrations were asked. Anybody may ask, as often as they like, so many questions share a commit, and of
// those that come faster than the storage takes them some are not written down.

import { inSteps } from "../../store/room";
import type { Store } from "../../store/store";
import { type EventRecord, keepCall } from "./queue-records";

/** The most records that wait for the next commit. */
const MOST_WAITING = 500;

/** Keeps the record of a question in the partition of the integration's owner; resolves once it is there, or given up. */
export type KeepCall = (owner: string, record: EventRecord) => Promise<void>;

export function createCallKeeping(store: Store): KeepCall {
  const keepers = new Map<string, { readonly waiting: EventRecord[]; readonly done: Promise<void> }>();

  async function writeAll(owner: string, waiting: EventRecord[]): Promise<void> {
    try {
      // Others come while these are written.
      while (waiting.length > 0) await inSteps(store, owner, taken(waiting), keepCall);
    } finally {
      keepers.delete(owner);
    }
  }

  return async (owner, record) => {
    const known = keepers.get(owner);
    if (known && known.waiting.length >= MOST_WAITING) return;
    if (known) {
      known.waiting.push(record);
      return known.done;
    }
    const waiting = [record];
    // The first one is written in the next turn, once it can be found here by those who come meanwhile.
    const done = Promise.resolve().then(() => writeAll(owner, waiting));
    keepers.set(owner, { waiting, done });
    return done;
  };
}

/** Takes records out of those that wait, the oldest first. */
function* taken(waiting: EventRecord[]): Generator<EventRecord> {
  while (waiting.length > 0) yield waiting.shift()!;
}
