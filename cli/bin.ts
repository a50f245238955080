#!/usr/bin/env node
// The program: `npx octavo`, or `npm start` for its server from the source.

import { commands } from "./commands";
import { createTerminal } from "./framework/terminal";
import { watchOutput } from "./framework/watch-output";
import { main } from "./main";

watchOutput(process);

const interruption = new AbortController();
// The second interruption ends the process at once, whatever it waits for.
process.once("SIGINT", () => interruption.abort());

const status = await main(process.argv.slice(2), commands, {
  terminal: createTerminal(process.stdout, process.stderr),
  env: process.env,
  signal: interruption.signal,
});
// What was written has left before the process ends. Connections that are kept alive do not hold it up.
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(status);
