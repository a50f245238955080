// What the property tests draw from. The suite draws the same every time, so that a change and nothing else makes it fail;
// `npm run explore` draws anew, and a failure there prints the seed that repeats it: SEED=… npx vitest run <file>.

import { env } from "node:process";
import fc from "fast-check";

fc.configureGlobal({ seed: env.SEED === "any" ? Math.floor(Math.random() * 2 ** 31) : Number(env.SEED ?? 2026) });
