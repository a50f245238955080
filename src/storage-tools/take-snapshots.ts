// Takes snapshots of all partitions, of one moment if possible. Nothing is atomic across two partitions, so a moment is proven by
// looking twice: a partition that has not changed between two looks was the same at every time between them.

import { DIRECTORY } from "../storage/ids";
import type { Snapshot, Storage } from "../storage/storage";

export interface StorageSnapshots {
  /** The snapshots by partition, the directory last. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** True if all of them are of one moment. Otherwise each partition is as it was at a different time. */
  readonly isOneMoment: boolean;
}

/** The attempts to find a moment. A storage that many write to at once may have none. */
const MAX_ROUNDS = 10;

/** With more partitions, holding all snapshots takes much memory, and finding a moment is unlikely. */
const MAX_PARTITIONS_AT_ONCE = 1000;

/** Takes snapshots of a storage that may be written to at the same time. */
export async function takeSnapshots(storage: Storage): Promise<StorageSnapshots> {
  const names: string[] = [];
  for await (const name of storage.partitions()) names.push(name);

  const changeCounts = new Map<string, number>();
  const rounds = names.length > MAX_PARTITIONS_AT_ONCE ? 1 : MAX_ROUNDS;
  let snapshots = new Map<string, Snapshot>();
  let isOneMoment = false;
  for (let round = 0; round < rounds && !isOneMoment; round++) {
    // The partition that changes most is read last, and once: its moment is between the two looks at all others.
    const order = names.toSorted((a, b) => (changeCounts.get(a) ?? 0) - (changeCounts.get(b) ?? 0));
    snapshots = new Map();
    for (const name of order) snapshots.set(name, await storage.partition(name).snapshot());
    isOneMoment = true;
    for (const name of order.slice(0, -1)) {
      const { version } = await storage.partition(name).snapshot();
      if (version === snapshots.get(name)!.version) continue;
      isOneMoment = false;
      changeCounts.set(name, (changeCounts.get(name) ?? 0) + 1);
    }
  }

  const getRank = (name: string) => (name === DIRECTORY ? 1 : 0);
  const sorted = [...snapshots].sort(([a], [b]) => getRank(a) - getRank(b) || (a < b ? -1 : 1));
  return { snapshots: new Map(sorted), isOneMoment };
}
