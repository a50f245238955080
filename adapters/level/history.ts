// Snapshots without snapshots of the database. A commit, before it writes, notes what the keys held that it is about to
// overwrite. A view reads the database as it is now and puts the noted entries in place of what has changed since.
//
// The notes form a chain that points forward: a view holds the moment at which it was taken, each moment the next one.
// So the notes live exactly as long as a view that may need them, and dropping the view is enough: no finalizer, no
// handle of the database that could leak, and nothing that an abstract-level database might not support. The price is
// that a commit reads what it overwrites; mostly it is in the cache, since what is overwritten was read before.

import { bounds, type Entry, type Key, type KeySpan, type Range, type Snapshot, type Version } from "../adapter";
import type { Database } from "./database";
import type { PartitionRecords } from "./records";

/** A partition between two writes. */
export interface Moment {
  version: Version;
  /** The view that was taken at this moment: one serves all readers. */
  view?: View;
  /** Set before the next write begins: what its keys held at this moment, and the moment after it. */
  end?: { readonly overwritten: ReadonlyMap<Key, Entry | undefined>; readonly next: Moment };
}

export class View implements Snapshot {
  readonly version: Version;
  readonly #database: Database;
  readonly #records: PartitionRecords;
  /** The entries that changed between the view and `#reached`, as the view has them. */
  readonly #past = new Map<Key, Entry | undefined>();
  #reached: Moment;

  constructor(database: Database, records: PartitionRecords, moment: Moment) {
    this.version = moment.version;
    this.#database = database;
    this.#records = records;
    this.#reached = moment;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    this.#database.assertOpen();
    this.#catchUp();
    const missing: number[] = [];
    const found = keys.map((key, i) => {
      if (this.#past.has(key)) return this.#past.get(key);
      const known = this.#records.known(key);
      if (known === null) missing.push(i);
      return known ?? undefined;
    });
    if (missing.length === 0) return found;

    const rows = await this.#records.read(missing.map((i) => keys[i]!));
    this.#catchUp();
    missing.forEach((i, at) => {
      const key = keys[i]!;
      found[i] = this.#past.has(key) ? this.#past.get(key) : this.#records.take(key, rows[at]);
    });
    return found;
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#database.assertOpen();
    const { limit, reverse = false } = range;
    let found: Entry[] = [];
    let rest: KeySpan | undefined = bounds(range);
    while (rest && found.length < limit && (rest.to === undefined || rest.from < rest.to)) {
      this.#catchUp();
      // Rows that turn out to be younger than the view drop out, so ask for as many more.
      const wanted = limit - found.length + this.#pastWithin(rest).length;
      const rows = await this.#records.scan(rest, { reverse, limit: wanted });
      this.#catchUp();

      // Fewer rows than wanted: that is all. Otherwise nothing is missing up to the last row, and more may follow it.
      let read: KeySpan = rest;
      let more: KeySpan | undefined;
      if (rows.length >= wanted) {
        const last = rows.at(-1)![0];
        const cut = reverse ? last : `${last}\x00`;
        read = reverse ? { from: cut, to: rest.to } : { from: rest.from, to: cut };
        more = reverse ? { from: rest.from, to: cut } : { from: cut, to: rest.to };
      }
      found = found.concat(this.#asThen(rows, read, reverse)).slice(0, limit);
      rest = more;
    }
    return found;
  }

  /** The entries of a stretch that was read, as the view has them. */
  #asThen(rows: readonly [Key, string][], read: KeySpan, reverse: boolean): Entry[] {
    const entries: Entry[] = [];
    for (const [key, row] of rows) if (!this.#past.has(key)) entries.push(this.#records.take(key, row)!);
    const past = this.#pastWithin(read);
    if (past.length === 0) return entries;
    for (const entry of past) if (entry) entries.push(entry);
    return entries.sort((a, b) => (a.key < b.key === reverse ? 1 : -1));
  }

  /** Takes in the notes of all writes that have begun since. What has no note then is as it was, also in the cache. */
  #catchUp(): void {
    for (let end = this.#reached.end; end; end = this.#reached.end) {
      // The earliest note on a key is the one from the time of the view.
      for (const [key, entry] of end.overwritten) if (!this.#past.has(key)) this.#past.set(key, entry);
      this.#reached = end.next;
    }
  }

  #pastWithin({ from, to }: KeySpan): (Entry | undefined)[] {
    const found: (Entry | undefined)[] = [];
    for (const [key, entry] of this.#past) if (key >= from && (to === undefined || key < to)) found.push(entry);
    return found;
  }
}
