// Fills a storage with the contents of another one. The storage is marked as unfinished until everything has arrived and was read
// again; the API serves no storage with such a mark. If it was stopped in the middle, it continues when it is run again: it compares
// what is present, and writes only differences.

import { SECRET_KEY } from "../api/secret-check";
import { DIRECTORY } from "../storage/ids";
import { getByteLength } from "../storage/limits";
import { iterateRange } from "../storage/ranges";
import {
  type Batch,
  type Entry,
  type Json,
  type Key,
  MAX_BATCH_BYTES,
  MAX_BATCH_ENTRIES,
  type Partition,
  type Storage,
  type Version,
} from "../storage/storage";
import { SnapshotReader } from "../storage/transaction";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { EntryDigest } from "./entry-digest";
import { StorageToolError } from "./errors";
import { type OnProgress, ProgressCounter } from "./progress";
import { readBatches } from "./read-batches";
import { type ContentItem, type ItemEntry, isSecretRecord } from "./read-contents";

/** The key of the mark. The directory has the record of the secret there, which is written last. */
const MARK_KEY = SECRET_KEY;

/** The commits that only raise a version and are sent together. */
const MAX_EMPTY_COMMITS_AT_ONCE = 1000;
/** A key that never has a value. */
const UNUSED_KEY = "\0";

/** The contents that arrived of one partition. */
interface FilledPartition {
  readonly version: Version;
  readonly digest: string;
  readonly entries: number;
}

/** The result of a copy or a restore. */
export interface TransferResult {
  readonly partitions: number;
  readonly entries: number;
  readonly blobs: number;
  readonly blobBytes: number;
  /** True if all partitions are of one moment. If not, each is as it was at a different time, because many were writing. */
  readonly isOneMoment: boolean;
}

export interface FillOptions {
  /** Identifies the contents. An unfinished storage is only filled further with the same ones. */
  readonly source: string;
  readonly onProgress?: OnProgress | undefined;
}

export class StorageFiller {
  readonly #target: Storage;
  readonly #options: FillOptions;
  readonly #filledPartitions = new Map<string, FilledPartition>();
  #blobs = 0;
  #blobBytes = 0;
  #current: { readonly name: string; readonly version: Version; readonly filler: PartitionFiller } | undefined;
  /** The record of the secret, which is written last. */
  #secretRecord: Json | undefined;

  private constructor(target: Storage, options: FillOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** Begins with a storage that is empty, or that was not filled to the end with the same contents. */
  static async begin(target: Storage, options: FillOptions): Promise<StorageFiller> {
    const directory = target.partition(DIRECTORY);
    const [record] = await (await directory.snapshot()).get([MARK_KEY]);
    const { unfinished } = (record?.value as { readonly unfinished?: string } | undefined) ?? {};
    if (unfinished === undefined) {
      for await (const name of target.partitions()) throw createNotEmptyError(`the partition ${name}`);
      for await (const name of target.blobs.list()) throw createNotEmptyError(`the blob ${name}`);
      const mark = { check: "", older: [], since: 0, unfinished: options.source };
      const committed = await directory.commit(
        createWriteBatch({ checks: [{ key: MARK_KEY, version: null }], puts: [[MARK_KEY, mark]] }),
      );
      if (!committed.ok) throw createNotEmptyError("something that came just now");
    } else if (unfinished !== options.source) {
      const [action] = unfinished.split(" ");
      throw new StorageToolError(
        `The target holds an unfinished ${action} of something else. Give an empty one, or finish that ${action} first.`,
      );
    }
    return new StorageFiller(target, options);
  }

  /** Returns true if a blob has arrived already. */
  async hasBlob(name: string): Promise<boolean> {
    const blob = await this.#target.blobs.get(name, { start: 0, end: 0 });
    await blob?.stream.cancel();
    return blob !== undefined;
  }

  /** Writes an item. At the end, it reads everything again, removes the mark and returns the result. */
  async addItem(item: ContentItem): Promise<TransferResult | undefined> {
    switch (item.kind) {
      case "blob":
        return void (await this.#addBlob(item));
      case "partition": {
        await this.#current?.filler.stop();
        const { name, version } = item;
        const filler = await PartitionFiller.begin(this.#target.partition(name), name === DIRECTORY);
        this.#current = { name, version, filler };
        if (name === DIRECTORY) this.#secretRecord = undefined;
        return undefined;
      }
      case "entries":
        for (const entry of item.entries)
          if (isSecretRecord(this.#current!.name, entry.key)) this.#secretRecord = entry.value;
          else await this.#current!.filler.put(entry);
        return undefined;
      case "whole": {
        const { name, version, filler } = this.#current!;
        const { digest, entries } = await filler.finish();
        const { expected } = item;
        if (expected && (expected.digest !== digest || expected.entries !== entries))
          throw new StorageToolError(
            `The partition ${name} is not the one that was backed up: ${expected.entries} entries were.`,
          );
        this.#filledPartitions.set(name, { version, digest, entries });
        this.#current = undefined;
        return undefined;
      }
      case "end":
        return this.#finish(item);
    }
  }

  async #addBlob({ name, size, stream }: ContentItem & { readonly kind: "blob" }): Promise<void> {
    if (await this.hasBlob(name)) return void (await stream.cancel());
    const blob = await this.#target.blobs.put(name, stream);
    if (blob.size !== size) throw new StorageToolError(`The blob ${name} has ${size} bytes, and ${blob.size} arrived.`);
    this.#blobs++;
    this.#blobBytes += size;
  }

  async #finish({ isOneMoment, reached }: ContentItem & { readonly kind: "end" }): Promise<TransferResult> {
    const counter = new ProgressCounter(this.#options.onProgress);
    counter.beginStep("check", this.#filledPartitions.size);
    for await (const name of this.#target.partitions())
      if (name !== DIRECTORY && !this.#filledPartitions.has(name))
        throw createNotEmptyError(`the partition ${name}, which is not in the source`);

    let entries = 0;
    for (const [name, filled] of this.#filledPartitions) {
      const partition = this.#target.partition(name);
      const digest = new EntryDigest();
      for await (const batch of readBatches(await partition.snapshot())) {
        for (const { key, text } of batch) if (!isSecretRecord(name, key)) digest.add(key, text);
        counter.addEntries(batch.length, name);
        await yieldToEventLoop();
      }
      if (digest.count !== filled.entries || digest.toHex() !== filled.digest)
        throw new StorageToolError(
          `The partition ${name} does not hold what was written to it: ${filled.entries} entries came.`,
        );
      entries += digest.count;

      // The version is raised by commits that change nothing, so that facts of one partition about that of another stay true.
      const version = Math.max(filled.version, reached[name] ?? 0) - (name === DIRECTORY ? 1 : 0);
      for (;;) {
        const missing = version - (await partition.snapshot()).version;
        if (missing <= 0) break;
        const commitNothing = () => partition.commit(createWriteBatch({ deletes: [UNUSED_KEY] }));
        await Promise.all(Array.from({ length: Math.min(missing, MAX_EMPTY_COMMITS_AT_ONCE) }, commitNothing));
        await yieldToEventLoop();
      }
      counter.addOne();
    }

    // This is the last commit. From here on the storage is served.
    const hasSecret = this.#secretRecord !== undefined;
    await this.#target
      .partition(DIRECTORY)
      .commit(createWriteBatch(hasSecret ? { puts: [[MARK_KEY, this.#secretRecord!]] } : { deletes: [MARK_KEY] }));
    return {
      partitions: this.#filledPartitions.size,
      entries: entries + (hasSecret ? 1 : 0),
      blobs: this.#blobs,
      blobBytes: this.#blobBytes,
      isOneMoment,
    };
  }
}

function createNotEmptyError(contents: string): StorageToolError {
  return new StorageToolError(`The target is not empty: it holds ${contents}. Give an empty one.`);
}

interface Writes {
  readonly checks?: Batch["checks"];
  readonly puts?: readonly (readonly [Key, Json])[];
  readonly deletes?: readonly Key[];
}

function createWriteBatch({ checks = [], puts = [], deletes = [] }: Writes): Batch {
  return { checks, puts: puts.map(([key, value]) => ({ key, value })), deletes, adds: [] };
}

/** The commits that are under way at the same time. A storage may write those that wait together at once. */
const MAX_COMMITS_AT_ONCE = 4;

/** Fills a partition in the order of its keys. */
class PartitionFiller {
  readonly #partition: Partition;
  readonly #digest = new EntryDigest();
  /** The entries that are present already, and the next one of them. */
  readonly #presentEntries: AsyncGenerator<Entry, undefined> | undefined;
  #present: Entry | undefined;
  readonly #keepsMark: boolean;
  #puts: [Key, Json][] = [];
  #deletes: Key[] = [];
  #bytes = 0;
  readonly #pendingCommits = new Set<Promise<unknown>>();
  #error: unknown;

  private constructor(partition: Partition, keepsMark: boolean, isEmpty: boolean) {
    this.#partition = partition;
    this.#keepsMark = keepsMark;
    // Each batch is read from a new snapshot: it begins after everything that was written so far.
    if (!isEmpty)
      this.#presentEntries = iterateRange(async () => new SnapshotReader(await partition.snapshot()), "", 250);
  }

  static async begin(partition: Partition, keepsMark: boolean): Promise<PartitionFiller> {
    const isEmpty = (await partition.snapshot()).version === 0;
    const filler = new PartitionFiller(partition, keepsMark, isEmpty);
    await filler.#readNextPresent();
    return filler;
  }

  async #readNextPresent(): Promise<void> {
    do this.#present = (await this.#presentEntries?.next())?.value as Entry | undefined;
    while (this.#keepsMark && this.#present?.key === MARK_KEY);
  }

  /** Writes the next entry, unless it is present. An entry without a value must be present. */
  async put({ key, value, text = JSON.stringify(value) }: ItemEntry): Promise<void> {
    while (this.#present && this.#present.key < key) await this.#deletePresent();
    const present = this.#present?.key === key ? this.#present : undefined;
    if (value === undefined) {
      if (!present) throw new StorageToolError("An object that the backup needs is in no backup that was given.");
      this.#digest.add(key, JSON.stringify(present.value));
      return this.#readNextPresent();
    }

    this.#digest.add(key, text);
    const isSame = present !== undefined && JSON.stringify(present.value) === text;
    if (present) await this.#readNextPresent();
    if (isSame) return;
    // A short text is not measured: a character takes at most three bytes.
    const maxTextBytes = text.length * 3;
    const isShort = maxTextBytes < MAX_BATCH_BYTES / MAX_BATCH_ENTRIES;
    await this.#reserve(key.length + (isShort ? maxTextBytes : getByteLength(text)));
    this.#puts.push([key, value]);
  }

  async #deletePresent(): Promise<void> {
    const { key } = this.#present!;
    await this.#reserve(key.length);
    this.#deletes.push(key);
    await this.#readNextPresent();
  }

  /** Makes room for one more write, and commits the others if they leave none. */
  async #reserve(bytes: number): Promise<void> {
    const count = this.#puts.length + this.#deletes.length;
    if (count + 1 > MAX_BATCH_ENTRIES || this.#bytes + bytes > MAX_BATCH_BYTES) await this.#commit();
    this.#bytes += bytes;
  }

  async #commit(): Promise<void> {
    if (this.#puts.length + this.#deletes.length > 0) {
      const batch = createWriteBatch({ puts: this.#puts, deletes: this.#deletes });
      const commit = this.#partition.commit(batch).catch((error) => {
        this.#error ??= error;
      });
      this.#pendingCommits.add(commit);
      void commit.finally(() => this.#pendingCommits.delete(commit));
    }
    this.#puts = [];
    this.#deletes = [];
    this.#bytes = 0;
    while (this.#pendingCommits.size >= MAX_COMMITS_AT_ONCE) await Promise.race(this.#pendingCommits);
    if (this.#error !== undefined) throw this.#error;
  }

  /** Waits for the commits that are under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#pendingCommits);
    if (this.#error !== undefined) throw this.#error;
  }

  /** Deletes the rest of the entries that were present, and returns the digest of the partition. */
  async finish(): Promise<{ readonly digest: string; readonly entries: number }> {
    while (this.#present) await this.#deletePresent();
    await this.#commit();
    await this.stop();
    return { digest: this.#digest.toHex(), entries: this.#digest.count };
  }
}
