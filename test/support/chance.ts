// The random source of the property tests. The suite uses the same seed every time, so that only a change of the code
// makes it fail. `npm run explore` uses another seed, and a failure there prints the command that repeats it: SEED=…
// npx vitest run <file>.

import { env } from "node:process";
import fc from "fast-check";

fc.configureGlobal({ seed: env.SEED === "any" ? Math.floor(Math.random() * 2 ** 31) : Number(env.SEED ?? 2026) });
