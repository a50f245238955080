// Storage in memory: the reference adapter. A commit is decided and applied synchronously, so commits never interleave. A snapshot
// is a clone of a sorted map that copies on write, so it costs nothing until something changes.

import sortedBtree from "sorted-btree";
import {
  type Batch,
  type Blobs,
  Closed,
  type Committed,
  checkBatch,
  checkBlobName,
  checkPartitionName,
  clampByteRange,
  createBlobExistsError,
  decideBatch,
  type Entry,
  getKeySpan,
  isReadOnlyBatch,
  type Key,
  type Partition,
  type Snapshot,
  type Storage,
} from "../adapter";

// sorted-btree is a CommonJS module: in Node its exports are the default export; with bundlers it is their `default` member.
const BTree = (sortedBtree as { default?: typeof sortedBtree }).default ?? sortedBtree;
type Tree = sortedBtree<Key, Entry>;

export interface MemoryStorage extends Storage {
  /**
   * Returns another storage with the same contents and versions. A copy costs next to nothing, and writes to one storage do not
   * affect the other: prepare a storage once, and give each test a copy.
   */
  copy(): MemoryStorage;
}

/** Creates a storage in the memory of this process, for tests, previews and as the model of an adapter. */
export function memoryStorage(): MemoryStorage {
  return createStorage(new Map(), new Map());
}

function createStorage(trees: ReadonlyMap<string, VersionedTree>, contents: Map<string, Blob>): MemoryStorage {
  const partitions = new Map<string, ReturnType<typeof createPartition>>();
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw new Closed("The storage was closed.");
  };
  for (const [name, tree] of trees) partitions.set(name, createPartition(tree, assertOpen));
  return {
    partition(name) {
      assertOpen();
      const existing = partitions.get(name);
      if (existing) return existing;
      checkPartitionName(name);
      const tree: Tree = new BTree<Key, Entry>(undefined, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const partition = createPartition({ tree, version: 0 }, assertOpen);
      partitions.set(name, partition);
      return partition;
    },
    async *partitions(after = "") {
      assertOpen();
      const names = [...partitions.keys()].filter((name) => name > after).sort();
      for (const name of names) {
        assertOpen();
        if (partitions.get(name)!.hasCommits()) yield name;
      }
    },
    blobs: createBlobs(contents, assertOpen),
    async close() {
      isClosed = true;
    },
    copy() {
      assertOpen();
      const copies = [...partitions].map(([name, partition]) => [name, partition.copy()] as const);
      return createStorage(new Map(copies), new Map(contents));
    },
  };
}

/** A sorted map of entries, and the version of the commit that last changed it. */
interface VersionedTree {
  readonly tree: Tree;
  readonly version: number;
}

function createPartition(
  { tree, version: initialVersion }: VersionedTree,
  assertOpen: () => void,
): Partition & { hasCommits(): boolean; copy(): VersionedTree } {
  let version = initialVersion;
  // All readers between two commits share one snapshot.
  let current: Snapshot | undefined;
  return {
    async snapshot() {
      assertOpen();
      if (current) return current;
      const present = tree.clone();
      current = {
        version,
        async get(keys) {
          assertOpen();
          return keys.map((key) => present.get(key));
        },
        async list(range) {
          assertOpen();
          const { from, to } = getKeySpan(range);
          const entries: Entry[] = [];
          if (range.limit <= 0) return entries;
          const rows = range.reverse ? present.entriesReversed(to, [], true) : present.entries(from, []);
          for (const [key, entry] of rows) {
            if (range.reverse ? key < from : to !== undefined && key >= to) break;
            if (entries.push(entry) >= range.limit) break;
          }
          return entries;
        },
      };
      return current;
    },
    async commit(batch: Batch): Promise<Committed> {
      assertOpen();
      const decision = decideBatch(batch, checkBatch(batch), version + 1, (key) => tree.get(key));
      if ("conflict" in decision) return { ok: false, conflict: decision.conflict };
      if (isReadOnlyBatch(batch)) return { ok: true, version };
      for (const { key, entry } of decision.writes) {
        if (entry) tree.set(key, entry);
        else tree.delete(key);
      }
      version++;
      current = undefined;
      return { ok: true, version };
    },
    hasCommits: () => version > 0,
    copy: () => ({ tree: tree.clone(), version }),
  };
}

function createBlobs(blobs: Map<string, Blob>, assertOpen: () => void): Blobs {
  const assertNew = (name: string) => {
    if (blobs.has(name)) throw createBlobExistsError(name);
  };
  return {
    async put(name, bytes) {
      assertOpen();
      checkBlobName(name);
      assertNew(name);
      // The parts and the Blob are copies, so neither the writer nor a reader can change the stored bytes.
      const parts: BlobPart[] = [];
      if (bytes instanceof Uint8Array) parts.push(bytes as Uint8Array<ArrayBuffer>);
      else for await (const chunk of bytes) parts.push(new Uint8Array(chunk));
      const blob = new Blob(parts);
      // The storage may have been closed, or the name used, while the stream was read.
      assertOpen();
      assertNew(name);
      blobs.set(name, blob);
      return { size: blob.size };
    },
    async get(name, range) {
      assertOpen();
      const blob = blobs.get(name);
      if (!blob) return undefined;
      const { start, end } = clampByteRange(blob.size, range);
      return { size: blob.size, stream: blob.slice(start, end).stream() };
    },
    async delete(name) {
      assertOpen();
      blobs.delete(name);
    },
    async *list(after = "") {
      assertOpen();
      for (const name of [...blobs.keys()].filter((name) => name > after).sort()) {
        assertOpen();
        if (blobs.has(name)) yield name;
      }
    },
  };
}
