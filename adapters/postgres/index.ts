// Storage in PostgreSQL, for any number of processes. DESIGN.md tells which tables there are, what each call costs, and what
// happens when something goes wrong.

import { LRUCache } from "lru-cache";
import { type Blobs, checkPartitionName, type Partition, type Storage } from "../adapter";
import { Announcements } from "./announcements";
import { PostgresBlobs } from "./blobs";
import type { PostgresClient } from "./client";
import { Commits } from "./commits";
import { Database } from "./database";
import { type PostgresMaintained, runMaintenance } from "./maintenance";
import { Present, VersionQueries } from "./present";
import { type CachedEntry, Records } from "./records";
import { checkSchemaName } from "./schema";
import { View } from "./view";

export type { PostgresClient, QueryClient, UnsafeClient } from "./client";
export type { PostgresMaintained } from "./maintenance";

/** How a PostgreSQL storage behaves. */
export interface PostgresOptions {
  /** The schema that holds the tables, of small letters, digits and underscores. Default: `octavo`. */
  readonly schema?: string;
  /** Whether the first call makes the tables where they are missing. Default: true. Otherwise call `migrate()`, which may
   * use a role with more rights. */
  readonly migrates?: boolean;
  /** How many connections are opened, at most, where an address was given. Default: 10. */
  readonly connections?: number;
  /** How long a call may take, in ms. Default: 10,000. */
  readonly timeoutMs?: number;
  /** How much memory parsed records may take, in bytes, about. Default: 64 MiB. */
  readonly cacheBytes?: number;
  /** For how long a snapshot can be read after others have written, in ms. Default: 15 minutes. */
  readonly grace?: number;
  /** The most that the commits of one statement hold, in bytes, about. Default: 4 MiB. */
  readonly roundBytes?: number;
  /** The size of the pieces of a blob, in bytes. Default: 256 KiB. */
  readonly chunkBytes?: number;
  /** Keeps blobs elsewhere, such as in `s3Blobs()` of `octavo/s3`. It is closed with the storage. Default: in PostgreSQL. */
  readonly blobs?: Blobs & { close?(): Promise<void> };
}

export interface PostgresStorage extends Storage {
  /** Makes the tables where they are missing. Any number of processes may call it at once, and again. */
  migrate(): Promise<void>;
  /** Deletes what no reader can need any more, in up to `partitions` (default 100) partitions. Safe at any time. */
  maintain(options?: { readonly partitions?: number }): Promise<PostgresMaintained>;
  /** Tells the processes that listen that `maintain()` of the API is wanted at a time: by a process that will not call it. */
  announce(when: Date): Promise<void>;
  /**
   * Hears what other processes announce, over a connection that it keeps, until the function that it gives is called. It
   * does nothing behind a pooler that shares connections between transactions, and with a client that can only `query`.
   */
  listen(hear: (when: Date) => void): () => Promise<void>;
}

/**
 * Keeps everything in a PostgreSQL database. It is given by its address, which needs one of the packages `pg` and
 * `postgres`, or by a client: a `Pool` of `pg`, what `postgres()` makes, a PGlite, or anything with such a `query`
 * function. A client stays yours to close. Connects with the first call.
 */
export function postgresStorage(location: string | PostgresClient, options: PostgresOptions = {}): PostgresStorage {
  const schema = options.schema ?? "octavo";
  checkSchemaName(schema);
  const database = new Database(location, {
    schema,
    timeoutMs: options.timeoutMs ?? 10_000,
    connections: options.connections ?? 10,
    migrates: options.migrates ?? true,
  });
  const cacheBytes = options.cacheBytes ?? 64 * 1024 * 1024;
  // Without any room, each entry is too large to be kept.
  const cache = new LRUCache<string, CachedEntry>({
    maxSize: Math.max(1, cacheBytes),
    sizeCalculation: ({ bytes }) => bytes,
  });
  const partitions = new Map<string, PostgresPartition>();
  const questions = new VersionQueries(database);
  const announcements = new Announcements(database);
  const ownBlobs = options.blobs ? undefined : new PostgresBlobs(database, options.chunkBytes ?? 256 * 1024);

  class PostgresPartition implements Partition {
    readonly #name: string;
    readonly #records: Records;
    readonly #present: Present;
    readonly commits: Commits;
    /** One view serves all readers of a version. */
    #view: View | undefined;

    constructor(name: string) {
      this.#name = name;
      this.#records = new Records(cache, name);
      this.#present = new Present(name, questions, this.#records);
      this.commits = new Commits(name, database, this.#records, options.roundBytes ?? 4 * 1024 * 1024);
    }

    async snapshot(): Promise<View> {
      database.assertOpen();
      const version = await this.#present.readLatest();
      if (this.#view?.version !== version) this.#view = new View(this.#name, version, database, this.#records);
      return this.#view;
    }

    async commit(batch: Parameters<Partition["commit"]>[0]) {
      database.assertOpen();
      return this.commits.commit(batch);
    }
  }

  return {
    partition(name) {
      database.assertOpen();
      const known = partitions.get(name);
      if (known) return known;
      checkPartitionName(name);
      const partition = new PostgresPartition(name);
      partitions.set(name, partition);
      return partition;
    },
    async *partitions(after = "") {
      database.assertOpen();
      yield* database.listNames("partition", after, "AND version > 0");
    },
    blobs: options.blobs ?? ownBlobs!,
    migrate: () => database.migrate(),
    async maintain({ partitions: most = 100 } = {}) {
      database.assertOpen();
      return runMaintenance(database, ownBlobs, { grace: options.grace ?? 15 * 60 * 1000, partitions: most });
    },
    async announce(when) {
      database.assertOpen();
      await announcements.announce(when);
    },
    listen(hear) {
      database.assertOpen();
      return announcements.listen(hear);
    },
    close: () =>
      database.close(async () => {
        await announcements.close();
        for (const { commits } of partitions.values()) await commits.waitUntilIdle();
        await options.blobs?.close?.();
      }),
  };
}
