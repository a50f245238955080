// The conformance suite: what makes a storage an adapter of Octavo. It runs in any test runner and skips nothing.

import { blobs } from "./blobs";
import { type Candidate, type Cases, runOnCandidate } from "./cases";
import { commits } from "./commits";
import { concurrency } from "./concurrency";
import { durability } from "./durability";
import { instances } from "./instances";
import { limits } from "./limits";
import { lists } from "./lists";
import { type CallGuard, createCallGuard } from "./patience";
import { snapshots } from "./snapshots";

export type { Candidate } from "./cases";

/** The limit that a test runner should have for one test, in milliseconds. Few take more than a second; on a bucket, or on a
 * busy machine, some take many. */
export const RUNNER_LIMIT_MS: number = 5 * 60_000;

/** What the suite needs to run. */
export interface ConformanceKit {
  /** The runner's own: `test` of vitest or `node:test`, `Deno.test`, … It should give each test `RUNNER_LIMIT_MS`. */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
  /** Opens a storage that is empty, and of which no other is a part. */
  readonly open: () => Promise<Candidate>;
  /** What all random choices follow from, to repeat a run that failed. Default: another one each time. */
  readonly seed?: number;
  /** How many random scripts are run. Default: 100. */
  readonly runs?: number;
  /** How many milliseconds a single call of the storage may take: one that takes longer fails its case. Default: 60,000. */
  readonly patience?: number;
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

/** Defines the tests of the contract for one adapter. They end on any storage, also on one that never answers. */
export function storageConformance(kit: ConformanceKit): void {
  for (const name of ["test", "open"] as const)
    if (typeof kit[name] !== "function") throw new TypeError(`storageConformance: \`${name}\` must be a function.`);
  const seed = kit.seed ?? Math.floor(Math.random() * 0x7fffffff);
  const watch = createCallGuard(kit.patience ?? PATIENCE_MS);
  for (const [promise, cases] of Object.entries(promises)) {
    for (const [name, run] of Object.entries(cases)) {
      kit.test(`${promise}: ${name}`, () => runOnCandidate(kit.open, watch, (opened) => run(opened, seed)));
    }
  }
  kit.test("random scripts: every answer is the model's", () => runScripts(kit, watch, seed));
}

/** The scripts need a package that nothing else needs. */
async function runScripts(kit: ConformanceKit, watch: CallGuard, seed: number): Promise<void> {
  const scripts = await import("./scripts").catch((cause: unknown) => {
    throw new Error("The random scripts need the package `fast-check`: run `npm install --save-dev fast-check`.", {
      cause,
    });
  });
  await scripts.runScripts(kit.open, watch, { seed, runs: kit.runs ?? 100 });
}
