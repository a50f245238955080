// A partition at one version. One table contains the current entries, and another the past versions of those that have changed since. A
// statement reads both from the same snapshot of the database, so no commit comes between.

import {
  Corrupt,
  type Entry,
  getKeySpan,
  joinReads,
  type Key,
  parseEntry,
  type Range,
  type Snapshot,
  Unavailable,
  type Version,
} from "../adapter";
import type { PostgresRow } from "./client";
import type { Database } from "./database";
import type { Records } from "./records";
import { encodeArray, keyText } from "./text";

export class View implements Snapshot {
  readonly version: Version;
  readonly #partition: string;
  readonly #database: Database;
  readonly #records: Records;
  readonly #read = joinReads((keys) => this.#fetch(keys));

  constructor(partition: string, version: Version, database: Database, records: Records) {
    this.#partition = partition;
    this.version = version;
    this.#database = database;
    this.#records = records;
  }

  async get(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    this.#database.assertOpen();
    if (this.version === 0) return keys.map(() => undefined);
    const cached = keys.map((key) => this.#records.getCached(key, this.version));
    const missing = keys.filter((_, i) => cached[i] === null);
    if (missing.length === 0) return cached as (Entry | undefined)[];
    const read = await this.#read(missing);
    return cached.map((entry, i) => (entry === null ? read.get(keys[i]!) : entry));
  }

  async #fetch(keys: readonly Key[]): Promise<ReadonlyMap<Key, Entry | undefined>> {
    const { schema } = this.#database;
    const rows = await this.#database.query(
      `WITH asked AS MATERIALIZED (SELECT key FROM unnest($2::text::text[]) k (key)),
      noted AS MATERIALIZED (
        SELECT DISTINCT ON (h.key) h.key, h.version, h.value FROM ${schema}.past h
        WHERE h.partition = $1 AND h.until > $3::text::bigint AND h.key = ANY ($2::text::text[])
        ORDER BY h.key, h.until
      )
      SELECT p.version::text AS read, p.floor::text, asked.key, (noted.key IS NULL)::text AS "isNow",
        CASE WHEN noted.key IS NULL THEN e.version ELSE noted.version END::text AS version,
        CASE WHEN noted.key IS NULL THEN e.value ELSE noted.value END AS value
      FROM ${schema}.partition p CROSS JOIN asked
      LEFT JOIN LATERAL (SELECT * FROM ${schema}.entry e WHERE e.partition = $1 AND e.key = asked.key LIMIT 1) e ON true
      LEFT JOIN noted ON noted.key = asked.key
      WHERE p.name = $1`,
      [this.#partition, encodeArray(keys.map(keyText.encode)), String(this.version)],
    );
    this.#assertReadable(rows);
    const found = new Map<Key, Entry | undefined>();
    for (const row of rows) {
      const key = keyText.decode(row.key!);
      const entry = row.version === null ? undefined : this.#parseEntry(row);
      found.set(key, entry);
      if (row.isNow === "true") this.#records.cacheRead(key, entry, this.version, Number(row.read), row.value ?? "");
    }
    return found;
  }

  async list(range: Range): Promise<readonly Entry[]> {
    this.#database.assertOpen();
    const { from, to } = getKeySpan(range);
    if (this.version === 0 || range.limit <= 0 || (to !== undefined && from >= to)) return [];
    const { schema } = this.#database;
    const within = `partition = $1 AND key >= $3${to === undefined ? "" : " AND key < $4"}`;
    const limit = Number.isFinite(range.limit) ? `LIMIT ${Math.floor(range.limit)}` : "";
    const order = range.reverse ? "DESC" : "ASC";
    const values = [this.#partition, String(this.version), keyText.encode(from)];
    if (to !== undefined) values.push(keyText.encode(to));
    const rows = await this.#database.query(
      // The current entries that are old enough, and the past versions of the others: no key is in both.
      `SELECT p.version::text AS read, p.floor::text, r.key, r.version::text, r.value FROM ${schema}.partition p
      LEFT JOIN (
        SELECT * FROM (
          (SELECT key, version, value FROM ${schema}.entry WHERE ${within} AND version <= $2::text::bigint
            ORDER BY key ${order} ${limit})
          UNION ALL
          SELECT * FROM (
            SELECT DISTINCT ON (key) key, version, value FROM ${schema}.past
            WHERE ${within} AND until > $2::text::bigint ORDER BY key, until
          ) noted WHERE version IS NOT NULL
        ) both_of_them ORDER BY key ${order} ${limit}
      ) r ON true
      WHERE p.name = $1 ORDER BY r.key ${order}`,
      values,
    );
    this.#assertReadable(rows);
    return rows.filter(({ key }) => key !== null).map((row) => this.#parseEntry(row));
  }

  /** Returns the entry of a row, or the cached one if it is the same. */
  #parseEntry(row: PostgresRow): Entry {
    const key = keyText.decode(row.key!);
    const version = Number(row.version);
    const cached = this.#records.getCached(key, this.version);
    if (cached && cached.version === version) return cached;
    return parseEntry(this.#partition, key, version, row.value!);
  }

  #assertReadable(rows: readonly PostgresRow[]): void {
    const [first] = rows;
    if (!first || Number(first.read) < this.version)
      throw new Corrupt(
        `The partition ${this.#partition} is older than it was; if the database was restored, start this process again.`,
      );
    if (Number(first.floor) > this.version) {
      const message = `The snapshot of version ${this.version} has grown too old to be read; take a new one.`;
      throw new Unavailable(message, { outcome: "none" });
    }
  }
}
