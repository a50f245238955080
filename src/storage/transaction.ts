// Transactions over one partition. What is read becomes a check, what is written is buffered and seen by later reads;
// the commit is all or nothing, and when the world moved meanwhile the whole body runs again on a fresh snapshot.
//
// A list does not guard against rows that appear in its range (phantoms). A decision about a whole set reads a counter
// or another key that every change of the set touches; then the set itself can be read unchecked.
//
// A commit has limits. A transaction says what is left of them (`room`): work that can go on in the next commit stops in
// time (`room.ts`), and a commit that does not fit throws `TransactionTooLargeError`.

import { byteLength } from "./limits";
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

/** Reads of one partition, all from the same moment. */
export interface Reader {
  readonly version: Version;
  get(key: Key): Promise<Json | undefined>;
  getMany(keys: readonly Key[]): Promise<readonly (Json | undefined)[]>;
  /** The version of the commit that wrote a key last; undefined when the key is absent. Own writes do not count. */
  getVersion(key: Key): Promise<Version | undefined>;
  list(range: Range): Promise<readonly Entry[]>;
  /** The same moment, without the writes of a transaction and without checks: for more than one commit can check. Whoever
   * decides by it reads another key as well that every change of what was read touches. */
  readonly unchecked: Reader;
  /** Reads with no checks but those of some keys: every change of what is read touches one of them. The writes of a
   * transaction are seen. */
  withGuards(guards: readonly Key[]): Promise<Reader>;
}

/** What the limits of a commit leave to a transaction: below zero it does not fit. */
export interface CommitBudget {
  /** Puts, deletes and adds. */
  readonly entries: number;
  readonly checks: number;
  /** Bytes of keys and values that are written. */
  readonly bytes: number;
}

/** Reads of one partition with writes that are seen at once by the same transaction and by others after the commit. */
export interface Transaction extends Reader {
  /** What is left of one commit. */
  readonly budget: CommitBudget;
  /** Whether anything was written. */
  readonly hasWritten: boolean;
  /** How many other transactions come before it in the same commit. */
  readonly rank: number;
  /** Tells of an id that was made just now. Nobody else can have written under it, so keys that name it are neither read
   * nor checked. */
  markNew(id: string): void;
  put(key: Key, value: Json): void;
  delete(key: Key): void;
  /** Adds to a counter. Two transactions that only add never conflict. */
  add(key: Key, amount: number): void;
  /** Runs after the commit, once, in this process alone: for waking what the commit itself has made durable. */
  afterCommit(run: () => Promise<void>): void;
  /** A moment of another partition that is not before this transaction's own. Transactions that are committed together share
   * it, if all of them came before it was read. */
  readPartition(partition: string, read: (partition: string) => Promise<Reader>): Promise<Reader>;
  /** Ends this run of the body. It runs again on a later moment, which has what other transactions have committed meanwhile. */
  restart(): never;
}

/** What a transaction wrote, or read, is more than one commit takes. Nothing was written, and trying again changes nothing:
 * the same has to be done in smaller pieces. */
export class TransactionTooLargeError extends TooLarge {}

/** A snapshot as a reader. */
export function createReader(snapshot: Snapshot): Reader {
  return new SnapshotReader(snapshot);
}

/** Every request makes two. As an object with a getter and closures they cost a tenth of a small request. */
class SnapshotReader implements Reader {
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

/** What was read of a partition at one version. */
export interface SnapshotCache {
  readonly version: Version;
  readonly entries: Map<Key, Entry | undefined>;
  readonly lists: Map<string, CachedList>;
}

/** The rows of a range, as many as its limit allows. */
interface CachedList {
  readonly range: Range;
  readonly rows: readonly Entry[];
}

export function createSnapshotCache(version: Version): SnapshotCache {
  return { version, entries: new Map(), lists: new Map() };
}

/** The most keys, and the most lists, that are remembered: what a large request reads beyond them is read again. */
const MAX_CACHED_READS = 1000;

/** A snapshot that reads nothing twice, and nothing that was seen before at the same version. */
export function cacheSnapshot(
  snapshot: Snapshot,
  { entries, lists }: SnapshotCache,
  mostRemembered = MAX_CACHED_READS,
): Snapshot {
  return {
    version: snapshot.version,
    async get(keys) {
      const wanted = keys.filter((key) => !entries.has(key));
      if (wanted.length === 0) return keys.map((key) => entries.get(key));
      const found = await snapshot.get(wanted);
      if (entries.size + wanted.length <= mostRemembered) wanted.forEach((key, i) => void entries.set(key, found[i]));
      if (wanted.length === keys.length) return found;
      const fresh = new Map(wanted.map((key, i) => [key, found[i]]));
      return keys.map((key) => entries.get(key) ?? fresh.get(key));
    },
    async list(range) {
      const name = encodeRangeName(range);
      const known = lists.get(name);
      if (known && (range.limit <= known.range.limit || known.rows.length < known.range.limit))
        return known.rows.slice(0, range.limit);
      const rows = await snapshot.list(range);
      if (lists.size < mostRemembered) lists.set(name, { range, rows });
      return rows;
    },
  };
}

/** The keys and ranges that a run of a transaction has read. */
export interface ReadLog {
  readonly keys: Set<Key>;
  readonly ranges: Map<string, Range>;
}

export function createReadLog(): ReadLog {
  return { keys: new Set(), ranges: new Map() };
}

/** A snapshot that notes what is read. */
export function logReads(snapshot: Snapshot, { keys, ranges }: ReadLog): Snapshot {
  return {
    version: snapshot.version,
    get(wanted) {
      for (const key of wanted) keys.add(key);
      return snapshot.get(wanted);
    },
    list(range) {
      ranges.set(encodeRangeName(range), range);
      return snapshot.list(range);
    },
  };
}

/** Reads at once what several runs have read one after the other, and remembers it. Lists get room for more rows than they had. */
export async function prefetch(
  snapshot: Snapshot,
  logs: readonly ReadLog[],
  { entries, lists }: SnapshotCache,
  {
    mostKeys,
    mostLists,
    moreRows,
  }: { readonly mostKeys: number; readonly mostLists: number; readonly moreRows: number },
): Promise<void> {
  const keys = [...new Set(logs.flatMap((log) => [...log.keys]))].slice(0, mostKeys);
  const ranges = [...new Map(logs.flatMap((log) => [...log.ranges]))].slice(0, mostLists);
  const readEntries = async () => {
    const found = keys.length > 0 ? await snapshot.get(keys) : [];
    keys.forEach((key, at) => void entries.set(key, found[at]));
  };
  const readList = async ([name, asked]: [string, Range]) => {
    const range = { ...asked, limit: asked.limit + moreRows };
    lists.set(name, { range, rows: await snapshot.list(range) });
  };
  await Promise.all([readEntries(), ...ranges.map(readList)]);
}

function encodeRangeName(range: Range): string {
  return JSON.stringify({ ...range, limit: 0 });
}

/** A snapshot that cannot be read any more once something has ended. */
export function stopReadsAfter(snapshot: Snapshot, hasEnded: () => boolean): Snapshot {
  const read = <T>(run: () => Promise<T>): Promise<T> =>
    hasEnded() ? Promise.reject(new Superseded(GIVEN_UP)) : run();
  return {
    version: snapshot.version,
    get: (keys) => read(() => snapshot.get(keys)),
    list: (range) => read(() => snapshot.list(range)),
  };
}

/** What becomes of a key. The size of a value is measured once, when somebody asks for the room that is left. */
export type BufferedWrite =
  | { readonly put: Json; readonly isNew?: boolean; size?: number }
  | { readonly delete: true }
  | { readonly add: number };

/** What one commit checks and writes: of one transaction, or of several that follow each other and are committed together. */
export interface TransactionChanges {
  readonly reads: ReadonlyMap<Key, Version | null>;
  readonly writes: ReadonlyMap<Key, BufferedWrite>;
}

export const emptyChanges: TransactionChanges = { reads: new Map(), writes: new Map() };

/** What the limits of a commit leave beside changes. */
export function roomBeside({ reads, writes }: TransactionChanges): CommitBudget {
  let entries = MAX_BATCH_ENTRIES;
  let bytes = MAX_BATCH_BYTES;
  for (const [key, write] of writes) {
    if ("add" in write && write.add === 0) continue;
    entries--;
    bytes -= key.length + measureValueBytes(write);
  }
  return { entries, checks: MAX_BATCH_CHECKS - reads.size, bytes };
}

/** The changes of transactions that are committed together, the later ones on top. */
export class CombinedChanges implements TransactionChanges {
  readonly reads = new Map<Key, Version | null>();
  readonly writes = new Map<Key, BufferedWrite>();
  #room: CommitBudget = roomBeside(emptyChanges);

  /** What the limits of a commit would leave beside these changes and later ones. */
  roomWith({ reads, writes }: TransactionChanges): CommitBudget {
    let { entries, checks, bytes } = this.#room;
    for (const key of reads.keys()) if (!this.reads.has(key)) checks--;
    for (const [key, write] of writes) {
      const before = this.writes.get(key);
      const after = mergeWrites(before, write);
      entries += entriesOf(before) - entriesOf(after);
      bytes += bytesOf(key, before) - bytesOf(key, after);
    }
    return { entries, checks, bytes };
  }

  add(later: TransactionChanges): void {
    this.#room = this.roomWith(later);
    for (const [key, version] of later.reads) if (!this.reads.has(key)) this.reads.set(key, version);
    for (const [key, write] of later.writes) this.writes.set(key, mergeWrites(this.writes.get(key), write));
  }
}

function entriesOf(write: BufferedWrite | undefined): number {
  return write === undefined || ("add" in write && write.add === 0) ? 0 : 1;
}

/** The bytes of a write with its key. What is no JSON has no size: the storage says so, and nothing else goes with it. */
function bytesOf(key: Key, write: BufferedWrite | undefined): number {
  if (write === undefined || entriesOf(write) === 0) return 0;
  try {
    return key.length + measureValueBytes(write);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** What becomes of a key after two writes. Where nothing was stored before the first, nothing was before both. */
function mergeWrites(earlier: BufferedWrite | undefined, later: BufferedWrite): BufferedWrite {
  if (earlier === undefined) return later;
  if ("delete" in later) return later;
  if ("add" in later && "add" in earlier) return { add: earlier.add + later.add };
  const put = "put" in later ? later.put : toCounter(applyWrite(undefined, earlier)) + later.add;
  return "put" in earlier && earlier.isNew ? { put, isNew: true } : { put };
}

/** What to commit; undefined when nothing was written, since a snapshot alone is already one moment. */
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

/** Thrown by a read that ends an attempt: the body is to run again, in its turn. */
class Superseded extends Error {}

const GIVEN_UP = "This run was given up: the transaction runs again, in its turn.";

/** Of more new ids the storage is told nothing: looking for all of them in every key would take longer than it saves. */
const MAX_MARKED_IDS = 20;

/** One run of a body. */
export class BufferedTransaction implements Transaction {
  readonly afterCommitCallbacks: (() => Promise<void>)[] = [];
  readonly rank: number;
  readonly #snapshot: Snapshot;
  readonly #earlier: EarlierWrites | undefined;
  readonly #isContended: ((key: Key) => boolean) | undefined;
  readonly #beside: Transaction["readPartition"] | undefined;
  readonly #reads = new Map<Key, Version | null>();
  readonly #writes = new Map<Key, BufferedWrite>();
  readonly #born: string[] = [];
  #isSuperseded = false;
  #hasMetContended = false;

  /** `earlier`: writes of transactions that are committed together with this one, before it. `isContended`: whether
   * transactions that read a key are to wait for their turn; then the attempt ends. */
  constructor(
    snapshot: Snapshot,
    options: {
      readonly earlier?: ReadonlyMap<Key, BufferedWrite>;
      readonly rank?: number;
      readonly isContended?: ((key: Key) => boolean) | undefined;
      readonly beside?: Transaction["readPartition"];
    } = {},
  ) {
    if (options.earlier && options.earlier.size > 0)
      this.#earlier = new EarlierWrites(snapshot, options.earlier, () => this.#supersede());
    this.#snapshot = this.#earlier ?? snapshot;
    this.rank = options.rank ?? 0;
    this.#isContended = options.isContended;
    this.#beside = options.beside;
  }

  /** Whether the attempt was ended by a read. What came of it means nothing. */
  get isSuperseded(): boolean {
    return this.#isSuperseded;
  }

  /** Whether it was ended because others work on what it read. */
  get hasReadContendedKey(): boolean {
    return this.#hasMetContended;
  }

  /** Ends the attempt: its next read fails. */
  supersede(): void {
    this.#isSuperseded = true;
  }

  /** Whether it was shown a write that is not committed yet. */
  get hasSeenEarlier(): boolean {
    return this.#earlier?.isSeen === true;
  }

  /** What it read and wrote so far. */
  get changes(): TransactionChanges {
    if (this.#born.length === 0 || this.#born.length > MAX_MARKED_IDS)
      return { reads: this.#reads, writes: this.#writes };
    const writes = new Map<Key, BufferedWrite>();
    for (const [key, write] of this.#writes)
      writes.set(key, "put" in write && this.#isNew(key) ? { ...write, isNew: true } : write);
    return { reads: this.#reads, writes };
  }

  /** Whether it read or wrote a key. */
  hasTouched(key: Key): boolean {
    return this.#reads.has(key) || this.#writes.has(key);
  }

  get version(): Version {
    return this.#snapshot.version;
  }

  get unchecked(): Reader {
    return createReader(this.#snapshot);
  }

  get budget(): CommitBudget {
    return roomBeside({ reads: this.#reads, writes: this.#writes });
  }

  get hasWritten(): boolean {
    return this.#writes.size > 0;
  }

  markNew(id: string): void {
    this.#born.push(id);
  }

  #isNew(key: Key): boolean {
    return this.#born.some((id) => key.includes(id));
  }

  // Most reads are of one key, so they do without the lists of `getValues`.
  async get(key: Key): Promise<Json | undefined> {
    if (shouldReadStored(this.#writes.get(key)) && !this.#isNew(key)) {
      const [entry] = await this.#snapshot.get([key]);
      this.#saw(key, entry);
      return applyWrite(entry?.value, this.#writes.get(key));
    }
    return applyWrite(undefined, this.#writes.get(key));
  }

  getMany(keys: readonly Key[]): Promise<readonly (Json | undefined)[]> {
    return this.#getMany(keys, (key, entry) => this.#saw(key, entry));
  }

  async withGuards(guards: readonly Key[]): Promise<Reader> {
    await this.getMany(guards);
    const getMany = (keys: readonly Key[]) => this.#getMany(keys, ignoreRead);
    const version = () => this.version;
    return {
      get version() {
        return version();
      },
      unchecked: this.unchecked,
      get: async (key) => (await getMany([key]))[0],
      getMany,
      getVersion: (key) => this.#versionOf(key, ignoreRead),
      list: (range) => this.#list(range, ignoreRead),
      withGuards: (others) => this.withGuards(others),
    };
  }

  async #getMany(keys: readonly Key[], saw: ReadObserver): Promise<readonly (Json | undefined)[]> {
    const wanted = keys.filter((key) => shouldReadStored(this.#writes.get(key)) && !this.#isNew(key));
    const found = new Map<Key, Json | undefined>();
    if (wanted.length > 0) {
      const entries = await this.#snapshot.get(wanted);
      entries.forEach((entry, i) => {
        saw(wanted[i]!, entry);
        found.set(wanted[i]!, entry?.value);
      });
    }
    return keys.map((key) => applyWrite(found.get(key), this.#writes.get(key)));
  }

  getVersion(key: Key): Promise<Version | undefined> {
    return this.#versionOf(key, (at, entry) => this.#saw(at, entry));
  }

  async #versionOf(key: Key, saw: ReadObserver): Promise<Version | undefined> {
    if (this.#isNew(key)) return undefined;
    const [entry] = await this.#snapshot.get([key]);
    saw(key, entry);
    return entry?.version;
  }

  list(range: Range): Promise<readonly Entry[]> {
    return this.#list(range, (key, entry) => this.#saw(key, entry));
  }

  async #list(range: Range, saw: ReadObserver): Promise<readonly Entry[]> {
    const own = [...this.#writes].filter(([key]) => isInRange(key, range));
    const entries = this.#isNew(range.under)
      ? []
      : await this.#snapshot.list({ ...range, limit: range.limit + own.length });
    for (const entry of entries) saw(entry.key, entry);
    return applyWritesToRows(entries, own, range, withOwn);
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
    return this.#beside ? this.#beside(partition, read) : read(partition);
  }

  restart(): never {
    throw this.#supersede();
  }

  #saw(key: Key, entry: Entry | undefined): void {
    if (this.#reads.has(key)) return;
    if (this.#isContended?.(key)) this.#hasMetContended = true;
    if (this.#isSuperseded || this.#hasMetContended) throw this.#supersede();
    // What an earlier transaction of the same commit wrote is what it is.
    if (!this.#earlier?.has(key)) this.#reads.set(key, entry?.version ?? null);
    else if (!this.#earlier.decides(key)) this.#reads.set(key, this.#earlier.storedVersion(key));
  }

  #supersede(): Superseded {
    this.#isSuperseded = true;
    return new Superseded(GIVEN_UP);
  }
}

/** Notes what was read, to be checked. */
type ReadObserver = (key: Key, entry: Entry | undefined) => void;

const ignoreRead: ReadObserver = () => {};

/** A snapshot with the writes of earlier transactions on it. They have no versions before their commit: whoever asks for one
 * cannot go on. */
class EarlierWrites implements Snapshot {
  /** Whether a write was shown. */
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

  /** Whether what is stored has no part in what a key holds. */
  decides(key: Key): boolean {
    return !shouldReadStored(this.writes.get(key));
  }

  /** The version that is stored under a key that was shown with additions. */
  storedVersion(key: Key): Version | null {
    return this.#stored.get(key) ?? null;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    const wanted = keys.filter((key) => !this.decides(key));
    const stored = wanted.length === 0 ? [] : await this.snapshot.get(wanted);
    const found = new Map(wanted.map((key, i) => [key, stored[i]]));
    return keys.map((key) => this.#shown(key, found.get(key)));
  }

  async list(range: Range): Promise<readonly Entry[]> {
    const earlier = [...this.writes].filter(([key]) => isInRange(key, range));
    const entries = await this.snapshot.list({ ...range, limit: range.limit + earlier.length });
    return applyWritesToRows(entries, earlier, range, (key, entry) => this.#shown(key, entry));
  }

  #shown(key: Key, entry: Entry | undefined): Entry | undefined {
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

/** Rows of a range with writes on them. */
function applyWritesToRows(
  entries: readonly Entry[],
  writes: readonly (readonly [Key, BufferedWrite])[],
  range: Range,
  entryOf: (key: Key, entry: Entry | undefined, write: BufferedWrite) => Entry | undefined,
): readonly Entry[] {
  if (writes.length === 0) return entries;
  const rows = new Map(entries.map((entry) => [entry.key, entry]));
  for (const [key, write] of writes) {
    const entry = entryOf(key, rows.get(key), write);
    if (entry === undefined) rows.delete(key);
    else rows.set(key, entry);
  }
  const order = range.reverse ? -1 : 1;
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -order : order)).slice(0, range.limit);
}

/** A row with a write of the same transaction on it. */
function withOwn(key: Key, entry: Entry | undefined, write: BufferedWrite): Entry | undefined {
  const value = applyWrite(entry?.value, write);
  return value === undefined ? undefined : { key, value, version: entry?.version ?? 0 };
}

/** The bytes that a write takes beside its key, as the contract counts them. */
function measureValueBytes(write: BufferedWrite): number {
  if ("delete" in write) return 0;
  if ("add" in write) return 8;
  write.size ??= byteLength(JSON.stringify(write.put));
  return write.size;
}

function shouldReadStored(write: BufferedWrite | undefined): boolean {
  return write === undefined || "add" in write;
}

function applyWrite(value: Json | undefined, write: BufferedWrite | undefined): Json | undefined {
  if (write === undefined) return value;
  if ("put" in write) return write.put;
  if ("delete" in write) return undefined;
  return toCounter(value) + write.add;
}

function toCounter(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

function isInRange(key: Key, { under, after, before }: Range): boolean {
  return key.startsWith(under) && (after === undefined || key > after) && (before === undefined || key < before);
}
