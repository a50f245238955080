// The adapter keeps the contract on PGlite: with its own sizes, and with settings that make everything small and every
// default of the server hostile.

import { storageConformance } from "octavo/conformance";
import { describe, test } from "vitest";
import { runs } from "../runs";
import { inSchema, pglite } from "./pglite";

describe("postgresStorage on PGlite", () =>
  storageConformance({ test, open: async () => inSchema(await pglite()), runs: runs(100) }));
