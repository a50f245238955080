// npm run stress:stalls [-- --size 0.1] [names of jobs]
// Does each long job in a process of its own, and prints the longest time for which its work held the event loop, the longest
// pause of the garbage collector, and the longest hold with both. The size is a share of the full one.

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import type { Cost } from "../../../scripts/corpus/time";
import { withBundles } from "../../support/bundles";
import { describeMachine, printRow } from "../../support/printing";
import { jobs } from "./jobs";

/** The longest hold by work that is no stall, in milliseconds. */
const MOST_MS = 50;

const HEAD = ["work", "collector", "held", "processor", "", "job", "size"];
const WIDTHS = [9, 11, 9, 11, 8, 20, 0];

const { values, positionals } = parseArgs({
  options: { size: { type: "string", default: "0.1" } },
  allowPositionals: true,
});
const share = Number(values.size);
if (!(share > 0 && share <= 1)) throw new Error("--size is a share of the full size, such as 0.1; at most 1.");

const programs = ["one.ts", "git-server.ts"].map((name) => new URL(name, import.meta.url));
await withBundles(programs, async (one) => report(one!));

function report(program: string): void {
  console.log(`${describeMachine()}, size ${share}\n`);
  const tell = (cells: readonly string[]) => printRow(cells, WIDTHS);
  tell(HEAD);
  let stalls = 0;
  for (const name of Object.keys(jobs)) {
    if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue;
    const done = run(program, name);
    const isStall = done === undefined || done.longestWork > MOST_MS;
    if (isStall) stalls++;
    if (!done) tell(["failed", "", "", "", "", name, ""]);
    else
      tell([
        `${done.longestWork.toFixed(0)} ms`,
        `${done.longestCollection.toFixed(0)} ms`,
        `${done.longestHold.toFixed(0)} ms`,
        `${done.processorSeconds.toFixed(1)} s`,
        isStall ? "STALLS" : "",
        name,
        done.about,
      ]);
  }
  console.log(`\n${stalls} of them hold the event loop with work for longer than ${MOST_MS} ms, or failed`);
  if (stalls > 0) process.exitCode = 1;
}

function run(program: string, name: string): (Cost & { readonly about: string }) | undefined {
  const options = ["--max-old-space-size=6144", program, name, values.size];
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1)!);
  console.error(stderr.trim().split("\n").slice(-8).join("\n"));
  return undefined;
}
