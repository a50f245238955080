// Writes test/invariants/access.tsv: the scope of every operation, what visitors get from it, and who gets its events. Tests compare
// it, and whoever reviews a change reads the lines that differ.

import { writeFile } from "node:fs/promises";
import { describeAccess } from "../test/invariants/describe-access";

await writeFile(new URL("../test/invariants/access.tsv", import.meta.url), await describeAccess());
