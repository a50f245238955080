// npm run simulate -- [seeds] [--keep <file>]: plays days of the S3 engine over a bad network, one for each seed, on all
// processors. With a file, what was played is written down after every batch, and the next run goes on from there until so
// many seeds are played in all. A control that is not found out, or a seed that breaks a promise, ends it with 1.

import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { controls, simulate } from "../s3/simulation";
import { type Batch, emptyTally, type Played, play, readTally, type Tally, take, writeTally } from "./tally";

const WORKER = "--worker";
const CONTROL_SEEDS = 100;
const TELL_EVERY = 20;

if (process.argv[2] === WORKER) workOff();
else process.exit(await run());

/** Plays the batches that it is sent. */
function workOff(): void {
  process.on("message", async (batch: Batch) => process.send!(await play(batch)));
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { keep: { type: "string" } }, allowPositionals: true });
  const seeds = Number(positionals[0] ?? 10_000);
  if (!Number.isSafeInteger(seeds) || seeds < 1) throw new Error(`Expected how many seeds, not ${positionals[0]}.`);
  const missed = await missedControls();
  if (missed.length > 0) {
    console.log(`NOT FOUND OUT: ${missed.join(", ")}`);
    return 1;
  }
  const tally = (values.keep && (await readTally(values.keep))) || emptyTally();
  await playAll(tally, seeds, values.keep);
  for (const [what, count] of [...Object.entries(tally.sums), ...Object.entries(tally.faults)])
    console.log(`  ${what}: ${count.toLocaleString("en")}`);
  for (const sentence of tally.broken) console.log(`BROKEN ${sentence}`);
  console.log(`${line(tally)} ${tally.broken.length === 0 ? "No promise was broken." : "Promises were broken."}`);
  return tally.broken.length === 0 ? 0 : 1;
}

/** The ways to break the protocol that nobody notices. */
async function missedControls(): Promise<string[]> {
  const missed: string[] = [];
  for (const [name, broken] of Object.entries(controls())) {
    let seed = 0;
    let isFound = false;
    while (!isFound && seed < CONTROL_SEEDS)
      isFound = await simulate(++seed, broken).then(
        () => false,
        () => true,
      );
    console.log(`Control: ${name}: ${isFound ? `found out by seed ${seed}` : "not found out"}.`);
    if (!isFound) missed.push(name);
  }
  return missed;
}

async function playAll(tally: Tally, seeds: number, keep: string | undefined): Promise<void> {
  const waiting = missingBatches(tally, seeds);
  let played = 0;
  const work = async () => {
    const child = fork(process.argv[1]!, [WORKER], { execArgv: process.execArgv });
    const end = ended(child);
    // It ends in the end, too.
    end.catch(() => {});
    for (let batch = waiting.next(); !batch.done && tally.broken.length === 0; batch = waiting.next()) {
      child.send(batch.value);
      const [result] = (await Promise.race([once(child, "message"), end])) as [Played];
      take(tally, batch.value, result);
      if (keep) await writeTally(keep, tally);
      if (++played % TELL_EVERY === 0) console.log(line(tally));
    }
    child.kill();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

async function ended(child: ReturnType<typeof fork>): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`A process that plays seeds ended with ${code}.`);
}

function* missingBatches(tally: Tally, seeds: number): Generator<Batch> {
  for (let number = 0; number * tally.batch < seeds; number++)
    if (number >= tally.through && !tally.beyond.includes(number)) yield { number, seeds: tally.batch };
}

function line({ through, beyond, batch, seconds }: Tally): string {
  return `${((through + beyond.length) * batch).toLocaleString("en")} seeds, ${seconds.toFixed(0)} s of processors.`;
}
