// npm run stress:simulate -- [seeds] [--engine s3|postgres|durable-objects] [--after <seed>] [--keep <file>]: plays days
// of an engine over a bad network, one for each seed up to that number, on all processors. `--after` leaves out the first
// ones, which were played elsewhere. With a file, what was played is written down after every batch, and the next run goes
// on from there. A control that is not found out, or a seed that breaks a promise, ends it with 1.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type EngineName, engineNames } from "./engines";
import { playing } from "./playing";
import { type Batch, emptyTally, readTally, SEEDS_OF_A_BATCH, seedsOf, type Tally, take, writeTally } from "./tally";

const TELL_EVERY = 20;

process.exit(await run());

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      keep: { type: "string" },
      engine: { type: "string", default: "s3" },
      after: { type: "string", default: "0" },
    },
    allowPositionals: true,
  });
  const seeds = Number(positionals[0] ?? 10_000);
  if (!Number.isSafeInteger(seeds) || seeds < 1) throw new Error(`Expected how many seeds, not ${positionals[0]}.`);
  const engine = values.engine as EngineName;
  if (!engineNames.includes(engine)) throw new Error(`Expected an engine (${engineNames.join(", ")}), not ${engine}.`);
  const after = Number(values.after);
  if (!Number.isSafeInteger(after / SEEDS_OF_A_BATCH) || after < 0 || after >= seeds)
    throw new Error(`Expected a multiple of ${SEEDS_OF_A_BATCH} below ${seeds} after --after, not ${values.after}.`);
  const tally = (values.keep && (await readTally(values.keep))) || emptyTally(engine, after);
  if ((tally.engine ?? "s3") !== engine) throw new Error(`${values.keep} has days of another engine: ${tally.engine}.`);
  if (!(await proves(engine))) return 1;
  await playAll(tally, engine, seeds, values.keep);
  for (const [what, count] of [...Object.entries(tally.sums), ...Object.entries(tally.faults)])
    console.log(`  ${what}: ${count.toLocaleString("en")}`);
  for (const sentence of tally.broken) console.log(`BROKEN ${sentence}`);
  console.log(`${line(tally)} ${tally.broken.length === 0 ? "No promise was broken." : "Promises were broken."}`);
  return tally.broken.length === 0 ? 0 : 1;
}

/** Whether every way to break the protocol is found out, and all else holds that comes before the days. */
async function proves(engine: EngineName): Promise<boolean> {
  const { child, ask } = playing(engine, console.log);
  let holds = true;
  for (const what of ["controls", "beside"] as const) {
    const told = await ask({ what });
    holds &&= told.what === "proof" && told.holds;
  }
  child.kill();
  return holds;
}

async function playAll(tally: Tally, engine: EngineName, seeds: number, keep: string | undefined): Promise<void> {
  const waiting = missingBatches(tally, seeds);
  let played = 0;
  const work = async () => {
    const { child, ask } = playing(engine, console.log);
    for (let next = waiting.next(); !next.done && tally.broken.length === 0; next = waiting.next()) {
      const told = await ask({ what: "batch", batch: next.value });
      if (told.what !== "batch") throw new Error("A batch was asked for.");
      take(tally, next.value, told.played);
      if (keep) await writeTally(keep, tally);
      if (++played % TELL_EVERY === 0) console.log(line(tally));
    }
    child.kill();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

function* missingBatches(tally: Tally, seeds: number): Generator<Batch> {
  for (let number = 0; number * tally.batch < seeds; number++)
    if (number >= tally.through && !tally.beyond.includes(number)) yield { number, seeds: tally.batch };
}

function line(tally: Tally): string {
  const { from = 0, batch, seconds } = tally;
  const beginning = from === 0 ? "" : ` after the first ${(from * batch).toLocaleString("en")}`;
  return `${seedsOf(tally).toLocaleString("en")} seeds${beginning}, ${seconds.toFixed(0)} s of processors.`;
}
