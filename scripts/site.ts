// Writes src/site/built: each script that readers' browsers run, as a text in a module: `npx tsx scripts/site.ts`. A test fails
// if they differ from their sources.

import { mkdir, writeFile } from "node:fs/promises";
import { builtScripts } from "./site/built";

const folder = new URL("../src/site/built/", import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await builtScripts())) await writeFile(new URL(name, folder), text);
