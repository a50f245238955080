// The targets of the fuzzer, on what it begins with, on that with some bytes changed, and on what it found before.
// `npm run stress:fuzz -- bytes` lets it search.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../support/test-length";
import { seedsOf } from "./seeds";
import { targets } from "./targets";

describe.each(Object.entries(targets))("%s", (name, target) => {
  const seeds = [...seedsOf(name)];

  test("the parser accepts valid input and inputs that failed before", async () => {
    expect(seeds.length).toBeGreaterThan(0);
    for (const [, bytes] of seeds) await target(bytes);
  });

  test("the parser handles any bytes changed, removed or inserted", async () => {
    const short = seeds.map(([, bytes]) => bytes.subarray(0, 2000));
    const edit = fc.record({ at: fc.nat(2000), drop: fc.nat(8), put: fc.uint8Array({ maxLength: 4 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...short),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        async (seed, edits) => {
          let bytes = Buffer.from(seed);
          for (const { at, drop, put } of edits) {
            const from = at % (bytes.length + 1);
            bytes = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + drop)]);
          }
          await target(bytes);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
