// Writes src/site/built: the scripts of published sites. A test fails when they are stale.

import { writeFile } from "node:fs/promises";
import { builtFiles } from "./site/built";

for (const [name, text] of Object.entries(await builtFiles()))
  await writeFile(new URL(`../src/site/built/${name}`, import.meta.url), text);
