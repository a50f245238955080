// A run of the simulation goes on where an earlier one ended. The seeds themselves: test/adapters/s3/simulation.test.ts.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { simulate } from "../../adapters/s3/simulation";
import { emptyTally, play, readTally, seedsOf, take, writeTally } from "./tally";

test("batches give the same tally in any order, and a recorded tally is continued", async () => {
  const batches = [0, 1, 2, 3].map((number) => ({ number, seeds: 3 }));
  const played = [];
  for (const batch of batches) played.push({ ...(await play(simulate, batch)), seconds: 1 });
  const inOrder = emptyTally();
  for (const [at, batch] of batches.entries()) take(inOrder, batch, played[at]!);
  expect(inOrder).toMatchObject({ through: 4, beyond: [], seconds: 4, broken: [] });
  expect(inOrder.sums.commits).toBeGreaterThan(10);

  const folder = await mkdtemp(join(tmpdir(), "octavo-simulate-"));
  const file = join(folder, "tally.json");
  expect(await readTally(file)).toBeUndefined();
  const before = emptyTally();
  take(before, batches[2]!, played[2]!);
  take(before, batches[0]!, played[0]!);
  expect(before).toMatchObject({ through: 1, beyond: [2] });
  await Promise.all([writeTally(file, emptyTally()), writeTally(file, before)]);
  const after = (await readTally(file))!;
  take(after, batches[3]!, played[3]!);
  take(after, batches[1]!, played[1]!);
  expect(after).toEqual(inOrder);
  expect(await readdir(folder)).toEqual(["tally.json"]);
  await rm(folder, { recursive: true });
});

test("a run that begins later counts what it ran itself", () => {
  const played = { sums: {}, faults: {}, seconds: 1, broken: [] };
  const tally = emptyTally("s3", 400);
  take(tally, { number: 5, seeds: 100 }, played);
  expect(tally).toMatchObject({ from: 4, through: 4, beyond: [5] });
  take(tally, { number: 4, seeds: 100 }, played);
  expect(tally).toMatchObject({ from: 4, through: 6, beyond: [] });
  expect(seedsOf(tally)).toBe(200);
});

test("a seed that breaks an invariant is reported", () => {
  const tally = emptyTally();
  take(tally, { number: 0, seeds: 1 }, { sums: {}, faults: {}, seconds: 1, broken: ["Seed 1: lost"] });
  expect(tally.broken).toEqual(["Seed 1: lost"]);
});
