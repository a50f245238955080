// Figures of the project itself, without a comparison.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/listening";
import { levelStorage, outDir } from "./built";
import { fill } from "./content";
import type { Row } from "./measure";
import { createSubject, inFolder } from "./subject";

const root = fileURLToPath(new URL("../../", import.meta.url));

export async function project(): Promise<Row[]> {
  return [await inFolder(start), await typeCheck(), await coreSize()];
}

const PAGES = 10_000;

/** The server on a store with pages, as it starts where the package is installed: with what is built, not with the source. */
async function start(dataDir: string): Promise<Row> {
  const { api, ask, path } = await createSubject(levelStorage(dataDir));
  await fill(ask, path, PAGES);
  await api.maintain();
  await api.close();

  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, SECRET: "s".repeat(32) };
  const begun = performance.now();
  const child = spawn(process.execPath, [join(outDir, "cli.js"), "serve"], { cwd: root, env, stdio: "ignore" });
  try {
    while (!(await answers(`http://127.0.0.1:${port}/v1`))) {
      if (child.exitCode !== null) throw new Error("octavo serve did not start.");
      await wait(5);
    }
    const row = figure(`start of octavo serve on ${PAGES} pages, LevelDB`, "to the first answer", begun);
    return { ...row, budget: "at most 1.0 s", holds: performance.now() - begun <= 1000 };
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, "exit");
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function typeCheck(): Promise<Row> {
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const begun = performance.now();
  const tsc = spawn(process.execPath, [join(typescript, "bin/tsc"), "--noEmit"], { cwd: root, stdio: "ignore" });
  const [code] = await once(tsc, "exit");
  return figure("type-check of the project", code === 0 ? "tsc --noEmit" : "tsc --noEmit, which found errors", begun);
}

function figure(what: string, against: string, begun: number): Row {
  return { what, against, measured: `${((performance.now() - begun) / 1000).toFixed(1)} s`, budget: "printed" };
}

/** `npm run package` measures it and fails when it has grown by a tenth. */
async function coreSize(): Promise<Row> {
  const { core } = JSON.parse(await readFile(join(root, "test/packaging/size.json"), "utf8"));
  return {
    what: "the core's bundle, as of test/packaging/size.json",
    against: "minified + gzip, without optional peers",
    measured: `${(core / 1024).toFixed(1)} KiB`,
    budget: "see npm run package",
  };
}
