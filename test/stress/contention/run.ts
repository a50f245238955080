// npm run stress:contention [-- --storages memory,level,s3,postgres] [--calls 64] [--rounds 2] [--alone] [names of operations]
// Makes 64 calls of every operation that writes at once, all of the same thing, and as many of different things. It prints how
// many were refused, how often transactions ran again, p50 and p99 of the answers, the throughput as a share of that on
// different things, until all work that follows is done, and the same in time of the processor. The time is that of the processor
// and, on S3, 20 ms for each request: what other programs do on the machine does not count. On PostgreSQL, which is a process of
// its own, it is the time of the day.
// With --alone, the calls on different things are left out, and with them the share. It ends with 1 if a goal is not reached.

import { parseArgs } from "node:util";
import type { OperationName } from "octavo";
import { describeMachine, printRow } from "../../support/printing";
import { bounded } from "./exceptions";
import type { Outcome } from "./measure";
import { LATENCY_MS, onManyThings, onOneThing, prepareSubjects, warmUpProcess, writes } from "./measure";
import { ModelClock } from "./model-clock";

const { values, positionals } = parseArgs({
  options: {
    storages: { type: "string", default: "memory,level,s3,postgres" },
    calls: { type: "string", default: "64" },
    rounds: { type: "string", default: "2" },
    alone: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const wanted = values.storages.split(",");

/** The goals. */
const MOST_TIMES = 6;
const LEAST_SHARE = 0.5;

const storages: Record<string, string> = {
  memory: "memory",
  level: "LevelDB",
  s3: "object storage",
  postgres: "PostgreSQL",
};
console.log(describeMachine());
console.log(`A bucket that answers after ${LATENCY_MS} ms\n`);
const names = positionals.length > 0 ? (positionals as OperationName[]) : writes;
const calls = Number(values.calls);
const subjects = await prepareSubjects(calls, names);
const realTime = performance.now.bind(performance);
const rank = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1]!;
const tell = (cells: readonly (string | number)[]) => printRow(cells, [10, 33, 9]);
tell([
  "storage",
  "operation",
  "refused",
  "again",
  "p50 ms",
  "p99 ms",
  "p99/p50",
  "share",
  "work",
  "PUT/GET",
  "statuses",
]);
let misses = 0;
for (const storage of wanted) {
  const isModelled = storage !== "postgres";
  const clock = new ModelClock();
  const requests = { puts: 0, gets: 0 };
  const copier = await subjects.copierFor(storages[storage]!, storage === "s3" ? { clock, requests } : undefined);
  performance.now = isModelled ? () => clock.now() : realTime;
  for (const name of names) {
    const ones: Outcome[] = [];
    const manies: Outcome[] = [];
    let counted = "";
    await warmUpProcess(subjects, copier, name);
    for (let round = 0; round < Number(values.rounds); round++) {
      const before = { ...requests };
      ones.push(await onOneThing(subjects, copier, name, calls));
      if (storage === "s3") counted = `${requests.puts - before.puts}/${requests.gets - before.gets}`;
      if (!values.alone) manies.push(await onManyThings(subjects, copier, name, calls));
    }
    tell([storage, name, ...judge(name, ones, manies), counted, statusesOf(ones.at(-1)!)]);
  }
  await copier.cleanUp();
}
performance.now = realTime;
console.log(`\n${misses} goals are missed`);
process.exit(misses > 0 ? 1 : 0);

/** The cells of an operation, of its best round each. */
function judge(name: OperationName, ones: readonly Outcome[], manies: readonly Outcome[]): string[] {
  const slots = bounded[name];
  const refused = Math.max(
    ...ones.map((one) =>
      Object.entries(one.refused).reduce((sum, [reason, count]) => (reason === slots?.reason ? sum : sum + count), 0),
    ),
  );
  const spread = ({ times }: Outcome) => rank(times, 0.99) / rank(times, 0.5);
  const best = ones.toSorted((a, b) => spread(a) - spread(b))[0]!;
  const share = least(manies, "whole") / least(ones, "whole");
  const work = least(manies, "processor") / least(ones, "processor");
  const isCompared = manies.length > 0 && !slots;
  // Where most calls find no place, the median is that of the refusals.
  const isSlow = !slots && spread(best) > MOST_TIMES;
  const isMissed = refused > 0 || isSlow || (isCompared && share < LEAST_SHARE);
  if (isMissed) misses++;
  return [
    `${refused}${isMissed ? "!" : ""}`,
    `${Math.max(...ones.map(({ retries }) => retries))}`,
    rank(best.times, 0.5).toFixed(0),
    rank(best.times, 0.99).toFixed(0),
    spread(best).toFixed(1),
    isCompared ? share.toFixed(2) : "-",
    isCompared ? work.toFixed(2) : "-",
  ];
}

function least(outcomes: readonly Outcome[], member: "whole" | "processor"): number {
  return Math.min(...outcomes.map((outcome) => outcome[member]));
}

function statusesOf({ statuses, refused }: Outcome): string {
  return `${JSON.stringify(statuses)}${Object.keys(refused).length > 0 ? ` ${JSON.stringify(refused)}` : ""}`;
}
