// npm run scale [-- --size 0.1] [--storages memory,level,postgres,s3] [--keep <folder>] [names of operations]
// Makes a big organization and one of a hundredth of its size, asks both on every storage, and prints what each request took
// of the processor. With --keep the organizations stay in a folder, and the next run goes on from there.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { storages } from "./storages";

const { values, positionals } = parseArgs({
  options: {
    size: { type: "string", default: "1" },
    storages: { type: "string", default: Object.keys(storages).join(",") },
    keep: { type: "string" },
  },
  allowPositionals: true,
});
const share = Number(values.size);
if (!(share > 0 && share <= 1)) throw new Error("--size is a share of the full size, such as 0.1; at most 1.");
const kinds = values.storages.split(",");
const unknown = kinds.find((kind) => !(kind in storages));
if (unknown !== undefined)
  throw new Error(`There is no storage "${unknown}", only ${Object.keys(storages).join(", ")}.`);

const folder = values.keep ?? (await mkdtemp(join(tmpdir(), "octavo-scale-")));
const [big, small] = [share, share / 100].map((it) => join(folder, String(it)));
const [{ model } = { model: "unknown" }] = cpus();
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${model.trim()}, ` +
    `${Math.round(totalmem() / 2 ** 30)} GB`,
);
try {
  await run("make.ts", small!, String(share / 100));
  await run("make.ts", big!, String(share));
  for (const kind of kinds) await run("ask.ts", kind, small!, big!, ...positionals);
} finally {
  if (values.keep === undefined) await rm(folder, { recursive: true, force: true });
}

/** Each part is a process of its own: what one needs of memory is no part of another. */
async function run(file: string, ...args: readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ["--max-old-space-size=6144", "--import", "tsx", path, ...args], {
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${file} ended with ${code}.`);
}
