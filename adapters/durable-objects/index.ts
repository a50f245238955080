// Storage in Cloudflare's Durable Objects, for Workers: a partition is an object with SQLite inside. DESIGN.md tells which
// objects there are, what each call costs, and what happens when something goes wrong.

import { type Blobs, checkPartitionName, type Partition, type Storage, type Version } from "../adapter";
import { Commits } from "./commits";
import { type ObjectNamespaceLike, Objects } from "./objects";
import { CLOCK, getPartitionObjectName, REGISTRY } from "./protocol";
import { View } from "./view";

export { durableObjectClass, type ObjectClass, type ObjectClassOptions } from "./object";
export type { ObjectNamespaceLike } from "./objects";

/** How a storage in Durable Objects behaves. */
export interface DurableObjectOptions {
  /** Where blobs are kept: `r2Blobs(env.BUCKET)` of `octavo/r2`. It is closed with the storage. */
  readonly blobs: Blobs & { close?(): Promise<void> };
  /** What all names of objects begin with. Default: nothing. */
  readonly prefix?: string;
  /** How long a call may take, in ms. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The most that commits which travel together hold, in characters. Default: 800 Ki. */
  readonly roundCharacters?: number;
}

export interface DurableObjectStorage extends Storage {
  /** Has the work that waits done at this time (default: now), by the `maintain` that `durableObjectClass()` was given,
   * unless it would be done earlier. */
  wake(when?: Date): Promise<void>;
}

/** How many names of partitions are read at once. */
const NAMES_AT_ONCE = 500;

/**
 * Keeps everything in Durable Objects, and blobs elsewhere:
 * `durableObjectStorage(env.OBJECTS, { blobs: r2Blobs(env.BUCKET) })`. The class of the objects is made by
 * `durableObjectClass()`. A Worker opens a storage for each request.
 */
export function durableObjectStorage(
  namespace: ObjectNamespaceLike,
  options: DurableObjectOptions,
): DurableObjectStorage {
  const objects = new Objects(namespace, options.prefix ?? "", options.timeoutMs ?? 10_000);
  const partitions = new Map<string, ObjectPartition>();
  let closing: Promise<void> | undefined;

  const versionOf = async (name: string) =>
    (await objects.call(getPartitionObjectName(name), (stub) => stub.currentVersion())).version;

  class ObjectPartition implements Partition {
    readonly #name: string;
    readonly commits: Commits;
    /** The question for the version that is sent in this turn. */
    #asking: Promise<Version> | undefined;

    constructor(name: string) {
      this.#name = name;
      this.commits = new Commits(name, objects, options.roundCharacters);
    }

    async snapshot(): Promise<View> {
      objects.assertOpen();
      this.#asking ??= Promise.resolve().then(() => {
        this.#asking = undefined;
        return versionOf(this.#name);
      });
      return new View(this.#name, await this.#asking, objects);
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
        const { names } = await objects.call(REGISTRY, (stub) => stub.names(last, NAMES_AT_ONCE));
        const found = new Set<string>();
        for (const [name, isSure] of names) {
          objects.assertOpen();
          last = name;
          if (!isSure && (await versionOf(name)) === 0) continue;
          if (!isSure) found.add(name);
          yield name;
        }
        if (found.size > 0) await objects.call(REGISTRY, (stub) => stub.confirm([...found]));
        if (names.length < NAMES_AT_ONCE) return;
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
