// The newest version of a partition. Every snapshot asks for it, because other processes write, too; one question serves
// all snapshots that were asked for before it was sent, and it brings the keys that have changed since the last one. The
// questions of one turn are one statement, whichever partitions they are about.

import { Corrupt, Unavailable, type Version } from "../adapter";
import type { PostgresRow } from "./client";
import { type Database, REPLICA } from "./database";
import type { Records } from "./records";
import { decodeKeyText, encodeArray } from "./text";

/** More changes than this are not named: then everything that is known is forgotten. */
const MAX_CHANGES = 2000;

export class Present {
  readonly #partition: string;
  readonly #questions: VersionQueries;
  readonly #records: Records;
  #asking: Promise<Version> | undefined;
  #next: Promise<Version> | undefined;

  constructor(partition: string, questions: VersionQueries, records: Records) {
    this.#partition = partition;
    this.#questions = questions;
    this.#records = records;
  }

  /** The version by a question that is sent after this call. */
  readLatest(): Promise<Version> {
    if (!this.#asking) return this.#ask();
    this.#next ??= this.#asking
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#ask();
      });
    return this.#next;
  }

  #ask(): Promise<Version> {
    const asking = this.#read().finally(() => {
      if (this.#asking === asking) this.#asking = undefined;
    });
    this.#asking = asking;
    return asking;
  }

  async #read(): Promise<Version> {
    const from = this.#records.known;
    const rows = await this.#questions.ask(this.#partition, from);
    const version = Number(rows[0]?.version ?? 0);
    if (version < from)
      throw new Corrupt(
        `The partition ${this.#partition} is at version ${version} and was at ${from}; if the database was restored, start this process again.`,
      );
    // From nothing on, no changes are named; but a commit of this process may have left something meanwhile.
    const isNamed = from > 0 && rows.length < MAX_CHANGES && Number(rows[0]?.floor ?? 0) <= from;
    if (!isNamed) this.#records.reset(version);
    else
      this.#records.advance(
        version,
        rows.flatMap(({ key }) => (key === null ? [] : [decodeKeyText(key!)])),
      );
    return version;
  }
}

/** The question of a turn: since when each partition is asked about, and what comes back of all. */
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

  /** A row for each key that has changed since a version, or one row without a key. */
  async ask(partition: string, since: Version): Promise<readonly PostgresRow[]> {
    this.#joined ??= this.#nextQuestion();
    const { rows, since: asked } = this.#joined;
    asked.set(partition, since);
    return (await rows).get(partition) ?? [];
  }

  #nextQuestion(): VersionQuery {
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
