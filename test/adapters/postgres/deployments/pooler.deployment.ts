// Behind PgBouncer in transaction pooling, everything is as without it.

import { defineConformanceTests } from "octavo/conformance";
import { postgresStorage } from "octavo/postgres";
import pg from "pg";
import postgres from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { builtScript, historyOf, seeds } from "../../../support/history-processes";
import { PATIENCE_MS } from "../../../support/patience";
import { runs } from "../../../support/test-length";
import { inSchema, newSchema } from "../schemas";
import { startServer } from "../server";
import { startPooler } from "./pgbouncer";

const server = await startServer();
if ("leftOut" in server) throw new Error(server.leftOut);
const pooler = await startPooler(server);
const pool = new pg.Pool({ connectionString: pooler.url });
const direct = new pg.Pool({ connectionString: server.url });
// The server is restarted below, and idle connections end with it.
for (const each of [pool, direct]) each.on("error", () => {});
afterAll(async () => {
  await Promise.all([pool.end(), direct.end()]);
  await pooler.stop();
  await server.stop();
});

describe("postgresStorage behind PgBouncer", () =>
  defineConformanceTests({
    test,
    open: () => inSchema(pool, direct, { timeoutMs: PATIENCE_MS }),
    runs: runs(50),
    timeoutMs: PATIENCE_MS,
  }));

test("the package `postgres` works without prepared statements, and so does a connection string", async () => {
  const schema = newSchema();
  const sql = postgres(pooler.url, { max: 4, prepare: false, onnotice: () => {} });
  for (const location of [sql, pooler.url]) {
    const storage = postgresStorage(location, { schema });
    const commits = Array.from({ length: 20 }, (_, i) =>
      storage.partition(`p${i}`).commit({ checks: [], puts: [{ key: "k", value: i }], deletes: [], adds: [] }),
    );
    expect((await Promise.all(commits)).every(({ ok }) => ok)).toBe(true);
    await storage.close();
  }
  await sql.end();
});

test("listeners hear nothing behind a pooler, and nothing else is affected", async () => {
  const schema = newSchema();
  const [one, other] = [postgresStorage(pooler.url, { schema }), postgresStorage(pooler.url, { schema })];
  const end = other.listen(() => {});
  await one.announce(new Date());
  const commit = { checks: [], puts: [{ key: "k", value: 1 }], deletes: [], adds: [] };
  expect(await one.partition("p").commit(commit)).toEqual({ ok: true, version: 1 });
  expect((await other.partition("p").snapshot()).version).toBe(1);
  await end();
  await Promise.all([one.close(), other.close()]);
});

test("a history of processes that share three connections is strictly serializable", async () => {
  const schema = newSchema();
  const script = await builtScript("test/adapters/postgres/history-process.ts");
  const open = () => postgresStorage(server.url, { schema });
  const troubles = async () => void (await server.restart());
  expect(await historyOf({ seed: seeds[0]!, script, told: [pooler.url, schema], open, killed: [0], troubles })).toEqual(
    [],
  );
});
