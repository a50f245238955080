// Deferred work: deletes past versions that no reader can need any more, and uploads that were never finished.

import type { PostgresBlobs } from "./blobs";
import type { Database } from "./database";

/** The result of a call of `maintain`. */
export interface PostgresMaintained {
  /** The number of partitions that were pruned. */
  readonly partitions: number;
  /** The number of past versions that were deleted. */
  readonly pruned: number;
  /** The number of unfinished uploads that were deleted. */
  readonly swept: number;
  /** True if nothing is left to do. Otherwise the next call continues. */
  readonly finished: boolean;
}

/** The maximum number of past versions that a statement deletes, and of statements for a partition in one call. */
const VERSIONS_PER_STATEMENT = 5000;
const MAX_STATEMENTS = 20;
/** The maximum number of rounds that are inspected. */
const MAX_ROUNDS = 100_000;
/** A token is kept for at least a minute, which is longer than a round is retried. */
const TOKEN_MS = 60_000;
/** An upload to which nothing was added for an hour counts as abandoned. */
const UPLOAD_MS = 60 * 60 * 1000;

/** Prunes partitions and sweeps uploads. */
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
      WHERE at < now() - $1::text::interval AND version IS NOT NULL LIMIT ${MAX_ROUNDS}
    ) r JOIN ${schema}.partition p ON p.name = r.partition WHERE r.version > p.pruned
    GROUP BY r.partition ORDER BY r.partition LIMIT ${options.partitions}`,
    [age],
  );
  let finished = due.length < options.partitions;
  for (const { partition, floor } of due) {
    done.partitions++;
    // First the floor is raised and then the past versions below it are deleted, so that a reader that misses a version sees the floor.
    const update = (column: "floor" | "pruned") =>
      database.query(
        `UPDATE ${schema}.partition SET ${column} = $2::text::bigint WHERE name = $1 AND ${column} < $2::text::bigint`,
        [partition!, floor!],
      );
    await update("floor");
    let isPruned = false;
    for (let statement = 0; statement < MAX_STATEMENTS && !isPruned; statement++) {
      const [row] = await database.query(
        `WITH gone AS (
          DELETE FROM ${schema}.past h USING (
            SELECT partition, until, key FROM ${schema}.past
            WHERE partition = $1 AND until <= $2::text::bigint LIMIT ${VERSIONS_PER_STATEMENT}
          ) d WHERE h.partition = d.partition AND h.until = d.until AND h.key = d.key
          RETURNING 1
        ) SELECT count(*)::text AS count FROM gone`,
        [partition!, floor!],
      );
      done.pruned += Number(row!.count);
      isPruned = Number(row!.count) !== VERSIONS_PER_STATEMENT;
    }
    if (isPruned) await update("pruned");
    finished &&= isPruned;
  }
  await database.query(
    `DELETE FROM ${schema}.round r USING ${schema}.partition p
    WHERE p.name = r.partition AND coalesce(r.version, 0) <= p.pruned AND r.at < now() - $1::text::interval`,
    [`${Math.max(options.grace, TOKEN_MS)} milliseconds`],
  );
  return { ...done, finished };
}
