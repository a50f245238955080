// Storage in an object store such as S3 or R2, of which it only requires that one object can be replaced atomically, for any number of
// concurrent processes. DESIGN.md describes the objects and the invariants that make this safe.

import { type Blobs, checkPartitionName, type Partition, type Snapshot, type Storage, Unavailable } from "../adapter";
import { ObjectBlobs } from "./blobs";
import { Commits, createMissingSegmentError } from "./commits";
import { Compaction } from "./compaction";
import type { HeadState } from "./head";
import type { ObjectStore } from "./object-store";
import { HeadCache, Present } from "./present";
import { testStore } from "./probe";
import { type EngineEnvironment, Requests } from "./requests";
import { type MissingSegment, Segments } from "./segments";
import { View } from "./view";
import { resolveTimeouts, setTimer, type Timeouts } from "./waits";

export interface ObjectStorageOptions extends Partial<EngineEnvironment> {
  /** The prefix of all object names. Default: none. */
  readonly prefix?: string;
  /** The time for which a reader may miss commits of other processes, in milliseconds. Default: 0. */
  readonly maxStaleness?: number;
  /** The approximate memory for parsed segments, and the same again for heads, in bytes. Default: 64 MiB. */
  readonly cacheBytes?: number;
  /** The approximate size of the recent keys in a head from which on they are moved to a segment, in bytes. Default: 256 KiB. */
  readonly inlineBytes?: number;
  /** The maximum size of the segments in one merge, in bytes. Default: 256 MiB. */
  readonly mergeBytes?: number;
  /** The time for which a snapshot can be read after its segments were merged, in milliseconds. Default: 15 minutes. */
  readonly retentionMs?: number;
  /** If true, a writer merges segments by itself once there are many. Default: true. */
  readonly autoMerge?: boolean;
  /** If true, the conditional writes of the store are tested before the first write. Default: true. */
  readonly testConditions?: boolean;
  /** The timeouts for the store. Each has its own default. */
  readonly timeouts?: Timeouts;
}

/** The result of a call of `maintain`. */
export interface Maintained {
  /** The number of partitions that were processed. */
  readonly partitions: number;
  /** The number of segments that were merged into others. */
  readonly merged: number;
  /** The number of objects that were deleted. */
  readonly swept: number;
  /** True if the last partition was reached. Otherwise the next call continues where this one stopped. */
  readonly finished: boolean;
}

/** A storage that needs regular maintenance. */
export interface MaintainedStorage extends Storage {
  /**
   * Merges segments and deletes unneeded objects in up to `partitions` (default: 100) partitions: those after `after`, or after those
   * of the previous call. Safe to call at any time.
   */
  maintain(options?: { readonly partitions?: number; readonly after?: string }): Promise<Maintained>;
}

/** The minimum size of the cache of heads, whatever the option is set to, in bytes. */
const MIN_HEAD_CACHE_BYTES = 8 * 1024 * 1024;

/** Creates a storage in an object store that supports `If-Match` and `If-None-Match`. */
export function createObjectStorage(objects: ObjectStore, options: ObjectStorageOptions = {}): MaintainedStorage {
  const environment = {
    now: options.now ?? Date.now,
    pause: options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    alarm: options.alarm ?? setTimer,
    random: options.random ?? Math.random,
    newId:
      options.newId ??
      (() => {
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      }),
  };
  const requests = new Requests(objects, options.prefix ?? "", environment, resolveTimeouts(options.timeouts));
  const cacheBytes = options.cacheBytes ?? 64 * 1024 * 1024;
  const segments = new Segments(requests, cacheBytes);
  const heads = new HeadCache(Math.max(cacheBytes, MIN_HEAD_CACHE_BYTES));
  const partitions = new Map<string, ObjectPartition>();
  const inlineSize = options.inlineBytes ?? 256 * 1024;
  const maxStaleness = options.maxStaleness ?? 0;
  let probing: Promise<void> | undefined;
  let reached = "";

  /** Resolves once the store has been tested. After a failure, the next call tests it again. */
  async function ensureWritable(): Promise<void> {
    if (options.testConditions === false) return;
    probing ??= testStore(requests).catch((error) => {
      probing = undefined;
      throw error;
    });
    await probing;
  }

  const blobs = new ObjectBlobs(requests, ensureWritable);

  class ObjectPartition implements Partition {
    readonly #present: Present;
    readonly #segments;
    readonly #commits: Commits;
    readonly compaction: Compaction;
    /** The views of the known states. All readers of a state share its view. */
    readonly #views = new WeakMap<HeadState, View>();

    constructor(name: string) {
      this.#present = new Present(name, requests, heads);
      this.#segments = segments.getPartition(name);
      this.#commits = new Commits({
        present: this.#present,
        requests,
        segments: this.#segments,
        ensureWritable,
        inlineSize,
        onSpill: () => {
          if (options.autoMerge !== false) this.compaction.startInBackground();
        },
      });
      this.compaction = new Compaction(this.#present, this.#commits, this.#segments, requests, {
        unit: inlineSize,
        mergeBytes: options.mergeBytes ?? 256 * 1024 * 1024,
        grace: options.retentionMs ?? 15 * 60 * 1000,
      });
    }

    async snapshot(): Promise<Snapshot> {
      requests.assertOpen();
      const known = this.#present.getIfFresh(maxStaleness);
      const state = known ?? (await requests.runWithTimeout(() => this.#present.readLatest()));
      const view = this.#views.get(state) ?? this.#createView(state);
      this.#views.set(state, view);
      return view;
    }

    async commit(batch: Parameters<Partition["commit"]>[0]) {
      requests.assertOpen();
      return this.#commits.commit(batch);
    }

    async idle(): Promise<void> {
      await this.#commits.waitUntilIdle();
      await this.compaction.waitUntilIdle();
      await this.#commits.waitUntilIdle();
    }

    #createView(state: HeadState): View {
      const explain = async (missing: MissingSegment) => {
        const { head } = await this.#present.readLatest();
        if (head.segments.some(({ name }) => name === missing.segment))
          return createMissingSegmentError(requests, head, missing);
        const message = `The snapshot of version ${state.head.version} has grown too old to be read; take a new one.`;
        return new Unavailable(message, { outcome: "none", cause: missing });
      };
      return new View(state, this.#segments, requests, explain);
    }
  }

  function getPartition(name: string): ObjectPartition {
    const partition = partitions.get(name) ?? new ObjectPartition(name);
    partitions.set(name, partition);
    return partition;
  }

  return {
    partition(name) {
      requests.assertOpen();
      checkPartitionName(name);
      return getPartition(name);
    },
    async *partitions(after = "") {
      requests.assertOpen();
      yield* requests.listNames(requests.getHeadName(""), after);
    },
    blobs,
    async maintain({ partitions: maxPartitions = 100, after } = {}) {
      requests.assertOpen();
      await ensureWritable();
      const done = { partitions: 0, merged: 0, swept: 0 };
      const failures: unknown[] = [];
      let finished = true;
      for await (const name of requests.listNames(requests.getHeadName(""), after ?? reached)) {
        finished = done.partitions < maxPartitions;
        if (!finished) break;
        // Recorded first, so that a damaged partition does not prevent the next call from reaching the partitions after it.
        reached = name;
        done.partitions++;
        try {
          const { merged, swept } = await getPartition(name).compaction.runOnce();
          done.merged += merged;
          done.swept += swept;
        } catch (error) {
          // With `after`, the caller decides where to continue, so it needs the error at once.
          if (after === undefined || requests.isClosed) throw error;
          failures.push(error);
        }
      }
      if (finished) reached = "";
      if (failures.length > 0) throw failures[0];
      return { ...done, finished };
    },
    async close() {
      requests.close();
      await blobs.waitUntilIdle();
      for (const partition of partitions.values()) await partition.idle();
    },
  };
}

/** Blobs that can be closed. */
export interface ClosableBlobs extends Blobs {
  close(): Promise<void>;
}

/** Returns only the blobs of a storage, for one that stores everything else elsewhere. */
export function extractBlobs({ blobs, close }: MaintainedStorage): ClosableBlobs {
  return {
    put: (name, bytes) => blobs.put(name, bytes),
    get: (name, range) => blobs.get(name, range),
    delete: (name) => blobs.delete(name),
    list: (after) => blobs.list(after),
    close,
  };
}
