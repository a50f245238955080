// Writes the built scripts of published sites and of the reference. A test fails when they are stale.

import { writeFile } from "node:fs/promises";
import { builtFiles } from "./site/built";

for (const [name, text] of Object.entries(await builtFiles()))
  await writeFile(new URL(`../src/${name}`, import.meta.url), text);
