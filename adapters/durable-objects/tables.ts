// The tables of a partition, in the SQLite of its object. Every method runs without a pause, so nothing comes between its
// statements; an answer leaves the object only when what it has seen is durable. DESIGN.md tells what each table is for.

import {
  type Batch,
  Corrupt,
  decide,
  type Entry,
  type Json,
  type Key,
  TooLarge,
  Unavailable,
  type Version,
  writesNothing,
} from "../adapter";
import {
  ANSWER_CHARACTERS,
  type BatchOutcome,
  type EntryTuple,
  type SentBatch,
  type SentRange,
  type SentRound,
} from "./protocol";
import { type ObjectStorageLike, queryRows, type SqlLike } from "./sqlite";

/** The format that this code reads and writes. */
const FORMAT = 1;
/** A token is kept for a minute at least: longer than a round is sent again. */
const TOKEN_MS = 60_000;
/** Between two prunings is a second at least. */
const LEAST_PAUSE_MS = 1000;
/** So many rounds are pruned at once, unless they wrote very many keys. */
const ROUNDS_AT_ONCE = 100;
const KEYS_AT_ONCE = 2000;
/** So many rows of a list are read at once. */
const ROWS_AT_ONCE = 200;

const TABLES = [
  "CREATE TABLE state (one INTEGER PRIMARY KEY, format INTEGER NOT NULL, floor INTEGER NOT NULL, pruned INTEGER NOT NULL)",
  "CREATE TABLE entry (key TEXT PRIMARY KEY, version INTEGER NOT NULL, value TEXT) WITHOUT ROWID",
  `CREATE TABLE past (key TEXT NOT NULL, until INTEGER NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (key, until)) WITHOUT ROWID`,
  `CREATE TABLE round (id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, at INTEGER NOT NULL,
    told TEXT NOT NULL, keys TEXT NOT NULL)`,
  `INSERT INTO state VALUES (1, ${FORMAT}, 0, 0)`,
];

interface StoredEntryRow {
  readonly key: Key;
  readonly version: Version;
  readonly value: string | null;
}

export class Tables {
  readonly #storage: ObjectStorageLike;
  readonly #sql: SqlLike;
  /** How long the past is kept, in ms. */
  readonly #grace: number;
  readonly #answerCharacters: number;
  /** Whether there are tables. Looking at a partition that is not there must not make any. */
  #exists = false;
  #version: Version = 0;
  #floor: Version = 0;

  constructor(storage: ObjectStorageLike, grace: number, answerCharacters: number = ANSWER_CHARACTERS) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#grace = grace;
    this.#answerCharacters = answerCharacters;
    if (queryRows(this.#sql, "SELECT name FROM sqlite_master WHERE name = 'state'").length === 0) return;
    const [state] = queryRows<{ format: number; floor: Version }>(this.#sql, "SELECT format, floor FROM state");
    if (state?.format !== FORMAT)
      throw new Corrupt(`An object is of the format ${state?.format}; this version reads ${FORMAT}.`);
    const [last] = queryRows<{ version: Version }>(this.#sql, "SELECT version FROM round ORDER BY id DESC LIMIT 1");
    if (!last) throw new Corrupt("An object has tables, and no round in them.");
    this.#exists = true;
    this.#version = last.version;
    this.#floor = state.floor;
  }

  get version(): Version {
    return this.#version;
  }

  /** Writes a round, or finds that it was written. */
  write(round: SentRound, now: number): { readonly told: readonly BatchOutcome[] } | { readonly mustRegister: true } {
    if (this.#version === 0 && !round.isRegistered) return { mustRegister: true };
    const written = this.#storage.transactionSync(() => {
      if (!this.#exists) for (const table of TABLES) this.#sql.exec(table);
      const [known] = queryRows<{ told: string }>(this.#sql, "SELECT told FROM round WHERE token = ?", round.token);
      return known
        ? { told: JSON.parse(known.told) as BatchOutcome[], version: this.#version }
        : this.#writeNew(round, now);
    });
    this.#exists = true;
    this.#version = written.version;
    return { told: written.told };
  }

  #writeNew({ token, isDoubtful, batches }: SentRound, now: number): { told: BatchOutcome[]; version: Version } {
    let version = this.#version;
    const told: BatchOutcome[] = [];
    const keys: Key[] = [];
    for (const batch of batches) {
      const outcome = this.#writeBatch(batch, version + 1);
      told.push(outcome.told ?? { version });
      keys.push(...outcome.keys);
      if (outcome.told && "version" in outcome.told) version++;
    }
    // A round of which nothing was written leaves no trace, unless an earlier sending of it may still arrive. The first
    // round of a partition stays, since the tables came with it.
    if (version > this.#version || isDoubtful || !this.#exists)
      this.#sql.exec(
        "INSERT INTO round (token, version, at, told, keys) VALUES (?, ?, ?, ?, ?)",
        ...[token, version, now, JSON.stringify(told), keysText(keys)],
      );
    return { told, version };
  }

  /** Writes a batch as a version; nothing is told of one that holds and writes nothing. */
  #writeBatch(
    sent: SentBatch,
    version: Version,
  ): { readonly told: BatchOutcome | undefined; readonly keys: readonly Key[] } {
    const batch: Batch = {
      checks: sent.checks.map(([key, version]) => ({ key, version })),
      // The text stands for the value, which nobody looks at here.
      puts: sent.puts.map(([key, value]) => ({ key, value })),
      deletes: sent.deletes,
      adds: sent.adds.map(([key, amount]) => ({ key, amount })),
    };
    try {
      const texts = sent.puts.map(([, text]) => text);
      const decided = decide(batch, texts, version, (key) => this.#entryAt(key));
      if ("conflict" in decided) return { told: { conflict: decided.conflict }, keys: [] };
      if (writesNothing(batch)) return { told: undefined, keys: [] };
      for (const { key, text } of decided.writes) this.#writeKey(key, version, text);
      return { told: { version }, keys: decided.writes.map(({ key }) => key) };
    } catch (error) {
      // A sum was too large, and it was found out before anything was written.
      if (error instanceof TooLarge) return { told: { tooLarge: error.message }, keys: [] };
      throw error;
    }
  }

  /** An entry as it is now. Its value is asked for by counters alone. */
  #entryAt(key: Key): Entry | undefined {
    const [row] = queryRows<{ version: Version }>(
      this.#sql,
      "SELECT version FROM entry WHERE key = ? AND value IS NOT NULL",
      key,
    );
    if (!row) return undefined;
    const text = () => queryRows<{ value: string }>(this.#sql, "SELECT value FROM entry WHERE key = ?", key)[0]!.value;
    return {
      key,
      version: row.version,
      get value(): Json {
        return JSON.parse(text());
      },
    };
  }

  /** What a key held becomes a note of the past. What is deleted leaves a row without a value, so that readers of older
   * versions come by. */
  #writeKey(key: Key, version: Version, text: string | undefined): void {
    this.#sql.exec(
      "INSERT INTO past SELECT key, ?, version, value FROM entry WHERE key = ? AND value IS NOT NULL",
      ...[version, key],
    );
    if (text === undefined)
      this.#sql.exec("UPDATE entry SET version = ?, value = NULL WHERE key = ? AND value IS NOT NULL", version, key);
    else
      this.#sql.exec(
        "INSERT INTO entry VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET version = excluded.version, value = excluded.value",
        ...[key, version, text],
      );
  }

  /** What the first of these keys held at a version, as many as fit into one answer. */
  read(version: Version, keys: readonly Key[]): (EntryTuple | null)[] {
    this.#assertReadable(version);
    const entries: (EntryTuple | null)[] = [];
    let size = 0;
    for (const key of keys) {
      const [row] = queryRows<StoredEntryRow>(this.#sql, "SELECT key, version, value FROM entry WHERE key = ?", key);
      const entry = row ? this.#at(version, row) : null;
      entries.push(entry);
      size += entry ? key.length + entry[2].length : 0;
      if (size >= this.#answerCharacters) break;
    }
    return entries;
  }

  /** The first entries of a range, as many as fit into one answer. */
  list({ version, from, to, isReverse, limit }: SentRange): { entries: EntryTuple[]; isCut: boolean } {
    this.#assertReadable(version);
    const entries: EntryTuple[] = [];
    let size = 0;
    for (let last: Key | undefined; ; ) {
      const rows = this.#rows(
        isReverse ? { from, to: last ?? to, order: "DESC" } : { from, after: last, to, order: "ASC" },
      );
      for (const row of rows) {
        last = row.key;
        const entry = this.#at(version, row);
        if (!entry) continue;
        entries.push(entry);
        size += row.key.length + entry[2].length;
        if (entries.length >= limit) return { entries, isCut: false };
        if (size >= this.#answerCharacters) return { entries, isCut: true };
      }
      if (rows.length < ROWS_AT_ONCE) return { entries, isCut: false };
    }
  }

  #rows(span: { from: Key; after?: Key | undefined; to: Key | undefined; order: "ASC" | "DESC" }): StoredEntryRow[] {
    const begin = span.after === undefined ? "key >= ?" : "key > ?";
    const end = span.to === undefined ? "" : " AND key < ?";
    return queryRows<StoredEntryRow>(
      this.#sql,
      `SELECT key, version, value FROM entry WHERE ${begin}${end} ORDER BY key ${span.order} LIMIT ${ROWS_AT_ONCE}`,
      ...[span.after ?? span.from, ...(span.to === undefined ? [] : [span.to])],
    );
  }

  /** What a row held at a version. The first note after that version says it; if that is of a later life, or there is
   * none, there was nothing. */
  #at(version: Version, row: StoredEntryRow): EntryTuple | null {
    if (row.version <= version) return row.value === null ? null : [row.key, row.version, row.value];
    const [note] = queryRows<StoredEntryRow>(
      this.#sql,
      "SELECT key, version, value FROM past WHERE key = ? AND until > ? ORDER BY until LIMIT 1",
      ...[row.key, version],
    );
    return note && note.version <= version ? [note.key, note.version, note.value!] : null;
  }

  #assertReadable(version: Version): void {
    if (version > this.#version)
      throw new Corrupt(
        `A partition is at version ${this.#version} and was at ${version}; if it was restored, start the Worker again.`,
      );
    if (version < this.#floor)
      throw new Unavailable(`The snapshot of version ${version} has grown too old to be read; take a new one.`, {
        outcome: "none",
      });
  }

  /** Deletes a piece of what no reader may need any more: first the floor, then the notes, all in one transaction. Gives
   * whether there is more that is due, or when there will be. */
  prune(now: number): "more" | { readonly next: number | undefined } {
    if (!this.#exists) return { next: undefined };
    // The floor is read in the same transaction: if that fails, nothing was deleted that this object does not know of.
    const { isMore, floor } = this.#storage.transactionSync(() => {
      const isMore = this.#prunePast(now) || this.#forgetTokens(now);
      const [state] = queryRows<{ floor: Version }>(this.#sql, "SELECT floor FROM state");
      return { isMore, floor: state!.floor };
    });
    this.#floor = floor;
    if (isMore) return "more";
    const [left] = queryRows<{ count: number }>(
      this.#sql,
      "SELECT count(*) AS count FROM (SELECT id FROM round WHERE id > (SELECT pruned FROM state) OR id < (SELECT max(id) FROM round) LIMIT 1)",
    );
    return { next: left!.count > 0 ? now + Math.max(this.#grace, LEAST_PAUSE_MS) : undefined };
  }

  #prunePast(now: number): boolean {
    const rounds = queryRows<{ id: number; version: Version; keys: string }>(
      this.#sql,
      `SELECT id, version, keys FROM round WHERE id > (SELECT pruned FROM state) AND at <= ? ORDER BY id LIMIT ${ROUNDS_AT_ONCE}`,
      now - this.#grace,
    );
    let pruned = 0;
    let keys = 0;
    for (const round of rounds) {
      if (keys >= KEYS_AT_ONCE) break;
      this.#sql.exec("UPDATE state SET floor = ?, pruned = ?", round.version, round.id);
      for (const key of decodeKeys(round.keys)) {
        this.#sql.exec("DELETE FROM past WHERE key = ? AND until <= ?", key, round.version);
        this.#sql.exec("DELETE FROM entry WHERE key = ? AND value IS NULL AND version <= ?", key, round.version);
        keys++;
      }
      pruned++;
    }
    return pruned < rounds.length || rounds.length === ROUNDS_AT_ONCE;
  }

  /** The last round stays: it has the version. */
  #forgetTokens(now: number): boolean {
    this.#sql.exec(
      `DELETE FROM round WHERE id IN (SELECT id FROM round WHERE id <= (SELECT pruned FROM state)
        AND id < (SELECT max(id) FROM round) AND at <= ? ORDER BY id LIMIT ${KEYS_AT_ONCE})`,
      now - Math.max(this.#grace, TOKEN_MS),
    );
    const [changed] = queryRows<{ count: number }>(this.#sql, "SELECT changes() AS count");
    return changed!.count === KEYS_AT_ONCE;
  }
}

/** Keys as one text, each behind its length: escaped, a single key could be six times as long. */
function keysText(keys: readonly Key[]): string {
  return keys.map((key) => `${key.length}:${key}`).join("");
}

function* decodeKeys(text: string): Generator<Key> {
  for (let at = 0; at < text.length; ) {
    const colon = text.indexOf(":", at);
    const end = colon + 1 + Number(text.slice(at, colon));
    yield text.slice(colon + 1, end);
    at = end;
  }
}
