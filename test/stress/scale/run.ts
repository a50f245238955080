// npm run stress:scale [-- --size 0.1] [--storages memory,level,postgres,s3] [--keep <folder>] [--minutes 60] [names of operations]
// Makes a big organization and one of a hundredth of its size, asks both on every storage, and prints what each request took
// of the processor. With --keep the organizations stay in a folder, and the next run goes on from there. With --minutes the
// big one is asked for that long afterwards, and its memory is printed every five minutes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { withBundles } from "../../support/bundles";
import { describeMachine } from "../../support/printing";
import { storages } from "./storages";

const { values, positionals } = parseArgs({
  options: {
    size: { type: "string", default: "1" },
    storages: { type: "string", default: Object.keys(storages).join(",") },
    keep: { type: "string" },
    minutes: { type: "string", default: "0" },
  },
  allowPositionals: true,
});
const share = Number(values.size);
if (!(share > 0 && share <= 1)) throw new Error("--size is a share of the full size, such as 0.1; at most 1.");
const kinds = values.storages.split(",");
const unknown = kinds.find((kind) => !(kind in storages));
if (unknown !== undefined)
  throw new Error(`There is no storage "${unknown}", only ${Object.keys(storages).join(", ")}.`);

/** How large the heap may grow, in megabytes. Without a limit it keeps what it has once taken. An organization that is made,
 * and one on the storage in memory, is there as a whole. LevelDB has its cache outside of the heap. */
const MAKING_MB = 6144;
const ASKING_MB: Readonly<Record<string, number>> = { memory: MAKING_MB, level: 288, postgres: 384, s3: 384 };

const folder = values.keep ?? (await mkdtemp(join(tmpdir(), "octavo-scale-")));
const [big, small] = [share, share / 100].map((it) => join(folder, String(it)));
console.log(describeMachine());
try {
  const programs = ["make.ts", "ask.ts"].map((name) => new URL(name, import.meta.url));
  await withBundles(programs, async (make, ask) => {
    await run(make!, MAKING_MB, small!, String(share / 100));
    await run(make!, MAKING_MB, big!, String(share));
    for (const kind of kinds) await run(ask!, ASKING_MB[kind]!, kind, small!, big!, values.minutes, ...positionals);
  });
} finally {
  if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
}

/** Each part is a process of its own: what one needs of memory is no part of another. */
async function run(program: string, heapMb: number, ...args: readonly string[]): Promise<void> {
  const flags = [`--max-old-space-size=${heapMb}`];
  // Without them glibc keeps a heap of its own for every thread, and large buffers among small ones, where they leave gaps.
  const env = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072", ...process.env };
  const child = spawn(process.execPath, [...flags, program, ...args], { stdio: "inherit", env });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${basename(program)} ended with ${code}.`);
}
