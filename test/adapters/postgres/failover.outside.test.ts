// A standby takes over in the middle of writes. With synchronous replication nothing is lost; without, the checker of
// histories finds what was. A replica, and an old primary that is read-only now, are refused by a sentence.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { postgresStorage } from "octavo/postgres";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { builtScript, historyOf, seeds } from "../../support/history-processes";
import { newSchema } from "./schemas";
import { type OwnServer, startServer } from "./server";

// An address that stays while the server behind it is replaced, as a cluster gives one to its clients.

interface StableAddress {
  readonly url: string;
  /** Leads to another port, and cuts what was connected to the one before. */
  readonly leadTo: (port: number) => void;
  readonly stop: () => void;
}

async function stableAddress(first: number): Promise<StableAddress> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `postgres://octavo@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    leadTo(port) {
      target = port;
      cut();
    },
    stop() {
      server.close();
      cut();
    },
  };
}

const script = await builtScript("test/adapters/postgres/history-process.ts");

async function sql(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) rows = (await client.query(statement)).rows;
  await client.end();
  return rows;
}

/** A primary, a standby that follows it, and the address of both. */
async function cluster() {
  const primary = await startServer();
  if ("leftOut" in primary) throw new Error(primary.leftOut);
  const standby = await primary.standby();
  const address = await stableAddress(primary.port);
  onTestFinished(async () => {
    address.stop();
    await Promise.all([primary.stop(), standby.stop()]);
  });
  while ((await sql(primary.url, "SELECT FROM pg_stat_replication WHERE state = 'streaming'")).length === 0)
    await wait(20);
  return { primary, standby, address };
}

type Cluster = Awaited<ReturnType<typeof cluster>>;

/** The primary is gone at once, and the standby takes its place. */
async function failOver({ primary, standby, address }: Cluster): Promise<void> {
  await primary.end();
  await sql(standby.url, "SELECT pg_promote()");
  address.leadTo(standby.port);
}

/** A history with a failover in the middle, and what the checker says of it. */
async function historyWith(nodes: Cluster, more: { isCareless?: boolean; before?: () => Promise<unknown> } = {}) {
  const schema = newSchema();
  const troubles = async (isOver: () => boolean) => {
    await wait(50);
    await more.before?.();
    const written = async () =>
      Number((await sql(nodes.primary.url, `SELECT sum(version) AS sum FROM ${schema}.partition`))[0]!.sum);
    for (const until = (await written()) + 10; !isOver() && (await written()) < until; ) await wait(10);
    await failOver(nodes);
  };
  const open = () => postgresStorage(nodes.standby.url, { schema });
  const { isCareless = false } = more;
  return historyOf({
    seed: seeds[0]!,
    script,
    told: [nodes.address.url, schema],
    open,
    killed: isCareless ? [] : [0],
    troubles,
    isCareless,
  });
}

test("with synchronous replication, a history is strictly serializable through a failover", async () => {
  const nodes = await cluster();
  await sql(nodes.primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
  expect(await historyWith(nodes)).toEqual([]);
});

test("a standby that stopped following loses acknowledged writes, and the checker detects it", async () => {
  const nodes = await cluster();
  const before = async () => {
    await sql(nodes.standby.url, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
    while ((await sql(nodes.primary.url, "SELECT FROM pg_stat_replication")).length > 0) await wait(10);
  };
  // A process that finds the past again may give up.
  const found = await historyWith(nodes, { isCareless: true, before });
  expect(found.join("\n")).toMatch(/was acknowledged as \d+ and is stored as nothing/);
});

test("a replica and a read-only former primary are refused with a message", async () => {
  const { primary, standby } = await cluster();
  const schema = newSchema();
  const commit = { checks: [], puts: [{ key: "k", value: 1 }], deletes: [], adds: [] };
  const storage = postgresStorage(primary.url, { schema });
  await storage.partition("p").commit(commit);
  await untilFollowed(primary, standby);

  const onReplica = postgresStorage(standby.url, { schema });
  const replica = {
    code: "unavailable",
    outcome: "none",
    message: expect.stringMatching(/replica.*name the primary/i),
  };
  await expect(onReplica.partition("p").snapshot()).rejects.toMatchObject(replica);
  await expect(onReplica.partition("p").commit(commit)).rejects.toMatchObject(replica);

  await sql(primary.url, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()");
  const readOnly = {
    code: "unavailable",
    outcome: "none",
    message: expect.stringMatching(/read-only.*Name the primary/),
  };
  await expect(
    (async () => {
      // The connections of the storage hear of the setting with their next statements.
      for (;;) await storage.partition("p").commit(commit);
    })(),
  ).rejects.toMatchObject(readOnly);

  await sql(standby.url, "SELECT pg_promote()");
  expect((await onReplica.partition("p").snapshot()).version).toBeGreaterThan(0);
  expect(await onReplica.partition("p").commit(commit)).toMatchObject({ ok: true });
  await Promise.all([storage.close(), onReplica.close()]);
});

async function untilFollowed(primary: OwnServer, standby: OwnServer): Promise<void> {
  const [here] = await sql(primary.url, "SELECT pg_current_wal_lsn()::text AS at");
  for (;;) {
    const [there] = await sql(standby.url, `SELECT pg_last_wal_replay_lsn() >= '${here!.at}' AS "isThere"`);
    if (there!.isThere === true) return;
    await wait(20);
  }
}
