// Processes that meet on one storage, and what the checker says of their history. Some of them are killed in the middle of
// their work. A long run plays a hundred of them, and `SEED` repeats one.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { build } from "tsup";
import { afterAll, expect } from "vitest";
import type { Storage } from "../../src/storage/storage";
import { type Call, countCalls, violations } from "../adapters/s3/history";
import { callsOf, type Line, marksIn, partitions } from "../adapters/s3/history-workload";
import { historySeed, isLongRun } from "./test-length";

const PROCESSES = 4;
const TRANSACTIONS = isLongRun ? 500 : 150;

/** A seed for each history. */
export const seeds: readonly number[] = Array.from(
  { length: isLongRun ? 100 : 1 },
  (_, n) => historySeed + n * PROCESSES,
);

export interface Meeting {
  /** Of the first process; the others have those that follow. */
  readonly seed: number;
  /** The script of a process, from `builtScript`, and what it is told. */
  readonly script: string;
  readonly told: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Opens the storage afterwards. */
  readonly open: () => Storage;
  /** The processes that are killed, by their numbers. Default: none. */
  readonly killed?: readonly number[];
  /** Whether the processes are the control. Default: false. */
  readonly isCareless?: boolean;
  /** Whether the clocks of the processes jump. Default: false. */
  readonly clockJumps?: boolean;
  /** What happens while they work. Default: nothing. */
  readonly troubles?: (isOver: () => boolean) => Promise<void>;
}

/** A script as a file that Node starts at once. It is removed after the tests. */
export async function builtScript(file: string): Promise<string> {
  // Below node_modules, so that its own imports are found, and under a name that no other run has.
  const outDir = join("node_modules", ".cache", `octavo-history-${process.pid}-${file.replace(/\W/g, "-")}`);
  const options = {
    format: "esm",
    target: "es2022",
    skipNodeModulesBundle: true,
    config: false,
    silent: true,
  } as const;
  await build({ ...options, entry: { history: file }, outDir });
  afterAll(() => rm(outDir, { recursive: true, force: true }));
  return join(outDir, "history.js");
}

/** Lets the processes meet. Gives what is wrong with their history. */
export async function historyOf(meeting: Meeting): Promise<string[]> {
  const processes = Array.from({ length: PROCESSES }, (_, at) => start(meeting, at));
  await Promise.all(processes.map(({ ready }) => ready));
  for (const { go } of processes) go();
  let isOver = false;
  const working = Promise.all(processes.map(({ lines }) => lines)).finally(() => {
    isOver = true;
  });
  const [lines] = await Promise.all([working.then((all) => all.flat()), meeting.troubles?.(() => isOver)]);
  const storage = meeting.open();
  const calls: Call[] = [];
  const found: string[] = [];
  for (const partition of partitions) {
    const ours = callsOf(partition, lines);
    calls.push(...ours);
    found.push(...violations(ours, await marksIn(storage, partition)));
  }
  await storage.close();
  const counted = countCalls(calls);
  console.log(`A history of ${PROCESSES} processes (seed ${meeting.seed}): ${JSON.stringify(counted)}.`);
  // A history in which nobody met would prove nothing.
  if (!meeting.isCareless && (counted.commits <= TRANSACTIONS / 2 || counted.refusals <= PROCESSES))
    found.push("Nobody met.");
  return found.map((what) => `${what} (seed ${meeting.seed})`);
}

/** Starts a process, which waits for `go`. */
function start(meeting: Meeting, at: number) {
  const { seed, script, told, env = {}, killed = [], isCareless = false, clockJumps = false } = meeting;
  const isKilled = killed.includes(at);
  // Who is to be killed does not end by itself, however late this process reads what it writes.
  const args = [...told, `process-${at}`, String(seed + at), String(isKilled ? Number.MAX_SAFE_INTEGER : TRANSACTIONS)];
  const child = spawn(process.execPath, ["--no-warnings", script, ...args], {
    env: { ...process.env, ...env, CARELESS: String(isCareless), CLOCK_JUMPS: String(clockJumps) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  afterAll(() => void child.kill("SIGKILL"));
  const exited = once(child, "close");
  const output = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = output.next().then(({ value }) => expect(value, `seed ${seed}`).toBe("ready"));
  const read = async () => {
    await ready;
    const lines: Line[] = [];
    for (let next = await output.next(); !next.done; next = await output.next()) {
      const line = parse(next.value);
      if (line) lines.push(line);
      if (isKilled && lines.length === TRANSACTIONS) child.kill("SIGKILL");
    }
    expect(await exited).toEqual(isKilled ? [null, "SIGKILL"] : [0, null]);
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
