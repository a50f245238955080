// What goes wrong between the adapter and PostgreSQL, case by case, and what each call costs in statements. On a real server
// where there is one, else on PGlite.

import { type Batch, createDocsApi, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { type PostgresOptions, postgresStorage, type QueryClient } from "octavo/postgres";
import { s3Blobs } from "octavo/s3";
import pg from "pg";
import postgres from "postgres";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { classifyFailure } from "../../../adapters/postgres/failure";
import { jsonIn, keptFiles, visit } from "../../storage/formats/visit";
import { pglite } from "./pglite";
import { newSchema } from "./schemas";
import { postgresServer, type Server } from "./server";

// A client between the adapter and PostgreSQL that counts statements and does to them what a test wants.

type Answer = Awaited<ReturnType<QueryClient["query"]>>;

/** What is done instead of sending a statement; `send` sends it. */
type Fault = (send: () => Promise<Answer>, text: string) => Promise<Answer>;

class FaultyClient implements QueryClient {
  readonly #client: QueryClient;
  readonly #faults: { readonly of: RegExp; readonly fault: Fault }[] = [];
  /** The statements that were sent. */
  sent: string[] = [];

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** Does this to the next statement that has such a text. */
  next(of: RegExp, fault: Fault): void {
    this.#faults.push({ of, fault });
  }

  async query(text: string, values?: string[]): Promise<Answer> {
    this.sent.push(text);
    const send = () => this.#client.query(text, values);
    const at = this.#faults.findIndex(({ of }) => of.test(text));
    if (at < 0) return send();
    return this.#faults.splice(at, 1)[0]!.fault(send, text);
  }
}

/** The error of a server or a socket with a code. */
function coded(code: string, message = `the error ${code}`): Error {
  return Object.assign(new Error(message), { code });
}

/** The connection ends after the statement was committed. */
const answerLost: Fault = async (send) => {
  await send();
  throw coded("ECONNRESET", "read ECONNRESET");
};

/** The connection ends before the statement arrives. */
const neverArrived: Fault = async () => {
  throw coded("ECONNRESET", "read ECONNRESET");
};

const failing =
  (code: string): Fault =>
  async () => {
    throw coded(code);
  };

// Puts the tables of an earlier day into a database.

/** The name that the schema had when it was written. */
const WRITTEN_AS = "octavo_format";

/** Makes a schema as the version of that day has made and filled it. */
async function putBack(client: QueryClient, schema: string, number: number): Promise<void> {
  const files = await keptFiles(`postgres-${number}`);
  const migration = new TextDecoder().decode(files.get("migration.sql"));
  await client.query(migration.replaceAll(WRITTEN_AS, schema), []);
  for (const path of files.keys()) {
    if (!path.endsWith(".json")) continue;
    const table = `${schema}.${path.slice(0, -".json".length)}`;
    await client.query(`DELETE FROM ${table}`, []);
    const rows = JSON.stringify(jsonIn(files, path));
    await client.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(null::${table}, $1::text::jsonb)`, [
      rows,
    ]);
  }
}

const looked = await postgresServer();
const server: Server | undefined = "leftOut" in looked ? undefined : looked;
if ("leftOut" in looked) console.log(`The roles of octavo/postgres were left out: ${looked.leftOut}.`);
const pool = server && new pg.Pool({ connectionString: server.url });
afterAll(() => pool?.end());
const direct: QueryClient = pool ?? (await pglite());

const ROUND = /\.commit_2\(/;

function put(puts: Record<string, unknown>, more: Partial<Batch> = {}): Batch {
  const entries = Object.entries(puts).map(([key, value]) => ({ key, value: value as Batch["puts"][number]["value"] }));
  return { checks: [], deletes: [], adds: [], ...more, puts: entries };
}

let schema: string;
let client: FaultyClient;
const open = (options: PostgresOptions = {}) => postgresStorage(client, { schema, timeoutMs: 60_000, ...options });
beforeEach(() => {
  schema = newSchema();
  client = new FaultyClient(direct);
  return async () => void (await direct.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
});

async function valueAt(storage: Storage, key: string, partition = "p"): Promise<unknown> {
  return (await (await storage.partition(partition).snapshot()).get([key]))[0]?.value;
}

/** How many statements a call sends. */
async function cost(call: () => Promise<unknown>): Promise<number> {
  client.sent = [];
  await call();
  return client.sent.length;
}

describe("data of format 1", () => {
  test("data of format 1 opens undamaged and can be written", async () => {
    await putBack(direct, schema, 1);
    const storage = open();
    await visit(storage, 1);
    await storage.close();
  });
});

describe("the number of statements", () => {
  test("waiting commits are one statement, even if they conflict", async () => {
    const storage = open();
    const p = storage.partition("p");
    await p.commit(put({ n: 0 }, { adds: [{ key: "sum", amount: 0.1 }] }));
    const adds = [{ key: "sum", amount: 0.2 }];
    const batches = Array.from({ length: 64 }, (_, i) =>
      put({ [`k${i}`]: i, n: i }, { adds, checks: i % 2 === 0 ? [] : [{ key: "n", version: 1 }] }),
    );
    client.sent = [];
    const answers = await Promise.all(batches.map((batch) => p.commit(batch)));
    expect(client.sent).toHaveLength(1);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(32);
    expect(answers[0]).toEqual({ ok: true, version: 2 });
    expect(answers[1]).toEqual({ ok: false, conflict: "n" });
    expect(answers[62]).toEqual({ ok: true, version: 33 });
    let sum = 0.1;
    for (let i = 0; i < 32; i++) sum += 0.2;
    expect(await valueAt(storage, "sum")).toBe(sum);
    await storage.close();
  });

  test("a cached read is one statement, even after a write of this process", async () => {
    const storage = open();
    const p = storage.partition("p");
    await p.commit(put({ a: { n: 1 }, b: 1 }, { adds: [{ key: "sum", amount: 2 }], deletes: ["gone"] }));
    await (await p.snapshot()).get(["absent"]);
    const read = async () => (await p.snapshot()).get(["a", "sum", "gone", "absent"]);
    expect(await cost(read)).toBe(1);
    expect((await read())[0]).toBe((await read())[0]);
    await p.commit(put({ a: { n: 2 } }, { adds: [{ key: "sum", amount: 3 }] }));
    expect(await cost(read)).toBe(1);
    expect((await read()).map((entry) => entry?.value)).toEqual([{ n: 2 }, 5, undefined, undefined]);
    await storage.close();
  });

  test("after a write of another process, only the changed keys are read again", async () => {
    const [storage, other] = [open(), open()];
    const p = storage.partition("p");
    await p.commit(put({ a: 1, b: 1 }));
    await (await p.snapshot()).get(["a", "b"]);
    await other.partition("p").commit(put({ b: 2 }));
    expect(await cost(() => valueAt(storage, "a"))).toBe(1);
    expect(await cost(() => valueAt(storage, "b"))).toBe(2);
    expect(await valueAt(storage, "b")).toBe(2);
    await Promise.all([storage.close(), other.close()]);
  });

  test.runIf(server)(
    "a commit looks up its own keys, even on a connection that planned it for empty tables",
    async () => {
      const single = new pg.Pool({ connectionString: server!.url, max: 1 });
      const storage = postgresStorage(single, { schema, autoMigrate: false, timeoutMs: 60_000 });
      await open().migrate();
      for (let round = 0; round < 12; round++)
        await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            storage
              .partition("p")
              .commit(put({ [`k${round}-${i}`]: 1 }, { checks: [{ key: `k${round}-${i}`, version: null }] })),
          ),
        );
      await single.query("SELECT pg_stat_force_next_flush()").catch(() => {});
      const { rows } = await single.query(
        "SELECT idx_tup_fetch::int AS fetched, seq_tup_read::int AS read, n_tup_ins::int AS made FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = 'entry'",
        [schema],
      );
      // All keys are new: whoever looks them up finds none, and whoever walks through the partition finds thousands.
      expect(rows[0].made).toBe(600);
      expect(rows[0].fetched + rows[0].read).toBeLessThan(600);
      await storage.close();
      await single.end();
    },
  );

  test("snapshots and reads requested together share their statements", async () => {
    const storage = open();
    const p = storage.partition("p");
    await open()
      .partition("p")
      .commit(put({ a: 1, b: 2, c: 3 }));
    await storage.migrate();
    const snapshots = await Promise.all([p.snapshot(), p.snapshot(), p.snapshot()]);
    // The first was sent before the others were asked for.
    expect(client.sent.filter((text) => text.includes("isReplica") && text.includes("past"))).toHaveLength(2);
    const [snapshot] = snapshots;
    const reads = () => Promise.all(["a", "b", "c"].map((key) => snapshot!.get([key])));
    expect(await cost(reads)).toBe(1);
    const asked = () => Promise.all(["p", "q", "r"].map((name) => storage.partition(name).snapshot()));
    expect(await cost(asked)).toBe(1);
    expect((await asked()).map(({ version }) => version)).toEqual([1, 0, 0]);
    await storage.close();
  });
});

test("the first read of a process discards what its own commit has superseded", async () => {
  const [storage, other] = [open(), postgresStorage(direct, { schema })];
  await storage.migrate();
  client.next(/past.*LIMIT/s, async (send) => {
    await storage.partition("p").commit(put({ a: 1 }));
    await other.partition("p").commit(put({ a: 2 }));
    return send();
  });
  const snapshot = await storage.partition("p").snapshot();
  expect([snapshot.version, (await snapshot.get(["a"]))[0]?.value]).toEqual([2, 2]);
  await Promise.all([storage.close(), other.close()]);
});

test("a warm GET of the API is one statement", async () => {
  const storage = open();
  const api = createDocsApi(storage);
  const { organization, token } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Engines" },
    token: { label: "test" },
  });
  const get = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` };
    return (await api.fetch(new Request(`http://x/v1/orgs/${organization}`, { headers }))).status;
  };
  expect(await get(token!)).toBe(200);
  expect(await cost(async () => expect(await get(token!)).toBe(200))).toBe(1);
  await get("unknown");
  client.sent = [];
  expect(await get("unknown")).toBe(401);
  expect(client.sent).toHaveLength(1);
  await api.close();
});

describe("a connection lost during a commit", () => {
  const cuts: Record<string, { readonly fault: Fault; readonly times: number }> = {
    "after it was committed": { fault: answerLost, times: 1 },
    "twice after it was committed": { fault: answerLost, times: 2 },
    "before it arrived": { fault: neverArrived, times: 1 },
    "while the server stops": { fault: failing("57P01"), times: 1 },
    "because others were faster, many times": { fault: failing("40001"), times: 12 },
  };
  for (const [when, { fault, times }] of Object.entries(cuts)) {
    test(`when the connection ends ${when}, the commit is stored once and acknowledged`, async () => {
      const storage = open();
      const p = storage.partition("p");
      await p.commit(put({ a: 1 }));
      for (let i = 0; i < times; i++) client.next(ROUND, fault);
      const adds = [{ key: "n", amount: 1 }];
      const answers = await Promise.all([p.commit(put({ a: 2 }, { adds })), p.commit(put({ b: 2 }, { adds }))]);
      expect(answers).toEqual([
        { ok: true, version: 2 },
        { ok: true, version: 3 },
      ]);
      expect([await valueAt(storage, "a"), await valueAt(storage, "n")]).toEqual([2, 2]);
      expect((await p.snapshot()).version).toBe(3);
      await storage.close();
    });
  }

  test("a server that does not come back leaves only the pending commits with an unknown outcome", async () => {
    const storage = open();
    const p = storage.partition("p");
    await p.commit(put({ a: 1 }));
    for (let i = 0; i < 8; i++) client.next(ROUND, neverArrived);
    const answers = await Promise.allSettled([
      p.commit(put({ a: 2 })),
      p.commit(put({ b: 1 }, { checks: [{ key: "a", version: 1 }] })),
    ]);
    expect(answers.map((it) => it.status === "rejected" && it.reason)).toMatchObject([
      { code: "unavailable", outcome: "unknown", message: expect.stringMatching(/connection .* ended/) },
      { code: "unavailable", outcome: "none" },
    ]);
    expect(await p.commit(put({ a: 3 }))).toEqual({ ok: true, version: 2 });
    await storage.close();
  });

  test("a first attempt that arrives after the second was refused writes nothing", async () => {
    const [storage, other] = [open(), open()];
    const p = storage.partition("p");
    await p.commit(put({ a: 1 }));
    let late: (() => Promise<unknown>) | undefined;
    client.next(ROUND, async (send) => {
      late = send;
      await other.partition("p").commit(put({ guard: 1 }));
      throw coded("ECONNRESET");
    });
    const check = [{ key: "guard", version: null }];
    expect(await p.commit(put({ a: 2 }, { checks: check }))).toEqual({ ok: false, conflict: "guard" });
    // Now the check would hold again.
    await other.partition("p").commit(put({}, { deletes: ["guard"] }));
    await expect(late!()).rejects.toMatchObject({ code: "23505" });
    expect(await valueAt(storage, "a")).toBe(1);
    await Promise.all([storage.close(), other.close()]);
  });

  test("a broken socket leaves the outcome unknown, even if its code looks like one of PostgreSQL", () => {
    expect(classifyFailure(coded("EPIPE"))).toMatchObject({ outcome: "unknown", isTransient: true });
    expect(classifyFailure(coded("23505"))).toMatchObject({ outcome: "none", isTransient: false });
    expect(classifyFailure(coded("P0001"))).toMatchObject({ outcome: "none", isTransient: false });
  });

  test("a read is retried", async () => {
    const storage = open();
    await storage.partition("p").commit(put({ a: 1 }));
    client.next(/isReplica/, neverArrived);
    expect(await valueAt(storage, "a")).toBe(1);
    await storage.close();
  });
});

test("a commit is not refused because of an earlier response together with a write of the same batch", async () => {
  const [storage, other] = [open(), open()];
  const p = storage.partition("p");
  await p.commit(put({ b: 1, c: 1 }));
  // The first answer says that `c` is there. Before the second sending it is gone, as `b` is by the other commit.
  client.next(ROUND, (send) => send());
  client.next(ROUND, async (send) => {
    await other.partition("p").commit(put({}, { deletes: ["c"] }));
    return send();
  });
  const checks = ["b", "c"].map((key) => ({ key, version: null }));
  const answers = await Promise.all([p.commit(put({}, { deletes: ["b"] })), p.commit(put({ d: 1 }, { checks }))]);
  expect(answers).toEqual([
    { ok: true, version: 3 },
    { ok: true, version: 4 },
  ]);
  await Promise.all([storage.close(), other.close()]);
});

describe("unsuitable servers", () => {
  const refusal = (storage: Storage) => storage.partition("p").commit(put({ a: 1 }));

  test("an unsuitable server is refused with a message, and nothing is written", async () => {
    const answers: [string, string][] = [
      ["PostgreSQL 11.2 is too old; Octavo needs 12 or later.", JSON.stringify({ number: "110002", name: "11.2" })],
      ["The database has the encoding LATIN1", JSON.stringify({ encoding: "LATIN1" })],
      ["The PostgreSQL server is a replica", JSON.stringify({ isReplica: "true" })],
    ];
    for (const [sentence, changes] of answers) {
      client.next(/server_version_num/, async (send) => {
        const { rows } = (await send()) as { rows: object[] };
        return { rows: [{ ...rows[0], ...JSON.parse(changes) }] };
      });
      await expect(refusal(open())).rejects.toMatchObject({
        code: "unavailable",
        outcome: "none",
        message: expect.stringContaining(sentence),
      });
    }
    expect(await refusal(open())).toEqual({ ok: true, version: 1 });
  });

  test("a server that becomes unsuitable later is reported", async () => {
    const storage = open();
    await refusal(storage);
    const codes: [string, RegExp][] = [
      ["25006", /read-only: it is a replica, or the old server after a failover/],
      ["53100", /disk of PostgreSQL is full/],
      ["42501", /has not the rights/],
      ["99999", /refused a statement\. \(the error 99999\)/],
    ];
    for (const [code, sentence] of codes) {
      client.next(ROUND, failing(code));
      await expect(refusal(storage)).rejects.toMatchObject({
        outcome: "none",
        message: expect.stringMatching(sentence),
      });
    }
    client.next(/isReplica/, async (send) => {
      const { rows } = (await send()) as { rows: object[] };
      return { rows: rows.map((row) => ({ ...row, isReplica: "true" })) };
    });
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject({ outcome: "none", message: /replica/ });
    client.next(ROUND, failing("XX001"));
    await expect(refusal(storage)).rejects.toMatchObject({ code: "corrupt" });
    await storage.close();
  });

  test("a silent server delays a caller no longer than the time limit", async () => {
    const storage = open();
    await refusal(storage);
    const hurried = open({ timeoutMs: 50 });
    await hurried.migrate();
    const silent: Fault = () => new Promise(() => {});
    client.next(ROUND, silent);
    client.next(/isReplica.*past/s, silent);
    const [commit, waiting, snapshot] = await Promise.allSettled([
      refusal(hurried),
      Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => refusal(hurried)),
      hurried.partition("p").snapshot(),
    ]);
    const outcomes = [commit, waiting, snapshot].map((it) => (it.status === "rejected" ? it.reason.outcome : it));
    expect(outcomes).toEqual(["unknown", "none", "none"]);
    await storage.close();
  });

  test.each([
    ["a blob that is written", (storage: Storage) => storage.blobs.put("late", new Uint8Array(3))],
    ["a blob that is deleted", (storage: Storage) => storage.blobs.delete("late")],
  ])("a write that was reported as failed is never sent: %s", async (_, call) => {
    await open().migrate();
    let goOn = () => {};
    const silence = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      client.next(/\.format$/, async (send) => {
        await silence;
        const answer = await send();
        // What follows from the answer happens before the next turn.
        setImmediate(resolve);
        return answer;
      });
    });
    await expect(call(open({ timeoutMs: 50 }))).rejects.toMatchObject({ outcome: "none" });
    client.sent = [];
    goOn();
    await answered;
    // On a busy machine the time may be over before it asks which format there is, which changes nothing.
    expect(client.sent.filter((it) => !/\.format$/.test(it))).toEqual([]);
  });

  test("a server that was restored under a running process is detected", async () => {
    const storage = open();
    await refusal(storage);
    await refusal(storage);
    const snapshot = await storage.partition("p").snapshot();
    await direct.query(`UPDATE ${schema}.partition SET version = 1`);
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject({ code: "corrupt", message: /restored/ });
    await expect(snapshot.list({ under: "", limit: 1 })).rejects.toMatchObject({ code: "corrupt" });
    await direct.query(`DELETE FROM ${schema}.partition`);
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject({ code: "corrupt" });
    await storage.close();
  });
});

describe("announcements", () => {
  test.runIf(server)(
    "announcements reach the other processes, even after a lost connection, and not the sender",
    async () => {
      const sql = postgres(server!.url, { max: 1, onnotice: () => {} });
      const [told, byAddress, byPostgres, deaf] = [pool!, server!.url, sql, client].map((location) =>
        postgresStorage(location, { schema }),
      );
      const heard: Record<string, string[]> = { told: [], byAddress: [], byPostgres: [], deaf: [] };
      const ends = Object.entries({ told, byAddress, byPostgres, deaf }).map(([who, storage]) =>
        storage!.listen((when) => heard[who]!.push(when.toISOString())),
      );
      onTestFinished(async () => {
        for (const storage of [told, byAddress, byPostgres, deaf]) await storage!.close();
        await sql.end();
      });
      /** Announces a time until those who should have heard it have. */
      const announce = async (year: number, others: readonly string[]) => {
        const when = new Date(Date.UTC(year));
        while (!others.every((who) => heard[who]!.includes(when.toISOString()))) await told!.announce(when);
      };
      await announce(3000, ["byAddress", "byPostgres"]);
      await direct.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'octavo' AND query LIKE 'LISTEN%'",
      );
      // When it listens again, something may have been missed: as if it were wanted now.
      while (!heard.byAddress!.some((when) => when < "3000")) await told!.announce(new Date(Date.UTC(3001)));
      await announce(3002, ["byAddress"]);
      await ends[1]!();
      await announce(3003, ["byPostgres"]);
      expect(heard.byAddress).not.toContain("3003-01-01T00:00:00.000Z");
      expect([heard.told, heard.deaf]).toEqual([[], []]);
    },
  );
});

describe("migrate", () => {
  test("migrate may be called concurrently and repeatedly", async () => {
    const storages = Array.from({ length: 8 }, () => open());
    await Promise.all(storages.map((storage) => storage.migrate()));
    const answers = await Promise.all(
      storages.map((storage, i) => storage.partition("p").commit(put({ [`k${i}`]: i }))),
    );
    await storages[0]!.migrate();
    expect(new Set(answers.map((answer) => answer.ok && answer.version)).size).toBe(8);
    for (const storage of storages) await storage.close();
  });

  test("migrate is called by the host if the first call may not, and leaves tables of another format alone", async () => {
    const storage = open({ autoMigrate: false });
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject({ outcome: "none", message: /call migrate/ });
    await storage.migrate();
    expect((await storage.partition("p").snapshot()).version).toBe(0);
    await direct.query(`UPDATE ${schema}.format SET format = 2`);
    await expect(open().partition("p").snapshot()).rejects.toMatchObject({
      code: "corrupt",
      message: `The schema ${schema} is of the format 2; this version reads 1.`,
    });
  });

  test("migrate adds a function that an earlier version lacked", async () => {
    const earlier = open();
    await earlier.partition("p").commit(put({ a: 1 }));
    await direct.query(`DROP FUNCTION ${schema}.commit_2`);
    const unasked = open({ autoMigrate: false });
    await expect(unasked.partition("p").snapshot()).rejects.toMatchObject({ message: /call migrate/ });
    const later = open();
    expect(await later.partition("p").commit(put({ b: 2 }))).toEqual({ ok: true, version: 2 });
    expect(await valueAt(unasked, "b")).toBe(2);
    for (const storage of [earlier, unasked, later]) await storage.close();
  });

  test("migrate rejects an invalid schema name", () => {
    for (const name of ["", "Octavo", "pg_octavo", "a-b", 'a"; DROP', "a".repeat(64)])
      expect(() => open({ schema: name })).toThrow(/is no name of a schema/);
  });

  test.runIf(server)("migrate reports which privileges a role needs, and needs no others", async () => {
    const role = `${schema}_role`;
    await direct.query(`CREATE ROLE ${role} LOGIN`);
    const url = server!.url.replace("octavo@", `${role}@`);
    const storage = postgresStorage(url, { schema, connections: 1 });
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject({
      outcome: "none",
      message: /CREATE on the database/,
    });
    await open().migrate();
    await expect(storage.partition("p").snapshot()).rejects.toMatchObject({
      outcome: "none",
      message: /USAGE on the schema/,
    });
    await direct.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
    await storage.partition("p").commit(put({ a: 1 }));
    await storage.blobs.put("blob", new Uint8Array(300_000));
    await storage.maintain();
    expect(await valueAt(storage, "a")).toBe(1);
    await storage.close();
    await direct.query(`DROP SCHEMA ${schema} CASCADE`);
    await direct.query(`DROP ROLE ${role}`);
  });

  test("migrate reports a missing server, a wrong password and a missing database", async () => {
    const silent = postgresStorage("postgres://octavo@127.0.0.1:9/none", { schema, timeoutMs: 100 });
    await expect(silent.partition("p").snapshot()).rejects.toMatchObject({
      outcome: "none",
      message: expect.stringMatching(/No connection to PostgreSQL could be made|gave no answer/),
    });
    await silent.close();
    if (!server) return;
    const absent = postgresStorage(server.url.replace(/postgres$/, "absent"), { schema });
    await expect(absent.partition("p").snapshot()).rejects.toMatchObject({ message: /database does not exist/ });
    await absent.close();
  });
});

describe("pruning", () => {
  test("maintain prunes old versions, a snapshot that needed them says so, and commits continue", async () => {
    const storage = open({ retentionMs: 0, cacheBytes: 0 });
    const p = storage.partition("p");
    await p.commit(put({ a: 1, b: 1 }));
    const old = await p.snapshot();
    for (let i = 2; i <= 5; i++) await p.commit(put({ a: i }));
    expect((await old.get(["a"]))[0]?.value).toBe(1);
    expect(await open({ retentionMs: 60_000 }).maintain()).toMatchObject({ pruned: 0, finished: true });
    expect(await storage.maintain()).toMatchObject({ partitions: 1, pruned: 6, finished: true });
    expect(await storage.maintain()).toMatchObject({ partitions: 0, pruned: 0, finished: true });
    for (const read of [() => old.get(["b"]), () => old.list({ under: "", limit: 9 })])
      await expect(read()).rejects.toMatchObject({ outcome: "none", message: /has grown too old/ });
    expect(await valueAt(storage, "a")).toBe(5);
    expect(await p.commit(put({ a: 6 }, { checks: [{ key: "b", version: 1 }] }))).toEqual({ ok: true, version: 6 });
    const { rows } = (await direct.query(`SELECT count(*)::int AS left FROM ${schema}.past`)) as { rows: unknown[] };
    expect(rows).toEqual([{ left: 1 }]);
    await storage.close();
  });

  test("an unfinished upload is pruned, and one that was pruned too early says so", async () => {
    const storage = open({ chunkBytes: 10 });
    let go = () => {};
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(35));
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        controller.enqueue(new Uint8Array(35));
        controller.close();
      },
    });
    const putting = storage.blobs.put("slow", stream);
    const count = async () => {
      const { rows } = (await direct.query(`SELECT count(*)::int AS chunks FROM ${schema}.chunk`)) as {
        rows: { chunks: number }[];
      };
      return rows[0]!.chunks;
    };
    await expect.poll(async () => count().catch(() => 0)).toBe(2);
    await storage.maintain();
    expect(await count()).toBe(2);
    await direct.query(`UPDATE ${schema}.upload SET at = at - interval '2 hours'`);
    expect(await storage.maintain()).toMatchObject({ swept: 1 });
    expect(await count()).toBe(0);
    go();
    await expect(putting).rejects.toMatchObject({ outcome: "none", message: /took too long/ });
    expect(await storage.blobs.get("slow")).toBeUndefined();
    client.next(/put_blob/, answerLost);
    expect(await storage.blobs.put("again", new Uint8Array(35))).toEqual({ size: 35 });
    await storage.blobs.delete("again");
    expect(await count()).toBe(0);
    await storage.close();
  });
});

test("a counter that would overflow fails its own commit and no other", async () => {
  const storage = open();
  const p = storage.partition("p");
  await p.commit(put({ big: 1.7e308 }));
  const answers = await Promise.allSettled([
    p.commit(put({ a: 1 }, { adds: [{ key: "big", amount: 1.7e308 }] })),
    p.commit(put({ b: 1 }, { adds: [{ key: "n", amount: 1 }] })),
  ]);
  expect(answers).toMatchObject([
    { status: "rejected", reason: { code: "too_large" } },
    { status: "fulfilled", value: { ok: true, version: 2 } },
  ]);
  expect([await valueAt(storage, "a"), await valueAt(storage, "big")]).toEqual([undefined, 1.7e308]);
  await storage.close();
});

test("blobs may be stored elsewhere, such as in a bucket, and that storage is closed too", async () => {
  const elsewhere = memoryStorage();
  const storage = open({ blobs: Object.assign(elsewhere.blobs, { close: () => elsewhere.close() }) });
  await storage.blobs.put("a", new Uint8Array(3));
  expect((await elsewhere.blobs.get("a"))?.size).toBe(3);
  await storage.maintain();
  await storage.close();
  await expect(elsewhere.blobs.get("a")).rejects.toMatchObject({ code: "closed" });

  const bucket = s3Blobs({ bucket: "docs", config: { region: "us-east-1", endpoint: "http://127.0.0.1:9" } });
  await open({ blobs: bucket }).close();
  await expect(bucket.put("a", new Uint8Array(3))).rejects.toMatchObject({ code: "closed" });
});
