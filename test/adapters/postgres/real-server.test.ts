// The adapter keeps the contract on a real PostgreSQL: through `pg` with its own sizes, and with everything that can be
// against it: settings of the role, a pooler, tiny pieces, and no cache.

import { defineConformanceTests } from "octavo/conformance";
import { postgresStorage } from "octavo/postgres";
import pg from "pg";
import postgres from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../../support/patience";
import { runs } from "../../support/test-length";
import { hostileRole, pooled } from "./hostile";
import { inSchema, newSchema } from "./schemas";
import { postgresServer } from "./server";

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
