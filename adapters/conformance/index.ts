// The conformance suite: what makes a storage an adapter of Octavo. It runs in any test runner and skips nothing.

import { blobs } from "./blobs";
import { type Candidate, type Cases, onCandidate } from "./cases";
import { commits } from "./commits";
import { concurrency } from "./concurrency";
import { durability } from "./durability";
import { limits } from "./limits";
import { lists } from "./lists";
import { runScripts } from "./scripts";
import { snapshots } from "./snapshots";

export type { Candidate } from "./cases";

/** What the suite needs to run. */
export interface ConformanceKit {
  /** The runner's own: `test` of vitest or `node:test`, `Deno.test`, … */
  readonly test: (name: string, run: () => Promise<void>) => unknown;
  /** Opens a storage that is empty, and of which no other is a part. */
  readonly open: () => Promise<Candidate>;
  /** What all random choices follow from, to repeat a run that failed. Default: another one each time. */
  readonly seed?: number;
  /** How many random scripts are run. Default: 100. */
  readonly runs?: number;
}

const promises: Record<string, Cases> = {
  "order and batches": commits,
  snapshots,
  "concurrent callers": concurrency,
  durability,
  "key order": lists,
  limits,
  blobs,
};

/** Defines the tests of the contract for one adapter. */
export function storageConformance(kit: ConformanceKit): void {
  const seed = kit.seed ?? Math.floor(Math.random() * 0x7fffffff);
  for (const [promise, cases] of Object.entries(promises)) {
    for (const [name, run] of Object.entries(cases)) {
      kit.test(`${promise}: ${name}`, () => onCandidate(kit.open, (candidate) => run(candidate, seed)));
    }
  }
  kit.test("random scripts: every answer is the model's", () => runScripts(kit.open, { seed, runs: kit.runs ?? 100 }));
}
