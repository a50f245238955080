// Two isolates that meet on objects which end at any time, while rounds arrive late and workerd is killed: what they were
// told is strictly serializable. A long run makes more of them.

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../../src/storage/storage";
import { runFolder } from "../../support/run-folder";
import { historySeed, isLongRun } from "../../support/test-length";
import { type Call, countCalls, violations } from "../s3/history";
import { callsOf, type Line, partitions } from "../s3/history-workload";
import type { Fault } from "./faults";
import { startWorkerd } from "./workerd";

const TRANSACTIONS = isLongRun ? 5000 : 120;

test("a history with evictions, lost and delayed calls and a killed workerd is strictly serializable", async () => {
  const { calls, found } = await historyOf({ fault: "late", isKilled: true });
  expect(found, `seed ${historySeed}`).toEqual([]);
  // A history in which nobody met would prove nothing.
  const counted = countCalls(calls);
  expect(counted.commits).toBeGreaterThan(TRANSACTIONS / 2);
  expect(counted.refusals).toBeGreaterThan(4);
  console.log(`The history on Durable Objects that was checked: ${JSON.stringify(counted)} (seed ${historySeed}).`);
});

test("a history of isolates that send no checks is rejected", async () => {
  const { found } = await historyOf({ fault: "unchecked" });
  expect(found.join("\n"), `seed ${historySeed}`).toMatch(/though its check of work-\S+ was stale/);
});

test("a history of isolates that retry with a different token is rejected", async () => {
  const { found } = await historyOf({ fault: "without tokens" });
  expect(found, `seed ${historySeed}`).not.toEqual([]);
});

/** Lets two isolates work at once; gives all calls, and what the checker finds wrong with them. */
async function historyOf({ fault, isKilled = false }: { readonly fault: Fault; readonly isKilled?: boolean }) {
  const folder = await mkdtemp(join(runFolder(), "history-"));
  const common = { settings: "fleeting", prefix: "history" } as const;
  const lines: Line[] = [];
  const start = () => startWorkerd({ folder, record: (line) => void lines.push(JSON.parse(line)) });
  let workerd = await start();
  const work = (life: number) =>
    Promise.allSettled(
      (["one", "other"] as const).map((worker, at) =>
        workerd.run(
          {
            ...common,
            task: "workload",
            name: `${worker}-${life}`,
            seed: historySeed + at + 10 * life,
            transactions: TRANSACTIONS,
            fault,
          },
          worker,
        ),
      ),
    );
  if (isKilled) {
    const working = work(1);
    while (lines.length < TRANSACTIONS) await new Promise((resolve) => setTimeout(resolve, 10));
    await workerd.stop();
    expect((await working).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    workerd = await start();
  }
  expect(await work(2)).toEqual([1, 2].map(() => ({ status: "fulfilled", value: null })));
  const calls: Call[] = [];
  const found: string[] = [];
  for (const partition of partitions) {
    const ours = callsOf(partition, lines);
    calls.push(...ours);
    found.push(...violations(ours, (await workerd.run({ ...common, task: "marks", partition })) as Entry[]));
  }
  await workerd.stop();
  return { calls, found };
}
