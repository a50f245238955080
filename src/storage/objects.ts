// Content-addressed bytes of one partition: page bodies, page nodes, files. One of at most 32 KiB is a record and rides
// in the commit that names it; a larger one is a blob, uploaded before the commit under a name that serves once.
//
// Sweeping never takes what a racing writer is about to name, and no clock is part of the proof:
//  1. A writer that names an object puts it, or, when it is there already, reads it and touches its `use` key. A small one
//     rides in the commit and is put in any case: to put it again is less work than to look whether it is there.
//  2. The sweeper marks from a snapshot and deletes an object only in a transaction that sees neither the object nor its
//     `use` key written since that snapshot. Named before that commit: the sweeper sees the touch. Named after it: the
//     writer's read of the object fails its check, the writer runs again and finds the object gone.
//  3. An upload is announced in a record before its first byte, and the commit that names it takes the record away. The
//     sweeper gives an abandoned upload up by removing that record; the writer's commit then fails its check. Objects too
//     many for one commit are announced the same way, put or touched as in 1, and live for as long as they are announced.
//     Their hashes are in records below the one that the writer's commit takes away, and are given up after it.
//  4. A blob is deleted when no record leads to it. None can come to: its announcement is gone, and its name serves once.
//
// An object that refers to others is safe when its writer names each of them, or learned of them from a record that it
// read in the same transaction.

import { LruCache } from "../utils/lru-cache";
import { sha256Hex } from "../utils/sha256";
import { generateRandomText } from "./ids";
import { encodeKey } from "./key";
import { byteLength } from "./limits";
import { iterateRange } from "./ranges";
import { Corrupt, type Entry, type Json, type Key, MAX_VALUE_BYTES, Unavailable } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";
import { forEachEntry, processInCommits } from "./transaction-budget";

/** The largest object that is kept as a record. */
export const MAX_INLINE_BYTES = 32 * 1024;

/** A text of at most this length fits a value however it is escaped. */
const SURELY_SMALL = 8 * 1024;

/** Bytes that are ready to be named in a transaction. */
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

const encodeObjectKey = (hash: string) => encodeKey("object", hash);
const encodeUseKey = (hash: string) => encodeKey("use", hash);
const encodeUploadKey = (blob: string) => encodeKey("upload", blob);

/** Prepares bytes; a large object is uploaded here, outside of any transaction. */
export function stageObject(store: Store, partition: string, bytes: Uint8Array): Promise<StagedObject> {
  return stageHashedObject(store, partition, hashBytes(bytes), bytes);
}

async function stageHashedObject(
  store: Store,
  partition: string,
  hash: string,
  given: Uint8Array | string,
): Promise<StagedObject> {
  const found = tryInlineObject(hash, given);
  if ("content" in found) return found;
  const { bytes } = found;
  const blob = generateBlobName(store, partition, hash);
  await store.write(partition, async (tx) => tx.put(encodeUploadKey(blob), { since: store.now().getTime() }));
  await store.storage.blobs.put(blob, bytes);
  return { hash, size: bytes.length, content: { blob } };
}

/** An object that is kept as a record; the bytes of one that is too large for that. */
function tryInlineObject(
  hash: string,
  given: Uint8Array | string,
): StagedObject | { readonly hash: string; readonly bytes: Uint8Array } {
  if (typeof given === "string" && given.length <= SURELY_SMALL)
    return { hash, size: new TextEncoder().encode(given).length, content: { inline: { text: given } } };
  const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
  const size = bytes.length;
  return size <= MAX_INLINE_BYTES ? { hash, size, content: { inline: encodeInline(bytes) } } : { hash, bytes };
}

/** A name for a blob, which serves once. */
function generateBlobName(store: Store, partition: string, hash: string): string {
  return `${partition}-${hash}-${generateRandomText(store.random, 16)}`;
}

/** The name of bytes. */
export function hashBytes(bytes: Uint8Array): string {
  return sha256Hex(bytes);
}

/** Makes staged bytes part of the transaction, under their hash. */
export async function addStagedObject(tx: Transaction, { hash, size, content }: StagedObject): Promise<void> {
  if ("inline" in content) return tx.put(encodeObjectKey(hash), { size, ...(content.inline as object) });
  await consumeAnnouncement(tx, encodeUploadKey(content.blob));
  if ((await tx.get(encodeObjectKey(hash))) === undefined) tx.put(encodeObjectKey(hash), { size, blob: content.blob });
  else tx.put(encodeUseKey(hash), true);
}

/** Invariant 3: the commit that names what was announced takes the announcement away. */
async function consumeAnnouncement(tx: Transaction, announcement: Key): Promise<void> {
  if ((await tx.get(announcement)) === undefined) throw createAbandonedUploadError();
  tx.delete(announcement);
}

function createAbandonedUploadError(): Unavailable {
  return new Unavailable("An upload was given up before it was used; send it again.", { outcome: "none" });
}

/** Objects that are ready to be named together: they ride in the commit, or they were put ahead and announced. */
export type StagedSet = { readonly each: readonly StagedObject[] } | { readonly announcements: readonly Key[] };

/** What rides in the commit that names it, beside the records that it is about. */
const MAX_NAMED_BYTES = 400 * 1024;

/** In how large pieces objects go into a partition. */
export interface StagingLimits {
  /** Objects that ride in the commit that names them. */
  readonly maxObjectsInCommit: number;
  /** Objects that wait for each other: their hashes fit into one record. */
  readonly maxPendingObjects: number;
  /** Objects of more bytes than this do not wait for each other. */
  readonly maxPendingBytes: number;
  /** Objects that are put in one commit. */
  readonly maxObjectsPerPut: number;
}

const STAGING_LIMITS: StagingLimits = {
  maxObjectsInCommit: 150,
  maxPendingObjects: 800,
  maxPendingBytes: 4 * 1024 * 1024,
  maxObjectsPerPut: 200,
};

/** Commits of objects that wait together. */
const COMMITS_TOGETHER = 4;

/** Announcements that the commit takes away which names their objects. The others are given up when they are old. */
const MAX_TAKEN_AWAY = 150;

/** Prepares objects that are all at hand. Where they may be many, `turn` gives others theirs. */
export async function stageObjects(
  store: Store,
  partition: string,
  objects: ReadonlyMap<string, Uint8Array | string>,
  turn?: () => Promise<unknown>,
): Promise<StagedSet> {
  return new Staging(store, partition, turn).finish(objects);
}

/**
 * Objects on their way into a partition, in as many commits as they take. Few and small ones ride in the commit that names
 * them. Others are put as they come, so that not all of them are held at once. They are announced by one record, with their
 * hashes in further ones below it. The last commit needs that one record alone.
 */
export class Staging {
  readonly #waiting = new Map<string, Uint8Array | string>();
  #bytes = 0;
  /** The announcement, and those below it. */
  readonly #announcements: Key[] = [];
  readonly #name: string;
  /** All announcements have one time: none below is given up before the first is, whatever the clock does. */
  readonly #since: number;
  #present: Promise<Reader> | undefined;
  /** Adds to the commits that announce objects, such as how far the work is. */
  onAnnounce: ((tx: Transaction) => void) | undefined;

  /** `turn` gives others theirs: a storage in memory never waits. Smaller limits are for tests. */
  constructor(
    readonly store: Store,
    readonly partition: string,
    readonly turn: () => Promise<unknown> = async () => {},
    readonly limits: StagingLimits = STAGING_LIMITS,
  ) {
    this.#name = generateRandomText(store.random, 24);
    this.#since = store.now().getTime();
  }

  /** Takes an object by its hash. True: enough wait to be put. */
  take(hash: string, content: Uint8Array | string): boolean {
    if (!this.#waiting.has(hash)) this.#bytes += content.length;
    this.#waiting.set(hash, content);
    return this.#waiting.size >= this.limits.maxPendingObjects || this.#bytes >= this.limits.maxPendingBytes;
  }

  /** Puts what waits. Nobody can name it yet but this set. */
  async put(): Promise<void> {
    const { store, partition } = this;
    if (this.#waiting.size === 0) return;
    await this.#announce([...this.#waiting.keys()]);
    const staged = await this.#staged();
    const chunks = splitStagedObjects(staged, this.limits.maxObjectsPerPut);
    while (chunks.length > 0) {
      // A storage may write commits that wait together at once. Nobody else has a turn while it does.
      const some = chunks.splice(0, COMMITS_TOGETHER).map((chunk) =>
        store.write(partition, async (tx) => {
          await addCopiedObjects(tx, chunk);
          await this.turn();
        }),
      );
      await Promise.all(some);
      await this.turn();
    }
    this.#waiting.clear();
    this.#bytes = 0;
    this.#present = undefined;
  }

  /** Everything that was taken, and these, ready to be named. */
  async finish(more: ReadonlyMap<string, Uint8Array | string> = new Map()): Promise<StagedSet> {
    for (const [hash, content] of more) if (this.take(hash, content)) await this.put();
    if (this.#announcements.length === 0) {
      const sizes = Array.from(this.#waiting.values(), sizeOf);
      if (
        sizes.length <= this.limits.maxObjectsInCommit &&
        sizes.reduce((sum, size) => sum + size, 0) <= MAX_NAMED_BYTES
      ) {
        const each: StagedObject[] = [];
        for (const [hash, content] of this.#waiting)
          each.push(await stageHashedObject(this.store, this.partition, hash, content));
        return { each };
      }
    }
    await this.put();
    return { announcements: this.#announcements };
  }

  /** Reads of objects that also find what this set took since their moment. They look into the cache that all share, and fill
   * a small one of their own: the other is for what people read. */
  overlay({ tx, cache: shared }: Objects): Objects {
    const { store } = this;
    const own = createObjectCache(STAGING_CACHE_BYTES);
    const cache: ObjectCache = {
      get: (name) => own.get(name) ?? shared.get(name),
      set: (name, made) => own.set(name, made),
      delete: (name) => own.delete(name),
    };
    const completed = async (
      keys: readonly Key[],
      found: readonly (Json | undefined)[],
      read: (missing: readonly Key[]) => Promise<readonly (Json | undefined)[]>,
    ) => {
      const missing = keys.filter((_, i) => found[i] === undefined);
      if (missing.length === 0) return found;
      const more = await read(missing);
      let next = 0;
      return found.map((it) => it ?? more[next++]);
    };
    const getMany = async (keys: readonly Key[]) => {
      const held = keys.map((it) => this.#held(parseKeyHash(it)));
      const known = await completed(keys, held, (missing) => tx.getMany(missing));
      return completed(keys, known, async (missing) => {
        this.#present ??= store.read(this.partition);
        return (await this.#present).getMany(missing);
      });
    };
    return openObjects(store, cache, { getMany, get: async (key) => (await getMany([key]))[0] });
  }

  /** An object that waits, as it would be stored. */
  #held(hash: string): Json | undefined {
    const content = this.#waiting.get(hash);
    if (content === undefined) return undefined;
    return typeof content === "string"
      ? { size: content.length, text: content }
      : { size: content.length, ...base64(content) };
  }

  /** Writes down what is about to be put. */
  async #announce(hashes: readonly string[]): Promise<void> {
    const first = encodeUploadKey(this.#name);
    const below = encodeKey("upload", this.#name, Math.max(this.#announcements.length, 1));
    const since = this.#since;
    await this.store.write(this.partition, async (tx) => {
      // One that was given up stays so: what it announced may be gone.
      if (this.#announcements.length === 0) tx.put(first, { since });
      else if ((await tx.get(first)) === undefined) throw createAbandonedUploadError();
      tx.put(below, { since, hashes });
      this.onAnnounce?.(tx);
    });
    if (this.#announcements.length === 0) this.#announcements.push(first);
    this.#announcements.push(below);
  }

  /** What waits, with large objects uploaded. Those that are there already are touched, and need nothing more. */
  async #staged(): Promise<StagedObject[]> {
    const { store, partition } = this;
    const staged: StagedObject[] = [];
    const large: { readonly hash: string; readonly bytes: Uint8Array; readonly blob: string }[] = [];
    for (const [hash, content] of this.#waiting) {
      const found = tryInlineObject(hash, content);
      if ("bytes" in found) large.push({ ...found, blob: generateBlobName(store, partition, hash) });
      else staged.push(found);
      await this.turn();
    }
    const there = new Set<string>();
    const since = store.now().getTime();
    await processInCommits(store, partition, large, async (tx, { hash, blob }) => {
      const isThere = (await tx.get(encodeObjectKey(hash))) !== undefined;
      there[isThere ? "add" : "delete"](hash);
      tx.put(isThere ? encodeUseKey(hash) : encodeUploadKey(blob), isThere || { since });
    });
    for (const { hash, bytes, blob } of large) {
      if (there.has(hash)) continue;
      await store.storage.blobs.put(blob, bytes);
      staged.push({ hash, size: bytes.length, content: { blob } });
      await this.turn();
    }
    return staged;
  }
}

/** About how many bytes an object takes in the commit that names it. */
function sizeOf(content: Uint8Array | string): number {
  const size = typeof content === "string" ? byteLength(content) : content.length;
  return size <= MAX_INLINE_BYTES ? size * 1.4 : 200;
}

/** Makes a staged set part of the transaction. */
export async function addStagedObjects(tx: Transaction, staged: StagedSet): Promise<void> {
  if ("announcements" in staged) {
    const [first, ...below] = staged.announcements;
    if (first !== undefined) await consumeAnnouncement(tx, first);
    for (const announcement of below.slice(0, MAX_TAKEN_AWAY)) tx.delete(announcement);
  } else for (const each of staged.each) await addStagedObject(tx, each);
}

/** Entries that a sweep reads together: each may be as large as an entry can be. */
const PAGE = 100;

/** Objects that are announced, read and written together. */
const MAX_COPIED = 240;

/** Copies objects into another partition as they are stored. They stay there while they are announced. When all of them
 * are named, the caller removes the announcements (`release`). `guard` runs before every commit. */
export async function copyObjects(
  store: Store,
  source: Reader,
  to: string,
  hashes: readonly string[],
  guard: (tx: Reader) => Promise<void>,
): Promise<Key[]> {
  const announcements: Key[] = [];
  for (let at = 0; at < hashes.length; at += MAX_COPIED) {
    const some = hashes.slice(at, at + MAX_COPIED);
    const announcement = encodeUploadKey(generateRandomText(store.random, 24));
    await store.write(to, async (tx) => {
      await guard(tx);
      tx.put(announcement, { since: store.now().getTime(), hashes: some });
    });
    announcements.push(announcement);
    const found = (await source.getMany(some.map(encodeObjectKey))) as readonly (ObjectRecord | undefined)[];
    const present = await (await store.read(to)).getMany(some.map(encodeObjectKey));
    const staged: StagedObject[] = [];
    for (const [i, hash] of some.entries()) {
      const stored = found[i];
      if (!stored) throw createMissingObjectError(hash);
      staged.push(await stageObjectCopy(store, to, hash, stored, present[i] !== undefined));
    }
    for (const chunk of splitStagedObjects(staged, MAX_COPIED)) {
      await store.write(to, async (tx) => {
        await guard(tx);
        await addCopiedObjects(tx, chunk);
      });
    }
  }
  return announcements;
}

/** Copies one object: a small one as it is, a large one into a blob of the other partition, unless it is already
 * there. */
async function stageObjectCopy(
  store: Store,
  to: string,
  hash: string,
  stored: ObjectRecord,
  isThere: boolean,
): Promise<StagedObject> {
  const { size } = stored;
  if (!("blob" in stored))
    return { hash, size, content: { inline: "text" in stored ? { text: stored.text } : { base64: stored.base64 } } };
  if (isThere) return { hash, size, content: { blob: "" } };
  const original = await store.storage.blobs.get(stored.blob);
  if (!original) throw createMissingObjectError(hash);
  const blob = generateBlobName(store, to, hash);
  await store.write(to, async (tx) => tx.put(encodeUploadKey(blob), { since: store.now().getTime() }));
  await store.storage.blobs.put(blob, original.stream);
  return { hash, size, content: { blob } };
}

/** Names copies. All of them are read at once. */
async function addCopiedObjects(tx: Transaction, copies: readonly StagedObject[]): Promise<void> {
  const present = await tx.getMany(copies.map(({ hash }) => encodeObjectKey(hash)));
  for (const [i, { hash, size, content }] of copies.entries()) {
    if ("blob" in content && content.blob !== "") await consumeAnnouncement(tx, encodeUploadKey(content.blob));
    if (present[i] !== undefined) tx.put(encodeUseKey(hash), true);
    else if (!("blob" in content)) tx.put(encodeObjectKey(hash), { size, ...(content.inline as object) });
    else if (content.blob !== "") tx.put(encodeObjectKey(hash), { size, blob: content.blob });
    // It was there a moment ago, but a sweep has deleted it.
    else throw new Unavailable("An object was swept away while it was copied; copy it again.", { outcome: "none" });
  }
}

/** Removes announcements whose objects are all named. Throws when an announcement was given up before. */
export async function removeAnnouncements(
  store: Store,
  partition: string,
  announcements: readonly Key[],
): Promise<void> {
  await processInCommits(store, partition, announcements, consumeAnnouncement);
}

function splitStagedObjects(staged: readonly StagedObject[], atMost: number): StagedObject[][] {
  const chunks: StagedObject[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const each of staged) {
    const size = "inline" in each.content ? each.size * 1.4 : 200;
    if (bytes + size > MAX_NAMED_BYTES || chunks.at(-1)!.length >= atMost) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)!.push(each);
    bytes += size;
  }
  return chunks;
}

/** Reads of one partition's objects. What is named in a record is there: a missing one is damage, and throws `Corrupt`. */
export interface Objects {
  /** An object that is text. */
  text(hash: string): Promise<string>;
  /** Several at once, in the order asked. */
  texts(hashes: readonly string[]): Promise<string[]>;
  /** An object that is bytes. */
  bytes(hash: string): Promise<Uint8Array>;
  /** An object as a stream to send. A large one is not read into memory. */
  open(hash: string): Promise<OpenedObject>;
  /** A value made from objects, kept while there is room. */
  readonly cache: ObjectCache;
  /** The objects of another partition, or of another snapshot of this one. */
  at(tx: KeyReader): Objects;
  /** What they are read from. */
  readonly tx: KeyReader;
}

/** An object to send: all of it, or the bytes from `start` up to but not including `end`. */
export interface OpenedObject {
  readonly size: number;
  readonly read: (range?: {
    readonly start: number;
    readonly end: number;
  }) => Promise<Uint8Array | ReadableStream<Uint8Array>>;
}

/** The part of a reader that finds objects. */
type KeyReader = Pick<Reader, "get" | "getMany">;

/** Values made from objects lately, by name. Objects never change, so no entry goes out of date. */
export interface ObjectCache {
  get(name: string): CachedObjectValue | undefined;
  set(name: string, made: CachedObjectValue): unknown;
  delete(name: string): unknown;
}

/** A value that was made, and about how much memory it takes. */
interface CachedObjectValue {
  readonly value: unknown;
  readonly bytes: number;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const STAGING_CACHE_BYTES = 16 * 1024 * 1024;

/** A cache that holds about so many bytes. */
export function createObjectCache(most = CACHE_BYTES): LruCache<CachedObjectValue> {
  return new LruCache<CachedObjectValue>(most, ({ bytes }) => bytes + 100);
}

export function openObjects(store: Store, cache: ObjectCache, tx: KeyReader): Objects {
  async function texts(hashes: readonly string[]): Promise<string[]> {
    const stored = await tx.getMany(hashes.map(encodeObjectKey));
    const found = hashes.map((hash, i) => objectText(store, hash, stored[i] as ObjectRecord | undefined));
    return found.every((text) => typeof text === "string") ? found : Promise.all(found);
  }
  return {
    texts,
    text: async (hash) => (await texts([hash]))[0]!,
    async bytes(hash) {
      const found = await findObjectBytes(store, tx, hash);
      if (!found) throw createMissingObjectError(hash);
      return found;
    },
    async open(hash) {
      const stored = (await tx.get(encodeObjectKey(hash))) as ObjectRecord | undefined;
      if (!stored) throw createMissingObjectError(hash);
      const { size } = stored;
      return {
        size,
        async read(range) {
          if (!("blob" in stored)) return decodeInlineBytes(stored).subarray(range?.start, range?.end);
          const blob = await store.storage.blobs.get(stored.blob, range);
          if (!blob) throw createMissingObjectError(hash);
          return blob.stream;
        },
      };
    },
    cache,
    tx,
    at: (other) => openObjects(store, cache, other),
  };
}

/** The text of an object, at once where it is a record. */
function objectText(store: Store, hash: string, stored: ObjectRecord | undefined): string | Promise<string> {
  return stored && "text" in stored ? stored.text : decodedText(store, hash, stored);
}

async function decodedText(store: Store, hash: string, stored: ObjectRecord | undefined): Promise<string> {
  const bytes = stored && (await loadRecordBytes(store, stored));
  if (!bytes) throw createMissingObjectError(hash);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function createMissingObjectError(hash: string): Corrupt {
  return new Corrupt(`The object ${hash} is named but not there.`);
}

function decodeInlineBytes(stored: Exclude<ObjectRecord, { blob: string }>): Uint8Array {
  if ("text" in stored) return new TextEncoder().encode(stored.text);
  return Uint8Array.from(atob(stored.base64), (c) => c.charCodeAt(0));
}

async function loadRecordBytes(store: Store, stored: ObjectRecord): Promise<Uint8Array | undefined> {
  if (!("blob" in stored)) return decodeInlineBytes(stored);
  const blob = await store.storage.blobs.get(stored.blob);
  return blob && new Uint8Array(await new Response(blob.stream as BodyInit).arrayBuffer());
}

/** The bytes of an object; undefined when there is none. */
export async function findObjectBytes(store: Store, tx: KeyReader, hash: string): Promise<Uint8Array | undefined> {
  const stored = (await tx.get(encodeObjectKey(hash))) as ObjectRecord | undefined;
  return stored && loadRecordBytes(store, stored);
}

/** Whether a partition has objects, or had announced some. */
export async function hasObjects(view: Reader): Promise<boolean> {
  const found = await Promise.all(["object", "upload"].map((kind) => view.list({ under: encodeKey(kind), limit: 1 })));
  return found.some((entries) => entries.length > 0);
}

const sweptKey = encodeKey("swept");

/** When a partition was swept last, in epoch milliseconds; 0: never, or something is known to be left over. */
export async function getLastSweepTime(view: Reader): Promise<number> {
  return ((await view.get(sweptKey)) as number | undefined) ?? 0;
}

/** Writes down that a partition was swept. */
export function recordSweep(tx: Transaction, now: number): void {
  tx.put(sweptKey, now);
}

/** Makes the next `maintain()` sweep a partition, because something that named objects was deleted. */
export function scheduleSweep(tx: Transaction): void {
  tx.delete(sweptKey);
}

/** What a sweep deleted. */
export interface SweepCounts {
  readonly objects: number;
  readonly uploads: number;
  readonly blobs: number;
}

/** The names of objects that stay. */
type ReachableHashes = Pick<ReadonlySet<string>, "has">;

/** Deletes the objects that `reachable` does not name, gives up uploads announced before `olderThan`, and deletes the
 * blobs that no record names. The age only spares uploads under way; safety does not depend on it. */
export async function sweepPartition(
  store: Store,
  partition: string,
  options: {
    reachable?: (view: Reader) => Promise<ReachableHashes>;
    olderThan: Date;
    /** Gives others their turn: a storage in memory never waits. */
    turn?: () => Promise<void>;
  },
): Promise<SweepCounts> {
  const objects = options.reachable ? await sweepObjects(store, partition, options.reachable, options.turn) : 0;
  const uploads = await giveUpUploads(store, partition, options.olderThan);
  return { objects, uploads, blobs: await sweepBlobs(store, partition) };
}

async function sweepObjects(
  store: Store,
  partition: string,
  reachable: (view: Reader) => Promise<ReachableHashes>,
  turn: () => Promise<void> = async () => {},
): Promise<number> {
  const marked = await store.read(partition);
  const live = await reachable(marked);
  const awaited = new Set(await listAnnouncedHashes(marked));
  async function* dead() {
    for await (const entry of iterateRange(async () => marked, encodeKey("object"), PAGE)) {
      const hash = parseKeyHash(entry.key);
      if (!live.has(hash) && !awaited.has(hash)) yield hash;
      await turn();
    }
  }
  return processInCommits(store, partition, dead(), (tx, hash) => deleteUnused(tx, hash, marked.version));
}

/** Objects that a writer has put and is about to name. */
export async function listAnnouncedHashes(view: Reader): Promise<string[]> {
  const found: string[] = [];
  for await (const { value } of iterateRange(async () => view, encodeKey("upload"), PAGE))
    found.push(...((value as { hashes?: string[] }).hashes ?? []));
  return found;
}

/** Invariant 2: what was put or touched after the mark stays. True when it is gone. */
async function deleteUnused(tx: Transaction, hash: string, marked: number): Promise<boolean> {
  const put = await tx.getVersion(encodeObjectKey(hash));
  const used = (await tx.getVersion(encodeUseKey(hash))) ?? 0;
  if (put === undefined || put > marked || used > marked) return false;
  tx.delete(encodeObjectKey(hash));
  if (used > 0) tx.delete(encodeUseKey(hash));
  return true;
}

/** Those of a set go in the order of their keys: the one that the set needs is the first. */
async function giveUpUploads(store: Store, partition: string, olderThan: Date): Promise<number> {
  let given = 0;
  for (let isMore = true; isMore; ) {
    const done = await store.write(partition, async (tx) => {
      let some = 0;
      const more = await forEachEntry(tx, { under: encodeKey("upload") }, async (upload) => {
        if ((upload.value as { since: number }).since >= olderThan.getTime()) return;
        // The writer takes the announcement away when it names what was uploaded: one of the two fails its check.
        await tx.get(upload.key);
        tx.delete(upload.key);
        some++;
      });
      return { some, more };
    });
    given += done.some;
    isMore = done.more;
  }
  return given;
}

async function sweepBlobs(store: Store, partition: string): Promise<number> {
  const prefix = `${partition}-`;
  let deleted = 0;
  let seen: string[] = [];
  for await (const blob of store.storage.blobs.list(prefix)) {
    if (!blob.startsWith(prefix)) break;
    seen.push(blob);
    if (seen.length < PAGE) continue;
    deleted += await deleteUnnamed(store, partition, seen);
    seen = [];
  }
  return deleted + (await deleteUnnamed(store, partition, seen));
}

/** Invariant 4. The records are read after the blobs were seen, so their announcements were made before. */
async function deleteUnnamed(store: Store, partition: string, blobs: readonly string[]): Promise<number> {
  const view = await store.read(partition);
  const hashOfBlob = (blob: string) => blob.slice(partition.length + 1, partition.length + 65);
  const named = await view.getMany(blobs.map((blob) => encodeObjectKey(hashOfBlob(blob))));
  const uploads = await view.getMany(blobs.map(encodeUploadKey));
  const dead = blobs.filter(
    (blob, at) => (named[at] as { blob?: string } | undefined)?.blob !== blob && uploads[at] === undefined,
  );
  for (const blob of dead) await store.storage.blobs.delete(blob);
  return dead.length;
}

const OBJECTS = encodeKey("object");

/** The blob that an entry leads to; undefined when it is none of an object, or one that is kept in the entry. */
export function getBlobName({ key, value }: Pick<Entry, "key" | "value">): string | undefined {
  return key.startsWith(OBJECTS) ? (value as { readonly blob?: string } | null)?.blob : undefined;
}

/** Whether an entry is an object that is kept in it. What it holds never changes: its name is the hash of that. */
export function isInlineObject(at: Key, value: Json): boolean {
  return at.startsWith(OBJECTS) && typeof value === "object" && value !== null && !("blob" in value);
}

/** The last part of one of our keys. These keys hold no escaped byte. */
function parseKeyHash(at: string): string {
  return at.slice(at.lastIndexOf("\x03") + 1, -1);
}

/** Text is stored as text if its JSON fits a value. Everything else is stored as base64. */
function encodeInline(bytes: Uint8Array): Json {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (new TextEncoder().encode(JSON.stringify(text)).length < MAX_VALUE_BYTES - 1024) return { text };
  } catch {}
  return base64(bytes);
}

function base64(bytes: Uint8Array): { readonly base64: string } {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { base64: btoa(binary) };
}
