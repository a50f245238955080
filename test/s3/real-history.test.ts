// Workloads and their histories: on memory and on storages that are broken on purpose, and of processes that meet on a real
// S3 server, where one of them is killed.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { memoryStorage } from "octavo/memory";
import { afterAll, describe, expect, test } from "vitest";
import { objectStorage } from "../../adapters/s3/engine";
import { S3Objects } from "../../adapters/s3/s3-objects";
import { waitsOf } from "../../adapters/s3/waits";
import type { Partition, Storage } from "../../src/store/storage";
import { type Call, violations } from "./history";
import { callsOf, type Line, marksIn, partitions, runWorkload } from "./history-workload";
import { PATIENT } from "./patient";
import { removeAll, type S3Server, s3Environment, s3Server } from "./server";

const PROCESSES = 4;
const TRANSACTIONS = Number(process.env.OCTAVO_TRANSACTIONS ?? 150);
const SEED = Number(process.env.OCTAVO_SEED ?? Math.floor(Math.random() * 0x7fffffff));

describe("a workload in one process", () => {
  /** Two workloads at once on a storage that gives way before every call, and what the checker says of them. */
  async function historyOn(broken: (partition: Partition) => Partial<Partition>): Promise<string[]> {
    const storage = memoryStorage();
    const lines: Line[] = [];
    const slowly = new Map(partitions.map((name) => [name, giveWay(storage.partition(name), broken)]));
    const slow: Storage = { ...storage, partition: (name) => slowly.get(name)! };
    const run = (name: string, seed: number) =>
      runWorkload(slow, { name, seed, transactions: 300, atOnce: 4, record: (line) => void lines.push(line) });
    await Promise.all([run("one", 1), run("two", 2)]);
    const found: string[] = [];
    for (const name of partitions) found.push(...violations(callsOf(name, lines), await marksIn(storage, name)));
    return found;
  }

  function giveWay(partition: Partition, broken: (partition: Partition) => Partial<Partition>): Partition {
    const wait = () => new Promise<void>((resolve) => setImmediate(resolve));
    const instead = broken(partition);
    return {
      snapshot: () => wait().then(() => instead.snapshot?.() ?? partition.snapshot()),
      commit: (batch) => wait().then(() => instead.commit?.(batch) ?? partition.commit(batch)),
    };
  }

  test("on memory has a history that is accepted", async () => {
    expect(await historyOn(() => ({}))).toEqual([]);
  });

  test("on a storage that ignores checks is rejected", async () => {
    const found = await historyOn((partition) => ({
      commit: (batch) => partition.commit({ ...batch, checks: [] }),
    }));
    expect(found.join("\n")).toMatch(/though its check of work-\S+ was stale/);
  });

  test("on a storage whose snapshots lag behind is rejected", async () => {
    const found = await historyOn((partition) => {
      let last = partition.snapshot();
      const snapshot = () => {
        const old = last;
        last = partition.snapshot();
        return old;
      };
      return { snapshot };
    });
    expect(found.join("\n")).toMatch(/A snapshot begun after \d+ was seen has the version/);
  });

  test("on a storage that answers before it writes, and forgets now and then, is rejected", async () => {
    let count = 0;
    const found = await historyOn((partition) => ({
      commit: async (batch) => {
        const { version } = await partition.snapshot();
        return ++count % 50 === 0 ? { ok: true, version: version + 1 } : partition.commit(batch);
      },
    }));
    expect(found.join("\n")).toMatch(/was acknowledged as \d+ and is stored as nothing/);
  });
});

const server = await s3Server();
if ("leftOut" in server) console.log(`The history of processes on a real S3 server was left out: ${server.leftOut}.`);
else
  describe("a workload of many processes on a real S3 server", () => {
    const prefix = `history-${randomUUID()}`;
    afterAll(() => removeAll(server, prefix));

    test("is strictly serializable, though one of them is killed", async () => {
      const { calls, found } = await historyOf(server, `${prefix}/killed`, { killed: 0 });
      expect(found, `seed ${SEED}`).toEqual([]);
      // A history in which nobody met would prove nothing.
      expect(count(calls).commits).toBeGreaterThan(TRANSACTIONS / 2);
      expect(count(calls).refusals).toBeGreaterThan(PROCESSES);
      console.log(`The history of ${PROCESSES} processes that was checked: ${JSON.stringify(count(calls))}.`);
    });

    test("is found out when they leave out the conditions", async () => {
      const { found } = await historyOf(server, `${prefix}/careless`, { isCareless: true });
      expect(found.join("\n"), `seed ${SEED}`).toMatch(/was acknowledged as \d+ and is stored as nothing/);
    });
  });

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
  /** Whether they write without conditions. Default: false. */
  readonly isCareless?: boolean;
}

/** Lets the processes run at once; gives all calls, and what the checker finds wrong with them. */
async function historyOf(server: S3Server, prefix: string, circumstances: Circumstances) {
  const processes = Array.from({ length: PROCESSES }, (_, at) => start(server, prefix, at, circumstances));
  await Promise.all(processes.map(({ ready }) => ready));
  for (const { go } of processes) go();
  const lines = (await Promise.all(processes.map(({ lines }) => lines))).flat();
  const { bucket, ...config } = server;
  const storage = objectStorage(new S3Objects({ bucket, config, waits: waitsOf(PATIENT) }), {
    prefix,
    timeouts: PATIENT,
  });
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
function start(server: S3Server, prefix: string, at: number, { killed, isCareless = false }: Circumstances) {
  const script = fileURLToPath(new URL("./history-process.ts", import.meta.url));
  const args = [prefix, `process-${at}`, String(SEED + at), String(TRANSACTIONS)];
  const child = spawn(process.execPath, ["--no-warnings", "--import", "tsx", script, ...args], {
    env: { ...process.env, ...s3Environment(server), CARELESS: String(isCareless) },
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
