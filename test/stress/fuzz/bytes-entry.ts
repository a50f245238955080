// What the coverage-guided fuzzer loads: the target that OCTAVO_TARGET names.

import { env } from "node:process";
import { targets } from "./targets";

export const fuzz = targets[env.OCTAVO_TARGET!]!;
