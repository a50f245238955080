// Storage in LevelDB, or in any other abstract-level database, for one process. Waiting commits are written to the disk together
// (`commits.ts`), views need no snapshot of the database (`history.ts`), and `layout.ts` defines the keys and values.

import { checkPartitionName, type Partition, type Storage, Unavailable } from "../adapter";
import { LevelBlobs } from "./blobs";
import { Commits, type Writable } from "./commits";
import { Database, type LevelDatabase } from "./database";
import { type HistoryNode, View } from "./history";
import { keys, parseVersion, VERSIONS } from "./layout";
import { Records } from "./records";

export type { LevelDatabase } from "./database";

/** Options of a LevelDB storage. */
export interface LevelOptions {
  /** The approximate memory for parsed records, in bytes. Default: 64 MiB. */
  readonly cacheBytes?: number;
}

/**
 * Creates a storage in a LevelDB directory, which needs the package `level`, or in an abstract-level database. The storage takes the
 * database over: it opens it, must be the only one that writes to it, and closes it. It is opened by the first call.
 */
export function levelStorage(location: string | LevelDatabase, options: LevelOptions = {}): Storage {
  const database = new Database(location);
  const records = new Records(database, options.cacheBytes ?? 64 * 1024 * 1024);
  const partitions = new Map<string, LevelPartition>();
  const doubtful = new Set<Writable>();
  let preparing: Promise<void> | undefined;

  const isSettled = () => database.isSound && blobs.isSwept && doubtful.size === 0;

  /** Opens the database if necessary, and reads again the versions that a failed write has left in doubt. */
  async function ensureWritable(): Promise<void> {
    while (!isSettled()) {
      preparing ??= prepare().finally(() => {
        preparing = undefined;
      });
      await preparing;
    }
  }

  /** Does the same for reads. If the database cannot be reopened now, they see the state before the failed write. */
  async function ensureReadable(): Promise<void> {
    try {
      await ensureWritable();
    } catch (error) {
      if (!(error instanceof Unavailable && database.isReadable)) throw error;
    }
  }

  async function prepare(): Promise<void> {
    await database.open();
    try {
      if (!blobs.isSwept) await blobs.sweep();
    } catch (cause) {
      if (!(cause instanceof Unavailable)) throw cause;
      // The sweep may be half done, but the call that opened the database has had no effect, so its outcome is none.
      throw new Unavailable("The remains of torn uploads could not be removed.", { outcome: "none", cause });
    }
    if (doubtful.size === 0) return;
    records.forget();
    for (const partition of doubtful) {
      const [row] = await database.read([keys.version(partition.name)]);
      const { next } = partition.state!.end!;
      next.version = parseVersion(row, partition.name);
      partition.state = next;
      doubtful.delete(partition);
    }
  }

  const commits = new Commits(database, ensureWritable, (partition) => doubtful.add(partition));
  const blobs = new LevelBlobs(database, ensureWritable, ensureReadable);

  class LevelPartition implements Partition, Writable {
    readonly name: string;
    readonly records;
    state: HistoryNode | undefined;
    #loading: Promise<HistoryNode> | undefined;

    constructor(name: string) {
      this.name = name;
      this.records = records.getPartition(name);
    }

    async snapshot() {
      database.assertOpen();
      if (!isSettled()) await ensureReadable();
      const state = this.state ?? (await this.load());
      state.view ??= new View(database, this.records, state);
      return state.view;
    }

    async commit(batch: Parameters<Partition["commit"]>[0]) {
      database.assertOpen();
      return commits.commit(this, batch);
    }

    load(): Promise<HistoryNode> {
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      return this.#loading;
    }

    async #load(): Promise<HistoryNode> {
      const [row] = await database.read([keys.version(this.name)]);
      this.state = { version: parseVersion(row, this.name) };
      return this.state;
    }
  }

  return {
    partition(name) {
      database.assertOpen();
      const known = partitions.get(name);
      if (known) return known;
      checkPartitionName(name);
      const partition = new LevelPartition(name);
      partitions.set(name, partition);
      return partition;
    },
    async *partitions(after = "") {
      database.assertOpen();
      await ensureReadable();
      yield* database.listNames(VERSIONS, after);
    },
    blobs,
    // LevelDB admits only one process, so a process with another name has ended.
    owner: crypto.randomUUID(),
    close: () => database.close(() => commits.waitUntilIdle()),
  };
}
