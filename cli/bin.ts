#!/usr/bin/env node
// The program: `npx octavo`, or `npm start` for the server from source.

import { commands } from "./commands";
import { createTerminal } from "./framework/terminal";
import { watchOutput } from "./framework/watch-output";
import { runMain } from "./main";

watchOutput(process);

const interruption = new AbortController();
// A second interruption ends the process at once.
process.once("SIGINT", () => interruption.abort());

const status = await runMain(process.argv.slice(2), commands, {
  terminal: createTerminal(process.stdout, process.stderr),
  env: process.env,
  signal: interruption.signal,
});
// Waits until all output is flushed. Connections that are kept alive do not delay the exit.
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(status);
