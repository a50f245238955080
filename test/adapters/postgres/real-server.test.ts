// The adapter keeps the contract on a real PostgreSQL: through `pg` with its own sizes, and with everything that can be
// against it: settings of the role, a pooler, tiny pieces, and no cache.

import { defineConformanceTests } from "octavo/conformance";
import { postgresStorage, type QueryClient } from "octavo/postgres";
import pg from "pg";
import postgres from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../../support/patience";
import { runs } from "../../support/test-length";
import { inSchema, newSchema } from "./schemas";
import { postgresServer } from "./server";

// Clients and roles that are against the adapter wherever PostgreSQL lets them be.

/** Settings of which none may matter. */
const settings = {
  default_transaction_isolation: "serializable",
  synchronous_commit: "off",
  extra_float_digits: "-5",
  search_path: '""',
  standard_conforming_strings: "off",
  bytea_output: "escape",
  IntervalStyle: "sql_standard",
  DateStyle: "German",
  TimeZone: "Pacific/Kiritimati",
  enable_indexscan: "off",
  enable_bitmapscan: "off",
};

/** The address of a server for a role with these settings, which is made where it is missing. */
async function hostileRole(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "DO $$ BEGIN IF to_regrole('hostile') IS NULL THEN CREATE ROLE hostile LOGIN; GRANT CREATE ON DATABASE postgres TO hostile; END IF; END $$",
  );
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER ROLE hostile SET ${name} = ${value.startsWith('"') ? "''" : `'${value}'`}`);
  await client.end();
  const address = new URL(url);
  address.username = "hostile";
  return address.href;
}

/** A pooler that shares connections between transactions: every statement may have another one, which forgets it after. */
function pooled(pool: pg.Pool): QueryClient {
  return {
    async query(text, values) {
      const client = await pool.connect();
      try {
        return await client.query(text, values);
      } finally {
        await client.query("DISCARD ALL").catch(() => {});
        client.release();
      }
    },
  };
}

const server = await postgresServer();
if ("leftOut" in server) console.log(`octavo/postgres on a real server was left out: ${server.leftOut}.`);
else {
  const pool = new pg.Pool({ connectionString: server.url });
  const hostile = new pg.Pool({ connectionString: await hostileRole(server.url), max: 4 });
  afterAll(() => Promise.all([pool.end(), hostile.end()]));
  const timeoutMs = PATIENCE_MS;
  const patience = PATIENCE_MS;

  describe("postgresStorage on a real server", () =>
    defineConformanceTests({
      test,
      open: () => inSchema(pool, pool, { timeoutMs }),
      runs: runs(100),
      timeoutMs: patience,
    }));

  describe("postgresStorage on a hostile server", () => {
    const tiny = { timeoutMs, cacheBytes: 0, roundBytes: 1, chunkBytes: 20_011 };
    defineConformanceTests({
      test,
      open: () => inSchema(pooled(hostile), pool, tiny),
      runs: runs(40),
      timeoutMs: patience,
    });
  });

  test("the package `postgres` and a connection string work as well as a `pg` pool", async () => {
    const schema = newSchema();
    const sql = postgres(server.url, { max: 2, onnotice: () => {} });
    const commit = {
      checks: [],
      puts: [{ key: "a\x00\"'\\{}", value: { "ü\"'\\": "\u0000" } }],
      deletes: [],
      adds: [],
    };
    for (const location of [sql, server.url]) {
      const storage = postgresStorage(location, { schema, timeoutMs });
      await storage.partition("p").commit(commit);
      const [entry] = await (await storage.partition("p").snapshot()).list({ under: "a", limit: 9 });
      expect(entry?.value).toEqual(commit.puts[0]!.value);
      await storage.close();
    }
    expect(await sql`SELECT 1 AS one`).toEqual([{ one: 1 }]);
    await sql.end();
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  });
}
