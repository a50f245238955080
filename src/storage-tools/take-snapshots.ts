// Snapshots of all partitions, of one moment where that can be had. Nothing is atomic across two partitions, so a moment is
// proven by looking twice: what has not changed between two looks was so at every time between them.

import { DIRECTORY } from "../storage/ids";
import type { Snapshot, Storage } from "../storage/storage";

export interface StorageSnapshots {
  /** The partitions, the directory last. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** Whether all of them are of one moment. Otherwise each partition is as it was at a time of its own. */
  readonly isOne: boolean;
}

/** How often a moment is looked for. A storage that many write to at once may have none. */
const ROUNDS = 10;

/** With more partitions, holding all snapshots takes much memory, and a moment is unlikely. */
const MOST_TOGETHER = 1000;

/** A moment of a storage that may be written to meanwhile. */
export async function takeSnapshots(storage: Storage): Promise<StorageSnapshots> {
  const names: string[] = [];
  for await (const name of storage.partitions()) names.push(name);
  const changes = new Map<string, number>();
  let snapshots = new Map<string, Snapshot>();
  for (let round = 0; round < (names.length > MOST_TOGETHER ? 1 : ROUNDS); round++) {
    // The one that changes most is looked at last, once: its moment is between the two looks at all others.
    const order = names.toSorted((a, b) => (changes.get(a) ?? 0) - (changes.get(b) ?? 0));
    snapshots = new Map();
    for (const name of order) snapshots.set(name, await storage.partition(name).snapshot());
    let isOne = true;
    for (const name of order.slice(0, -1)) {
      const { version } = await storage.partition(name).snapshot();
      if (version === snapshots.get(name)!.version) continue;
      isOne = false;
      changes.set(name, (changes.get(name) ?? 0) + 1);
    }
    if (isOne) return { snapshots: directoryLast(snapshots), isOne };
  }
  return { snapshots: directoryLast(snapshots), isOne: false };
}

function directoryLast(snapshots: ReadonlyMap<string, Snapshot>): ReadonlyMap<string, Snapshot> {
  const rank = (name: string) => (name === DIRECTORY ? 1 : 0);
  return new Map([...snapshots].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)));
}
