// A storage that is being filled with the contents of another one. It is marked as unfinished until everything has arrived and
// was read again; the API serves no storage with such a mark. Whatever stopped in the middle goes on when it is run again:
// what is there already is compared, and only differences are written.

import { SECRET_KEY } from "../api/secret-check";
import { DIRECTORY } from "../storage/ids";
import { byteLength } from "../storage/limits";
import { entriesOf } from "../storage/ranges";
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
import { createReader } from "../storage/transaction";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { EntryDigest } from "./entry-digest";
import { StorageToolError } from "./errors";
import { type OnProgress, ProgressCounter } from "./progress";
import { readBatches } from "./read-batches";
import { type ContentItem, type ItemEntry, isSecretRecord } from "./read-contents";

/** The mark stands where the directory keeps what it knows of the secret, which comes last. */
const MARK = SECRET_KEY;

/** What arrived, of one partition. */
interface Arrived {
  readonly version: Version;
  readonly digest: string;
  readonly entries: number;
}

/** What was moved. */
export interface TransferResult {
  readonly partitions: number;
  readonly entries: number;
  readonly blobs: number;
  /** Of the blobs. */
  readonly blobBytes: number;
  /** Whether all partitions are of one moment. If not, each is as it was at a time of its own, because many were writing. */
  readonly isOneMoment: boolean;
}

export interface Arriving {
  /** What the contents are of. An unfinished arrival goes on only with the same. */
  readonly of: string;
  readonly onProgress?: OnProgress | undefined;
}

export class StorageFiller {
  readonly #to: Storage;
  readonly #arriving: Arriving;
  readonly #arrived = new Map<string, Arrived>();
  #blobs = 0;
  #blobBytes = 0;
  #current: { readonly name: string; readonly version: Version; readonly filling: Filling } | undefined;
  /** What the directory knows of the secret. */
  #last: Json | undefined;

  private constructor(to: Storage, arriving: Arriving) {
    this.#to = to;
    this.#arriving = arriving;
  }

  /** Takes a storage that is empty, or that an arrival of the same was stopped in. */
  static async begin(to: Storage, arriving: Arriving): Promise<StorageFiller> {
    const directory = to.partition(DIRECTORY);
    const [found] = await (await directory.snapshot()).get([MARK]);
    const of = (found?.value as { readonly unfinished?: string } | undefined)?.unfinished;
    if (of === undefined) {
      for await (const name of to.partitions()) throw notEmpty(`the partition ${name}`);
      for await (const name of to.blobs.list()) throw notEmpty(`the blob ${name}`);
      const value = { check: "", older: [], since: 0, unfinished: arriving.of };
      const marked = await directory.commit(batch({ checks: [{ key: MARK, version: null }], puts: [[MARK, value]] }));
      if (!marked.ok) throw notEmpty("something that came just now");
    } else if (of !== arriving.of)
      throw new StorageToolError(
        `The target holds an unfinished ${of.split(" ")[0]} of something else. Give an empty one, or finish that ${of.split(" ")[0]} first.`,
      );
    return new StorageFiller(to, arriving);
  }

  /** Whether a blob has arrived already. */
  async hasBlob(name: string): Promise<boolean> {
    const there = await this.#to.blobs.get(name, { start: 0, end: 0 });
    await there?.stream.cancel();
    return there !== undefined;
  }

  /** Takes an item in; at the end, what arrived is read again and the mark taken away. */
  async take(item: ContentItem): Promise<TransferResult | undefined> {
    switch (item.kind) {
      case "blob":
        return void (await this.#takeBlob(item));
      case "partition": {
        await this.#current?.filling.stop();
        const { name, version } = item;
        this.#current = { name, version, filling: await Filling.of(this.#to.partition(name), name === DIRECTORY) };
        if (name === DIRECTORY) this.#last = undefined;
        return undefined;
      }
      case "entries":
        for (const entry of item.entries)
          if (isSecretRecord(this.#current!.name, entry.key)) this.#last = entry.value;
          else await this.#current!.filling.put(entry);
        return undefined;
      case "whole": {
        const { name, version, filling } = this.#current!;
        const { digest, entries } = await filling.finish();
        const { expected } = item;
        if (expected && (expected.digest !== digest || expected.entries !== entries))
          throw new StorageToolError(
            `The partition ${name} is not the one that was backed up: ${expected.entries} entries were.`,
          );
        this.#arrived.set(name, { version, digest, entries });
        this.#current = undefined;
        return undefined;
      }
      case "end":
        return this.#finish(item);
    }
  }

  async #takeBlob({ name, size, stream }: ContentItem & { readonly kind: "blob" }): Promise<void> {
    if (await this.hasBlob(name)) return void (await stream.cancel());
    const put = await this.#to.blobs.put(name, stream);
    if (put.size !== size) throw new StorageToolError(`The blob ${name} has ${size} bytes, and ${put.size} arrived.`);
    this.#blobs++;
    this.#blobBytes += size;
  }

  async #finish({ isOneMoment, reached }: ContentItem & { readonly kind: "end" }): Promise<TransferResult> {
    const counter = new ProgressCounter(this.#arriving.onProgress);
    counter.begin("check", this.#arrived.size);
    const expected = new Set([...this.#arrived.keys(), DIRECTORY]);
    for await (const name of this.#to.partitions())
      if (!expected.has(name)) throw notEmpty(`the partition ${name}, which is not in the source`);
    let entries = 0;
    for (const [name, arrived] of this.#arrived) {
      const digest = await digestOf(this.#to.partition(name), name, counter);
      if (digest.count !== arrived.entries || digest.hex() !== arrived.digest)
        throw new StorageToolError(
          `The partition ${name} does not hold what was written to it: ${arrived.entries} entries came.`,
        );
      entries += digest.count;
      const partition = this.#to.partition(name);
      const version = Math.max(arrived.version, reached[name] ?? 0);
      await pad(partition, name === DIRECTORY ? version - 1 : version);
      counter.one();
    }
    // The last commit of all: from here on it is served.
    await this.#to
      .partition(DIRECTORY)
      .commit(batch(this.#last === undefined ? { deletes: [MARK] } : { puts: [[MARK, this.#last]] }));
    return {
      partitions: this.#arrived.size,
      entries: entries + (this.#last === undefined ? 0 : 1),
      blobs: this.#blobs,
      blobBytes: this.#blobBytes,
      isOneMoment,
    };
  }
}

function notEmpty(what: string): StorageToolError {
  return new StorageToolError(`The target is not empty: it holds ${what}. Give an empty one.`);
}

interface Writes {
  readonly checks?: Batch["checks"];
  readonly puts?: readonly (readonly [Key, Json])[];
  readonly deletes?: readonly Key[];
}

function batch({ checks = [], puts = [], deletes = [] }: Writes): Batch {
  return { checks, puts: puts.map(([key, value]) => ({ key, value })), deletes, adds: [] };
}

/** Commits that are under way at the same time. A storage may write those that wait together at once. */
const AT_ONCE = 4;

/** Commits that take a partition to a later version, sent together. */
const PADDING_AT_ONCE = 1000;

/** A key that never holds anything. */
const NOTHING = "\0";

/** Takes a partition to a version by commits that change nothing. What one partition knows of the version of another stays
 * true that way. */
async function pad(partition: Partition, version: Version): Promise<void> {
  for (;;) {
    const missing = version - (await partition.snapshot()).version;
    if (missing <= 0) return;
    const count = Math.min(missing, PADDING_AT_ONCE);
    await Promise.all(Array.from({ length: count }, () => partition.commit(batch({ deletes: [NOTHING] }))));
    await yieldToEventLoop();
  }
}

/** The digest of what a partition holds, but for the mark. */
async function digestOf(partition: Partition, name: string, counter: ProgressCounter): Promise<EntryDigest> {
  const digest = new EntryDigest();
  const snapshot = await partition.snapshot();
  for await (const entries of readBatches(snapshot)) {
    for (const { key, text } of entries) if (!isSecretRecord(name, key)) digest.add(key, text);
    counter.entries(entries.length, name);
    await yieldToEventLoop();
  }
  return digest;
}

/** A partition that is being filled, in the order of its keys. */
class Filling {
  readonly #partition: Partition;
  readonly #digest = new EntryDigest();
  /** What is there already, and its next entry. */
  readonly #theirs: AsyncGenerator<Entry, undefined> | undefined;
  #there: Entry | undefined;
  readonly #keepsMark: boolean;
  #puts: [Key, Json][] = [];
  #deletes: Key[] = [];
  #bytes = 0;
  readonly #underWay = new Set<Promise<unknown>>();
  #failure: unknown;

  private constructor(partition: Partition, keepsMark: boolean, isEmpty: boolean) {
    this.#partition = partition;
    this.#keepsMark = keepsMark;
    // The target is read anew for every part: a part begins behind everything that was written so far.
    if (!isEmpty) this.#theirs = entriesOf(async () => createReader(await partition.snapshot()), "", 250);
  }

  static async of(partition: Partition, keepsMark: boolean): Promise<Filling> {
    const isEmpty = (await partition.snapshot()).version === 0;
    const filling = new Filling(partition, keepsMark, isEmpty);
    await filling.#next();
    return filling;
  }

  async #next(): Promise<void> {
    do this.#there = (await this.#theirs?.next())?.value as Entry | undefined;
    while (this.#keepsMark && this.#there?.key === MARK);
  }

  /** Takes the next entry. One without a value must be there already. */
  async put({ key, value, text = JSON.stringify(value) }: ItemEntry): Promise<void> {
    while (this.#there && this.#there.key < key) await this.#drop();
    if (value === undefined) return this.#keep(key);
    this.#digest.add(key, text);
    const isThere = this.#there?.key === key && JSON.stringify(this.#there.value) === text;
    if (this.#there?.key === key) await this.#next();
    if (isThere) return;
    const bytes =
      key.length + (text.length * 3 < MAX_BATCH_BYTES / MAX_BATCH_ENTRIES ? text.length * 3 : byteLength(text));
    await this.#room(bytes);
    this.#puts.push([key, value]);
  }

  async #keep(key: Key): Promise<void> {
    if (this.#there?.key !== key)
      throw new StorageToolError("An object that the backup needs is in no backup that was given.");
    this.#digest.add(key, JSON.stringify(this.#there.value));
    await this.#next();
  }

  async #drop(): Promise<void> {
    const { key } = this.#there!;
    await this.#room(key.length);
    this.#deletes.push(key);
    await this.#next();
  }

  /** Makes room for one more. */
  async #room(bytes: number): Promise<void> {
    const count = this.#puts.length + this.#deletes.length;
    if (count + 1 > MAX_BATCH_ENTRIES || this.#bytes + bytes > MAX_BATCH_BYTES) await this.#send();
    this.#bytes += bytes;
  }

  async #send(): Promise<void> {
    if (this.#puts.length + this.#deletes.length > 0) {
      const sending = this.#partition.commit(batch({ puts: this.#puts, deletes: this.#deletes })).catch((error) => {
        this.#failure ??= error;
      });
      this.#underWay.add(sending);
      void sending.finally(() => this.#underWay.delete(sending));
    }
    this.#puts = [];
    this.#deletes = [];
    this.#bytes = 0;
    while (this.#underWay.size >= AT_ONCE) await Promise.race(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#underWay);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async finish(): Promise<{ readonly digest: string; readonly entries: number }> {
    while (this.#there) await this.#drop();
    await this.#send();
    await this.stop();
    return { digest: this.#digest.hex(), entries: this.#digest.count };
  }
}
