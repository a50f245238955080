// A job that kills its process, in real processes over LevelDB: two processes die of it, the third survives.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { expect, test } from "vitest";
import { LEASE_MS } from "../../src/jobs/jobs";

/** Runs a process to its end, and gives what it said and the signal that it ended with. */
async function run(script: string, args: readonly string[]) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code, signal] = await once(child, "close");
  return { ended: (signal ?? code) as string | number, said: said.split("\n").filter((line) => line !== "") };
}

test("a job that kills its process is parked after the second time, and the jobs behind it run", async () => {
  const directory = await mkdtemp(join(tmpdir(), "octavo-deadly-"));
  // Below node_modules, so that its own imports are found, and under a name that no other run has.
  const outDir = join("node_modules", ".cache", `octavo-deadly-${process.pid}`);
  const entry = { process: "test/jobs/deadly-process.ts" };
  await build({ entry, outDir, format: "esm", external: ["level"], config: false, silent: true });
  const at = (rounds: number) => [
    directory,
    String(1_000_000 + rounds * LEASE_MS * 2),
    rounds === 0 ? "first" : "later",
  ];
  try {
    const runs = [];
    for (let rounds = 0; rounds < 5; rounds++) runs.push(await run(join(outDir, "process.js"), at(rounds)));
    const parked = "parked: deadly: It ended with its process 2 times, and is not tried again by itself.";
    expect(runs).toEqual([
      { ended: 0, said: [] },
      { ended: "SIGKILL", said: ["begun: deadly"] },
      // The other job was due before the one that was taken last.
      { ended: "SIGKILL", said: ["done: note", "begun: deadly"] },
      {
        ended: 0,
        said: [
          "error: The job it (deadly) was given up. It ended with its process 2 times, and is not tried again by itself.",
          parked,
        ],
      },
      { ended: 0, said: [parked] },
    ]);
  } finally {
    await rm(outDir, { recursive: true, force: true });
    await rm(directory, { recursive: true, force: true });
  }
});
