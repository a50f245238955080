// Processes that meet on a real PostgreSQL, while one of them is killed, connections are cut and the server crashes: what
// they were told is strictly serializable. OCTAVO_TRANSACTIONS=5000 runs more.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as wait } from "node:timers/promises";
import { postgresStorage } from "octavo/postgres";
import pg from "pg";
import { build } from "tsup";
import { afterAll, expect, test } from "vitest";
import { type Call, violations } from "../s3/history";
import { callsOf, type Line, marksIn, partitions } from "../s3/history-workload";
import { newSchema } from "./schemas";
import { postgresServer, type Server } from "./server";

const PROCESSES = 3;
const TRANSACTIONS = Number(process.env.OCTAVO_TRANSACTIONS ?? 150);
const SEED = Number(process.env.OCTAVO_SEED ?? Math.floor(Math.random() * 0x7fffffff));

const looked = await postgresServer();
if ("leftOut" in looked) console.log(`Histories on a real PostgreSQL were left out: ${looked.leftOut}.`);
else {
  const server = looked;
  // Below node_modules, so that its own imports are found, and under a name that no other run has.
  const outDir = join("node_modules", ".cache", `octavo-postgres-history-${process.pid}`);
  const entry = { history: "test/postgres/history-process.ts" };
  await build({ entry, outDir, format: "esm", external: ["pg", "postgres"], config: false, silent: true });
  afterAll(() => rm(outDir, { recursive: true, force: true }));
  const script = join(outDir, "history.js");

  test("a history with a killed process, cut connections and a crash of the server is strictly serializable", async () => {
    const { calls, found } = await historyOf(server, script, { killed: 0, troubles: makeTrouble });
    expect(found, `seed ${SEED}`).toEqual([]);
    // A history in which nobody met would prove nothing.
    const counted = count(calls);
    expect(counted.commits).toBeGreaterThan(TRANSACTIONS / 2);
    expect(counted.refusals).toBeGreaterThan(PROCESSES);
    console.log(`The history on PostgreSQL that was checked: ${JSON.stringify(counted)} (seed ${SEED}).`);
  });

  /** Cuts connections and, once, ends the server. */
  async function makeTrouble(isOver: () => boolean): Promise<void> {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    pool.on("error", () => {});
    for (let turn = 1; !isOver(); turn++) {
      await wait(40);
      if (turn === 8) await server.crash();
      // Without a server there is nobody to ask.
      await pool
        .query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND random() < 0.2",
        )
        .catch(() => {});
    }
    await pool.end();
  }

  test("a history of processes that send no checks is found out", async () => {
    const { found } = await historyOf(server, script, { isCareless: true });
    expect(found.join("\n"), `seed ${SEED}`).toMatch(/though its check of work-\S+ was stale/);
  });
}

function count(calls: readonly Call[]) {
  const answers = calls.flatMap((call) => (call.kind === "commit" ? [call.answer] : []));
  const having = (what: string) => answers.filter((answer) => typeof answer === "object" && what in answer).length;
  return {
    commits: having("version"),
    refusals: having("conflict"),
    unanswered: answers.filter((answer) => answer === "unknown").length,
    snapshots: calls.length - answers.length,
  };
}

interface Circumstances {
  /** The process that is killed in the middle of its work. Default: none. */
  readonly killed?: number;
  /** Whether their checks are left out. Default: false. */
  readonly isCareless?: boolean;
  /** What happens while they work. Default: nothing. */
  readonly troubles?: (isOver: () => boolean) => Promise<void>;
}

/** Lets the processes run at once; gives all calls, and what the checker finds wrong with them. */
async function historyOf(server: Server, script: string, circumstances: Circumstances) {
  const schema = newSchema();
  const processes = Array.from({ length: PROCESSES }, (_, at) => start(server, script, schema, at, circumstances));
  await Promise.all(processes.map(({ ready }) => ready));
  for (const { go } of processes) go();
  let isOver = false;
  const working = Promise.all(processes.map(({ lines }) => lines)).finally(() => {
    isOver = true;
  });
  const [lines] = await Promise.all([working.then((all) => all.flat()), circumstances.troubles?.(() => isOver)]);
  const storage = postgresStorage(server.url, { schema });
  const calls: Call[] = [];
  const found: string[] = [];
  for (const partition of partitions) {
    const ours = callsOf(partition, lines);
    calls.push(...ours);
    found.push(...violations(ours, await marksIn(storage, partition)));
  }
  await storage.close();
  return { calls, found };
}

/** Starts a process, which waits for `go`. */
function start(
  server: Server,
  script: string,
  schema: string,
  at: number,
  { killed, isCareless = false }: Circumstances,
) {
  // The server would acknowledge before it writes: the adapter must not let it.
  const url = `${server.url}?options=${encodeURIComponent("-c synchronous_commit=off")}`;
  const args = [url, schema, `process-${at}`, String(SEED + at), String(TRANSACTIONS)];
  const child = spawn(process.execPath, ["--no-warnings", script, ...args], {
    env: { ...process.env, CARELESS: String(isCareless) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  afterAll(() => void child.kill("SIGKILL"));
  const exited = once(child, "close");
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = output.next().then(({ value }) => expect(value, `seed ${SEED}`).toBe("ready"));
  const read = async () => {
    await ready;
    const lines: Line[] = [];
    for (let next = await output.next(); !next.done; next = await output.next()) {
      const line = parse(next.value);
      if (line) lines.push(line);
      if (at === killed && lines.length === TRANSACTIONS) child.kill("SIGKILL");
    }
    expect(await exited).toEqual(at === killed ? [null, "SIGKILL"] : [0, null]);
    return lines;
  };
  return { ready, lines: read(), go: () => child.stdin.end("go\n") };
}

/** A line that a kill has cut off tells nothing: a call is made only when the line of its beginning is out. */
function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
