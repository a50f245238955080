// Snapshots without snapshots of the database. A commit, before it writes, notes what the keys held that it is about to
// overwrite. A view reads the database as it is now and puts the noted entries in place of what has changed since.
//
// What a view never had needs no note that lasts: the version of an entry says that it is younger. So a view that is kept
// while much is added stays small.
//
// The notes form a chain that points forward: a view holds the moment at which it was taken, each moment the next one.
// So the notes live exactly as long as a view that may need them, and dropping the view is enough: no finalizer, no
// handle of the database that could leak, and nothing that an abstract-level database might not support. The price is
// that a commit reads what it overwrites; mostly it is in the cache, since what is overwritten was read before.

import { bounds, type Entry, type Key, type KeySpan, type Range, type Snapshot, type Version } from "../adapter";
import type { Database } from "./database";
import type { PartitionRecords } from "./records";

/** A partition between two writes. */
export interface HistoryNode {
  version: Version;
  /** The view that was taken at this moment: one serves all readers. */
  view?: View;
  /** Set before the next write begins: what its keys held at this moment, and the moment after it. */
  end?: { readonly overwritten: ReadonlyMap<Key, Entry | undefined>; readonly next: HistoryNode };
}

export class View implements Snapshot {
  readonly version: Version;
  readonly #database: Database;
  readonly #records: PartitionRecords;
  /** The entries of the view that changed between it and `#reached`. */
  readonly #past = new Map<Key, Entry>();
  #reached: HistoryNode;
  /** The moment before. The write between the two may still be on its way: no other one is. */
  #previous: HistoryNode;

  constructor(database: Database, records: PartitionRecords, moment: HistoryNode) {
    this.version = moment.version;
    this.#database = database;
    this.#records = records;
    this.#reached = moment;
    this.#previous = moment;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    this.#database.assertOpen();
    this.#catchUp();
    const missing: number[] = [];
    const found = keys.map((key, i) => {
      const past = this.#past.get(key);
      if (past) return past;
      const known = this.#records.getCached(key);
      if (known === null) missing.push(i);
      return this.#ifOld(known ?? undefined);
    });
    if (missing.length === 0) return found;

    const before = this.#previous;
    const rows = await this.#records.read(missing.map((i) => keys[i]!));
    this.#catchUp();
    const isNoted = createOverwriteCheck(before);
    missing.forEach((i, at) => {
      const key = keys[i]!;
      const past = this.#past.get(key);
      if (past || isNoted(key)) found[i] = past;
      else found[i] = this.#ifOld(this.#records.parseAndCache(key, rows[at]));
    });
    return found;
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#database.assertOpen();
    const { limit, reverse = false } = range;
    let found: Entry[] = [];
    let rest: KeySpan | undefined = bounds(range);
    let younger = 0;
    while (rest && found.length < limit && (rest.to === undefined || rest.from < rest.to)) {
      this.#catchUp();
      // Rows that turn out to be younger than the view drop out, so ask for more: twice as many as the last time.
      const wanted = limit - found.length + this.#pastWithin(rest).length + 2 * younger;
      const before = this.#previous;
      const rows = await this.#records.scan(rest, { reverse, limit: wanted });
      this.#catchUp();
      const isNoted = createOverwriteCheck(before);
      const old = rows.filter(
        ([key, row]) => !this.#past.has(key) && !isNoted(key) && !this.#records.isAfter(this.version, key, row),
      );
      younger = rows.length - old.length;

      // Fewer rows than wanted: that is all. Otherwise nothing is missing up to the last row, and more may follow it.
      let read: KeySpan = rest;
      let more: KeySpan | undefined;
      if (rows.length >= wanted) {
        const last = rows.at(-1)![0];
        const cut = reverse ? last : `${last}\x00`;
        read = reverse ? { from: cut, to: rest.to } : { from: rest.from, to: cut };
        more = reverse ? { from: rest.from, to: cut } : { from: cut, to: rest.to };
      }
      found = found.concat(this.#asThen(old, read, reverse)).slice(0, limit);
      rest = more;
    }
    return found;
  }

  /** The entries of a stretch that was read, as the view has them, from the rows that are as old as it. */
  #asThen(rows: readonly [Key, string][], read: KeySpan, reverse: boolean): Entry[] {
    const entries = rows.map(([key, row]) => this.#records.parseAndCache(key, row)!);
    const past = this.#pastWithin(read);
    if (past.length === 0) return entries;
    return [...entries, ...past].sort((a, b) => (a.key < b.key === reverse ? 1 : -1));
  }

  /** Takes in the notes of all writes that have begun since. What has no note then is as it was, also in the cache. */
  #catchUp(): void {
    for (let end = this.#reached.end; end; end = this.#reached.end) {
      // The earliest note on a key is the one from the time of the view, unless the view does not have the key.
      for (const [key, entry] of end.overwritten)
        if (entry && this.#isThen(entry) && !this.#past.has(key)) this.#past.set(key, entry);
      this.#previous = this.#reached;
      this.#reached = end.next;
    }
  }

  #pastWithin({ from, to }: KeySpan): Entry[] {
    const found: Entry[] = [];
    for (const [key, entry] of this.#past) if (key >= from && (to === undefined || key < to)) found.push(entry);
    return found;
  }

  /** Whether the view has an entry. */
  #isThen({ version }: Pick<Entry, "version">): boolean {
    return version <= this.version;
  }

  #ifOld(entry: Entry | undefined): Entry | undefined {
    return entry && this.#isThen(entry) ? entry : undefined;
  }
}

/** Whether a write of a key has begun since a moment. What was read meanwhile may be from before or after it. */
function createOverwriteCheck(moment: HistoryNode): (key: Key) => boolean {
  if (!moment.end) return () => false;
  return (key) => {
    for (let end = moment.end; end; end = end.next.end) if (end.overwritten.has(key)) return true;
    return false;
  };
}
