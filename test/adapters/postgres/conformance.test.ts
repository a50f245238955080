// The adapter on PGlite: it keeps the contract, on simulated days and wherever a connection is lost. Of the published suite
// every eighth case is enough where a real server proves the same (`real-server.test.ts`); all of them run without one, and
// with a seed. Days and losses are a small part of `npm run stress:simulate -- --engine postgres`; all of them are in this file
// because PGlite takes seconds to load.

import { defineConformanceTests } from "octavo/conformance";
import { describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../../support/patience";
import { isLongRun, runs } from "../../support/test-length";
import { callNames, loseAtEvery } from "./cuts";
import { postgresPrograms } from "./debian";
import { pglite } from "./pglite";
import { inSchema } from "./schemas";
import { controls, simulate } from "./simulation";

const isAlone = isLongRun || "leftOut" in (await postgresPrograms());
let cases = 0;
const some: typeof test = ((name: string, run: () => Promise<void>) => {
  if (isAlone || cases++ % 8 === 0) test(name, run);
}) as typeof test;

describe("postgresStorage on PGlite", () =>
  defineConformanceTests({
    test: some,
    open: async () => inSchema(await pglite(), await pglite(), { timeoutMs: PATIENCE_MS }),
    runs: runs(100),
    timeoutMs: PATIENCE_MS,
  }));

test("no simulated day loses, duplicates or tears a write, and a seed always gives the same day", async () => {
  const first = await simulate(1);
  for (let seed = 2; seed < runs(16); seed++) await simulate(seed);
  expect(await simulate(1)).toEqual(first);
});

// `npm run stress:simulate` tries all ways to break the protocol.
test("counting a lost response as a failure is detected", async () => {
  const broken = controls()["a lost answer counts as none"]!;
  await expect(simulate(1, broken)).rejects.toThrow(/did not happen \(none\) and is there/);
});

// The suite loses a few messages of each call in one way; a long run all of them in every way.
test.each(callNames)("a connection that is lost at any message breaks no promise: %s", async (name) => {
  const some = { stride: 31, first: 7, way: callNames.indexOf(name) };
  expect(await loseAtEvery(name, isLongRun ? {} : some)).toBeGreaterThan(0);
});

test("sending a lost call again with another token is detected", async () => {
  const broken = controls()["a round is sent again under another token"]!;
  await expect(loseAtEvery(callNames[0]!, { first: 8, way: 1, broken })).rejects.toThrow(/lost after message/);
});
