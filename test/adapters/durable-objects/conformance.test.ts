// The adapter keeps the contract in workerd: the published suite runs inside of a Worker, with the adapter's defaults, and
// with objects that end at any time, tiny answers and rounds of one commit. Of the latter every third case is enough, unless
// there is a seed. Blobs are in a bucket, of which hostile objects change nothing.

import { defineConformanceTests } from "octavo/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { isLongRun, runs, seed } from "../../support/test-length";
import { startWorkerd, type Workerd } from "./workerd";

let workerd: Workerd;
beforeAll(async () => {
  workerd = await startWorkerd();
});
afterAll(() => workerd.stop());

describe.each(["default", "hostile"] as const)("durableObjectStorage, %s", (settings) => {
  let cases = 0;
  const named = (name: string) => {
    const isOneOfThree = cases++ % 3 === 0 || isLongRun;
    if (settings === "hostile" && (!isOneOfThree || name.startsWith("blobs: "))) return;
    test(name, async () => void (await workerd.run({ task: "case", settings, name, seed, runs: runs(60) })));
  };
  defineConformanceTests({ test: named, open: () => Promise.reject(new Error("The storage is in workerd.")) });
});
