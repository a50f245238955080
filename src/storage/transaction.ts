// Transactions over one partition. Every read becomes a check. Writes are buffered, and later reads of the transaction see them.
// The commit is all or nothing. If a check fails because of a concurrent commit, the whole body runs again on a new snapshot.
//
// A list does not protect against rows that are added to its range later (phantoms). A decision about a whole set reads a counter,
// or another key that every change of the set writes; then the set itself can be read unchecked.
//
// A commit has limits. A transaction reports how much of them is left (`budget`): work that can continue in the next commit stops
// in time (`transaction-budget.ts`), and a commit that does not fit throws `TransactionTooLargeError`.

import { getByteLength } from "./limits";
import {
  type Batch,
  type Entry,
  type Json,
  type Key,
  MAX_BATCH_BYTES,
  MAX_BATCH_CHECKS,
  MAX_BATCH_ENTRIES,
  type Range,
  type Snapshot,
  TooLarge,
  type Version,
} from "./storage";

/** Reads of one partition, all from the same snapshot. */
export interface Reader {
  readonly version: Version;
  get(key: Key): Promise<Json | undefined>;
  getMany(keys: readonly Key[]): Promise<readonly (Json | undefined)[]>;
  /** Returns the version of the commit that last wrote a key; undefined if the key is absent. Writes of this transaction do not count. */
  getVersion(key: Key): Promise<Version | undefined>;
  list(range: Range): Promise<readonly Entry[]>;
  /**
   * The same snapshot without checks and without the writes of the transaction, for reading more than one commit can check. A
   * caller that bases a decision on it must also read a key that every change of the data touches.
   */
  readonly unchecked: Reader;
  /** Returns a reader that checks only these keys, which every change of the data must touch. It sees own writes. */
  withGuards(guards: readonly Key[]): Promise<Reader>;
}

/** The part of a commit's limits that is not used yet. If a number is negative, the commit does not fit. */
export interface CommitBudget {
  /** Puts, deletes and adds. */
  readonly entries: number;
  readonly checks: number;
  /** Bytes of the keys and values that are written. */
  readonly bytes: number;
}

/** Reads and writes of one partition. The transaction sees its own writes at once, and others see them after the commit. */
export interface Transaction extends Reader {
  /** The rest of the limits of one commit. */
  readonly budget: CommitBudget;
  readonly hasWritten: boolean;
  /** The number of other transactions that precede this one in the same commit. */
  readonly rank: number;
  /** Declares a generated id. Nobody else can have written under it, so keys with it are neither read nor checked. */
  markNew(id: string): void;
  put(key: Key, value: Json): void;
  delete(key: Key): void;
  /** Adds to a counter. Two transactions that only add never conflict. */
  add(key: Key, amount: number): void;
  /** Registers a function that runs once after the commit, in this process only: for waking up work that the commit made durable. */
  afterCommit(run: () => Promise<void>): void;
  /**
   * Returns a snapshot of another partition that is not older than this transaction's own. Transactions that are committed
   * together share it, if all of them were queued before it was read.
   */
  readPartition(partition: string, read: (partition: string) => Promise<Reader>): Promise<Reader>;
  /** Ends this run of the body. The body runs again on a later snapshot, which contains what other transactions have committed. */
  restart(): never;
}

/**
 * A transaction has read or written more than fits into one commit. Nothing was written. A retry would fail as well: the work has
 * to be divided into smaller pieces.
 */
export class TransactionTooLargeError extends TooLarge {}

/** Reads of a snapshot. It is a class, because every request creates two: an object with a getter and closures takes a tenth of the time of a small request. */
export class SnapshotReader implements Reader {
  constructor(private readonly snapshot: Snapshot) {}

  get version(): Version {
    return this.snapshot.version;
  }

  get unchecked(): Reader {
    return this;
  }

  async get(key: Key): Promise<Json | undefined> {
    return (await this.snapshot.get([key]))[0]?.value;
  }

  async getMany(keys: readonly Key[]): Promise<readonly (Json | undefined)[]> {
    return keys.length === 0 ? [] : (await this.snapshot.get(keys)).map((entry) => entry?.value);
  }

  async getVersion(key: Key): Promise<Version | undefined> {
    return (await this.snapshot.get([key]))[0]?.version;
  }

  list(range: Range): Promise<readonly Entry[]> {
    return this.snapshot.list(range);
  }

  async withGuards(): Promise<Reader> {
    return this;
  }
}

/** The reads of a partition at one version. */
export class SnapshotCache {
  readonly entries = new Map<Key, Entry | undefined>();
  readonly lists = new Map<string, CachedList>();

  constructor(readonly version: Version) {}
}

/** The rows of a range, up to its limit. */
interface CachedList {
  readonly range: Range;
  readonly rows: readonly Entry[];
}

/** The maximum number of keys, and of lists, in a cache. A large request reads anything beyond them again. */
const MAX_CACHED_READS = 1000;

/** Returns a snapshot that takes reads from the cache and adds its own reads to it. */
export function cacheSnapshot(
  snapshot: Snapshot,
  { entries, lists }: SnapshotCache,
  maxCachedReads = MAX_CACHED_READS,
): Snapshot {
  return {
    version: snapshot.version,
    async get(keys) {
      const missing = keys.filter((key) => !entries.has(key));
      if (missing.length === 0) return keys.map((key) => entries.get(key));
      const found = await snapshot.get(missing);
      if (entries.size + missing.length <= maxCachedReads) missing.forEach((key, i) => void entries.set(key, found[i]));
      if (missing.length === keys.length) return found;
      const fresh = new Map(missing.map((key, i) => [key, found[i]]));
      return keys.map((key) => entries.get(key) ?? fresh.get(key));
    },
    async list(range) {
      const name = encodeRangeName(range);
      const cached = lists.get(name);
      if (cached && (range.limit <= cached.range.limit || cached.rows.length < cached.range.limit))
        return cached.rows.slice(0, range.limit);
      const rows = await snapshot.list(range);
      if (lists.size < maxCachedReads) lists.set(name, { range, rows });
      return rows;
    },
  };
}

/** The keys and ranges that a run of a transaction has read. */
export interface ReadLog {
  readonly keys: Set<Key>;
  readonly ranges: Map<string, Range>;
}

export function logReads(snapshot: Snapshot, { keys, ranges }: ReadLog): Snapshot {
  return {
    version: snapshot.version,
    get(requested) {
      for (const key of requested) keys.add(key);
      return snapshot.get(requested);
    },
    list(range) {
      ranges.set(encodeRangeName(range), range);
      return snapshot.list(range);
    },
  };
}

/** Encodes a range without its limit, as the name of a list in caches and logs. */
function encodeRangeName(range: Range): string {
  return JSON.stringify({ ...range, limit: 0 });
}

/** A buffered change of one key. The size of a value is measured once, when the budget is first computed. */
export type BufferedWrite =
  | { readonly put: Json; readonly isNew?: boolean; size?: number }
  | { readonly delete: true }
  | { readonly add: number };

/** The checks and writes of one commit: of one transaction, or of several consecutive ones that are committed together. */
export interface TransactionChanges {
  readonly reads: ReadonlyMap<Key, Version | null>;
  readonly writes: ReadonlyMap<Key, BufferedWrite>;
}

export const emptyChanges: TransactionChanges = { reads: new Map(), writes: new Map() };

const FULL_BUDGET: CommitBudget = { entries: MAX_BATCH_ENTRIES, checks: MAX_BATCH_CHECKS, bytes: MAX_BATCH_BYTES };

/**
 * Returns what is left of a commit's limits after some changes. They are added to `earlier` changes, after which `budget` is
 * left; by default there are none.
 */
function computeBudget(
  { reads, writes }: TransactionChanges,
  earlier: TransactionChanges = emptyChanges,
  budget: CommitBudget = FULL_BUDGET,
): CommitBudget {
  let { entries, checks, bytes } = budget;
  for (const key of reads.keys()) if (!earlier.reads.has(key)) checks--;
  for (const [key, write] of writes) {
    const before = measureWrite(key, earlier.writes.get(key));
    const after = measureWrite(key, mergeWrites(earlier.writes.get(key), write));
    entries += before.entries - after.entries;
    bytes += before.bytes - after.bytes;
  }
  return { entries, checks, bytes };
}

/**
 * Returns the number of batch entries that a write takes, 0 or 1, and its bytes as the contract counts them. A value that is not
 * JSON counts as infinitely large, so it is committed on its own, and the storage reports the error.
 */
function measureWrite(
  key: Key,
  write: BufferedWrite | undefined,
): { readonly entries: number; readonly bytes: number } {
  if (write === undefined) return { entries: 0, bytes: 0 };
  if ("delete" in write) return { entries: 1, bytes: key.length };
  if ("add" in write) return write.add === 0 ? { entries: 0, bytes: 0 } : { entries: 1, bytes: key.length + 8 };
  try {
    write.size ??= getByteLength(JSON.stringify(write.put));
    return { entries: 1, bytes: key.length + write.size };
  } catch {
    return { entries: 1, bytes: Number.POSITIVE_INFINITY };
  }
}

/** The changes of transactions that are committed together. Later writes replace earlier ones. */
export class CombinedChanges implements TransactionChanges {
  readonly reads = new Map<Key, Version | null>();
  readonly writes = new Map<Key, BufferedWrite>();
  #budget = FULL_BUDGET;

  /** Returns the budget that would be left if `later` changes were added. */
  computeBudgetAfter(later: TransactionChanges): CommitBudget {
    return computeBudget(later, this, this.#budget);
  }

  add(later: TransactionChanges): void {
    this.#budget = this.computeBudgetAfter(later);
    for (const [key, version] of later.reads) if (!this.reads.has(key)) this.reads.set(key, version);
    for (const [key, write] of later.writes) this.writes.set(key, mergeWrites(this.writes.get(key), write));
  }
}

/** Merges two consecutive writes of a key. If nothing was stored before the first one, that is true of the result as well. */
function mergeWrites(earlier: BufferedWrite | undefined, later: BufferedWrite): BufferedWrite {
  if (earlier === undefined) return later;
  if ("delete" in later) return later;
  if ("add" in later && "add" in earlier) return { add: earlier.add + later.add };
  const put = "put" in later ? later.put : applyWrite(applyWrite(undefined, earlier), later)!;
  return "put" in earlier && earlier.isNew ? { put, isNew: true } : { put };
}

/** Converts changes to a batch. Returns undefined if nothing was written: the reads of one snapshot are always consistent. */
export function toBatch({ reads, writes }: TransactionChanges): Batch | undefined {
  const puts: Batch["puts"][number][] = [];
  const deletes: Key[] = [];
  const adds: { key: Key; amount: number }[] = [];
  for (const [key, write] of writes) {
    if ("put" in write) puts.push(write.isNew ? { key, value: write.put, isNew: true } : { key, value: write.put });
    else if ("delete" in write) deletes.push(key);
    else if (write.add !== 0) adds.push({ key, amount: write.add });
  }
  if (puts.length + deletes.length + adds.length === 0) return undefined;
  const checks = [...reads].map(([key, version]) => ({ key, version }));
  return { checks, puts, deletes, adds };
}

/** Thrown by a read that ends a run of a body. The body runs again later, in the queue. */
export class Superseded extends Error {
  constructor() {
    super("This run was given up: the transaction runs again, in its turn.");
  }
}

/** With more new ids than this, keys are not matched against them: the search would take longer than it saves. */
const MAX_MARKED_IDS = 20;

/** One run of a transaction body. */
export class BufferedTransaction implements Transaction {
  readonly afterCommitCallbacks: (() => Promise<void>)[] = [];
  readonly rank: number;
  readonly #snapshot: Snapshot;
  readonly #earlier: EarlierWrites | undefined;
  readonly #isContended: ((key: Key) => boolean) | undefined;
  readonly #readPartition: Transaction["readPartition"] | undefined;
  readonly #reads = new Map<Key, Version | null>();
  readonly #writes = new Map<Key, BufferedWrite>();
  readonly #newIds: string[] = [];
  #isSuperseded = false;
  #hasReadContendedKey = false;

  /**
   * `earlier` contains the writes of transactions that precede this one in the same commit. `isContended` returns whether
   * transactions that read a key have to wait in the queue; reading such a key ends the run.
   */
  constructor(
    snapshot: Snapshot,
    options: {
      readonly earlier?: ReadonlyMap<Key, BufferedWrite>;
      readonly rank?: number;
      readonly isContended?: ((key: Key) => boolean) | undefined;
      readonly readPartition?: Transaction["readPartition"];
    } = {},
  ) {
    if (options.earlier && options.earlier.size > 0)
      this.#earlier = new EarlierWrites(snapshot, options.earlier, () => this.#supersede());
    this.#snapshot = this.#earlier ?? snapshot;
    this.rank = options.rank ?? 0;
    this.#isContended = options.isContended;
    this.#readPartition = options.readPartition;
  }

  /** True if the run was ended by a read. Its result is meaningless. */
  get isSuperseded(): boolean {
    return this.#isSuperseded;
  }

  /** True if the run was ended because other transactions are working on what it read. */
  get hasReadContendedKey(): boolean {
    return this.#hasReadContendedKey;
  }

  /** Ends the run: its next read fails. */
  supersede(): void {
    this.#isSuperseded = true;
  }

  /** True if it has read a write that is not committed yet. */
  get hasSeenEarlier(): boolean {
    return this.#earlier?.isSeen === true;
  }

  /** The reads and writes so far. */
  get changes(): TransactionChanges {
    if (this.#newIds.length === 0 || this.#newIds.length > MAX_MARKED_IDS)
      return { reads: this.#reads, writes: this.#writes };
    const writes = new Map<Key, BufferedWrite>();
    for (const [key, write] of this.#writes)
      writes.set(key, "put" in write && this.#isNew(key) ? { ...write, isNew: true } : write);
    return { reads: this.#reads, writes };
  }

  hasTouched(key: Key): boolean {
    return this.#reads.has(key) || this.#writes.has(key);
  }

  get version(): Version {
    return this.#snapshot.version;
  }

  get unchecked(): Reader {
    return new SnapshotReader(this.#snapshot);
  }

  get budget(): CommitBudget {
    return computeBudget({ reads: this.#reads, writes: this.#writes });
  }

  get hasWritten(): boolean {
    return this.#writes.size > 0;
  }

  markNew(id: string): void {
    this.#newIds.push(id);
  }

  #isNew(key: Key): boolean {
    return this.#newIds.some((id) => key.includes(id));
  }

  // Most reads are of one key, so they avoid the lists of `#getMany`.
  async get(key: Key): Promise<Json | undefined> {
    if (shouldReadStored(this.#writes.get(key)) && !this.#isNew(key)) {
      const [entry] = await this.#snapshot.get([key]);
      this.#recordRead(key, entry);
      return applyWrite(entry?.value, this.#writes.get(key));
    }
    return applyWrite(undefined, this.#writes.get(key));
  }

  getMany(keys: readonly Key[]): Promise<readonly (Json | undefined)[]> {
    return this.#getMany(keys, (key, entry) => this.#recordRead(key, entry));
  }

  async withGuards(guards: readonly Key[]): Promise<Reader> {
    await this.getMany(guards);
    const getMany = (keys: readonly Key[]) => this.#getMany(keys);
    const getOwnVersion = () => this.version;
    return {
      get version() {
        return getOwnVersion();
      },
      unchecked: this.unchecked,
      get: async (key) => (await getMany([key]))[0],
      getMany,
      getVersion: (key) => this.#getVersion(key),
      list: (range) => this.#list(range),
      withGuards: (others) => this.withGuards(others),
    };
  }

  async #getMany(keys: readonly Key[], observe?: ReadObserver): Promise<readonly (Json | undefined)[]> {
    const missing = keys.filter((key) => shouldReadStored(this.#writes.get(key)) && !this.#isNew(key));
    const found = new Map<Key, Json | undefined>();
    if (missing.length > 0) {
      const entries = await this.#snapshot.get(missing);
      entries.forEach((entry, i) => {
        observe?.(missing[i]!, entry);
        found.set(missing[i]!, entry?.value);
      });
    }
    return keys.map((key) => applyWrite(found.get(key), this.#writes.get(key)));
  }

  getVersion(key: Key): Promise<Version | undefined> {
    return this.#getVersion(key, (read, entry) => this.#recordRead(read, entry));
  }

  async #getVersion(key: Key, observe?: ReadObserver): Promise<Version | undefined> {
    if (this.#isNew(key)) return undefined;
    const [entry] = await this.#snapshot.get([key]);
    observe?.(key, entry);
    return entry?.version;
  }

  list(range: Range): Promise<readonly Entry[]> {
    return this.#list(range, (key, entry) => this.#recordRead(key, entry));
  }

  async #list(range: Range, observe?: ReadObserver): Promise<readonly Entry[]> {
    const own = [...this.#writes].filter(([key]) => isInRange(key, range));
    const entries = this.#isNew(range.under)
      ? []
      : await this.#snapshot.list({ ...range, limit: range.limit + own.length });
    for (const entry of entries) observe?.(entry.key, entry);
    return applyWritesToRows(entries, own, range, (key, entry, write) => {
      const value = applyWrite(entry?.value, write);
      return value === undefined ? undefined : { key, value, version: entry?.version ?? 0 };
    });
  }

  put(key: Key, value: Json): void {
    this.#writes.set(key, { put: value });
  }

  delete(key: Key): void {
    this.#writes.set(key, { delete: true });
  }

  add(key: Key, amount: number): void {
    this.#writes.set(key, mergeWrites(this.#writes.get(key), { add: amount }));
  }

  afterCommit(run: () => Promise<void>): void {
    this.afterCommitCallbacks.push(run);
  }

  readPartition(partition: string, read: (partition: string) => Promise<Reader>): Promise<Reader> {
    return this.#readPartition ? this.#readPartition(partition, read) : read(partition);
  }

  restart(): never {
    throw this.#supersede();
  }

  #recordRead(key: Key, entry: Entry | undefined): void {
    if (this.#reads.has(key)) return;
    if (this.#isContended?.(key)) this.#hasReadContendedKey = true;
    if (this.#isSuperseded || this.#hasReadContendedKey) throw this.#supersede();
    // A value that an earlier transaction of the same commit wrote needs no check, unless it depends on what is stored.
    if (!this.#earlier?.has(key)) this.#reads.set(key, entry?.version ?? null);
    else if (!this.#earlier.decides(key)) this.#reads.set(key, this.#earlier.getStoredVersion(key));
  }

  #supersede(): Superseded {
    this.#isSuperseded = true;
    return new Superseded();
  }
}

/** Receives the entries that are read, so that they are checked. */
type ReadObserver = (key: Key, entry: Entry | undefined) => void;

/**
 * A snapshot with the writes of earlier transactions applied. These writes have no version before they are committed: a
 * transaction that asks for one is superseded.
 */
class EarlierWrites implements Snapshot {
  /** True if a write has been read. */
  isSeen = false;
  readonly #stored = new Map<Key, Version | null>();

  constructor(
    private readonly snapshot: Snapshot,
    private readonly writes: ReadonlyMap<Key, BufferedWrite>,
    private readonly supersede: () => Error,
  ) {}

  get version(): Version {
    throw this.supersede();
  }

  has(key: Key): boolean {
    return this.writes.has(key);
  }

  /** Returns whether the value of a key does not depend on what is stored. */
  decides(key: Key): boolean {
    return !shouldReadStored(this.writes.get(key));
  }

  getStoredVersion(key: Key): Version | null {
    return this.#stored.get(key) ?? null;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    if (!keys.some((key) => this.writes.has(key))) return this.snapshot.get(keys);
    const missing = keys.filter((key) => !this.decides(key));
    const stored = missing.length === 0 ? [] : await this.snapshot.get(missing);
    const found = new Map(missing.map((key, i) => [key, stored[i]]));
    return keys.map((key) => this.#apply(key, found.get(key)));
  }

  async list(range: Range): Promise<readonly Entry[]> {
    const earlier = [...this.writes].filter(([key]) => isInRange(key, range));
    const entries = await this.snapshot.list({ ...range, limit: range.limit + earlier.length });
    return applyWritesToRows(entries, earlier, range, (key, entry) => this.#apply(key, entry));
  }

  #apply(key: Key, entry: Entry | undefined): Entry | undefined {
    const write = this.writes.get(key);
    if (write === undefined) return entry;
    this.isSeen = true;
    this.#stored.set(key, entry?.version ?? null);
    const value = applyWrite(entry?.value, write);
    return value === undefined ? undefined : new UncommittedEntry(key, value, this.supersede);
  }
}

class UncommittedEntry implements Entry {
  constructor(
    readonly key: Key,
    readonly value: Json,
    private readonly supersede: () => Error,
  ) {}

  get version(): Version {
    throw this.supersede();
  }
}

/** Returns the rows of a range with writes applied. `toEntry` returns the entry after a write; undefined if it is deleted. */
function applyWritesToRows(
  entries: readonly Entry[],
  writes: readonly (readonly [Key, BufferedWrite])[],
  range: Range,
  toEntry: (key: Key, entry: Entry | undefined, write: BufferedWrite) => Entry | undefined,
): readonly Entry[] {
  if (writes.length === 0) return entries;
  const rows = new Map(entries.map((entry) => [entry.key, entry]));
  for (const [key, write] of writes) {
    const entry = toEntry(key, rows.get(key), write);
    if (entry === undefined) rows.delete(key);
    else rows.set(key, entry);
  }
  const order = range.reverse ? -1 : 1;
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -order : order)).slice(0, range.limit);
}

/** Returns whether the value after a write depends on the stored one. */
function shouldReadStored(write: BufferedWrite | undefined): boolean {
  return write === undefined || "add" in write;
}

/** Returns a value after a write. A counter that is absent, or not a number, counts as 0. */
function applyWrite(value: Json | undefined, write: BufferedWrite | undefined): Json | undefined {
  if (write === undefined) return value;
  if ("put" in write) return write.put;
  if ("delete" in write) return undefined;
  return (typeof value === "number" ? value : 0) + write.add;
}

function isInRange(key: Key, { under, after, before }: Range): boolean {
  return key.startsWith(under) && (after === undefined || key > after) && (before === undefined || key < before);
}
