// The conformance suite: a storage that passes it is an adapter of Octavo. The suite runs in any test runner and skips nothing.

import { blobs } from "./blobs";
import { createCallGuard } from "./call-guard";
import { type Candidate, type Cases, runOnCandidate } from "./cases";
import { commits } from "./commits";
import { concurrency } from "./concurrency";
import { durability } from "./durability";
import { instances } from "./instances";
import { limits } from "./limits";
import { lists } from "./lists";
import { snapshots } from "./snapshots";

export type { Candidate } from "./cases";

/**
 * The timeout that a test runner should have for one test, in milliseconds. Few tests take more than a second, but some take much
 * longer on a bucket or a busy machine.
 */
export const RUNNER_LIMIT_MS: number = 5 * 60_000;

/** The functions and options that the suite needs. */
export interface ConformanceKit {
  /** The test function of the runner: `test` of vitest or `node:test`, `Deno.test`, … Its timeout should be `RUNNER_LIMIT_MS`. */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
  /** Opens an empty storage that shares no data with any other. */
  readonly open: () => Promise<Candidate>;
  /** The seed of all random choices, for repeating a run that failed. Default: a random one. */
  readonly seed?: number;
  /** The number of random scripts to run. Default: 100. */
  readonly runs?: number;
  /** The time that a single call of the storage may take, in milliseconds. A longer call fails its case. Default: 60,000. */
  readonly timeoutMs?: number;
}

const PATIENCE_MS = 60_000;

const promises: Record<string, Cases> = {
  "order and batches": commits,
  snapshots,
  "concurrent callers": concurrency,
  "two instances": instances,
  durability,
  "key order": lists,
  limits,
  blobs,
};

/** Defines the tests of the contract for one adapter. They end with any storage, even with one that never answers. */
export function defineConformanceTests(kit: ConformanceKit): void {
  for (const name of ["test", "open"] as const)
    if (typeof kit[name] !== "function") throw new TypeError(`defineConformanceTests: \`${name}\` must be a function.`);
  const seed = kit.seed ?? Math.floor(Math.random() * 0x7fffffff);
  const guard = createCallGuard(kit.timeoutMs ?? PATIENCE_MS);
  for (const [promise, cases] of Object.entries(promises)) {
    for (const [name, run] of Object.entries(cases)) {
      kit.test(`${promise}: ${name}`, () => runOnCandidate(kit.open, guard, (opened) => run(opened, seed)));
    }
  }
  kit.test("random scripts: every answer is the model's", async () => {
    // Only the scripts need this package, so it is loaded when they run.
    const scripts = await import("./scripts").catch((cause: unknown) => {
      throw new Error("The random scripts need the package `fast-check`: run `npm install --save-dev fast-check`.", {
        cause,
      });
    });
    await scripts.runScripts(kit.open, guard, { seed, runs: kit.runs ?? 100 });
  });
}
