// The latest version of a partition. Every snapshot queries it, because other processes write as well. All snapshots that are requested
// before a query is sent share it, and it also returns the keys that have changed since the last one. The queries of one turn, for
// whichever partitions, are one statement.

import { Corrupt, Unavailable, type Version } from "../adapter";
import type { PostgresRow } from "./client";
import { type Database, REPLICA } from "./database";
import type { Records } from "./records";
import { encodeArray, keyText } from "./text";

/** The maximum number of changed keys that a query returns. If there are more, the whole cache is invalidated. */
const MAX_CHANGES = 2000;

export class Present {
  readonly #partition: string;
  readonly #queries: VersionQueries;
  readonly #records: Records;
  #reading: Promise<Version> | undefined;
  #next: Promise<Version> | undefined;

  constructor(partition: string, queries: VersionQueries, records: Records) {
    this.#partition = partition;
    this.#queries = queries;
    this.#records = records;
  }

  /** Returns the version by a query that is sent after this call. */
  readLatest(): Promise<Version> {
    if (!this.#reading) return this.#startRead();
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#startRead();
      });
    return this.#next;
  }

  #startRead(): Promise<Version> {
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #read(): Promise<Version> {
    const from = this.#records.known;
    const rows = await this.#queries.query(this.#partition, from);
    const version = Number(rows[0]?.version ?? 0);
    if (version < from)
      throw new Corrupt(
        `The partition ${this.#partition} is at version ${version} and was at ${from}; if the database was restored, start this process again.`,
      );
    // The first query returns no changes, but a commit of this process may have been cached in the meantime.
    const hasAllChanges = from > 0 && rows.length < MAX_CHANGES && Number(rows[0]?.floor ?? 0) <= from;
    if (!hasAllChanges) this.#records.reset(version);
    else
      this.#records.advance(
        version,
        rows.flatMap(({ key }) => (key === null ? [] : [keyText.decode(key!)])),
      );
    return version;
  }
}

/** The joined queries of a turn: the known version of each partition, and the resulting rows. */
interface VersionQuery {
  readonly since: Map<string, Version>;
  readonly rows: Promise<ReadonlyMap<string, readonly PostgresRow[]>>;
}

export class VersionQueries {
  readonly #database: Database;
  #joined: VersionQuery | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns a row for each key that has changed since a version, or one row without a key. */
  async query(partition: string, since: Version): Promise<readonly PostgresRow[]> {
    this.#joined ??= this.#startJoinedQuery();
    const { rows, since: versions } = this.#joined;
    versions.set(partition, since);
    return (await rows).get(partition) ?? [];
  }

  #startJoinedQuery(): VersionQuery {
    const since = new Map<string, Version>();
    const rows = Promise.resolve().then(() => {
      this.#joined = undefined;
      return this.#send(since);
    });
    return { since, rows };
  }

  async #send(since: ReadonlyMap<string, Version>): Promise<ReadonlyMap<string, readonly PostgresRow[]>> {
    const { schema } = this.#database;
    const rows = await this.#database.query(
      `SELECT q.name, p.version::text, p.floor::text, h.key, pg_is_in_recovery()::text AS "isReplica"
      FROM unnest($1::text::text[], $2::text::bigint[]) q (name, since)
      LEFT JOIN LATERAL (SELECT version, floor FROM ${schema}.partition WHERE name = q.name LIMIT 1) p ON true
      LEFT JOIN LATERAL (
        SELECT key FROM ${schema}.past WHERE partition = q.name AND until > q.since AND q.since > 0 LIMIT ${MAX_CHANGES}
      ) h ON true`,
      [encodeArray([...since.keys()]), encodeArray([...since.values()])],
    );
    if (rows[0]?.isReplica === "true") throw new Unavailable(REPLICA, { outcome: "none" });
    const byName = new Map([...since.keys()].map((name) => [name, [] as PostgresRow[]]));
    for (const row of rows) byName.get(row.name!)?.push(row);
    return byName;
  }
}
