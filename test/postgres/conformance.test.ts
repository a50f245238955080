// The adapter keeps the contract on PGlite. Where a real server proves the same (`real-server.test.ts`), every eighth case is
// enough; all of them run without one, and with a seed.

import { env } from "node:process";
import { storageConformance } from "octavo/conformance";
import { describe, test } from "vitest";
import { PATIENCE_MS } from "../patience";
import { runs } from "../runs";
import { postgresPrograms } from "./debian";
import { pglite } from "./pglite";
import { inSchema } from "./schemas";

const isAlone = env.SEED !== undefined || "leftOut" in (await postgresPrograms());
let cases = 0;
const some: typeof test = ((name: string, run: () => Promise<void>) => {
  if (isAlone || cases++ % 8 === 0) test(name, run);
}) as typeof test;

describe("postgresStorage on PGlite", () =>
  storageConformance({
    test: some,
    open: async () => inSchema(await pglite(), await pglite(), { timeoutMs: PATIENCE_MS }),
    runs: runs(100),
  }));
