// Transactions over one partition. What is read becomes a check, what is written is buffered and seen by later reads;
// the commit is all or nothing, and when the world moved meanwhile the whole body runs again on a fresh snapshot.
//
// A list does not guard against rows that appear in its range (phantoms). A decision about a whole set reads a counter
// or another key that every change of the set touches; then the set itself can be read unchecked.
//
// A commit has limits. A transaction says what is left of them (`room`): work that can go on in the next commit stops in
// time (`room.ts`), and a commit that does not fit throws `TooMuchAtOnce`.

import { byteLength } from "./limits";
import {
  type Batch,
  type Committed,
  Conflict,
  type Entry,
  type Json,
  type Key,
  MAX_BATCH_BYTES,
  MAX_BATCH_CHECKS,
  MAX_BATCH_ENTRIES,
  type Partition,
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
  versionOf(key: Key): Promise<Version | undefined>;
  list(range: Range): Promise<readonly Entry[]>;
  /** The same moment, without the writes of a transaction and without checks: for more than one commit can check. Whoever
   * decides by it reads another key as well that every change of what was read touches. */
  readonly unchecked: Reader;
  /** Reads with no checks but those of some keys: every change of what is read touches one of them. The writes of a
   * transaction are seen. */
  guardedBy(guards: readonly Key[]): Promise<Reader>;
}

/** What the limits of a commit leave to a transaction: below zero it does not fit. */
export interface Room {
  /** Puts, deletes and adds. */
  readonly entries: number;
  readonly checks: number;
  /** Bytes of keys and values that are written. */
  readonly bytes: number;
}

/** Reads of one partition with writes that are seen at once by the same transaction and by others after the commit. */
export interface Transaction extends Reader {
  /** What is left of one commit. */
  readonly room: Room;
  /** Whether anything was written. */
  readonly hasWritten: boolean;
  /** Tells of an id that was made just now. Nobody else can have written under it, so keys that name it are neither read
   * nor checked. */
  born(id: string): void;
  put(key: Key, value: Json): void;
  delete(key: Key): void;
  /** Adds to a counter. Two transactions that only add never conflict. */
  add(key: Key, amount: number): void;
  /** Runs after the commit, once, in this process alone: for waking what the commit itself has made durable. */
  afterCommit(run: () => Promise<void>): void;
}

/** What a transaction wrote, or read, is more than one commit takes. Nothing was written, and trying again changes nothing:
 * the same has to be done in smaller pieces. */
export class TooMuchAtOnce extends TooLarge {}

/** How often a transaction is run before `Conflict` is thrown. */
export const MAX_ATTEMPTS = 20;

/** Waits before another attempt; the number of the attempt that failed comes in. */
export type Pause = (attempt: number) => Promise<void>;

/** A snapshot as a reader. */
export function reader(snapshot: Snapshot): Reader {
  return new SnapshotReader(snapshot);
}

/** Every request makes two. As an object with a getter and closures they cost a tenth of a small request. */
class SnapshotReader implements Reader {
  readonly version: Version;

  constructor(private readonly snapshot: Snapshot) {
    this.version = snapshot.version;
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

  async versionOf(key: Key): Promise<Version | undefined> {
    return (await this.snapshot.get([key]))[0]?.version;
  }

  list(range: Range): Promise<readonly Entry[]> {
    return this.snapshot.list(range);
  }

  async guardedBy(): Promise<Reader> {
    return this;
  }
}

/** What was read of a partition at one version. */
export interface Seen {
  readonly version: Version;
  readonly entries: Map<Key, Entry | undefined>;
  readonly lists: Map<string, readonly Entry[]>;
}

/** The most keys, and the most lists, that are remembered: what a large request reads beyond them is read again. */
const MOST_REMEMBERED = 1000;

/** A snapshot that reads nothing twice, and nothing that was seen before at the same version. */
export function remembering(snapshot: Snapshot, { entries, lists }: Seen): Snapshot {
  return {
    version: snapshot.version,
    async get(keys) {
      const wanted = keys.filter((key) => !entries.has(key));
      if (wanted.length === 0) return keys.map((key) => entries.get(key));
      const found = await snapshot.get(wanted);
      if (entries.size + wanted.length <= MOST_REMEMBERED) wanted.forEach((key, i) => void entries.set(key, found[i]));
      if (wanted.length === keys.length) return found;
      const fresh = new Map(wanted.map((key, i) => [key, found[i]]));
      return keys.map((key) => entries.get(key) ?? fresh.get(key));
    },
    async list(range) {
      const name = JSON.stringify(range);
      const rows = lists.get(name) ?? (await snapshot.list(range));
      if (lists.size < MOST_REMEMBERED) lists.set(name, rows);
      return rows;
    },
  };
}

/** Runs the body until its commit holds. The body may run several times: it must have no effect but through `tx`. What
 * was seen before is not read again if nothing was committed since: it is the same moment, and is checked alike. `committed`
 * is called when the commit holds, before anything that follows it. */
export async function transact<T>(
  partition: Partition,
  body: (tx: Transaction) => Promise<T>,
  pause: Pause,
  seen?: Seen,
  committed?: () => void,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const present = await partition.snapshot();
    const tx = new BufferedTransaction(seen?.version === present.version ? remembering(present, seen) : present);
    const result = await body(tx);
    const batch = tx.batch();
    if (batch === undefined || (await commit(partition, batch)).ok) {
      if (batch) committed?.();
      for (const run of tx.waiting) await run();
      return result;
    }
    await pause(attempt);
  }
  throw new Conflict(`Others changed the same records ${MAX_ATTEMPTS} times in a row.`);
}

async function commit(partition: Partition, batch: Batch): Promise<Committed> {
  try {
    return await partition.commit(batch);
  } catch (error) {
    throw error instanceof TooLarge ? new TooMuchAtOnce(error.message, { cause: error }) : error;
  }
}

/** What becomes of a key. The size of a value is measured once, when somebody asks for the room that is left. */
type Write = { readonly put: Json; size?: number } | { readonly delete: true } | { readonly add: number };

/** Of more new ids the storage is told nothing: looking for all of them in every key would take longer than it saves. */
const FEW = 20;

class BufferedTransaction implements Transaction {
  readonly version: Version;
  readonly waiting: (() => Promise<void>)[] = [];
  readonly #snapshot: Snapshot;
  readonly #reads = new Map<Key, Version | null>();
  readonly #writes = new Map<Key, Write>();
  readonly #born: string[] = [];

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.version = snapshot.version;
  }

  get unchecked(): Reader {
    return reader(this.#snapshot);
  }

  get room(): Room {
    let entries = MAX_BATCH_ENTRIES;
    let bytes = MAX_BATCH_BYTES;
    for (const [key, write] of this.#writes) {
      if ("add" in write && write.add === 0) continue;
      entries--;
      bytes -= key.length + sizeOf(write);
    }
    return { entries, checks: MAX_BATCH_CHECKS - this.#reads.size, bytes };
  }

  get hasWritten(): boolean {
    return this.#writes.size > 0;
  }

  born(id: string): void {
    this.#born.push(id);
  }

  #isNew(key: Key): boolean {
    return this.#born.some((id) => key.includes(id));
  }

  // Most reads are of one key, so they do without the lists of `getMany`.
  async get(key: Key): Promise<Json | undefined> {
    if (needsSnapshot(this.#writes.get(key)) && !this.#isNew(key)) {
      const [entry] = await this.#snapshot.get([key]);
      this.#saw(key, entry);
      return overlay(entry?.value, this.#writes.get(key));
    }
    return overlay(undefined, this.#writes.get(key));
  }

  getMany(keys: readonly Key[]): Promise<readonly (Json | undefined)[]> {
    return this.#getMany(keys, (key, entry) => this.#saw(key, entry));
  }

  async guardedBy(guards: readonly Key[]): Promise<Reader> {
    await this.getMany(guards);
    const { version, unchecked } = this;
    const getMany = (keys: readonly Key[]) => this.#getMany(keys, unseen);
    return {
      version,
      unchecked,
      get: async (key) => (await getMany([key]))[0],
      getMany,
      versionOf: (key) => unchecked.versionOf(key),
      list: (range) => this.#list(range, unseen),
      guardedBy: (others) => this.guardedBy(others),
    };
  }

  async #getMany(keys: readonly Key[], saw: Saw): Promise<readonly (Json | undefined)[]> {
    const wanted = keys.filter((key) => needsSnapshot(this.#writes.get(key)) && !this.#isNew(key));
    const found = new Map<Key, Json | undefined>();
    if (wanted.length > 0) {
      const entries = await this.#snapshot.get(wanted);
      entries.forEach((entry, i) => {
        saw(wanted[i]!, entry);
        found.set(wanted[i]!, entry?.value);
      });
    }
    return keys.map((key) => overlay(found.get(key), this.#writes.get(key)));
  }

  async versionOf(key: Key): Promise<Version | undefined> {
    if (this.#isNew(key)) return undefined;
    const [entry] = await this.#snapshot.get([key]);
    this.#saw(key, entry);
    return entry?.version;
  }

  list(range: Range): Promise<readonly Entry[]> {
    return this.#list(range, (key, entry) => this.#saw(key, entry));
  }

  async #list(range: Range, saw: Saw): Promise<readonly Entry[]> {
    const own = [...this.#writes].filter(([key]) => inRange(key, range));
    const entries = this.#isNew(range.under)
      ? []
      : await this.#snapshot.list({ ...range, limit: range.limit + own.length });
    for (const entry of entries) saw(entry.key, entry);
    if (own.length === 0) return entries;

    const rows = new Map(entries.map((entry) => [entry.key, entry]));
    for (const [key, write] of own) {
      const value = overlay(rows.get(key)?.value, write);
      if (value === undefined) rows.delete(key);
      else rows.set(key, { key, value, version: rows.get(key)?.version ?? 0 });
    }
    const order = range.reverse ? -1 : 1;
    return [...rows.values()].sort((a, b) => (a.key < b.key ? -order : order)).slice(0, range.limit);
  }

  put(key: Key, value: Json): void {
    this.#writes.set(key, { put: value });
  }

  delete(key: Key): void {
    this.#writes.set(key, { delete: true });
  }

  add(key: Key, amount: number): void {
    const write = this.#writes.get(key);
    if (write === undefined) this.#writes.set(key, { add: amount });
    else if ("add" in write) this.#writes.set(key, { add: write.add + amount });
    else this.#writes.set(key, { put: count(overlay(undefined, write)) + amount });
  }

  afterCommit(run: () => Promise<void>): void {
    this.waiting.push(run);
  }

  /** What to commit; undefined when nothing was written, since a snapshot alone is already one moment. */
  batch(): Batch | undefined {
    if (this.#writes.size === 0) return undefined;
    const isFew = this.#born.length <= FEW;
    const puts: Batch["puts"][number][] = [];
    const deletes: Key[] = [];
    const adds: { key: Key; amount: number }[] = [];
    for (const [key, write] of this.#writes) {
      if ("put" in write)
        puts.push(isFew && this.#isNew(key) ? { key, value: write.put, isNew: true } : { key, value: write.put });
      else if ("delete" in write) deletes.push(key);
      else if (write.add !== 0) adds.push({ key, amount: write.add });
    }
    if (puts.length + deletes.length + adds.length === 0) return undefined;
    const checks = [...this.#reads].map(([key, version]) => ({ key, version }));
    return { checks, puts, deletes, adds };
  }

  #saw(key: Key, entry: Entry | undefined): void {
    if (!this.#reads.has(key)) this.#reads.set(key, entry?.version ?? null);
  }
}

/** Notes what was read, to be checked. */
type Saw = (key: Key, entry: Entry | undefined) => void;

const unseen: Saw = () => {};

/** The bytes that a write takes beside its key, as the contract counts them. */
function sizeOf(write: Write): number {
  if ("delete" in write) return 0;
  if ("add" in write) return 8;
  write.size ??= byteLength(JSON.stringify(write.put));
  return write.size;
}

function needsSnapshot(write: Write | undefined): boolean {
  return write === undefined || "add" in write;
}

function overlay(value: Json | undefined, write: Write | undefined): Json | undefined {
  if (write === undefined) return value;
  if ("put" in write) return write.put;
  if ("delete" in write) return undefined;
  return count(value) + write.add;
}

function count(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

function inRange(key: Key, { under, after, before }: Range): boolean {
  return key.startsWith(under) && (after === undefined || key > after) && (before === undefined || key < before);
}
