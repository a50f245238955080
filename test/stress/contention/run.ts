// npm run contention [-- --storages memory,level,s3,postgres] [--calls 64] [--rounds 3] [--alone] [names of operations]
// Makes 64 calls of every operation that writes at once, all of the same thing, and as many of different things. It prints how
// many were refused, how often transactions ran again, p50 and p99, and the throughput as a share of that on different things.
// With --alone, the calls on different things are left out, and with them the share. It ends with 1 if a goal is not reached.

import { cpus } from "node:os";
import { env } from "node:process";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: {
    storages: { type: "string", default: "memory,level,s3,postgres" },
    calls: { type: "string", default: "64" },
    rounds: { type: "string", default: "3" },
    alone: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const wanted = values.storages.split(",");
if (wanted.includes("postgres")) env.STORAGES = "postgres";
const { prepareSubjects, onOneThing, onManyThings } = await import("./measure");

/** The goals. */
const MOST_TIMES = 6;
const LEAST_SHARE = 0.5;

const names: Record<string, string> = {
  memory: "memory",
  level: "LevelDB",
  s3: "object storage",
  postgres: "PostgreSQL",
};
const [{ model } = { model: "unknown" }] = cpus();
console.log(`${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${model.trim()}\n`);
const subjects = await prepareSubjects();
const calls = Number(values.calls);
const rank = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1]!;
const tell = (cells: readonly (string | number)[]) =>
  console.log(
    cells
      .map((cell, at) => String(cell).padEnd(at === 0 ? 16 : at === 1 ? 40 : 9))
      .join("")
      .trimEnd(),
  );
tell(["storage", "operation", "refused", "again", "p50 ms", "p99 ms", "p99/p50", "share", "work", "statuses"]);
let misses = 0;
for (const storage of wanted) {
  const copier = await subjects.copierFor(names[storage]!, "distant");
  for (const [name, example] of subjects.writes) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const best = {
      refused: 0,
      retries: 0,
      p50: 0,
      p99: 0,
      times: Number.POSITIVE_INFINITY,
      one: Number.POSITIVE_INFINITY,
      many: Number.POSITIVE_INFINITY,
      workOne: Number.POSITIVE_INFINITY,
      workMany: Number.POSITIVE_INFINITY,
    };
    let statuses = {};
    for (let round = 0; round < Number(values.rounds); round++) {
      const one = await onOneThing(subjects, copier, example, calls);
      const many = values.alone ? undefined : await onManyThings(subjects, copier, example, calls);
      best.refused += one.refused;
      best.retries = Math.max(best.retries, one.retries);
      const [p50, p99] = [rank(one.times, 0.5), rank(one.times, 0.99)];
      if (p99 / p50 < best.times) Object.assign(best, { p50, p99, times: p99 / p50 });
      best.one = Math.min(best.one, one.whole);
      best.many = Math.min(best.many, many?.whole ?? Number.POSITIVE_INFINITY);
      best.workOne = Math.min(best.workOne, one.processor);
      best.workMany = Math.min(best.workMany, many?.processor ?? Number.POSITIVE_INFINITY);
      statuses = one.statuses;
    }
    const share = best.many / best.one;
    const isMissed = best.refused > 0 || best.times > MOST_TIMES || share < LEAST_SHARE;
    if (isMissed) misses++;
    tell([
      storage,
      name,
      best.refused,
      best.retries,
      best.p50.toFixed(1),
      best.p99.toFixed(1),
      best.times.toFixed(1),
      values.alone ? "" : share.toFixed(2),
      values.alone ? "" : (best.workMany / best.workOne).toFixed(2),
      `${JSON.stringify(statuses)}${isMissed ? " MISSED" : ""}`,
    ]);
  }
  await copier.cleanUp();
}
console.log(`\n${misses} goals are missed`);
process.exit(misses > 0 ? 1 : 0);
