// Everything that a storage holds, as one stream of items: first the blobs, then partition by partition the entries of one
// version. The storage may be in use meanwhile. Blobs come before the entries that name them, so whoever stops reading has
// nothing that leads nowhere.

import { SECRET_KEY } from "../api/secret-check";
import { DIRECTORY } from "../storage/ids";
import { blobIn } from "../storage/objects";
import { type Json, type Key, type Snapshot, type Storage, Unavailable, type Version } from "../storage/storage";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { type OnProgress, ProgressCounter } from "./progress";
import { readBatches } from "./read-batches";
import { takeSnapshots } from "./take-snapshots";

/** An entry, with the JSON of its value where that is at hand. */
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
      /** Every one is read to its end, or canceled. */
      readonly stream: ReadableStream<Uint8Array>;
    }
  /** A partition begins. When it has begun before, what came then does not count. */
  | { readonly kind: "partition"; readonly name: string; readonly version: Version }
  /** The next entries of the partition, in the order of their keys. One without a value is as it is there already. */
  | {
      readonly kind: "entries";
      readonly entries: readonly ItemEntry[];
    }
  /** The partition is whole; where it is known, with the number and the digest of its entries. */
  | { readonly kind: "whole"; readonly expected?: { readonly entries: number; readonly digest: string } }
  /** Everything has come. */
  | {
      readonly kind: "end";
      /** Whether all partitions are of one moment. */
      readonly isOneMoment: boolean;
      /** The versions that partitions had reached by then, where they are others than those that were read. */
      readonly reached: Readonly<Record<string, Version>>;
    };

/** What the directory knows of the secret. It comes last of all, so that nobody serves what is not whole. */
export function isSecretRecord(partition: string, key: Key): boolean {
  return partition === DIRECTORY && key === SECRET_KEY;
}

export interface ReadContentsOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Whether a blob is not needed. */
  readonly hasBlob?: (name: string) => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/** How often a partition is begun. A snapshot can grow too old while it is read. */
const ATTEMPTS = 5;

/** What the snapshot names was swept meanwhile: a newer one does not name it. */
class Swept extends Error {}

/** Everything that a storage holds. */
export async function* readContents(
  storage: Storage,
  reading: ReadContentsOptions = {},
): AsyncGenerator<ContentItem, void> {
  const counter = new ProgressCounter(reading.onProgress);
  const names: string[] = [];
  for await (const name of storage.blobs.list()) names.push(name);
  counter.begin("blobs", names.length);
  const sent = new Set<string>();
  for (const name of names) {
    reading.signal?.throwIfAborted();
    yield* blobOf(storage, name, reading);
    sent.add(name);
    counter.one();
  }
  const moment = await takeSnapshots(storage);
  counter.begin("entries", moment.snapshots.size);
  let { isOne } = moment;
  for (const [name, first] of moment.snapshots) {
    for (let attempt = 1; ; attempt++) {
      // Without one moment the directory is taken last: what it says of others must not be older than they are.
      const isFirst = attempt === 1 && (isOne || name !== DIRECTORY);
      const snapshot = isFirst ? first : await storage.partition(name).snapshot();
      if (snapshot.version !== first.version) isOne = false;
      try {
        yield { kind: "partition", name, version: snapshot.version };
        yield* entriesIn(storage, name, snapshot, { sent, counter, reading });
        yield { kind: "whole" };
        break;
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof Swept) || attempt >= ATTEMPTS) throw error;
      }
    }
    counter.one();
  }
  const reached: Record<string, Version> = {};
  // What one partition says of the version of another can be of any time until now.
  if (!isOne)
    for (const name of moment.snapshots.keys()) reached[name] = (await storage.partition(name).snapshot()).version;
  yield { kind: "end", isOneMoment: isOne, reached };
}

async function* entriesIn(
  storage: Storage,
  name: string,
  snapshot: Snapshot,
  { sent, counter, reading }: { sent: Set<string>; counter: ProgressCounter; reading: ReadContentsOptions },
): AsyncGenerator<ContentItem, void> {
  for await (const entries of readBatches(snapshot)) {
    reading.signal?.throwIfAborted();
    for (const entry of entries) {
      const blob = blobIn(entry);
      if (blob === undefined || sent.has(blob)) continue;
      // One that leads nowhere in the newest state as well is damage. It is taken along as it is, for `verify` to tell.
      if (!(yield* blobOf(storage, blob, reading)) && !(await isNamed(storage, name, entry.key, blob)))
        throw new Swept(`The blob ${blob} was swept while it was read.`);
      sent.add(blob);
    }
    yield { kind: "entries", entries };
    counter.entries(entries.length, name);
    await yieldToEventLoop();
  }
}

/** A blob, unless it is not needed. False: it is gone. */
async function* blobOf(
  storage: Storage,
  name: string,
  { hasBlob }: ReadContentsOptions,
): AsyncGenerator<ContentItem, boolean> {
  if (await hasBlob?.(name)) return true;
  const blob = await storage.blobs.get(name);
  if (blob) yield { kind: "blob", name, size: blob.size, stream: blob.stream };
  return blob !== undefined;
}

async function isNamed(storage: Storage, partition: string, key: Key, blob: string): Promise<boolean> {
  const [now] = await (await storage.partition(partition).snapshot()).get([key]);
  return now !== undefined && blobIn(now) === blob;
}
