// Content-addressed objects of one partition: page bodies, page nodes and files. An object of at most 32 KiB is a record that is
// written in the commit that first refers to it. A larger one is a blob, which is uploaded before that commit under a name that is
// used once.
//
// A sweep never deletes an object that a concurrent writer is about to refer to. The proof does not rely on clocks:
//  1. A writer that refers to an object puts it, or, if it already exists, reads it and touches its `use` key. A small object is
//     written with the commit and is always put, because that is less work than checking whether it exists.
//  2. The sweeper marks the live objects in a snapshot. It deletes an object only in a transaction that sees that neither the
//     object nor its `use` key was written after that snapshot. If the reference was committed before that, the sweeper sees the
//     touch. If it is committed later, the writer's read of the object fails its check, and the writer runs again and finds that
//     the object is gone.
//  3. An upload is announced in a record before its first byte, and the commit that refers to it deletes the record. The sweeper
//     abandons an old upload by deleting that record, and the writer's commit then fails its check. Objects that are too many for
//     one commit are announced in the same way, put or touched as in 1, and stay alive while they are announced. Their hashes are
//     in records whose keys follow that of the record which the writer's commit deletes, and they are abandoned after it.
//  4. A blob is deleted if no record refers to it. None can do so later: its announcement is gone, and its name is never reused.
//
// An object that refers to others is safe if its writer references each of them, or learned of them from a record that it read in
// the same transaction.

import { getJsonSize, toBase64 } from "../utils/bytes";
import { splitIntoChunks } from "../utils/chunks";
import { runSteps } from "../utils/concurrency/event-loop";
import { sha256Hex, sha256HexInSteps } from "../utils/sha256";
import { VersionedCache } from "../utils/versioned-cache";
import { generateRandomText } from "./ids";
import { encodeKey } from "./key";
import { getByteLength } from "./limits";
import { iterateRange } from "./ranges";
import { Corrupt, type Entry, type Json, type Key, MAX_VALUE_BYTES, Unavailable } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";
import { forEachEntry, processInCommits } from "./transaction-budget";

/** The maximum size of an object that is stored as a record. */
export const MAX_INLINE_BYTES = 32 * 1024;

/** A text of at most this length fits into a value, however it is escaped. */
const MAX_UNCHECKED_CHARACTERS = 8 * 1024;

const ABANDONED = "An upload was given up before it was used; send it again.";

/** An object that is ready to be added to a transaction. */
export interface StagedObject {
  readonly hash: string;
  readonly size: number;
  readonly content: { readonly inline: Json } | { readonly blob: string };
}

type ObjectRecord = { readonly size: number } & (
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly blob: string }
);

const keys = {
  object: (hash: string) => encodeKey("object", hash),
  use: (hash: string) => encodeKey("use", hash),
  upload: (blob: string) => encodeKey("upload", blob),
};

/** Prepares an object. If it is large, it is uploaded here, outside of any transaction. */
export async function stageObject(
  store: Store,
  partition: string,
  content: Uint8Array | string,
  knownHash?: string,
): Promise<StagedObject> {
  const isText = typeof content === "string";
  const hash = knownHash ?? (isText ? sha256Hex(content) : await runSteps(sha256HexInSteps(content)));
  const prepared = tryInlineObject(hash, content);
  if ("content" in prepared) return prepared;
  const { bytes } = prepared;
  return { hash, size: bytes.length, content: { blob: await uploadBlob(store, partition, hash, bytes) } };
}

/** Announces a blob and uploads it (invariant 3). Returns its name. */
async function uploadBlob(
  store: Store,
  partition: string,
  hash: string,
  bytes: Uint8Array | ReadableStream<Uint8Array>,
): Promise<string> {
  const blob = `${partition}-${hash}-${generateRandomText(store.random, 16)}`;
  await store.write(partition, async (tx) => tx.put(keys.upload(blob), { since: store.now().getTime() }));
  await store.storage.blobs.put(blob, bytes);
  return blob;
}

/** Returns an object that is stored as a record, as text if possible and as base64 otherwise, or its bytes if it is too large for that. */
function tryInlineObject(
  hash: string,
  content: Uint8Array | string,
): StagedObject | { readonly hash: string; readonly bytes: Uint8Array } {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const size = bytes.length;
  if (typeof content === "string" && content.length <= MAX_UNCHECKED_CHARACTERS)
    return { hash, size, content: { inline: { text: content } } };
  if (size > MAX_INLINE_BYTES) return { hash, bytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // The JSON of the text must fit into a value.
    if (getJsonSize(text) < MAX_VALUE_BYTES - 1024) return { hash, size, content: { inline: { text } } };
  } catch {}
  return { hash, size, content: { inline: { base64: toBase64(bytes) } } };
}

export async function addStagedObject(tx: Transaction, { hash, size, content }: StagedObject): Promise<void> {
  if ("inline" in content) return tx.put(keys.object(hash), { size, ...(content.inline as object) });
  await consumeAnnouncement(tx, keys.upload(content.blob));
  if ((await tx.get(keys.object(hash))) === undefined) tx.put(keys.object(hash), { size, blob: content.blob });
  else tx.put(keys.use(hash), true);
}

/** Deletes an announcement in the commit that refers to what was announced (invariant 3). */
export async function consumeAnnouncement(tx: Transaction, announcement: Key): Promise<void> {
  if ((await tx.get(announcement)) === undefined) throw new Unavailable(ABANDONED, { outcome: "none" });
  tx.delete(announcement);
}

/** Objects that are ready to be added together: they are written with the commit, or they were put earlier and announced. */
export type StagedSet = { readonly each: readonly StagedObject[] } | { readonly announcements: readonly Key[] };

/** The maximum number of bytes of objects in one commit, besides the records that refer to them. */
const MAX_COMMIT_BYTES = 400 * 1024;

/** The limits of the commits that write objects. */
export interface StagingLimits {
  /** The maximum number of objects that are written with the commit that refers to them. */
  readonly maxObjectsInCommit: number;
  /** The maximum number of objects that are collected before they are put. Their hashes fit into one record. */
  readonly maxPendingObjects: number;
  /** The number of bytes from which on collected objects are put. */
  readonly maxPendingBytes: number;
  /** The maximum number of objects that are put in one commit. */
  readonly maxObjectsPerPut: number;
}

const STAGING_LIMITS: StagingLimits = {
  maxObjectsInCommit: 150,
  maxPendingObjects: 800,
  maxPendingBytes: 4 * 1024 * 1024,
  maxObjectsPerPut: 200,
};

/** The number of commits of objects that run concurrently. */
const MAX_CONCURRENT_COMMITS = 4;

/** The maximum number of announcements that the final commit deletes. The others are abandoned when they are old. */
const MAX_DELETED_ANNOUNCEMENTS = 150;

/** Prepares objects that are all in memory. If there may be many, `yieldToOthers` is called between them. */
export async function stageObjects(
  store: Store,
  partition: string,
  objects: ReadonlyMap<string, Uint8Array | string>,
  yieldToOthers?: () => Promise<unknown>,
): Promise<StagedSet> {
  return new Staging(store, partition, yieldToOthers).finish(objects);
}

/**
 * Writes objects to a partition in as many commits as they need. A small set is written with the commit that refers to it. The
 * objects of a larger set are put while they arrive, so that they are not all in memory at once. They are announced by one record,
 * and further records with keys that follow it contain their hashes. The final commit needs only that one record.
 */
export class Staging {
  readonly #pending = new Map<string, Uint8Array | string>();
  #bytes = 0;
  /** The announcement of the set, and then those with the hashes. */
  readonly #announcements: Key[] = [];
  readonly #name: string;
  /** All announcements have the same time, so none is abandoned before the first one, whatever the clock does. */
  readonly #since: number;
  #present: Promise<Reader> | undefined;
  /** Adds further writes to the commits that announce objects, such as the progress of the work. */
  onAnnounce: ((tx: Transaction) => void) | undefined;

  /** `yieldToOthers` lets other work run, because a storage in memory never waits. Smaller limits are for tests. */
  constructor(
    readonly store: Store,
    readonly partition: string,
    readonly yieldToOthers: () => Promise<unknown> = async () => {},
    readonly limits: StagingLimits = STAGING_LIMITS,
  ) {
    this.#name = generateRandomText(store.random, 24);
    this.#since = store.now().getTime();
  }

  /** Adds an object by its hash. Returns true if enough objects are pending to be put. */
  take(hash: string, content: Uint8Array | string): boolean {
    if (!this.#pending.has(hash)) this.#bytes += content.length;
    this.#pending.set(hash, content);
    return this.#pending.size >= this.limits.maxPendingObjects || this.#bytes >= this.limits.maxPendingBytes;
  }

  /** Puts the pending objects. Only this set can refer to them so far. */
  async put(): Promise<void> {
    const { store, partition } = this;
    if (this.#pending.size === 0) return;
    await this.#announce([...this.#pending.keys()]);
    const chunks = splitStagedObjects(await this.#stagePending(), this.limits.maxObjectsPerPut);
    while (chunks.length > 0) {
      // A storage may join commits that run concurrently. No other work gets a turn while it does.
      const commits = chunks.splice(0, MAX_CONCURRENT_COMMITS).map((chunk) =>
        store.write(partition, async (tx) => {
          await addCopiedObjects(tx, chunk);
          await this.yieldToOthers();
        }),
      );
      await Promise.all(commits);
      await this.yieldToOthers();
    }
    this.#pending.clear();
    this.#bytes = 0;
    this.#present = undefined;
  }

  /** Returns all objects of the set, together with `more`, ready to be added to a transaction. */
  async finish(more: ReadonlyMap<string, Uint8Array | string> = new Map()): Promise<StagedSet> {
    for (const [hash, content] of more) if (this.take(hash, content)) await this.put();
    if (this.#announcements.length === 0 && this.#pending.size <= this.limits.maxObjectsInCommit) {
      let commitBytes = 0;
      for (const content of this.#pending.values()) {
        const size = typeof content === "string" ? getByteLength(content) : content.length;
        // Inline content is longer than the object, because it is encoded.
        commitBytes += size <= MAX_INLINE_BYTES ? size * 1.4 : 200;
      }
      if (commitBytes <= MAX_COMMIT_BYTES) {
        const each: StagedObject[] = [];
        for (const [hash, content] of this.#pending)
          each.push(await stageObject(this.store, this.partition, content, hash));
        return { each };
      }
    }
    await this.put();
    return { announcements: this.#announcements };
  }

  /**
   * Returns a view of `objects` that also finds the objects that this set has received since. It reads from the shared cache, but
   * fills a small one of its own, because the shared one is for what people read.
   */
  overlay({ tx, cache: shared }: Objects): Objects {
    const { store } = this;
    const own = createObjectCache(STAGING_CACHE_BYTES);
    const cache: ObjectCache = {
      get: <Value>(...args: Parameters<ObjectCache["get"]>) => own.get<Value>(...args) ?? shared.get<Value>(...args),
      set: (...args) => own.set(...args),
      delete: (name) => own.delete(name),
    };
    const fillMissing = async (
      keys: readonly Key[],
      found: readonly (Json | undefined)[],
      read: (missing: readonly Key[]) => Promise<readonly (Json | undefined)[]>,
    ) => {
      const missing = keys.filter((_, i) => found[i] === undefined);
      if (missing.length === 0) return found;
      const more = await read(missing);
      let next = 0;
      return found.map((value) => value ?? more[next++]);
    };
    const getMany = async (keys: readonly Key[]) => {
      const pending = keys.map((key) => this.#getPending(parseKeyHash(key)));
      const known = await fillMissing(keys, pending, (missing) => tx.getMany(missing));
      return fillMissing(keys, known, async (missing) => {
        this.#present ??= store.read(this.partition);
        return (await this.#present).getMany(missing);
      });
    };
    return openObjects(store, cache, { getMany, get: async (key) => (await getMany([key]))[0] });
  }

  #getPending(hash: string): Json | undefined {
    const content = this.#pending.get(hash);
    if (content === undefined) return undefined;
    return typeof content === "string"
      ? { size: content.length, text: content }
      : { size: content.length, base64: toBase64(content) };
  }

  /** Announces objects that are about to be put. */
  async #announce(hashes: readonly string[]): Promise<void> {
    const first = keys.upload(this.#name);
    const next = encodeKey("upload", this.#name, Math.max(this.#announcements.length, 1));
    const since = this.#since;
    await this.store.write(this.partition, async (tx) => {
      // An abandoned announcement is not restored, because the objects that it announced may be gone.
      if (this.#announcements.length === 0) tx.put(first, { since });
      else if ((await tx.get(first)) === undefined) throw new Unavailable(ABANDONED, { outcome: "none" });
      tx.put(next, { since, hashes });
      this.onAnnounce?.(tx);
    });
    if (this.#announcements.length === 0) this.#announcements.push(first);
    this.#announcements.push(next);
  }

  /** Uploads the large pending objects and returns the objects to put. Large ones that already exist are only touched. */
  async #stagePending(): Promise<StagedObject[]> {
    const { store, partition } = this;
    const staged: StagedObject[] = [];
    const large: { readonly hash: string; readonly bytes: Uint8Array; readonly blob: string }[] = [];
    for (const [hash, content] of this.#pending) {
      const prepared = tryInlineObject(hash, content);
      if ("bytes" in prepared)
        large.push({ ...prepared, blob: `${partition}-${hash}-${generateRandomText(store.random, 16)}` });
      else staged.push(prepared);
      await this.yieldToOthers();
    }
    const existing = new Set<string>();
    const since = store.now().getTime();
    await processInCommits(store, partition, large, async (tx, { hash, blob }) => {
      const exists = (await tx.get(keys.object(hash))) !== undefined;
      existing[exists ? "add" : "delete"](hash);
      tx.put(exists ? keys.use(hash) : keys.upload(blob), exists || { since });
    });
    for (const { hash, bytes, blob } of large) {
      if (existing.has(hash)) continue;
      await store.storage.blobs.put(blob, bytes);
      staged.push({ hash, size: bytes.length, content: { blob } });
      await this.yieldToOthers();
    }
    return staged;
  }
}

export async function addStagedObjects(tx: Transaction, staged: StagedSet): Promise<void> {
  if ("announcements" in staged) {
    const [first, ...others] = staged.announcements;
    if (first !== undefined) await consumeAnnouncement(tx, first);
    for (const announcement of others.slice(0, MAX_DELETED_ANNOUNCEMENTS)) tx.delete(announcement);
  } else for (const object of staged.each) await addStagedObject(tx, object);
}

/** The number of entries that a sweep reads together. Each of them may have the maximum size. */
const PAGE_SIZE = 100;

/** The maximum number of objects that are announced, read and copied together. */
const MAX_COPIED_OBJECTS = 240;

/**
 * Copies objects into another partition in their stored form. They stay alive there while they are announced. When all of them are
 * referenced, the caller deletes the announcements (`consumeAnnouncement`). `guard` runs in every commit.
 */
export async function copyObjects(
  store: Store,
  source: Reader,
  to: string,
  hashes: readonly string[],
  guard: (tx: Reader) => Promise<void>,
): Promise<Key[]> {
  const announcements: Key[] = [];
  for (const page of splitIntoChunks(hashes, MAX_COPIED_OBJECTS)) {
    const announcement = keys.upload(generateRandomText(store.random, 24));
    await store.write(to, async (tx) => {
      await guard(tx);
      tx.put(announcement, { since: store.now().getTime(), hashes: page });
    });
    announcements.push(announcement);
    const records = (await source.getMany(page.map(keys.object))) as readonly (ObjectRecord | undefined)[];
    const existing = await (await store.read(to)).getMany(page.map(keys.object));
    const staged: StagedObject[] = [];
    for (const [i, hash] of page.entries()) {
      const record = records[i];
      if (!record) throw createMissingObjectError(hash);
      let content: StagedObject["content"];
      if (!("blob" in record))
        content = { inline: "text" in record ? { text: record.text } : { base64: record.base64 } };
      else if (existing[i] !== undefined) content = { blob: "" };
      else {
        // A large object is copied to a blob of the other partition, unless it already exists there.
        const original = await store.storage.blobs.get(record.blob);
        if (!original) throw createMissingObjectError(hash);
        content = { blob: await uploadBlob(store, to, hash, original.stream) };
      }
      staged.push({ hash, size: record.size, content });
    }
    for (const chunk of splitStagedObjects(staged, MAX_COPIED_OBJECTS)) {
      await store.write(to, async (tx) => {
        await guard(tx);
        await addCopiedObjects(tx, chunk);
      });
    }
  }
  return announcements;
}

async function addCopiedObjects(tx: Transaction, copies: readonly StagedObject[]): Promise<void> {
  const existing = await tx.getMany(copies.map(({ hash }) => keys.object(hash)));
  for (const [i, { hash, size, content }] of copies.entries()) {
    if ("blob" in content && content.blob !== "") await consumeAnnouncement(tx, keys.upload(content.blob));
    if (existing[i] !== undefined) tx.put(keys.use(hash), true);
    else if (!("blob" in content)) tx.put(keys.object(hash), { size, ...(content.inline as object) });
    else if (content.blob !== "") tx.put(keys.object(hash), { size, blob: content.blob });
    // The object existed when it was staged, but a sweep has deleted it since.
    else throw new Unavailable("An object was swept away while it was copied; copy it again.", { outcome: "none" });
  }
}

/** Splits objects into chunks that fit into one commit each. */
function splitStagedObjects(staged: readonly StagedObject[], maxObjects: number): StagedObject[][] {
  const chunks: StagedObject[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const object of staged) {
    // As in `Staging`: inline content is encoded.
    const size = "inline" in object.content ? object.size * 1.4 : 200;
    if (bytes + size > MAX_COMMIT_BYTES || chunks.at(-1)!.length >= maxObjects) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)!.push(object);
    bytes += size;
  }
  return chunks;
}

/** The objects of one partition. An object that a record refers to exists; if it is missing, reads throw `Corrupt`. */
export interface Objects {
  /** Returns an object that is text. */
  text(hash: string): Promise<string>;
  /** Returns several texts in the given order. */
  texts(hashes: readonly string[]): Promise<string[]>;
  /** Returns an object that is bytes. */
  bytes(hash: string): Promise<Uint8Array>;
  /** Opens an object for sending. A large one is streamed and not read into memory. */
  open(hash: string): Promise<OpenedObject>;
  /** Caches values that were created from objects. */
  readonly cache: ObjectCache;
  /** Returns the objects of another partition, or of another snapshot of this one. */
  at(tx: KeyReader): Objects;
  readonly tx: KeyReader;
}

/** An object to send. `read` returns all of it, or the bytes from `start` up to but not including `end`. */
export interface OpenedObject {
  readonly size: number;
  readonly read: (range?: {
    readonly start: number;
    readonly end: number;
  }) => Promise<Uint8Array | ReadableStream<Uint8Array>>;
}

/** The part of a reader that is needed to find objects. */
type KeyReader = Pick<Reader, "get" | "getMany">;

/** A cache of values that were created from objects, by name. Objects never change, so most values have no versions. */
export type ObjectCache = Pick<VersionedCache, "get" | "set" | "delete">;

const CACHE_BYTES = 64 * 1024 * 1024;
const STAGING_CACHE_BYTES = 16 * 1024 * 1024;

/** Creates a cache of approximately this size. */
export function createObjectCache(maxBytes = CACHE_BYTES): VersionedCache {
  return new VersionedCache(maxBytes, 100);
}

/** Opens the objects of the partition that `tx` reads. */
export function openObjects(store: Store, cache: ObjectCache, tx: KeyReader): Objects {
  async function decodeObjectText(hash: string, record: ObjectRecord | undefined): Promise<string> {
    const bytes = record && (await loadRecordBytes(store, record));
    if (!bytes) throw createMissingObjectError(hash);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
  const objects: Objects = {
    async texts(hashes) {
      const records = (await tx.getMany(hashes.map(keys.object))) as readonly (ObjectRecord | undefined)[];
      const found = hashes.map((hash, i) => {
        const record = records[i];
        return record && "text" in record ? record.text : decodeObjectText(hash, record);
      });
      return found.every((text) => typeof text === "string") ? found : Promise.all(found);
    },
    text: async (hash) => (await objects.texts([hash]))[0]!,
    async bytes(hash) {
      const bytes = await findObjectBytes(store, tx, hash);
      if (!bytes) throw createMissingObjectError(hash);
      return bytes;
    },
    async open(hash) {
      const record = (await tx.get(keys.object(hash))) as ObjectRecord | undefined;
      if (!record) throw createMissingObjectError(hash);
      const { size } = record;
      return {
        size,
        async read(range) {
          if (!("blob" in record)) return (await loadRecordBytes(store, record))!.subarray(range?.start, range?.end);
          const blob = await store.storage.blobs.get(record.blob, range);
          if (!blob) throw createMissingObjectError(hash);
          return blob.stream;
        },
      };
    },
    cache,
    tx,
    at: (other) => openObjects(store, cache, other),
  };
  return objects;
}

function createMissingObjectError(hash: string): Corrupt {
  return new Corrupt(`The object ${hash} is named but not there.`);
}

async function loadRecordBytes(store: Store, record: ObjectRecord): Promise<Uint8Array | undefined> {
  if ("text" in record) return new TextEncoder().encode(record.text);
  if ("base64" in record) return Uint8Array.from(atob(record.base64), (c) => c.charCodeAt(0));
  const blob = await store.storage.blobs.get(record.blob);
  return blob && new Uint8Array(await new Response(blob.stream as BodyInit).arrayBuffer());
}

export async function findObjectBytes(store: Store, tx: KeyReader, hash: string): Promise<Uint8Array | undefined> {
  const record = (await tx.get(keys.object(hash))) as ObjectRecord | undefined;
  return record && loadRecordBytes(store, record);
}

const sweptKey = encodeKey("swept");

/** The time of the last sweep of a partition. */
export const lastSweep = {
  /** Returns the time in epoch milliseconds; 0 if it was never swept or if unreferenced objects are known to exist. */
  async read(view: Reader): Promise<number> {
    return ((await view.get(sweptKey)) as number | undefined) ?? 0;
  },
  write: (tx: Transaction, now: number) => tx.put(sweptKey, now),
  /** Makes the next `maintain()` sweep the partition, because something that referred to objects was deleted. */
  forget: (tx: Transaction) => tx.delete(sweptKey),
};

/** The numbers of things that a sweep deleted. */
export interface SweepCounts {
  readonly objects: number;
  readonly uploads: number;
  readonly blobs: number;
}

/**
 * Deletes the objects that are not in `reachable`, abandons uploads that were announced before `olderThan`, and deletes the blobs
 * to which no record refers. The age only spares uploads that are still running; safety does not depend on it.
 */
export async function sweepPartition(
  store: Store,
  partition: string,
  options: {
    reachable?: (view: Reader) => Promise<Pick<ReadonlySet<string>, "has">>;
    olderThan: Date;
    /** Lets other work run, because a storage in memory never waits. */
    yieldToOthers?: () => Promise<void>;
  },
): Promise<SweepCounts> {
  const { reachable, olderThan, yieldToOthers } = options;
  let objects = 0;
  if (reachable) {
    const marked = await store.read(partition);
    const live = await reachable(marked);
    const announced = new Set(await listAnnouncedHashes(marked));
    async function* findUnreachable() {
      for await (const entry of iterateRange(async () => marked, encodeKey("object"), PAGE_SIZE)) {
        const hash = parseKeyHash(entry.key);
        if (!live.has(hash) && !announced.has(hash)) yield hash;
        await yieldToOthers?.();
      }
    }
    objects = await processInCommits(store, partition, findUnreachable(), async (tx, hash) => {
      // Invariant 2: an object that was put or touched after the mark stays.
      const put = await tx.getVersion(keys.object(hash));
      const used = (await tx.getVersion(keys.use(hash))) ?? 0;
      if (put === undefined || put > marked.version || used > marked.version) return false;
      tx.delete(keys.object(hash));
      if (used > 0) tx.delete(keys.use(hash));
      return true;
    });
  }

  // Old announcements of a set are deleted in key order: the one that the set needs comes first.
  let uploads = 0;
  for (let isMore = true; isMore; ) {
    const batch = await store.write(partition, async (tx) => {
      let deleted = 0;
      const more = await forEachEntry(tx, { under: encodeKey("upload") }, async (upload) => {
        if ((upload.value as { since: number }).since >= olderThan.getTime()) return;
        // The read adds a check. The writer deletes the announcement too, so only one of the two commits can succeed.
        await tx.get(upload.key);
        tx.delete(upload.key);
        deleted++;
      });
      return { deleted, more };
    });
    uploads += batch.deleted;
    isMore = batch.more;
  }

  const prefix = `${partition}-`;
  let blobs = 0;
  let page: string[] = [];
  for await (const blob of store.storage.blobs.list(prefix)) {
    if (!blob.startsWith(prefix)) break;
    page.push(blob);
    if (page.length < PAGE_SIZE) continue;
    blobs += await deleteUnreferencedBlobs(store, partition, page);
    page = [];
  }
  blobs += await deleteUnreferencedBlobs(store, partition, page);
  return { objects, uploads, blobs };
}

/** Returns the hashes of the objects that writers have put and are about to refer to. */
export async function listAnnouncedHashes(view: Reader): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { value } of iterateRange(async () => view, encodeKey("upload"), PAGE_SIZE))
    hashes.push(...((value as { hashes?: string[] }).hashes ?? []));
  return hashes;
}

/** Applies invariant 4. The records are read after the blobs were listed, so the announcements of these blobs were made before. */
async function deleteUnreferencedBlobs(store: Store, partition: string, blobs: readonly string[]): Promise<number> {
  const view = await store.read(partition);
  const hashStart = partition.length + 1;
  const objectKeys = blobs.map((blob) => keys.object(blob.slice(hashStart, hashStart + 64)));
  const records = await view.getMany(objectKeys);
  const uploads = await view.getMany(blobs.map(keys.upload));
  const unreferenced = blobs.filter(
    (blob, i) => (records[i] as { blob?: string } | undefined)?.blob !== blob && uploads[i] === undefined,
  );
  for (const blob of unreferenced) await store.storage.blobs.delete(blob);
  return unreferenced.length;
}

const OBJECTS = encodeKey("object");

/** Returns the name of the blob that an entry refers to; undefined if the entry is not an object or contains its content. */
export function getBlobName({ key, value }: Pick<Entry, "key" | "value">): string | undefined {
  return key.startsWith(OBJECTS) ? (value as { readonly blob?: string } | null)?.blob : undefined;
}

/** Returns whether an entry is an object with inline content. Its content never changes, because its key contains the hash. */
export function isInlineObject(key: Key, value: Json): boolean {
  return key.startsWith(OBJECTS) && typeof value === "object" && value !== null && !("blob" in value);
}

/** Returns the last part of an object key. Such keys contain no escaped bytes. */
function parseKeyHash(key: string): string {
  return key.slice(key.lastIndexOf("\x03") + 1, -1);
}
