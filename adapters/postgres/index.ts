// Storage in PostgreSQL, for any number of processes. DESIGN.md describes the tables, the cost of each call, and the handling of
// failures.

import { LRUCache } from "lru-cache";
import { type Blobs, checkPartitionName, type Partition, type Storage } from "../adapter";
import { PostgresBlobs } from "./blobs";
import type { PostgresClient } from "./client";
import { Commits } from "./commits";
import { Database } from "./database";
import { type PostgresMaintained, runMaintenance } from "./maintenance";
import { Present, VersionQueries } from "./present";
import { type CachedEntry, Records } from "./records";
import { View } from "./view";

export type { PostgresClient, QueryClient, UnsafeClient } from "./client";
export type { PostgresMaintained } from "./maintenance";

/** Options of a PostgreSQL storage. */
export interface PostgresOptions {
  /** The schema of the tables. It consists of lowercase letters, digits and underscores. Default: `octavo`. */
  readonly schema?: string;
  /**
   * If true, the first call creates missing tables. Otherwise call `migrate()`, which can use a role with more privileges.
   * Default: true.
   */
  readonly autoMigrate?: boolean;
  /** The maximum number of connections, if the database is given by its address. Default: 10. */
  readonly connections?: number;
  /** The timeout of a call, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The approximate memory for parsed records, in bytes. Default: 64 MiB. */
  readonly cacheBytes?: number;
  /** The time for which a snapshot can be read after later commits, in milliseconds. Default: 15 minutes. */
  readonly retentionMs?: number;
  /** The approximate maximum size of the commits in one statement, in bytes. Default: 4 MiB. */
  readonly roundBytes?: number;
  /** The size of the chunks of a blob, in bytes. Default: 256 KiB. */
  readonly chunkBytes?: number;
  /** Stores blobs elsewhere, such as `s3Blobs()` of `octavo/s3`. It is closed together with the storage. Default: in PostgreSQL. */
  readonly blobs?: Blobs & { close?(): Promise<void> };
}

export interface PostgresStorage extends Storage {
  /** Creates missing tables. Safe to call repeatedly, and by any number of processes at once. */
  migrate(): Promise<void>;
  /** Deletes data that no reader can need any more, in up to `partitions` (default: 100) partitions. Safe to call at any time. */
  maintain(options?: { readonly partitions?: number }): Promise<PostgresMaintained>;
  /** Notifies listening processes that `maintain()` of the API should run at a time. For processes that do not call it themselves. */
  announce(when: Date): Promise<void>;
  /**
   * Calls `hear` for announcements of other processes, over a connection of its own, until the returned function is called. It has no
   * effect behind a pooler that shares connections between transactions, and with a client that can only `query`.
   */
  listen(hear: (when: Date) => void): () => Promise<void>;
}

/**
 * Creates a storage in a PostgreSQL database. The database is given by its address, which needs one of the packages `pg` and
 * `postgres`, or by a client: a `Pool` of `pg`, the result of `postgres()`, a PGlite, or any object with such a `query` function. You
 * have to close a client yourself. The storage connects with the first call.
 */
export function postgresStorage(location: string | PostgresClient, options: PostgresOptions = {}): PostgresStorage {
  const schema = options.schema ?? "octavo";
  // A name that would have to be quoted is refused.
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith("pg_"))
    throw new TypeError(
      `schema: ${JSON.stringify(schema)} is no name of a schema; use small letters, digits and underscores.`,
    );
  const database = new Database(location, {
    schema,
    timeoutMs: options.timeoutMs ?? 10_000,
    connections: options.connections ?? 10,
    migrates: options.autoMigrate ?? true,
  });
  const cacheBytes = options.cacheBytes ?? 64 * 1024 * 1024;
  // With a cache of no size, no entry is cached.
  const cache = new LRUCache<string, CachedEntry>({
    maxSize: Math.max(1, cacheBytes),
    sizeCalculation: ({ bytes }) => bytes,
  });
  const partitions = new Map<string, PostgresPartition>();
  const queries = new VersionQueries(database);
  const announcements = new Announcements(database);
  const ownBlobs = options.blobs ? undefined : new PostgresBlobs(database, options.chunkBytes ?? 256 * 1024);

  class PostgresPartition implements Partition {
    readonly #name: string;
    readonly #records: Records;
    readonly #present: Present;
    readonly commits: Commits;
    /** The view of the current version, which all readers share. */
    #view: View | undefined;

    constructor(name: string) {
      this.#name = name;
      this.#records = new Records(cache, name);
      this.#present = new Present(name, queries, this.#records);
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
      return runMaintenance(database, ownBlobs, { grace: options.retentionMs ?? 15 * 60 * 1000, partitions: most });
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

const MAX_RECONNECT_MS = 30_000;

/** Tells listening processes that work is due at a time. Nothing depends on it: a process that misses it finds the work later. */
class Announcements {
  readonly #database: Database;
  /** Identifies this process, which ignores its own announcements. */
  readonly #self = crypto.randomUUID();
  readonly #stops = new Set<() => Promise<void>>();

  constructor(database: Database) {
    this.#database = database;
  }

  async announce(when: Date): Promise<void> {
    const payload = `${this.#self} ${when.toISOString()}`;
    await this.#database.query("SELECT pg_notify($1, $2)::text", [this.#database.schema, payload]);
  }

  /** Listens, and reconnects after a connection was lost. An announcement may have been missed then, so `hear` is called with the current time. */
  listen(hear: (when: Date) => void): () => Promise<void> {
    let end = async () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    let losses = 0;
    const receive = (payload: string) => {
      const [from, when] = payload.split(" ");
      // An announcement may still arrive after the listener has stopped.
      if (!isStopped && from !== this.#self && !Number.isNaN(Date.parse(when ?? ""))) hear(new Date(when!));
    };
    const reconnect = () => {
      end = async () => {};
      if (isStopped) return;
      timer = setTimeout(connect, Math.min(MAX_RECONNECT_MS, 50 * 2 ** losses++));
      (timer as { unref?: () => void }).unref?.();
    };
    const connect = async () => {
      try {
        const ending = await this.#database.listen(receive, reconnect);
        if (isStopped) return await ending?.();
        if (ending) end = ending;
        if (losses > 0) hear(new Date());
        losses = 0;
      } catch {
        reconnect();
      }
    };
    const connecting = connect();
    const stop = async () => {
      isStopped = true;
      clearTimeout(timer);
      this.#stops.delete(stop);
      await connecting;
      await end();
    };
    this.#stops.add(stop);
    return stop;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stops].map((stop) => stop()));
  }
}
