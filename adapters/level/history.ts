// Snapshots that do not use snapshots of the database. Before a commit writes, it records the entries that it is about to overwrite.
// A view reads the database in its current state and replaces the entries that have changed since with the recorded ones.
//
// Entries that a view never had need no permanent record: their version shows that they are newer. So a view remains small even if
// it exists while many entries are added.
//
// The records form a chain that points forward: a view references the state at which it was taken, and each state the next one. So
// the records live exactly as long as a view that may need them, and dropping the view is enough. There is no finalizer, no handle
// of the database that could leak, and nothing that an abstract-level database may not support. The price is that a commit reads
// what it overwrites; usually that is in the cache, because it was read before.

import { type Entry, getKeySpan, type Key, type KeySpan, type Range, type Snapshot, type Version } from "../adapter";
import type { Database } from "./database";
import type { PartitionRecords } from "./records";

/** A partition between two writes. */
export interface HistoryNode {
  version: Version;
  /** The view of this state, which all readers share. */
  view?: View;
  /** Set before the next write starts: the entries that it overwrites, and the state after it. */
  end?: { readonly overwritten: ReadonlyMap<Key, Entry | undefined>; readonly next: HistoryNode };
}

export class View implements Snapshot {
  readonly version: Version;
  readonly #database: Database;
  readonly #records: PartitionRecords;
  /** The entries of the view that changed between it and `#reached`. */
  readonly #past = new Map<Key, Entry>();
  #reached: HistoryNode;
  /** The state before that. The write between the two is the only one that may still be running. */
  #previous: HistoryNode;

  constructor(database: Database, records: PartitionRecords, state: HistoryNode) {
    this.version = state.version;
    this.#database = database;
    this.#records = records;
    this.#reached = state;
    this.#previous = state;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    this.#database.assertOpen();
    this.#catchUp();
    const missing: number[] = [];
    const found = keys.map((key, i) => {
      const past = this.#past.get(key);
      if (past) return past;
      const cached = this.#records.getCached(key);
      if (cached === null) missing.push(i);
      return this.#filterNewer(cached ?? undefined);
    });
    if (missing.length === 0) return found;

    const before = this.#previous;
    const rows = await this.#records.read(missing.map((i) => keys[i]!));
    this.#catchUp();
    const isOverwritten = createOverwriteCheck(before);
    missing.forEach((i, row) => {
      const key = keys[i]!;
      const past = this.#past.get(key);
      if (past || isOverwritten(key)) found[i] = past;
      else found[i] = this.#filterNewer(this.#records.parseAndCache(key, rows[row]));
    });
    return found;
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#database.assertOpen();
    const { limit, reverse = false } = range;
    let found: Entry[] = [];
    let rest: KeySpan | undefined = getKeySpan(range);
    let newer = 0;
    while (rest && found.length < limit && (rest.to === undefined || rest.from < rest.to)) {
      this.#catchUp();
      // Rows that are newer than the view are dropped, so more are requested: twice as many as were dropped last time.
      const requested = limit - found.length + this.#listPast(rest).length + 2 * newer;
      const before = this.#previous;
      const rows = await this.#records.scan(rest, { reverse, limit: requested });
      this.#catchUp();
      const isOverwritten = createOverwriteCheck(before);
      const old = rows.filter(
        ([key, row]) => !this.#past.has(key) && !isOverwritten(key) && !this.#records.isAfter(this.version, key, row),
      );
      newer = rows.length - old.length;

      // Fewer rows than requested mean that the range is complete. Otherwise it is complete up to the last row.
      let read: KeySpan = rest;
      let more: KeySpan | undefined;
      if (rows.length >= requested) {
        const last = rows.at(-1)![0];
        const cut = reverse ? last : `${last}\x00`;
        read = reverse ? { from: cut, to: rest.to } : { from: rest.from, to: cut };
        more = reverse ? { from: rest.from, to: cut } : { from: cut, to: rest.to };
      }
      found = found.concat(this.#mergePast(old, read, reverse)).slice(0, limit);
      rest = more;
    }
    return found;
  }

  /** Returns the entries of the view in a span, given the rows of the database that the view contains. */
  #mergePast(rows: readonly [Key, string][], read: KeySpan, reverse: boolean): Entry[] {
    const entries = rows.map(([key, row]) => this.#records.parseAndCache(key, row)!);
    const past = this.#listPast(read);
    if (past.length === 0) return entries;
    return [...entries, ...past].sort((a, b) => (a.key < b.key === reverse ? 1 : -1));
  }

  /** Takes in the records of all writes that have started since. Entries without a record are unchanged, also in the cache. */
  #catchUp(): void {
    for (let end = this.#reached.end; end; end = this.#reached.end) {
      // The earliest record of a key is that of the view, unless the view does not contain the key.
      for (const [key, entry] of end.overwritten)
        if (entry && this.#contains(entry) && !this.#past.has(key)) this.#past.set(key, entry);
      this.#previous = this.#reached;
      this.#reached = end.next;
    }
  }

  #listPast({ from, to }: KeySpan): Entry[] {
    const found: Entry[] = [];
    for (const [key, entry] of this.#past) if (key >= from && (to === undefined || key < to)) found.push(entry);
    return found;
  }

  #contains({ version }: Pick<Entry, "version">): boolean {
    return version <= this.version;
  }

  #filterNewer(entry: Entry | undefined): Entry | undefined {
    return entry && this.#contains(entry) ? entry : undefined;
  }
}

/**
 * Creates a predicate that returns whether a write of a key has started since a state. A value that was read in the meantime may be
 * older or newer than that write.
 */
function createOverwriteCheck(state: HistoryNode): (key: Key) => boolean {
  if (!state.end) return () => false;
  return (key) => {
    for (let end = state.end; end; end = end.next.end) if (end.overwritten.has(key)) return true;
    return false;
  };
}
