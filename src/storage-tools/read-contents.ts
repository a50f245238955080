// Reads everything that a storage holds as one stream of items: first the blobs, then partition by partition the entries of one
// version. The storage may be in use at the same time. Blobs come before the entries that name them, so a reader that stops early has
// no entry whose blob is missing.

import { SECRET_KEY } from "../api/secret-check";
import { DIRECTORY } from "../storage/ids";
import { getBlobName } from "../storage/objects";
import { type Json, type Key, type Snapshot, type Storage, Unavailable, type Version } from "../storage/storage";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { type OnProgress, ProgressCounter } from "./progress";
import { readBatches } from "./read-batches";

/** An entry, with the JSON of its value if that is at hand. */
export interface ItemEntry {
  readonly key: Key;
  readonly value: Json | undefined;
  readonly text?: string;
}

export type ContentItem =
  | {
      readonly kind: "blob";
      readonly name: string;
      readonly size: number;
      /** The reader reads every stream to its end, or cancels it. */
      readonly stream: ReadableStream<Uint8Array>;
    }
  /** A partition begins. If it has begun before, its earlier items are void. */
  | { readonly kind: "partition"; readonly name: string; readonly version: Version }
  /** The next entries of the partition, in the order of their keys. An entry without a value is already in the target. */
  | {
      readonly kind: "entries";
      readonly entries: readonly ItemEntry[];
    }
  /** The partition is complete. The number and the digest of its entries are given if they are known. */
  | { readonly kind: "whole"; readonly expected?: { readonly entries: number; readonly digest: string } }
  /** Everything has been read. */
  | {
      readonly kind: "end";
      /** True if all partitions are of one moment. */
      readonly isOneMoment: boolean;
      /** The versions that partitions have reached by now, if they differ from those that were read. */
      readonly reached: Readonly<Record<string, Version>>;
    };

/** Returns true for the record of the secret in the directory. It is written last, so that nobody serves an incomplete storage. */
export function isSecretRecord(partition: string, key: Key): boolean {
  return partition === DIRECTORY && key === SECRET_KEY;
}

interface ReadContentsOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Returns true if a blob is not needed. */
  readonly hasBlob?: (name: string) => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/** A partition is begun this often. A snapshot can become too old while it is read. */
const MAX_ATTEMPTS = 5;

/** Thrown if a blob that the snapshot names was swept in the meantime. A newer snapshot does not name it. */
class BlobSweptError extends Error {}

/** Yields everything that a storage holds. */
export async function* readContents(
  storage: Storage,
  options: ReadContentsOptions = {},
): AsyncGenerator<ContentItem, void> {
  const counter = new ProgressCounter(options.onProgress);
  const blobNames: string[] = [];
  for await (const name of storage.blobs.list()) blobNames.push(name);
  counter.beginStep("blobs", blobNames.length);
  const readBlobs = new Set<string>();
  for (const name of blobNames) {
    options.signal?.throwIfAborted();
    yield* readBlob(storage, name, options);
    readBlobs.add(name);
    counter.addOne();
  }

  let { snapshots, isOneMoment } = await takeSnapshots(storage);
  counter.beginStep("entries", snapshots.size);
  for (const [name, firstSnapshot] of snapshots) {
    for (let attempt = 1; ; attempt++) {
      // Without one moment the directory is read last: its facts about other partitions must not be older than they are.
      const canUseFirst = attempt === 1 && (isOneMoment || name !== DIRECTORY);
      const snapshot = canUseFirst ? firstSnapshot : await storage.partition(name).snapshot();
      if (snapshot.version !== firstSnapshot.version) isOneMoment = false;
      try {
        yield { kind: "partition", name, version: snapshot.version };
        yield* readEntries(storage, name, snapshot, { readBlobs, counter, options });
        yield { kind: "whole" };
        break;
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof BlobSweptError) || attempt >= MAX_ATTEMPTS) throw error;
      }
    }
    counter.addOne();
  }

  const reached: Record<string, Version> = {};
  // The version of another partition that a partition mentions may be of any time until now.
  if (!isOneMoment)
    for (const name of snapshots.keys()) reached[name] = (await storage.partition(name).snapshot()).version;
  yield { kind: "end", isOneMoment, reached };
}

interface ReadEntriesOptions {
  /** The names of the blobs that were read already. */
  readonly readBlobs: Set<string>;
  readonly counter: ProgressCounter;
  readonly options: ReadContentsOptions;
}

async function* readEntries(
  storage: Storage,
  partition: string,
  snapshot: Snapshot,
  { readBlobs, counter, options }: ReadEntriesOptions,
): AsyncGenerator<ContentItem, void> {
  for await (const entries of readBatches(snapshot)) {
    options.signal?.throwIfAborted();
    for (const entry of entries) {
      const blobName = getBlobName(entry);
      if (blobName === undefined || readBlobs.has(blobName)) continue;
      const isPresent = yield* readBlob(storage, blobName, options);
      if (!isPresent) {
        // A blob that the newest state names as well, and that is not there, is damage. It is copied as it is, for `verify` to report.
        const [current] = await (await storage.partition(partition).snapshot()).get([entry.key]);
        const isStillNamed = current !== undefined && getBlobName(current) === blobName;
        if (!isStillNamed) throw new BlobSweptError(`The blob ${blobName} was swept while it was read.`);
      }
      readBlobs.add(blobName);
    }
    yield { kind: "entries", entries };
    counter.addEntries(entries.length, partition);
    await yieldToEventLoop();
  }
}

/** Yields a blob, unless it is not needed. Returns false if it is gone. */
async function* readBlob(
  storage: Storage,
  name: string,
  { hasBlob }: ReadContentsOptions,
): AsyncGenerator<ContentItem, boolean> {
  if (await hasBlob?.(name)) return true;
  const blob = await storage.blobs.get(name);
  if (blob) yield { kind: "blob", name, size: blob.size, stream: blob.stream };
  return blob !== undefined;
}

interface StorageSnapshots {
  /** The snapshots by partition, the directory last. */
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** True if all of them are of one moment. Otherwise each partition is as it was at a different time. */
  readonly isOneMoment: boolean;
}

/** The attempts to find a moment. A storage that many write to at once may have none. */
const MAX_ROUNDS = 10;

/** With more partitions, holding all snapshots takes much memory, and finding a moment is unlikely. */
const MAX_PARTITIONS_AT_ONCE = 1000;

/**
 * Takes snapshots of all partitions, of one moment if possible. Nothing is atomic across two partitions, so a moment is proven by
 * looking twice: a partition that has not changed between two looks was the same at every time between them.
 */
async function takeSnapshots(storage: Storage): Promise<StorageSnapshots> {
  const names: string[] = [];
  for await (const name of storage.partitions()) names.push(name);

  const changeCounts = new Map<string, number>();
  const rounds = names.length > MAX_PARTITIONS_AT_ONCE ? 1 : MAX_ROUNDS;
  let snapshots = new Map<string, Snapshot>();
  let isOneMoment = false;
  for (let round = 0; round < rounds && !isOneMoment; round++) {
    // The partition that changes most is read last, and once: its moment is between the two looks at all others.
    const order = names.toSorted((a, b) => (changeCounts.get(a) ?? 0) - (changeCounts.get(b) ?? 0));
    snapshots = new Map();
    for (const name of order) snapshots.set(name, await storage.partition(name).snapshot());
    isOneMoment = true;
    for (const name of order.slice(0, -1)) {
      const { version } = await storage.partition(name).snapshot();
      if (version === snapshots.get(name)!.version) continue;
      isOneMoment = false;
      changeCounts.set(name, (changeCounts.get(name) ?? 0) + 1);
    }
  }

  const getRank = (name: string) => (name === DIRECTORY ? 1 : 0);
  const sorted = [...snapshots].sort(([a], [b]) => getRank(a) - getRank(b) || (a < b ? -1 : 1));
  return { snapshots: new Map(sorted), isOneMoment };
}
