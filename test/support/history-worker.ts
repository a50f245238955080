// One of the processes of a history: it runs its workload as soon as it is told to, tidies the storage meanwhile, and writes
// every call down before it makes the next one.

import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom } from "../../adapters/conformance/cases";
import type { Storage } from "../../src/storage/storage";
import { partitions, runWorkload } from "../adapters/s3/history-workload";
import { until } from "./patience";

/** What the process is told: after what its script is told, its name, its seed, and how many transactions it runs. */
const [name, seed, transactions] = process.argv.slice(-3) as [string, string, string];

/** Whether this process is the control of a test, which must be found out. */
export const isCareless = process.env.CARELESS === "true";

/** How far a clock is put forward or back, in milliseconds. A server of S3 refuses one that is wrong by a quarter of an hour. */
const JUMPS = [-600_000, -30_000, -1000, 0, 1000, 30_000, 600_000] as const;

if (process.env.CLOCK_JUMPS === "true") letClockJump();

/** From now on the clock of this process is wrong, each moment by another time. Those that only go forward are not touched. */
function letClockJump(): void {
  const { Date: Right } = globalThis;
  const random = createSeededRandom(Number(seed));
  let wrong = 0;
  const now = () => Right.now() + wrong;
  globalThis.Date = new Proxy(Right, {
    construct: (date, args) => (args.length === 0 ? new date(now()) : Reflect.construct(date, args)),
    get: (date, name) => (name === "now" ? now : Reflect.get(date, name)),
  });
  setInterval(() => {
    wrong = JUMPS[random(JUMPS.length)]!;
  }, 20).unref();
}

/** Works on a storage, and ends the process. */
export async function work(storage: Storage): Promise<never> {
  // The network may be bad from the beginning.
  await until(() => storage.partition(partitions[0]!).snapshot());
  writeSync(1, "ready\n");
  for await (const _ of process.stdin) break;
  let isOver = false;
  const record = (line: object) => void writeSync(1, `${JSON.stringify(line)}\n`);
  const working = runWorkload(storage, {
    name,
    seed: Number(seed),
    transactions: Number(transactions),
    atOnce: 4,
    record,
  }).finally(() => {
    isOver = true;
  });
  /** What fails is tried again by whoever tidies next. */
  const tidy = async () => {
    while (!isOver) {
      await storage.maintain?.().catch(() => {});
      await wait(100);
    }
  };
  // A careless storage may notice by itself; what was acknowledged until then is what the control is about.
  if (isCareless) await working.catch(() => {});
  else await Promise.all([tidy(), working]);
  await storage.close();
  process.exit();
}
