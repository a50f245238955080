// Builds the application of the console into src/console/built. With `--sizes` it also tells what each file weighs.

import { gzipSync } from "node:zlib";
import { buildConsole, builtConsole } from "./console/build";

await buildConsole();
if (process.argv.includes("--sizes"))
  for (const [name, text] of Object.entries((await builtConsole()).files))
    console.log(`${String(gzipSync(text, { level: 9 }).length).padStart(8)} bytes gzipped  ${name}`);
