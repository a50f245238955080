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
import { entriesOf } from "./ranges";
import { eachEntry, inSteps } from "./room";
import { Corrupt, type Entry, type Json, type Key, MAX_VALUE_BYTES, Unavailable } from "./storage";
import type { Store } from "./store";
import type { Reader, Transaction } from "./transaction";

/** The largest object that is kept as a record. */
export const MAX_INLINE_BYTES = 32 * 1024;

/** A text of at most this length fits a value however it is escaped. */
const SURELY_SMALL = 8 * 1024;

/** Bytes that are ready to be named in a transaction. */
export interface Staged {
  readonly hash: string;
  readonly size: number;
  readonly content: { readonly inline: Json } | { readonly blob: string };
}

type Stored = { readonly size: number } & (
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly blob: string }
);

const objectKey = (hash: string) => encodeKey("object", hash);
const useKey = (hash: string) => encodeKey("use", hash);
const uploadKey = (blob: string) => encodeKey("upload", blob);

/** Prepares bytes; a large object is uploaded here, outside of any transaction. */
export function stage(store: Store, partition: string, bytes: Uint8Array): Promise<Staged> {
  return stageAs(store, partition, hashOf(bytes), bytes);
}

async function stageAs(store: Store, partition: string, hash: string, given: Uint8Array | string): Promise<Staged> {
  const found = inlined(hash, given);
  if ("content" in found) return found;
  const { bytes } = found;
  const blob = blobName(store, partition, hash);
  await store.write(partition, async (tx) => tx.put(uploadKey(blob), { since: store.now().getTime() }));
  await store.storage.blobs.put(blob, bytes);
  return { hash, size: bytes.length, content: { blob } };
}

/** An object that is kept as a record; the bytes of one that is too large for that. */
function inlined(
  hash: string,
  given: Uint8Array | string,
): Staged | { readonly hash: string; readonly bytes: Uint8Array } {
  if (typeof given === "string" && given.length <= SURELY_SMALL)
    return { hash, size: new TextEncoder().encode(given).length, content: { inline: { text: given } } };
  const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
  const size = bytes.length;
  return size <= MAX_INLINE_BYTES ? { hash, size, content: { inline: inline(bytes) } } : { hash, bytes };
}

/** A name for a blob, which serves once. */
function blobName(store: Store, partition: string, hash: string): string {
  return `${partition}-${hash}-${generateRandomText(store.random, 16)}`;
}

/** The name of bytes. */
export function hashOf(bytes: Uint8Array): string {
  return sha256Hex(bytes);
}

/** Makes staged bytes part of the transaction, under their hash. */
export async function name(tx: Transaction, { hash, size, content }: Staged): Promise<void> {
  if ("inline" in content) return tx.put(objectKey(hash), { size, ...(content.inline as object) });
  await useUp(tx, uploadKey(content.blob));
  if ((await tx.get(objectKey(hash))) === undefined) tx.put(objectKey(hash), { size, blob: content.blob });
  else tx.put(useKey(hash), true);
}

/** Invariant 3: the commit that names what was announced takes the announcement away. */
async function useUp(tx: Transaction, announcement: Key): Promise<void> {
  if ((await tx.get(announcement)) === undefined) throw givenUp();
  tx.delete(announcement);
}

function givenUp(): Unavailable {
  return new Unavailable("An upload was given up before it was used; send it again.", { outcome: "none" });
}

/** Objects that are ready to be named together: they ride in the commit, or they were put ahead and announced. */
export type StagedSet = { readonly each: readonly Staged[] } | { readonly announcements: readonly Key[] };

/** What rides in the commit that names it, beside the records that it is about. */
const MAX_NAMED_BYTES = 400 * 1024;

/** In how large pieces objects go into a partition. */
export interface StagingLimits {
  /** Objects that ride in the commit that names them. */
  readonly named: number;
  /** Objects that wait for each other: their hashes fit into one record. */
  readonly waiting: number;
  /** Objects of more bytes than this do not wait for each other. */
  readonly waitingBytes: number;
  /** Objects that are put in one commit. */
  readonly put: number;
}

const STAGING_LIMITS: StagingLimits = { named: 150, waiting: 800, waitingBytes: 4 * 1024 * 1024, put: 200 };

/** Commits of objects that wait together. */
const COMMITS_TOGETHER = 4;

/** Announcements that the commit takes away which names their objects. The others are given up when they are old. */
const MAX_TAKEN_AWAY = 150;

/** Prepares objects that are all at hand. Where they may be many, `turn` gives others theirs. */
export async function stageAll(
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
  along: ((tx: Transaction) => void) | undefined;

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
    return this.#waiting.size >= this.limits.waiting || this.#bytes >= this.limits.waitingBytes;
  }

  /** Puts what waits. Nobody can name it yet but this set. */
  async put(): Promise<void> {
    const { store, partition } = this;
    if (this.#waiting.size === 0) return;
    await this.#announce([...this.#waiting.keys()]);
    const staged = await this.#staged();
    const chunks = inChunks(staged, this.limits.put);
    while (chunks.length > 0) {
      // A storage may write commits that wait together at once. Nobody else has a turn while it does.
      const some = chunks.splice(0, COMMITS_TOGETHER).map((chunk) =>
        store.write(partition, async (tx) => {
          await nameCopies(tx, chunk);
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
      if (sizes.length <= this.limits.named && sizes.reduce((sum, size) => sum + size, 0) <= MAX_NAMED_BYTES) {
        const each: Staged[] = [];
        for (const [hash, content] of this.#waiting)
          each.push(await stageAs(this.store, this.partition, hash, content));
        return { each };
      }
    }
    await this.put();
    return { announcements: this.#announcements };
  }

  /** Reads of objects that also find what this set took since their moment. They look into the cache that all share, and fill
   * a small one of their own: the other is for what people read. */
  over({ tx, cache: shared }: Objects): Objects {
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
      const held = keys.map((it) => this.#held(hashIn(it)));
      const known = await completed(keys, held, (missing) => tx.getMany(missing));
      return completed(keys, known, async (missing) => {
        this.#present ??= store.read(this.partition);
        return (await this.#present).getMany(missing);
      });
    };
    return objectsIn(store, cache, { getMany, get: async (key) => (await getMany([key]))[0] });
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
    const first = uploadKey(this.#name);
    const below = encodeKey("upload", this.#name, Math.max(this.#announcements.length, 1));
    const since = this.#since;
    await this.store.write(this.partition, async (tx) => {
      // One that was given up stays so: what it announced may be gone.
      if (this.#announcements.length === 0) tx.put(first, { since });
      else if ((await tx.get(first)) === undefined) throw givenUp();
      tx.put(below, { since, hashes });
      this.along?.(tx);
    });
    if (this.#announcements.length === 0) this.#announcements.push(first);
    this.#announcements.push(below);
  }

  /** What waits, with large objects uploaded. Those that are there already are touched, and need nothing more. */
  async #staged(): Promise<Staged[]> {
    const { store, partition } = this;
    const staged: Staged[] = [];
    const large: { readonly hash: string; readonly bytes: Uint8Array; readonly blob: string }[] = [];
    for (const [hash, content] of this.#waiting) {
      const found = inlined(hash, content);
      if ("bytes" in found) large.push({ ...found, blob: blobName(store, partition, hash) });
      else staged.push(found);
      await this.turn();
    }
    const there = new Set<string>();
    const since = store.now().getTime();
    await inSteps(store, partition, large, async (tx, { hash, blob }) => {
      const isThere = (await tx.get(objectKey(hash))) !== undefined;
      there[isThere ? "add" : "delete"](hash);
      tx.put(isThere ? useKey(hash) : uploadKey(blob), isThere || { since });
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
export async function nameAll(tx: Transaction, staged: StagedSet): Promise<void> {
  if ("announcements" in staged) {
    const [first, ...below] = staged.announcements;
    if (first !== undefined) await useUp(tx, first);
    for (const announcement of below.slice(0, MAX_TAKEN_AWAY)) tx.delete(announcement);
  } else for (const each of staged.each) await name(tx, each);
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
    const announcement = uploadKey(generateRandomText(store.random, 24));
    await store.write(to, async (tx) => {
      await guard(tx);
      tx.put(announcement, { since: store.now().getTime(), hashes: some });
    });
    announcements.push(announcement);
    const found = (await source.getMany(some.map(objectKey))) as readonly (Stored | undefined)[];
    const present = await (await store.read(to)).getMany(some.map(objectKey));
    const staged: Staged[] = [];
    for (const [i, hash] of some.entries()) {
      const stored = found[i];
      if (!stored) throw missingObject(hash);
      staged.push(await stagedCopy(store, to, hash, stored, present[i] !== undefined));
    }
    for (const chunk of inChunks(staged, MAX_COPIED)) {
      await store.write(to, async (tx) => {
        await guard(tx);
        await nameCopies(tx, chunk);
      });
    }
  }
  return announcements;
}

/** Copies one object: a small one as it is, a large one into a blob of the other partition, unless it is already
 * there. */
async function stagedCopy(store: Store, to: string, hash: string, stored: Stored, isThere: boolean): Promise<Staged> {
  const { size } = stored;
  if (!("blob" in stored))
    return { hash, size, content: { inline: "text" in stored ? { text: stored.text } : { base64: stored.base64 } } };
  if (isThere) return { hash, size, content: { blob: "" } };
  const original = await store.storage.blobs.get(stored.blob);
  if (!original) throw missingObject(hash);
  const blob = blobName(store, to, hash);
  await store.write(to, async (tx) => tx.put(uploadKey(blob), { since: store.now().getTime() }));
  await store.storage.blobs.put(blob, original.stream);
  return { hash, size, content: { blob } };
}

/** Names copies. All of them are read at once. */
async function nameCopies(tx: Transaction, copies: readonly Staged[]): Promise<void> {
  const present = await tx.getMany(copies.map(({ hash }) => objectKey(hash)));
  for (const [i, { hash, size, content }] of copies.entries()) {
    if ("blob" in content && content.blob !== "") await useUp(tx, uploadKey(content.blob));
    if (present[i] !== undefined) tx.put(useKey(hash), true);
    else if (!("blob" in content)) tx.put(objectKey(hash), { size, ...(content.inline as object) });
    else if (content.blob !== "") tx.put(objectKey(hash), { size, blob: content.blob });
    // It was there a moment ago, but a sweep has deleted it.
    else throw new Unavailable("An object was swept away while it was copied; copy it again.", { outcome: "none" });
  }
}

/** Removes announcements whose objects are all named. Throws when an announcement was given up before. */
export async function release(store: Store, partition: string, announcements: readonly Key[]): Promise<void> {
  await inSteps(store, partition, announcements, useUp);
}

function inChunks(staged: readonly Staged[], atMost: number): Staged[][] {
  const chunks: Staged[][] = [];
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
  at(tx: Finding): Objects;
  /** What they are read from. */
  readonly tx: Finding;
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
type Finding = Pick<Reader, "get" | "getMany">;

/** Values made from objects lately, by name. Objects never change, so no entry goes out of date. */
export interface ObjectCache {
  get(name: string): Made | undefined;
  set(name: string, made: Made): unknown;
  delete(name: string): unknown;
}

/** A value that was made, and about how much memory it takes. */
interface Made {
  readonly value: unknown;
  readonly bytes: number;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const STAGING_CACHE_BYTES = 16 * 1024 * 1024;

/** A cache that holds about so many bytes. */
export function createObjectCache(most = CACHE_BYTES): LruCache<Made> {
  return new LruCache<Made>(most, ({ bytes }) => bytes + 100);
}

export function objectsIn(store: Store, cache: ObjectCache, tx: Finding): Objects {
  async function texts(hashes: readonly string[]): Promise<string[]> {
    const stored = await tx.getMany(hashes.map(objectKey));
    const found = hashes.map((hash, i) => objectText(store, hash, stored[i] as Stored | undefined));
    return found.every((text) => typeof text === "string") ? found : Promise.all(found);
  }
  return {
    texts,
    text: async (hash) => (await texts([hash]))[0]!,
    async bytes(hash) {
      const found = await bytesOf(store, tx, hash);
      if (!found) throw missingObject(hash);
      return found;
    },
    async open(hash) {
      const stored = (await tx.get(objectKey(hash))) as Stored | undefined;
      if (!stored) throw missingObject(hash);
      const { size } = stored;
      return {
        size,
        async read(range) {
          if (!("blob" in stored)) return inlineBytes(stored).subarray(range?.start, range?.end);
          const blob = await store.storage.blobs.get(stored.blob, range);
          if (!blob) throw missingObject(hash);
          return blob.stream;
        },
      };
    },
    cache,
    tx,
    at: (other) => objectsIn(store, cache, other),
  };
}

/** The text of an object, at once where it is a record. */
function objectText(store: Store, hash: string, stored: Stored | undefined): string | Promise<string> {
  return stored && "text" in stored ? stored.text : decodedText(store, hash, stored);
}

async function decodedText(store: Store, hash: string, stored: Stored | undefined): Promise<string> {
  const bytes = stored && (await contentOf(store, stored));
  if (!bytes) throw missingObject(hash);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function missingObject(hash: string): Corrupt {
  return new Corrupt(`The object ${hash} is named but not there.`);
}

function inlineBytes(stored: Exclude<Stored, { blob: string }>): Uint8Array {
  if ("text" in stored) return new TextEncoder().encode(stored.text);
  return Uint8Array.from(atob(stored.base64), (c) => c.charCodeAt(0));
}

async function contentOf(store: Store, stored: Stored): Promise<Uint8Array | undefined> {
  if (!("blob" in stored)) return inlineBytes(stored);
  const blob = await store.storage.blobs.get(stored.blob);
  return blob && new Uint8Array(await new Response(blob.stream as BodyInit).arrayBuffer());
}

/** The bytes of an object; undefined when there is none. */
export async function bytesOf(store: Store, tx: Finding, hash: string): Promise<Uint8Array | undefined> {
  const stored = (await tx.get(objectKey(hash))) as Stored | undefined;
  return stored && contentOf(store, stored);
}

/** Whether a partition has objects, or had announced some. */
export async function hasObjects(view: Reader): Promise<boolean> {
  const found = await Promise.all(["object", "upload"].map((kind) => view.list({ under: encodeKey(kind), limit: 1 })));
  return found.some((entries) => entries.length > 0);
}

const sweptKey = encodeKey("swept");

/** When a partition was swept last, in epoch milliseconds; 0: never, or something is known to be left over. */
export async function lastSwept(view: Reader): Promise<number> {
  return ((await view.get(sweptKey)) as number | undefined) ?? 0;
}

/** Writes down that a partition was swept. */
export function sweptAt(tx: Transaction, now: number): void {
  tx.put(sweptKey, now);
}

/** Makes the next `maintain()` sweep a partition, because something that named objects was deleted. */
export function sweepSoon(tx: Transaction): void {
  tx.delete(sweptKey);
}

/** What a sweep deleted. */
export interface Swept {
  readonly objects: number;
  readonly uploads: number;
  readonly blobs: number;
}

/** The names of objects that stay. */
type Live = Pick<ReadonlySet<string>, "has">;

/** Deletes the objects that `reachable` does not name, gives up uploads announced before `olderThan`, and deletes the
 * blobs that no record names. The age only spares uploads under way; safety does not depend on it. */
export async function sweep(
  store: Store,
  partition: string,
  options: {
    reachable?: (view: Reader) => Promise<Live>;
    olderThan: Date;
    /** Gives others their turn: a storage in memory never waits. */
    turn?: () => Promise<void>;
  },
): Promise<Swept> {
  const objects = options.reachable ? await sweepObjects(store, partition, options.reachable, options.turn) : 0;
  const uploads = await giveUpUploads(store, partition, options.olderThan);
  return { objects, uploads, blobs: await sweepBlobs(store, partition) };
}

async function sweepObjects(
  store: Store,
  partition: string,
  reachable: (view: Reader) => Promise<Live>,
  turn: () => Promise<void> = async () => {},
): Promise<number> {
  const marked = await store.read(partition);
  const live = await reachable(marked);
  const awaited = new Set(await announced(marked));
  async function* dead() {
    for await (const entry of entriesOf(async () => marked, encodeKey("object"), PAGE)) {
      const hash = hashIn(entry.key);
      if (!live.has(hash) && !awaited.has(hash)) yield hash;
      await turn();
    }
  }
  return inSteps(store, partition, dead(), (tx, hash) => deleteUnused(tx, hash, marked.version));
}

/** Objects that a writer has put and is about to name. */
export async function announced(view: Reader): Promise<string[]> {
  const found: string[] = [];
  for await (const { value } of entriesOf(async () => view, encodeKey("upload"), PAGE))
    found.push(...((value as { hashes?: string[] }).hashes ?? []));
  return found;
}

/** Invariant 2: what was put or touched after the mark stays. True when it is gone. */
async function deleteUnused(tx: Transaction, hash: string, marked: number): Promise<boolean> {
  const put = await tx.versionOf(objectKey(hash));
  const used = (await tx.versionOf(useKey(hash))) ?? 0;
  if (put === undefined || put > marked || used > marked) return false;
  tx.delete(objectKey(hash));
  if (used > 0) tx.delete(useKey(hash));
  return true;
}

/** Those of a set go in the order of their keys: the one that the set needs is the first. */
async function giveUpUploads(store: Store, partition: string, olderThan: Date): Promise<number> {
  let given = 0;
  for (let isMore = true; isMore; ) {
    const done = await store.write(partition, async (tx) => {
      let some = 0;
      const more = await eachEntry(tx, { under: encodeKey("upload") }, async (upload) => {
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
  const named = await view.getMany(blobs.map((blob) => objectKey(hashOfBlob(blob))));
  const uploads = await view.getMany(blobs.map(uploadKey));
  const dead = blobs.filter(
    (blob, at) => (named[at] as { blob?: string } | undefined)?.blob !== blob && uploads[at] === undefined,
  );
  for (const blob of dead) await store.storage.blobs.delete(blob);
  return dead.length;
}

const OBJECTS = encodeKey("object");

/** The blob that an entry leads to; undefined when it is none of an object, or one that is kept in the entry. */
export function blobIn({ key, value }: Pick<Entry, "key" | "value">): string | undefined {
  return key.startsWith(OBJECTS) ? (value as { readonly blob?: string } | null)?.blob : undefined;
}

/** Whether an entry is an object that is kept in it. What it holds never changes: its name is the hash of that. */
export function isInlineObject(at: Key, value: Json): boolean {
  return at.startsWith(OBJECTS) && typeof value === "object" && value !== null && !("blob" in value);
}

/** The last part of one of our keys. These keys hold no escaped byte. */
function hashIn(at: string): string {
  return at.slice(at.lastIndexOf("\x03") + 1, -1);
}

/** Text is stored as text if its JSON fits a value. Everything else is stored as base64. */
function inline(bytes: Uint8Array): Json {
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
