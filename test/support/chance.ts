// The seed of the property tests (see test-length.ts). A failure prints the command that repeats it.

import fc from "fast-check";
import { seed } from "./test-length";

fc.configureGlobal({ seed });
