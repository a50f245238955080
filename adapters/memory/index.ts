// Storage in memory: the reference adapter. A commit is decided and applied without a pause in between, so no two ever
// interleave; a snapshot is a clone of a sorted map that copies on write, so it costs nothing until something changes.

import sortedBtree from "sorted-btree";
import {
  type Batch,
  type Blobs,
  blobTaken,
  bounds,
  byteRange,
  Closed,
  type Committed,
  checkBatch,
  checkBlobName,
  checkPartitionName,
  decide,
  type Entry,
  type Key,
  type Partition,
  type Snapshot,
  type Storage,
  writesNothing,
} from "../adapter";

// sorted-btree is CommonJS: Node hands out its exports as the default, bundlers hand out their `default`.
const BTree = (sortedBtree as { default?: typeof sortedBtree }).default ?? sortedBtree;
type Tree = sortedBtree<Key, Entry>;

/** A storage in memory, which can be copied. */
export interface MemoryStorage extends Storage {
  /**
   * Another storage with the same contents, at the same versions. It costs next to nothing, and what is written to one is
   * not seen in the other: prepare a storage once, and give each test a copy.
   */
  copy(): MemoryStorage;
}

/** Keeps everything in this process and forgets it with it: for tests, previews and as the model of an adapter. */
export function memoryStorage(): MemoryStorage {
  return storageOf(new Map(), new Map());
}

function storageOf(trees: ReadonlyMap<string, Versioned>, contents: Map<string, Blob>): MemoryStorage {
  const partitions = new Map<string, ReturnType<typeof memoryPartition>>();
  let closed = false;
  const assertOpen = () => {
    if (closed) throw new Closed("The storage was closed.");
  };
  for (const [name, tree] of trees) partitions.set(name, memoryPartition(tree, assertOpen));
  return {
    partition(name) {
      assertOpen();
      const known = partitions.get(name);
      if (known) return known;
      checkPartitionName(name);
      const partition = memoryPartition({ tree: emptyTree(), version: 0 }, assertOpen);
      partitions.set(name, partition);
      return partition;
    },
    async *partitions(after = "") {
      assertOpen();
      const names = [...partitions.keys()].filter((name) => name > after).sort();
      for (const name of names) {
        assertOpen();
        if (partitions.get(name)!.committed()) yield name;
      }
    },
    blobs: memoryBlobs(contents, assertOpen),
    async close() {
      closed = true;
    },
    copy() {
      assertOpen();
      return storageOf(new Map([...partitions].map(([name, it]) => [name, it.copy()])), new Map(contents));
    },
  };
}

/** A sorted map of entries, and the version of the commit that changed it last. */
interface Versioned {
  readonly tree: Tree;
  readonly version: number;
}

function emptyTree(): Tree {
  return new BTree<Key, Entry>(undefined, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function memoryPartition(
  { tree, version: first }: Versioned,
  assertOpen: () => void,
): Partition & { committed(): boolean; copy(): Versioned } {
  let version = first;
  // One snapshot serves all readers between two commits.
  let current: Snapshot | undefined;
  return {
    async snapshot() {
      assertOpen();
      current ??= memorySnapshot(tree.clone(), version, assertOpen);
      return current;
    },
    async commit(batch: Batch): Promise<Committed> {
      assertOpen();
      const decision = decide(batch, checkBatch(batch), version + 1, (key) => tree.get(key));
      if ("conflict" in decision) return { ok: false, conflict: decision.conflict };
      if (writesNothing(batch)) return { ok: true, version };
      for (const { key, entry } of decision.writes) {
        if (entry) tree.set(key, entry);
        else tree.delete(key);
      }
      version++;
      current = undefined;
      return { ok: true, version };
    },
    committed: () => version > 0,
    copy: () => ({ tree: tree.clone(), version }),
  };
}

function memorySnapshot(tree: Tree, version: number, assertOpen: () => void): Snapshot {
  return {
    version,
    async get(keys) {
      assertOpen();
      return keys.map((key) => tree.get(key));
    },
    async list(range) {
      assertOpen();
      const { from, to } = bounds(range);
      const found: Entry[] = [];
      if (range.limit <= 0) return found;
      for (const [key, entry] of range.reverse ? tree.entriesReversed(to, [], true) : tree.entries(from, [])) {
        if (range.reverse ? key < from : to !== undefined && key >= to) break;
        if (found.push(entry) >= range.limit) break;
      }
      return found;
    },
  };
}

function memoryBlobs(blobs: Map<string, Blob>, assertOpen: () => void): Blobs {
  const assertNew = (name: string) => {
    if (blobs.has(name)) throw blobTaken(name);
  };
  return {
    async put(name, bytes) {
      assertOpen();
      checkBlobName(name);
      assertNew(name);
      // Parts and Blob are copies, so neither the writer nor a reader can reach the bytes that are kept.
      const parts: BlobPart[] = [];
      if (bytes instanceof Uint8Array) parts.push(bytes as Uint8Array<ArrayBuffer>);
      else for await (const chunk of bytes) parts.push(new Uint8Array(chunk));
      const blob = new Blob(parts);
      // Both may have happened while the stream was read.
      assertOpen();
      assertNew(name);
      blobs.set(name, blob);
      return { size: blob.size };
    },
    async get(name, range) {
      assertOpen();
      const blob = blobs.get(name);
      if (!blob) return undefined;
      const { start, end } = byteRange(blob.size, range);
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
