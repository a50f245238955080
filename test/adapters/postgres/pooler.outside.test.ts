// Behind PgBouncer in transaction pooling, everything is as without it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { defineConformanceTests } from "octavo/conformance";
import { postgresStorage } from "octavo/postgres";
import pg from "pg";
import postgres from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { builtScript, historyOf, seeds } from "../../support/history-processes";
import { freePort } from "../../support/listening";
import { PATIENCE_MS } from "../../support/patience";
import { runs } from "../../support/test-length";
import { unpackedPackage } from "./debian";
import { inSchema, newSchema } from "./schemas";
import { answers, asNobody, newFolder, type OwnServer, startServer } from "./server";

// Debian's PgBouncer in front of a server, which shares its connections between transactions.

interface Pooler {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** So few connections that everybody has to share. */
const CONNECTIONS = 3;

async function startPooler(server: OwnServer): Promise<Pooler> {
  const { folder: programs, environment } = await unpackedPackage("pgbouncer");
  const folder = await newFolder();
  const port = await freePort();
  const settings = [
    ...["[databases]", `postgres = host=127.0.0.1 port=${server.port} dbname=postgres user=octavo`],
    ...["[pgbouncer]", "listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = any"],
    ...["pool_mode = transaction", `default_pool_size = ${CONNECTIONS}`, "max_client_conn = 200"],
    ...["ignore_startup_parameters = extra_float_digits,options", "server_login_retry = 1"],
  ];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, `${settings.join("\n")}\n`);
  const command = [...asNobody, "--pdeathsig", "KILL", join(programs, "usr/sbin/pgbouncer"), file];
  const child = spawn("setpriv", command, { stdio: ["ignore", "ignore", "pipe"], env: { ...env, ...environment } });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const exited = once(child, "exit");
  const url = `postgres://octavo@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${log}`);
    await wait(50);
  }
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

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
