// The newest version of a partition. Every snapshot asks for it, because other processes write, too; one question serves
// all snapshots that were asked for before it was sent, and it brings the keys that have changed since the last one.

import { Corrupt, Unavailable, type Version } from "../adapter";
import { type Database, REPLICA } from "./database";
import type { Records } from "./records";
import { keyOf } from "./text";

/** More changes than this are not named: then everything that is known is forgotten. */
const MOST_CHANGES = 2000;

export class Present {
  readonly #partition: string;
  readonly #database: Database;
  readonly #records: Records;
  #asking: Promise<Version> | undefined;
  #next: Promise<Version> | undefined;

  constructor(partition: string, database: Database, records: Records) {
    this.#partition = partition;
    this.#database = database;
    this.#records = records;
  }

  /** The version by a question that is sent after this call. */
  fresh(): Promise<Version> {
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
    const { schema } = this.#database;
    const from = this.#records.known;
    const rows = await this.#database.rows(
      `SELECT p.version::text, p.floor::text, h.key, pg_is_in_recovery()::text AS "isReplica" FROM ${schema}.partition p
      LEFT JOIN LATERAL (
        SELECT key FROM ${schema}.past
        WHERE partition = p.name AND until > $2::text::bigint AND $2::text::bigint > 0 LIMIT ${MOST_CHANGES}
      ) h ON true
      WHERE p.name = $1`,
      [this.#partition, String(from)],
    );
    const [row] = rows;
    if (row?.isReplica === "true") throw new Unavailable(REPLICA, { outcome: "none" });
    const version = Number(row?.version ?? 0);
    if (version < from)
      throw new Corrupt(
        `The partition ${this.#partition} is at version ${version} and was at ${from}; if the database was restored, start this process again.`,
      );
    if (rows.length >= MOST_CHANGES || Number(row?.floor ?? 0) > from) this.#records.beginAt(version);
    else
      this.#records.moveTo(
        version,
        rows.flatMap(({ key }) => (key === null ? [] : [keyOf(key!)])),
      );
    return version;
  }
}
