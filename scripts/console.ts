// Builds the application of the console into src/console/built. With `--sizes` it also tells what each file weighs, with `play`
// it plays the application in a browser.

import { gzipSync } from "node:zlib";
import { buildConsole, builtConsole } from "./console/build";

const [, , command, ...rest] = process.argv;

await buildConsole();
if (process.argv.includes("--sizes"))
  for (const [name, text] of Object.entries((await builtConsole()).files))
    console.log(`${String(gzipSync(text, { level: 9 }).length).padStart(8)} bytes gzipped  ${name}`);
// What plays stands on what was just built, so it is loaded after.
if (command === "play") await (await import("./console/play")).playConsole(rest);
