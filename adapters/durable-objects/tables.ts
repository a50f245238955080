// The tables of a partition, in the SQLite database of its object. Every method is synchronous, so nothing comes between its statements.
// A response leaves the object only once everything that it has read is durable. DESIGN.md describes the purpose of each table.

import {
  type Batch,
  Corrupt,
  decideBatch,
  type Entry,
  isReadOnlyBatch,
  type Json,
  type Key,
  TooLarge,
  Unavailable,
  type Version,
} from "../adapter";
import {
  ANSWER_CHARACTERS,
  type EntryTuple,
  type SentBatch,
  type SentBatchOutcome,
  type SentRange,
  type SentRound,
} from "./protocol";
import { type ObjectStorageLike, queryRows, type SqlLike } from "./sqlite";

/** The format of the tables that this code reads and writes. */
const FORMAT = 1;
/** A token is kept for at least a minute, which is longer than a round is retried. */
const TOKEN_MS = 60_000;
/** The minimum time between two prunings. */
const MIN_PRUNE_PAUSE_MS = 1000;
/** The maximum number of rounds, and of their keys, that are pruned in one step. */
const MAX_PRUNED_ROUNDS = 100;
const MAX_PRUNED_KEYS = 2000;
/** The number of rows of a list that are read together. */
const ROWS_PER_PAGE = 200;

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
  /** The time for which past versions are kept, in milliseconds. */
  readonly #grace: number;
  readonly #answerCharacters: number;
  /** True if the tables exist. Reading a partition that does not exist must not create them. */
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

  /** Writes a round, unless it was already written, and returns the outcomes of its batches. */
  write(
    round: SentRound,
    now: number,
  ): { readonly told: readonly SentBatchOutcome[] } | { readonly mustRegister: true } {
    if (this.#version === 0 && !round.isRegistered) return { mustRegister: true };
    const written = this.#storage.transactionSync(() => {
      if (!this.#exists) for (const table of TABLES) this.#sql.exec(table);
      const [known] = queryRows<{ told: string }>(this.#sql, "SELECT told FROM round WHERE token = ?", round.token);
      return known
        ? { told: JSON.parse(known.told) as SentBatchOutcome[], version: this.#version }
        : this.#writeNew(round, now);
    });
    this.#exists = true;
    this.#version = written.version;
    return { told: written.told };
  }

  #writeNew({ token, isDoubtful, batches }: SentRound, now: number): { told: SentBatchOutcome[]; version: Version } {
    let version = this.#version;
    const told: SentBatchOutcome[] = [];
    const keys: Key[] = [];
    for (const batch of batches) {
      const outcome = this.#writeBatch(batch, version + 1);
      told.push(outcome.told ?? { version });
      keys.push(...outcome.keys);
      if (outcome.told && "version" in outcome.told) version++;
    }
    // A round that writes nothing is not recorded, unless an earlier attempt may still arrive. The first round of a partition is always
    // recorded, because it creates the tables.
    if (version > this.#version || isDoubtful || !this.#exists) {
      // Each key is preceded by its length: as JSON, a single key could be six times as long.
      const encodedKeys = keys.map((key) => `${key.length}:${key}`);
      this.#sql.exec(
        "INSERT INTO round (token, version, at, told, keys) VALUES (?, ?, ?, ?, ?)",
        ...[token, version, now, JSON.stringify(told), encodedKeys.join("")],
      );
    }
    return { told, version };
  }

  /** Writes a batch as a version. The outcome is undefined if the batch succeeds and writes nothing. */
  #writeBatch(
    sent: SentBatch,
    version: Version,
  ): { readonly told: SentBatchOutcome | undefined; readonly keys: readonly Key[] } {
    const batch: Batch = {
      checks: sent.checks.map(([key, version]) => ({ key, version })),
      // The text takes the place of the value, which is not read here.
      puts: sent.puts.map(([key, value]) => ({ key, value })),
      deletes: sent.deletes,
      adds: sent.adds.map(([key, amount]) => ({ key, amount })),
    };
    try {
      const texts = sent.puts.map(([, text]) => text);
      const decision = decideBatch(batch, texts, version, (key) => this.#getEntry(key));
      if ("conflict" in decision) return { told: { conflict: decision.conflict }, keys: [] };
      if (isReadOnlyBatch(batch)) return { told: undefined, keys: [] };
      for (const { key, text } of decision.writes) this.#writeKey(key, version, text);
      return { told: { version }, keys: decision.writes.map(({ key }) => key) };
    } catch (error) {
      // A sum is too large. This is detected before anything is written.
      if (error instanceof TooLarge) return { told: { tooLarge: error.message }, keys: [] };
      throw error;
    }
  }

  /** Returns the current entry of a key. The value is loaded lazily, because only counters need it. */
  #getEntry(key: Key): Entry | undefined {
    const [row] = queryRows<{ version: Version }>(
      this.#sql,
      "SELECT version FROM entry WHERE key = ? AND value IS NOT NULL",
      key,
    );
    if (!row) return undefined;
    const readText = () =>
      queryRows<{ value: string }>(this.#sql, "SELECT value FROM entry WHERE key = ?", key)[0]!.value;
    return {
      key,
      version: row.version,
      get value(): Json {
        return JSON.parse(readText());
      },
    };
  }

  /**
   * Writes a key, and moves its previous entry to the past. A deleted key leaves a row without a value, so that listings of older
   * versions find it.
   */
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

  /** Returns the entries of the first keys at a version, as many as fit into one response. */
  read(version: Version, keys: readonly Key[]): (EntryTuple | null)[] {
    this.#assertReadable(version);
    const entries: (EntryTuple | null)[] = [];
    let size = 0;
    for (const key of keys) {
      const [row] = queryRows<StoredEntryRow>(this.#sql, "SELECT key, version, value FROM entry WHERE key = ?", key);
      const entry = row ? this.#getEntryAtVersion(version, row) : null;
      entries.push(entry);
      size += entry ? key.length + entry[2].length : 0;
      if (size >= this.#answerCharacters) break;
    }
    return entries;
  }

  /** Returns the first entries of a range, as many as fit into one response. */
  list({ version, from, to, isReverse, limit }: SentRange): { entries: EntryTuple[]; isCut: boolean } {
    this.#assertReadable(version);
    const entries: EntryTuple[] = [];
    let size = 0;
    for (let last: Key | undefined; ; ) {
      const rows = this.#readPage(
        isReverse ? { from, to: last ?? to, order: "DESC" } : { from, after: last, to, order: "ASC" },
      );
      for (const row of rows) {
        last = row.key;
        const entry = this.#getEntryAtVersion(version, row);
        if (!entry) continue;
        entries.push(entry);
        size += row.key.length + entry[2].length;
        if (entries.length >= limit) return { entries, isCut: false };
        if (size >= this.#answerCharacters) return { entries, isCut: true };
      }
      if (rows.length < ROWS_PER_PAGE) return { entries, isCut: false };
    }
  }

  #readPage(span: {
    from: Key;
    after?: Key | undefined;
    to: Key | undefined;
    order: "ASC" | "DESC";
  }): StoredEntryRow[] {
    const begin = span.after === undefined ? "key >= ?" : "key > ?";
    const end = span.to === undefined ? "" : " AND key < ?";
    return queryRows<StoredEntryRow>(
      this.#sql,
      `SELECT key, version, value FROM entry WHERE ${begin}${end} ORDER BY key ${span.order} LIMIT ${ROWS_PER_PAGE}`,
      ...[span.after ?? span.from, ...(span.to === undefined ? [] : [span.to])],
    );
  }

  /**
   * Returns the entry of a row at a version. If the row is newer, that is the first past entry which was overwritten after the version,
   * provided that it is not newer itself.
   */
  #getEntryAtVersion(version: Version, row: StoredEntryRow): EntryTuple | null {
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

  /**
   * Deletes some of the past versions that no reader can need any more, and raises the floor in the same transaction. Returns whether
   * more of them are due, or when more will be.
   */
  prune(now: number): "more" | { readonly next: number | undefined } {
    if (!this.#exists) return { next: undefined };
    // The floor is read in the same transaction: if that fails, nothing is deleted, so this object never misses a change of the floor.
    const { hasMore, floor } = this.#storage.transactionSync(() => {
      const hasMore = this.#prunePastVersions(now) || this.#deleteRounds(now);
      const [state] = queryRows<{ floor: Version }>(this.#sql, "SELECT floor FROM state");
      return { hasMore, floor: state!.floor };
    });
    this.#floor = floor;
    if (hasMore) return "more";
    const [left] = queryRows<{ count: number }>(
      this.#sql,
      "SELECT count(*) AS count FROM (SELECT id FROM round WHERE id > (SELECT pruned FROM state) OR id < (SELECT max(id) FROM round) LIMIT 1)",
    );
    return { next: left!.count > 0 ? now + Math.max(this.#grace, MIN_PRUNE_PAUSE_MS) : undefined };
  }

  #prunePastVersions(now: number): boolean {
    const rounds = queryRows<{ id: number; version: Version; keys: string }>(
      this.#sql,
      `SELECT id, version, keys FROM round WHERE id > (SELECT pruned FROM state) AND at <= ? ORDER BY id LIMIT ${MAX_PRUNED_ROUNDS}`,
      now - this.#grace,
    );
    let pruned = 0;
    let keys = 0;
    for (const round of rounds) {
      if (keys >= MAX_PRUNED_KEYS) break;
      this.#sql.exec("UPDATE state SET floor = ?, pruned = ?", round.version, round.id);
      // Each key is preceded by its length.
      for (let offset = 0; offset < round.keys.length; ) {
        const colon = round.keys.indexOf(":", offset);
        const end = colon + 1 + Number(round.keys.slice(offset, colon));
        const key = round.keys.slice(colon + 1, end);
        this.#sql.exec("DELETE FROM past WHERE key = ? AND until <= ?", key, round.version);
        this.#sql.exec("DELETE FROM entry WHERE key = ? AND value IS NULL AND version <= ?", key, round.version);
        keys++;
        offset = end;
      }
      pruned++;
    }
    return pruned < rounds.length || rounds.length === MAX_PRUNED_ROUNDS;
  }

  /** Deletes old rounds. The last one is kept, because it contains the version. */
  #deleteRounds(now: number): boolean {
    this.#sql.exec(
      `DELETE FROM round WHERE id IN (SELECT id FROM round WHERE id <= (SELECT pruned FROM state)
        AND id < (SELECT max(id) FROM round) AND at <= ? ORDER BY id LIMIT ${MAX_PRUNED_KEYS})`,
      now - Math.max(this.#grace, TOKEN_MS),
    );
    const [changed] = queryRows<{ count: number }>(this.#sql, "SELECT changes() AS count");
    return changed!.count === MAX_PRUNED_KEYS;
  }
}
