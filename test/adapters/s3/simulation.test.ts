// The real adapter over a bad network, in virtual time, from many seeds; and ways to break the protocol, each of
// which must be noticed: a test that cannot fail proves nothing. `npm run stress:simulate`
// plays more days, and repeats one.

import { expect, test } from "vitest";
import { isLongRun } from "../../support/test-length";
import { controls, type S3Counts, simulate } from "./simulation";

const SEEDS = isLongRun ? 10_000 : 100;
const CONTROL_SEEDS = 100;
const HOUR = 3_600_000;

const counts = (day: S3Counts) =>
  Object.entries(day).filter((entry): entry is [string, number] => entry[0] !== "faults");

test("no seed loses, duplicates or tears a write", { timeout: HOUR }, async () => {
  const sums: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const started = performance.now();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const day = await simulate(seed);
    for (const [what, count] of counts(day)) sums[what] = (sums[what] ?? 0) + count;
    for (const [what, count] of Object.entries(day.faults)) faults[what] = (faults[what] ?? 0) + count;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${SEEDS} seeds in ${seconds} s: ${JSON.stringify(sums)}, faults: ${JSON.stringify(faults)}`);
  for (const [what, count] of Object.entries(sums)) expect(count, what).toBeGreaterThan(0);
});

test("a seed always gives the same day", async () => {
  expect(await simulate(7)).toEqual(await simulate(7));
});

for (const [name, broken] of Object.entries(controls())) {
  test(`the simulation detects that ${name}`, async () => {
    let failure: string | undefined;
    let seed = 0;
    while (failure === undefined && seed < CONTROL_SEEDS) {
      failure = await simulate(++seed, broken).then(
        () => undefined,
        (error: Error) => error.message,
      );
    }
    console.log(`${name}: seed ${seed} is the first that fails, with “${failure}”`);
    expect(failure).toBeDefined();
  });
}
