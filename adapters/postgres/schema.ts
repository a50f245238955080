// The tables and functions, and how they are made. DESIGN.md tells what each of them is for.
//
// Everything is one DO block, hence one transaction, and it begins with a lock: of two processes that start at once, one
// makes the tables, and the other finds them. Names carry the format where an older process may still use them.

/** The format that this code reads and writes. */
export const FORMAT = 1;

/** The oldest server that is known to have all that is used here: 12 has `AS MATERIALIZED`. */
export const OLDEST_SERVER = 120_000;

/** The bytes that are common to all locks of Octavo, so that they meet no other program's. */
const LOCK = 0x0c7a;

/** Refuses a name of a schema that would have to be quoted. */
export function checkSchemaName(name: string): void {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name) || name.startsWith("pg_"))
    throw new TypeError(
      `schema: ${JSON.stringify(name)} is no name of a schema; use small letters, digits and underscores.`,
    );
}

/** The statement that makes all that is missing. */
export function migration(schema: string): string {
  return `DO $migrate$
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK}, hashtext('${schema}'));
  IF to_regclass('${schema}.format') IS NOT NULL THEN
    RETURN;
  END IF;
  IF to_regnamespace('${schema}') IS NULL THEN
    CREATE SCHEMA ${schema};
  END IF;
  ${tables(schema)}
  ${commitFunction(schema)}
  ${putBlobFunction(schema)}
  CREATE TABLE ${schema}.format (format integer NOT NULL);
  INSERT INTO ${schema}.format VALUES (${FORMAT});
END
$migrate$`;
}

function tables(schema: string): string {
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
 * A round of commits: the partition is locked, every check is compared, and all is written or nothing. Each statement in
 * here sees what was committed before it began, so nothing that is compared is older than the lock. A connection plans a
 * function once, perhaps while the tables are empty, and keeps the plan. So the settings and the LIMIT of each lookup leave
 * no other plan than the index.
 */
function commitFunction(schema: string): string {
  const entryAt = (key: string) =>
    `(SELECT e.version, e.value FROM ${schema}.entry e WHERE e.partition = its_partition AND e.key = ${key} LIMIT 1) e`;
  return `
  CREATE FUNCTION ${schema}.commit_${FORMAT}(
    its_partition text, its_token text, is_again boolean, commits bigint,
    check_keys text[], check_versions bigint[],
    put_keys text[], put_ranks bigint[], put_values text[],
    add_keys text[], add_ranks bigint[], amounts float8[]
  ) RETURNS TABLE (outcome text, at_version bigint, at_key text, its_value text)
  LANGUAGE plpgsql
  SET enable_indexscan = on SET enable_seqscan = off SET enable_bitmapscan = off SET extra_float_digits = 1
  AS $commit$
  DECLARE
    base bigint;
    earlier bigint;
    is_known boolean := false;
    gone text[];
  BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    SELECT p.version INTO base FROM ${schema}.partition p WHERE p.name = its_partition FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO ${schema}.partition AS p (name, version) VALUES (its_partition, 0) ON CONFLICT DO NOTHING;
      SELECT p.version INTO base FROM ${schema}.partition p WHERE p.name = its_partition FOR UPDATE;
    END IF;

    IF is_again THEN
      SELECT r.version INTO earlier FROM ${schema}.round r WHERE r.token = its_token;
      is_known := FOUND;
      IF earlier IS NOT NULL THEN
        RETURN QUERY SELECT 'written', earlier - commits, NULL::text, NULL::text;
        RETURN;
      END IF;
    END IF;

    IF is_known OR EXISTS (
      SELECT FROM unnest(check_keys, check_versions) c (key, version)
      LEFT JOIN LATERAL ${entryAt("c.key")} ON true
      WHERE e.version IS DISTINCT FROM c.version
    ) THEN
      -- The first sending may still be on its way. With the token in the table, it fails.
      IF is_again AND NOT is_known THEN
        INSERT INTO ${schema}.round VALUES (its_token, its_partition, NULL, clock_timestamp());
      END IF;
      RETURN QUERY
        SELECT 'stale', e.version, c.key, NULL::text FROM unnest(check_keys) c (key)
        LEFT JOIN LATERAL ${entryAt("c.key")} ON true;
      RETURN;
    END IF;

    INSERT INTO ${schema}.past
      SELECT its_partition, base + commits, w.key, e.version, e.value
      FROM (SELECT unnest(put_keys) UNION SELECT unnest(add_keys)) w (key)
      LEFT JOIN LATERAL ${entryAt("w.key")} ON true;

    gone := ARRAY(SELECT w.key FROM unnest(put_keys, put_values) w (key, value) WHERE w.value IS NULL);
    IF cardinality(gone) > 0 THEN
      DELETE FROM ${schema}.entry e WHERE e.partition = its_partition AND e.key = ANY (gone);
    END IF;
    INSERT INTO ${schema}.entry AS e (partition, key, version, value)
      SELECT its_partition, w.key, base + w.rank, w.value FROM unnest(put_keys, put_ranks, put_values) w (key, rank, value)
      WHERE w.value IS NOT NULL
      ON CONFLICT ON CONSTRAINT entry_pkey DO UPDATE SET version = EXCLUDED.version, value = EXCLUDED.value;

    -- One after the other, beginning with what is there: sums of fractions depend on their order.
    IF cardinality(add_keys) > 0 THEN
      RETURN QUERY
        INSERT INTO ${schema}.entry AS e (partition, key, version, value)
          SELECT its_partition, a.key, base + max(a.rank), to_json(sum(a.amount ORDER BY a.place))::text
          FROM (
            SELECT g.key, g.rank, g.amount, g.place
            FROM unnest(add_keys, add_ranks, amounts) WITH ORDINALITY g (key, rank, amount, place)
            UNION ALL
            SELECT k.key, 0, e.value::float8, 0 FROM (SELECT DISTINCT unnest(add_keys)) k (key)
            JOIN LATERAL ${entryAt("k.key")} ON e.value ~ '^-?[0-9]'
          ) a
          GROUP BY a.key
        ON CONFLICT ON CONSTRAINT entry_pkey DO UPDATE SET version = EXCLUDED.version, value = EXCLUDED.value
        RETURNING 'sum', e.version, e.key, e.value;
    END IF;

    UPDATE ${schema}.partition p SET version = base + commits WHERE p.name = its_partition;
    INSERT INTO ${schema}.round VALUES (its_token, its_partition, base + commits, clock_timestamp());
    RETURN QUERY SELECT 'written', base, NULL::text, NULL::text;
  END
  $commit$;`;
}

/**
 * The end of an upload: the blob is there when this is committed, and not before. Called again, it finds its own blob. A
 * blob of one chunk has no upload before.
 */
function putBlobFunction(schema: string): string {
  return `
  CREATE FUNCTION ${schema}.put_blob_${FORMAT}(
    its_name text, its_upload text, its_size bigint, its_chunk integer, whole bytea
  ) RETURNS text
  LANGUAGE plpgsql
  AS $put$
  DECLARE
    there text;
  BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
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
