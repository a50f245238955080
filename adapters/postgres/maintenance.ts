// What can wait: notes of the past that no reader may need any more, and uploads that were never finished.

import type { PostgresBlobs } from "./blobs";
import type { Database } from "./database";

/** What a call of `maintain` has done. */
export interface PostgresMaintained {
  /** How many partitions were looked at. */
  readonly partitions: number;
  /** How many notes of the past were deleted. */
  readonly pruned: number;
  /** How many uploads were removed that nobody finished. */
  readonly swept: number;
  /** Whether nothing is left to do; otherwise the next call goes on. */
  readonly finished: boolean;
}

/** How many notes one statement deletes, and how many statements a call sends for a partition. */
const NOTES_AT_ONCE = 5000;
const STATEMENTS = 20;
/** The names of so many rounds are looked at, at most. */
const ROUNDS_AT_ONCE = 100_000;
/** A token is kept for a minute at least: longer than a round is sent again. */
const TOKEN_MS = 60_000;
/** An upload to which nothing was added for an hour is dead. */
const UPLOAD_MS = 60 * 60 * 1000;

export async function runMaintenance(
  database: Database,
  blobs: PostgresBlobs | undefined,
  options: { readonly grace: number; readonly partitions: number },
): Promise<PostgresMaintained> {
  const done = { partitions: 0, pruned: 0, swept: (await blobs?.sweep(UPLOAD_MS)) ?? 0 };
  const { schema } = database;
  const age = `${options.grace} milliseconds`;
  const due = await database.query(
    `SELECT r.partition, max(r.version)::text AS floor FROM (
      SELECT partition, version FROM ${schema}.round
      WHERE at < now() - $1::text::interval AND version IS NOT NULL LIMIT ${ROUNDS_AT_ONCE}
    ) r JOIN ${schema}.partition p ON p.name = r.partition WHERE r.version > p.pruned
    GROUP BY r.partition ORDER BY r.partition LIMIT ${options.partitions}`,
    [age],
  );
  let finished = due.length < options.partitions;
  for (const { partition, floor } of due) {
    done.partitions++;
    const pruned = await prunePartition(database, partition!, floor!);
    done.pruned += pruned.count;
    finished &&= pruned.finished;
  }
  await database.query(
    `DELETE FROM ${schema}.round r USING ${schema}.partition p
    WHERE p.name = r.partition AND coalesce(r.version, 0) <= p.pruned AND r.at < now() - $1::text::interval`,
    [`${Math.max(options.grace, TOKEN_MS)} milliseconds`],
  );
  return { ...done, finished };
}

/** First the floor, then the notes below it: whoever misses a note sees the floor. */
async function prunePartition(database: Database, partition: string, floor: string) {
  const { schema } = database;
  const update = (column: "floor" | "pruned") =>
    database.query(
      `UPDATE ${schema}.partition SET ${column} = $2::text::bigint WHERE name = $1 AND ${column} < $2::text::bigint`,
      [partition, floor],
    );
  await update("floor");
  let count = 0;
  for (let statement = 0; statement < STATEMENTS; statement++) {
    const [row] = await database.query(
      `WITH gone AS (
        DELETE FROM ${schema}.past h USING (
          SELECT partition, until, key FROM ${schema}.past
          WHERE partition = $1 AND until <= $2::text::bigint LIMIT ${NOTES_AT_ONCE}
        ) d WHERE h.partition = d.partition AND h.until = d.until AND h.key = d.key
        RETURNING 1
      ) SELECT count(*)::text AS count FROM gone`,
      [partition, floor],
    );
    count += Number(row!.count);
    if (Number(row!.count) === NOTES_AT_ONCE) continue;
    await update("pruned");
    return { count, finished: true };
  }
  return { count, finished: false };
}
