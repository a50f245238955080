// Storage in Cloudflare's Durable Objects, for Workers. A partition is an object with a SQLite database. DESIGN.md describes the objects,
// the cost of each call, and the handling of failures.

import { type Blobs, checkPartitionName, type Partition, type Storage, type Version } from "../adapter";
import { Commits } from "./commits";
import { type ObjectNamespaceLike, Objects } from "./objects";
import { CLOCK, getPartitionObjectName, REGISTRY } from "./protocol";
import { View } from "./view";

export { durableObjectClass, type ObjectClass, type ObjectClassOptions } from "./object";
export type { ObjectNamespaceLike } from "./objects";

export interface DurableObjectOptions {
  /** The storage of blobs: `r2Blobs(env.BUCKET)` of `octavo/r2`. It is closed together with this storage. */
  readonly blobs: Blobs & { close?(): Promise<void> };
  /** The prefix of all object names. Default: none. */
  readonly prefix?: string;
  /** The timeout of a call, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The maximum size of commits that are sent together, in characters. Default: 800 Ki. */
  readonly roundCharacters?: number;
}

export interface DurableObjectStorage extends Storage {
  /**
   * Makes the background work run at a time (default: now), unless it is due earlier. The work is the `maintain` option of
   * `durableObjectClass()`.
   */
  wake(when?: Date): Promise<void>;
}

/** The number of partition names that are read together. */
const NAMES_PER_PAGE = 500;

/**
 * Creates a storage in Durable Objects, with blobs elsewhere:
 * `durableObjectStorage(env.OBJECTS, { blobs: r2Blobs(env.BUCKET) })`. `durableObjectClass()` creates the class of the objects. A
 * Worker opens a storage for each request.
 */
export function durableObjectStorage(
  namespace: ObjectNamespaceLike,
  options: DurableObjectOptions,
): DurableObjectStorage {
  const objects = new Objects(namespace, options.prefix ?? "", options.timeoutMs ?? 10_000);
  const partitions = new Map<string, ObjectPartition>();
  let closing: Promise<void> | undefined;

  const readVersion = async (name: string) =>
    (await objects.call(getPartitionObjectName(name), (stub) => stub.currentVersion())).version;

  class ObjectPartition implements Partition {
    readonly #name: string;
    readonly commits: Commits;
    /** The version query of this turn, which all its snapshots share. */
    #reading: Promise<Version> | undefined;

    constructor(name: string) {
      this.#name = name;
      this.commits = new Commits(name, objects, options.roundCharacters);
    }

    async snapshot(): Promise<View> {
      objects.assertOpen();
      this.#reading ??= Promise.resolve().then(() => {
        this.#reading = undefined;
        return readVersion(this.#name);
      });
      return new View(this.#name, await this.#reading, objects);
    }

    async commit(batch: Parameters<Partition["commit"]>[0]) {
      objects.assertOpen();
      return this.commits.commit(batch);
    }
  }

  return {
    partition(name) {
      objects.assertOpen();
      checkPartitionName(name);
      const partition = partitions.get(name) ?? new ObjectPartition(name);
      partitions.set(name, partition);
      return partition;
    },
    async *partitions(after = "") {
      objects.assertOpen();
      for (let last = after; ; ) {
        const { names } = await objects.call(REGISTRY, (stub) => stub.names(last, NAMES_PER_PAGE));
        const confirmed = new Set<string>();
        for (const [name, isSure] of names) {
          objects.assertOpen();
          last = name;
          if (!isSure && (await readVersion(name)) === 0) continue;
          if (!isSure) confirmed.add(name);
          yield name;
        }
        if (confirmed.size > 0) await objects.call(REGISTRY, (stub) => stub.confirm([...confirmed]));
        if (names.length < NAMES_PER_PAGE) return;
      }
    },
    blobs: options.blobs,
    async wake(when = new Date()) {
      objects.assertOpen();
      await objects.call(CLOCK, (stub) => stub.wake(when.getTime()));
    },
    close() {
      closing ??= Promise.resolve().then(async () => {
        objects.close();
        for (const { commits } of partitions.values()) await commits.waitUntilIdle();
        await options.blobs.close?.();
      });
      return closing;
    },
  };
}
