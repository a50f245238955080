// Writes src/sandbox/built: the engine of the sandbox, and the world that scripts find in it, each as a text in a module. A
// test fails when they are stale.

import { writeFile } from "node:fs/promises";
import { builtFiles } from "./sandbox/built";

for (const [name, text] of Object.entries(await builtFiles()))
  await writeFile(new URL(`../src/sandbox/built/${name}`, import.meta.url), text);
