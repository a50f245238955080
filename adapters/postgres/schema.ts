// The tables and functions, and the statement that creates them. DESIGN.md describes the purpose of each.
//
// The migration is one DO block, and hence one transaction, which starts with a lock: if two processes start at once, one creates the
// tables, and the other finds them. A function that changes gets another name, because an older process may still use the previous one.

/** The format of the tables that this code reads and writes. */
export const FORMAT = 1;

/** The current names of the functions. */
export const COMMIT = "commit_2";
export const PUT_BLOB = "put_blob_1";

/** The oldest supported server: `AS MATERIALIZED` was added in version 12. */
export const OLDEST_SERVER = 120_000;

/** The first key of all advisory locks of Octavo, so that they do not collide with those of other programs. */
const LOCK = 0x0c7a;

/** Makes the commit of the current transaction wait for the disk, even if the role has `synchronous_commit` turned off. */
const ensureDurable = `IF current_setting('synchronous_commit') = 'off' THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;`;

/** Builds the statement that creates everything that is missing. */
export function buildMigration(schema: string): string {
  return `DO $migrate$
BEGIN
  ${ensureDurable}
  PERFORM pg_advisory_xact_lock(${LOCK}, hashtext('${schema}'));
  IF to_regnamespace('${schema}') IS NULL THEN
    CREATE SCHEMA ${schema};
  END IF;
  IF to_regclass('${schema}.format') IS NULL THEN
    ${buildTables(schema)}
    CREATE TABLE ${schema}.format (format integer NOT NULL);
    INSERT INTO ${schema}.format VALUES (${FORMAT});
  END IF;
  IF to_regproc('${schema}.${COMMIT}') IS NULL THEN
    ${buildCommitFunction(schema)}
  END IF;
  IF to_regproc('${schema}.${PUT_BLOB}') IS NULL THEN
    ${buildPutBlobFunction(schema)}
  END IF;
END
$migrate$`;
}

function buildTables(schema: string): string {
  return `
  CREATE TABLE ${schema}.partition (
    name text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    floor bigint NOT NULL DEFAULT 0,
    pruned bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);

  CREATE TABLE ${schema}.entry (
    partition text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (partition, key)
  ) WITH (fillfactor = 85);

  CREATE TABLE ${schema}.past (
    partition text COLLATE "C" NOT NULL,
    until bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    version bigint,
    value text,
    PRIMARY KEY (partition, until, key)
  );

  CREATE TABLE ${schema}.round (
    token text COLLATE "C" PRIMARY KEY,
    partition text COLLATE "C" NOT NULL,
    version bigint,
    at timestamptz NOT NULL
  );

  CREATE TABLE ${schema}.upload (
    id text COLLATE "C" PRIMARY KEY,
    at timestamptz NOT NULL
  );

  CREATE TABLE ${schema}.chunk (
    upload text COLLATE "C" NOT NULL,
    index integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (upload, index)
  );
  ALTER TABLE ${schema}.chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

  CREATE TABLE ${schema}.blob (
    name text COLLATE "C" PRIMARY KEY,
    upload text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    chunk integer NOT NULL
  );`;
}

/**
 * Builds the function that writes a round of commits. It locks the partition, verifies every check, and writes everything or nothing.
 * Each of its statements sees what was committed before it started, so no verified version is older than the lock.
 *
 * A connection plans a function once, possibly while the tables are empty, and reuses the plan. So the settings and the LIMIT of each
 * lookup allow no other plan than one that uses the index. An entry is looked up once and then written at its location (`ctid`), which
 * only the holder of the lock can change. All parameters are text, because parsing a statement with casts doubles the time of the call.
 */
function buildCommitFunction(schema: string): string {
  const selectEntry = (key: string) =>
    `(SELECT e.ctid, e.version, e.value FROM ${schema}.entry e WHERE e.partition = its_partition AND e.key = ${key} LIMIT 1) e`;
  // These CTEs follow a CTE `w` with keys, their new values, and the entries that were found.
  const noteAndChange = `
    noted AS (
      INSERT INTO ${schema}.past SELECT its_partition, base + commits, w.key, w.old_version, w.old_value FROM w
    ), changed AS (
      UPDATE ${schema}.entry e SET version = w.version, value = w.value FROM w
      WHERE e.ctid = w.place AND w.value IS NOT NULL
    ), made AS (
      INSERT INTO ${schema}.entry SELECT its_partition, w.key, w.version, w.value FROM w
      WHERE w.place IS NULL AND w.value IS NOT NULL
    )`;
  return `
  CREATE FUNCTION ${schema}.${COMMIT}(
    its_partition text, its_token text, is_again text, its_commits text,
    its_check_keys text, its_check_versions text,
    its_put_keys text, its_put_ranks text, its_put_values text,
    its_add_keys text, its_add_ranks text, its_amounts text
  ) RETURNS TABLE (outcome text, at_version text, at_key text, its_value text)
  LANGUAGE plpgsql
  SET enable_indexscan = on SET enable_tidscan = on SET enable_nestloop = on
  SET enable_seqscan = off SET enable_bitmapscan = off SET extra_float_digits = 1
  AS $commit$
  DECLARE
    commits CONSTANT bigint := its_commits::bigint;
    check_keys CONSTANT text[] := its_check_keys::text[];
    base bigint;
    earlier bigint;
    is_known boolean := false;
    is_stale boolean := false;
  BEGIN
    ${ensureDurable}
    SELECT p.version INTO base FROM ${schema}.partition p WHERE p.name = its_partition FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO ${schema}.partition AS p (name, version) VALUES (its_partition, 0) ON CONFLICT DO NOTHING;
      SELECT p.version INTO base FROM ${schema}.partition p WHERE p.name = its_partition FOR UPDATE;
    END IF;

    IF is_again = 'true' THEN
      SELECT r.version INTO earlier FROM ${schema}.round r WHERE r.token = its_token;
      is_known := FOUND;
      IF earlier IS NOT NULL THEN
        RETURN QUERY SELECT 'written', (earlier - commits)::text, NULL::text, NULL::text;
        RETURN;
      END IF;
    END IF;

    IF cardinality(check_keys) > 0 THEN
      is_stale := EXISTS (
        SELECT FROM unnest(check_keys, its_check_versions::bigint[]) c (key, version)
        LEFT JOIN LATERAL ${selectEntry("c.key")} ON true
        WHERE e.version IS DISTINCT FROM c.version
      );
    END IF;
    IF is_known OR is_stale THEN
      -- The first sending may still be on its way. With the token in the table, it fails.
      IF is_again = 'true' AND NOT is_known THEN
        INSERT INTO ${schema}.round VALUES (its_token, its_partition, NULL, clock_timestamp());
      END IF;
      RETURN QUERY
        SELECT 'stale', e.version::text, c.key, NULL::text FROM unnest(check_keys) c (key)
        LEFT JOIN LATERAL ${selectEntry("c.key")} ON true;
      RETURN;
    END IF;

    IF its_put_keys <> '{}' THEN
      WITH w AS MATERIALIZED (
        SELECT g.key, base + g.rank AS version, g.value, e.ctid AS place, e.version AS old_version, e.value AS old_value
        FROM unnest(its_put_keys::text[], its_put_ranks::bigint[], its_put_values::text[]) g (key, rank, value)
        LEFT JOIN LATERAL ${selectEntry("g.key")} ON true
      ), ${noteAndChange}
      DELETE FROM ${schema}.entry e USING w WHERE e.ctid = w.place AND w.value IS NULL;
    END IF;

    -- One after the other, beginning with what is there: sums of fractions depend on their order.
    IF its_add_keys <> '{}' THEN
      RETURN QUERY
        WITH w AS MATERIALIZED (
          SELECT g.key, base + g.rank AS version, to_json((
            SELECT sum(s.amount ORDER BY s.place) FROM (
              SELECT e.value::float8 AS amount, 0 AS place WHERE e.value ~ '^-?[0-9]'
              UNION ALL
              SELECT m.amount, m.place FROM unnest(g.amounts) WITH ORDINALITY m (amount, place)
            ) s
          ))::text AS value, e.ctid AS place, e.version AS old_version, e.value AS old_value
          FROM (
            SELECT a.key, max(a.rank) AS rank, array_agg(a.amount ORDER BY a.place) AS amounts
            FROM unnest(its_add_keys::text[], its_add_ranks::bigint[], its_amounts::float8[])
              WITH ORDINALITY a (key, rank, amount, place)
            GROUP BY a.key
          ) g
          LEFT JOIN LATERAL ${selectEntry("g.key")} ON true
        ), ${noteAndChange}
        SELECT 'sum', w.version::text, w.key, w.value FROM w;
    END IF;

    UPDATE ${schema}.partition p SET version = base + commits WHERE p.name = its_partition;
    INSERT INTO ${schema}.round VALUES (its_token, its_partition, base + commits, clock_timestamp());
    RETURN QUERY SELECT 'written', base::text, NULL::text, NULL::text;
  END
  $commit$;`;
}

/**
 * Builds the function that completes an upload: the blob exists once its transaction is committed. If it is called again, it finds its
 * own blob. A blob of one chunk has no previous upload.
 */
function buildPutBlobFunction(schema: string): string {
  return `
  CREATE FUNCTION ${schema}.${PUT_BLOB}(
    its_name text, its_upload text, its_size bigint, its_chunk integer, whole bytea
  ) RETURNS text
  LANGUAGE plpgsql
  AS $put$
  DECLARE
    there text;
  BEGIN
    ${ensureDurable}
    INSERT INTO ${schema}.blob VALUES (its_name, its_upload, its_size, its_chunk) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      SELECT b.upload INTO there FROM ${schema}.blob b WHERE b.name = its_name;
      RETURN CASE WHEN there = its_upload THEN 'stored' ELSE 'taken' END;
    END IF;
    IF whole IS NOT NULL THEN
      INSERT INTO ${schema}.chunk VALUES (its_upload, 0, whole);
    ELSE
      DELETE FROM ${schema}.upload u WHERE u.id = its_upload;
      IF NOT FOUND THEN
        DELETE FROM ${schema}.blob b WHERE b.name = its_name;
        RETURN 'swept';
      END IF;
    END IF;
    RETURN 'stored';
  END
  $put$;`;
}
