// Writes src/generated: the types of the public interface that are made from the operations. A test fails when it is stale.

import { writeFile } from "node:fs/promises";
import { allOperations } from "../src/operations";
import { generatedTypes } from "./types/generate";

for (const [name, text] of Object.entries(generatedTypes(allOperations())))
  await writeFile(new URL(`../src/generated/${name}`, import.meta.url), text);
