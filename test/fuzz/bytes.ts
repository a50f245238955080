// `npm run fuzz -- bytes [executions] [target …]`: the parsers under a fuzzer that is led by the coverage of the code. It
// installs the fuzzer when it has to. What makes a target fail is left in test/fuzz/found, where the suite tries it again.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { nodeOnNewerLibc } from "./newer-libc";
import { seedsOf } from "./seeds";
import { targets } from "./targets";

const FUZZER = "@jazzer.js/core@4.0.0";
const TOOLS = join("node_modules", ".cache", "octavo-fuzzer");
const PROGRAM = join(TOOLS, "node_modules", "@jazzer.js", "core", "dist", "cli.js");
const FOUND = join("test", "fuzz", "found");
/** The longest input that is made, in bytes. */
const LONGEST = 4096;
/** An input that takes longer is told like a failure, in milliseconds. Machines may be busy. */
const SLOWEST = 60_000;

interface Fuzzed {
  readonly target: string;
  readonly executions: number;
  readonly seconds: number;
  /** Places in the code that were reached. */
  readonly coverage: number;
  /** Files with what made it fail. */
  readonly found: readonly string[];
}

/** Fuzzes the targets, as many at once as there are processors. 0: none failed. */
export async function fuzzBytes(executions: number, wanted: readonly string[]): Promise<number> {
  const names = wanted.length === 0 ? Object.keys(targets) : wanted;
  for (const name of names)
    if (!targets[name]) throw new Error(`There is no target ${name}: ${Object.keys(targets).join(", ")}.`);
  const node = await fuzzerReady();
  const folder = await mkdtemp(join(tmpdir(), "octavo-fuzz-"));
  try {
    // Outside of node_modules, where the fuzzer looks at nothing.
    await build({
      entry: { target: "test/fuzz/bytes-entry.ts" },
      outDir: folder,
      format: "cjs",
      outExtension: () => ({ js: ".js" }),
      target: "node20",
      noExternal: [/./],
      splitting: false,
      config: false,
      silent: true,
    });
    const waiting = names.values();
    const results: Fuzzed[] = [];
    const work = async () => {
      for (const name of waiting)
        results.push(told(await fuzzTarget(name, { node, folder, executions: Math.ceil(executions / names.length) })));
    };
    const ends = await Promise.allSettled(Array.from({ length: availableParallelism() }, work));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    const sum = results.reduce((sum, it) => sum + it.executions, 0);
    const found = results.flatMap((it) => it.found);
    console.log(
      `${sum.toLocaleString("en")} executions; ${found.length === 0 ? "nothing failed" : `failed: ${found.join(", ")}`}.`,
    );
    return found.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function told(it: Fuzzed): Fuzzed {
  const speed = (it.executions / Math.max(1, it.seconds)).toFixed(0);
  console.log(
    `${it.target}: ${it.executions.toLocaleString("en")} executions in ${it.seconds.toFixed(0)} s (${speed} in a second), ` +
      `${it.coverage.toLocaleString("en")} places reached, ${it.found.length} found`,
  );
  return it;
}

/** Installs the fuzzer when it has to. What starts a Node that loads it. */
async function fuzzerReady(): Promise<readonly string[]> {
  if (!existsSync(PROGRAM)) {
    await mkdir(TOOLS, { recursive: true });
    await writeFile(join(TOOLS, "package.json"), "{}");
    const args = ["install", "--prefix", TOOLS, "--no-audit", "--no-fund", "--loglevel=error", FUZZER];
    const [code] = await once(spawn("npm", args, { stdio: "inherit" }), "close");
    if (code !== 0) throw new Error(`npm ended with ${code}.`);
  }
  const output = await outputOf([process.execPath, PROGRAM, "--help"]);
  return output.includes("GLIBC_") ? nodeOnNewerLibc(join(TOOLS, "libc")) : [process.execPath];
}

interface Way {
  readonly node: readonly string[];
  readonly executions: number;
  /** With the targets, built. */
  readonly folder: string;
}

async function fuzzTarget(target: string, { node, executions, folder }: Way): Promise<Fuzzed> {
  const [seeds, failing] = [join(folder, `${target}-seeds`), join(folder, `${target}-failing`)];
  await mkdir(seeds);
  await mkdir(failing);
  for (const [name, bytes] of seedsOf(target)) await writeFile(join(seeds, name), bytes);
  const given = [`-runs=${executions}`, `-max_len=${LONGEST}`, `-artifact_prefix=${failing}/`];
  const options = ["-i", folder, "--timeout", String(SLOWEST), "--disableBugDetectors", ".*"];
  const args = [PROGRAM, join(folder, "target"), seeds, ...options, "--", ...given];
  const start = performance.now();
  const output = await outputOf([...node, ...args], { OCTAVO_TARGET: target });
  const seconds = (performance.now() - start) / 1000;
  const isDone = /^#\d+\s+DONE /m.test(output);
  const found = await keep(target, failing);
  if (!isDone && found.length === 0) throw new Error(`The fuzzer of ${target} ended early:\n${output.slice(-3000)}`);
  if (found.length > 0) console.log(output.slice(-3000));
  return {
    target,
    executions: Number(output.match(/^#\d+/gm)?.at(-1)?.slice(1) ?? 0),
    seconds,
    coverage: Number(
      output
        .match(/cov: (\d+)/g)
        ?.at(-1)
        ?.slice(5) ?? 0,
    ),
    found,
  };
}

/** Puts what failed where the suite finds it. */
async function keep(target: string, failing: string): Promise<string[]> {
  const names = await readdir(failing);
  if (names.length > 0) await mkdir(join(FOUND, target), { recursive: true });
  for (const name of names) await rename(join(failing, name), join(FOUND, target, name));
  return names.map((name) => join(FOUND, target, name));
}

async function outputOf([program, ...args]: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(program!, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-1_000_000);
    });
  await once(child, "close");
  return output;
}
