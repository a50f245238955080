// The store: a storage with the clock and the random bytes that its transactions need. Everything above the contract
// uses it; nothing above touches a partition directly.

import type { Random } from "./ids";
import type { Storage } from "./storage";
import { type Pause, type Reader, reader, type Transaction, transact } from "./transaction";

/** Where time and random bytes come from, so that tests control both. */
export interface World {
  readonly now: () => Date;
  readonly random: Random;
  readonly pause: Pause;
}

/** Reads and transactions over named partitions. */
export interface Store extends World {
  readonly storage: Storage;
  /** A snapshot of a partition. */
  read(partition: string): Promise<Reader>;
  /** A transaction on a partition, run again until its commit holds. */
  write<T>(partition: string, body: (tx: Transaction) => Promise<T>): Promise<T>;
}

export function createStore(storage: Storage, world: World): Store {
  return {
    ...world,
    storage,
    async read(partition) {
      return reader(await storage.partition(partition).snapshot());
    },
    write: (partition, body) => transact(storage.partition(partition), body, world.pause),
  };
}

/** Waits a random time that grows with the attempts: the first repetition comes at once, the twentieth within 100
 * ms. */
export function jitter(random: Random): Pause {
  return async (attempt) => {
    const chance = random(1)[0]! / 255;
    const ms = Math.floor(chance * Math.min(100, 2 ** (attempt - 1) - 1));
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  };
}
