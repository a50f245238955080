// Storage in an object store that can replace one object atomically, and nothing more: S3, R2 and their kin, for any
// number of processes at once. DESIGN.md tells which objects there are, and the invariants that make it safe.

import { type Blobs, checkPartitionName, type Partition, type Snapshot, type Storage, Unavailable } from "../adapter";
import { ObjectBlobs } from "./blobs";
import { Commits, createMissingSegmentError } from "./commits";
import { Compaction } from "./compaction";
import type { HeadState } from "./head";
import type { ObjectStore } from "./object-store";
import { HeadCache, Present } from "./present";
import { probeStore } from "./probe";
import { type EngineEnvironment, Requests } from "./requests";
import { type MissingSegment, Segments } from "./segments";
import { View } from "./view";
import { resolveTimeouts, setTimer, type Timeouts } from "./waits";

/** How a storage on an object store behaves. */
export interface ObjectStorageOptions extends Partial<EngineEnvironment> {
  /** What all names of objects begin with. Default: nothing. */
  readonly prefix?: string;
  /** For how long a reader may do without the commits of other processes, in ms. Default: 0, never. */
  readonly maxStaleness?: number;
  /** How much memory parsed segments may take, and how much heads may, in bytes, about. Default: 64 MiB each. */
  readonly cacheBytes?: number;
  /** How large the recent keys in a head may grow until they go into a segment, in bytes, about. Default: 256 KiB. */
  readonly inlineBytes?: number;
  /** The most that one merge of segments reads, in bytes. Default: 256 MiB. */
  readonly mergeBytes?: number;
  /** For how long a snapshot can be read after its segments were merged, in ms. Default: 15 minutes. */
  readonly grace?: number;
  /** Whether a writer merges segments by itself when there are many. Default: true. */
  readonly merges?: boolean;
  /** Whether the store's conditions are tried out before the first write. Default: true. */
  readonly probes?: boolean;
  /** How long the store is waited for. Each limit has its default. */
  readonly timeouts?: Timeouts;
}

/** What a call of `maintain` has done. */
export interface Maintained {
  /** How many partitions were looked at. */
  readonly partitions: number;
  /** How many segments became part of another. */
  readonly merged: number;
  /** How many objects were deleted. */
  readonly swept: number;
  /** Whether the last partition was reached; otherwise the next call goes on where this one has stopped. */
  readonly finished: boolean;
}

/** A storage that wants to be tidied now and then. */
export interface MaintainedStorage extends Storage {
  /** Merges segments and deletes what no one needs, in up to `partitions` (default 100) partitions: those after
   * `after`, or after those of the call before. Safe at any time. */
  maintain(options?: { readonly partitions?: number; readonly after?: string }): Promise<Maintained>;
}

/** Room for a few heads is needed whatever the cache is set to, in bytes. */
const LEAST_FOR_HEADS = 8 * 1024 * 1024;

/** Keeps everything in an object store that honours `If-Match` and `If-None-Match`. */
export function createObjectStorage(objects: ObjectStore, options: ObjectStorageOptions = {}): MaintainedStorage {
  const around = {
    now: options.now ?? Date.now,
    pause: options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    alarm: options.alarm ?? setTimer,
    random: options.random ?? Math.random,
    newId: options.newId ?? generateHexId,
  };
  const requests = new Requests(objects, options.prefix ?? "", around, resolveTimeouts(options.timeouts));
  const cacheBytes = options.cacheBytes ?? 64 * 1024 * 1024;
  const segments = new Segments(requests, cacheBytes);
  const heads = new HeadCache(Math.max(cacheBytes, LEAST_FOR_HEADS));
  const partitions = new Map<string, ObjectPartition>();
  const inlineSize = options.inlineBytes ?? 256 * 1024;
  const maxStaleness = options.maxStaleness ?? 0;
  let probing: Promise<void> | undefined;
  let reached = "";

  /** Resolves once the store was found fit; a failure is not kept, so the next call asks again. */
  async function ensureWritable(): Promise<void> {
    if (options.probes === false) return;
    probing ??= probeStore(requests).catch((error) => {
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
    /** One view serves all readers of a state, for as long as that is known. */
    readonly #views = new WeakMap<HeadState, View>();

    constructor(name: string) {
      this.#present = new Present(name, requests, heads);
      this.#segments = segments.getPartition(name);
      this.#commits = new Commits({
        present: this.#present,
        requests,
        segments: this.#segments,
        writable: ensureWritable,
        inlineSize,
        grown: () => {
          if (options.merges !== false) this.compaction.startInBackground();
        },
      });
      this.compaction = new Compaction(this.#present, this.#commits, this.#segments, requests, {
        unit: inlineSize,
        mergeBytes: options.mergeBytes ?? 256 * 1024 * 1024,
        grace: options.grace ?? 15 * 60 * 1000,
      });
    }

    async snapshot(): Promise<Snapshot> {
      requests.assertOpen();
      const known = this.#present.getIfFresh(maxStaleness);
      const state = known ?? (await requests.runWithTimeout(() => this.#present.readLatest()));
      const view = this.#views.get(state) ?? this.#at(state);
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

    #at(state: HeadState): View {
      const explain = async (gone: MissingSegment) => {
        const { head } = await this.#present.readLatest();
        if (head.segments.some(({ name }) => name === gone.segment))
          return createMissingSegmentError(requests, head, gone);
        const message = `The snapshot of version ${state.head.version} has grown too old to be read; take a new one.`;
        return new Unavailable(message, { outcome: "none", cause: gone });
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
    async maintain({ partitions: most = 100, after } = {}) {
      requests.assertOpen();
      await ensureWritable();
      const done = { partitions: 0, merged: 0, swept: 0 };
      const failures: unknown[] = [];
      let finished = true;
      for await (const name of requests.listNames(requests.getHeadName(""), after ?? reached)) {
        finished = done.partitions < most;
        if (!finished) break;
        // Recorded first, so that a damaged partition does not keep the next call from those after it.
        reached = name;
        done.partitions++;
        try {
          const { merged, swept } = await getPartition(name).compaction.runOnce();
          done.merged += merged;
          done.swept += swept;
        } catch (error) {
          // A call that is told where to begin would never come to those after it.
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

/** The blobs of a storage alone, for one that keeps everything else in another place. */
export function extractBlobs({ blobs, close }: MaintainedStorage): ClosableBlobs {
  return {
    put: (name, bytes) => blobs.put(name, bytes),
    get: (name, range) => blobs.get(name, range),
    delete: (name) => blobs.delete(name),
    list: (after) => blobs.list(after),
    close,
  };
}

function generateHexId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
