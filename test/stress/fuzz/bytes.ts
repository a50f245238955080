// `npm run stress:fuzz -- bytes [executions] [--keep <folder>] [target …]`: the parsers under a fuzzer that is led by the coverage of
// the code. It installs the fuzzer when it has to. The targets take turns, and all get the same time: a fast one is executed
// more often. With a folder, the inputs that were made and how often each target was executed are kept there, and the next run
// goes on until so many executions are done in all. What makes a target fail is left in test/stress/fuzz/found, where the suite tries
// it again.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { arch, execPath, platform } from "node:process";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { build } from "tsup";
import { seedsOf } from "./seeds";
import { targets } from "./targets";

// Node on the C library of a newer Debian, which is unpacked beside the fuzzer and installed nowhere. The fuzzer's native part
// is built for that one.

const run = promisify(execFile);

const DEBIAN = "http://deb.debian.org/debian";
const SUITE = "trixie";
const PACKAGES = ["libc6", "libgcc-s1", "libstdc++6"];
const NAMES: Readonly<Record<string, { readonly debian: string; readonly libraries: string }>> = {
  x64: { debian: "amd64", libraries: "x86_64-linux-gnu" },
  arm64: { debian: "arm64", libraries: "aarch64-linux-gnu" },
};

/** The program and the arguments that start Node so. */
async function nodeOnNewerLibc(folder: string): Promise<string[]> {
  const names = platform === "linux" ? NAMES[arch] : undefined;
  if (!names)
    throw new Error(`The fuzzer does not load here, and there is no other C library for ${platform} on ${arch}.`);
  if (!existsSync(folder)) await unpack(names.debian, folder);
  const libraries = join(folder, "usr/lib", names.libraries);
  const loader = arch === "x64" ? "ld-linux-x86-64.so.2" : "ld-linux-aarch64.so.1";
  return [join(libraries, loader), "--library-path", libraries, execPath];
}

async function unpack(debianArch: string, folder: string): Promise<void> {
  const beside = `${folder}.new`;
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { recursive: true });
  const list = gunzipSync(await bytesAt(`dists/${SUITE}/main/binary-${debianArch}/Packages.gz`)).toString();
  for (const name of PACKAGES) {
    const about = list.split("\n\n").find((it) => it.startsWith(`Package: ${name}\n`));
    const path = about?.split("\n").find((line) => line.startsWith("Filename: "));
    if (!path) throw new Error(`Debian ${SUITE} lists no ${name}.`);
    const file = join(beside, "package.deb");
    await writeFile(file, await bytesAt(path.slice("Filename: ".length)));
    await run("dpkg-deb", ["-x", file, beside]);
    await rm(file);
  }
  await rename(beside, folder);
}

async function bytesAt(path: string): Promise<Uint8Array> {
  const response = await fetch(`${DEBIAN}/${path}`);
  if (!response.ok) throw new Error(`${response.url} answered with ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

const FUZZER = "@jazzer.js/core@4.0.0";
const TOOLS = join("node_modules", ".cache", "octavo-fuzzer");
const PROGRAM = join(TOOLS, "node_modules", "@jazzer.js", "core", "dist", "cli.js");
const FOUND = join("test", "fuzz", "found");
/** The longest input that is made, in bytes. */
const LONGEST = 4096;
/** An input that takes longer is told like a failure, in milliseconds. Machines may be busy. */
const SLOWEST = 60_000;
const AsyncFunction = (async () => {}).constructor;

/** How long a target has its turn, in seconds. */
const TURN = 300;

/** What was done with a target so far. */
interface Sum {
  readonly executions: number;
  readonly seconds: number;
  /** Places in the code that were reached. */
  readonly coverage: number;
}

interface Fuzzed extends Sum {
  /** Files with what made it fail. */
  readonly found: readonly string[];
}

/** Fuzzes the targets, as many at once as there are processors. 0: none failed. */
export async function fuzzBytes(
  executions: number,
  wanted: readonly string[],
  kept: string | undefined,
): Promise<number> {
  const names = wanted.length === 0 ? Object.keys(targets) : wanted;
  for (const name of names)
    if (!targets[name]) throw new Error(`There is no target ${name}: ${Object.keys(targets).join(", ")}.`);
  const node = await fuzzerReady();
  const folder = await mkdtemp(join(tmpdir(), "octavo-fuzz-"));
  try {
    // Outside of node_modules, where the fuzzer looks at nothing.
    await build({
      entry: { target: "test/stress/fuzz/bytes-entry.ts" },
      outDir: folder,
      format: "cjs",
      outExtension: () => ({ js: ".js" }),
      target: "node20",
      noExternal: [/./],
      splitting: false,
      config: false,
      silent: true,
    });
    const way = { node, folder, inputs: kept ?? folder, executions: Math.ceil(executions / names.length) };
    const { sums, found } = await takeTurns(names, executions, way, kept && join(kept, "sums.json"));
    for (const [name, sum] of sums) console.log(sentence(name, sum));
    const verdict = found.length === 0 ? "nothing failed" : `failed: ${found.join(", ")}`;
    console.log(`${total(sums).toLocaleString("en")} executions; ${verdict}.`);
    return found.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives each target its turns until they were executed so often together. One that has failed gets no more. */
async function takeTurns(names: readonly string[], executions: number, way: Way, file: string | undefined) {
  const known = file && existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Record<string, Sum>) : {};
  const sums = new Map(names.map((name) => [name, known[name] ?? { executions: 0, seconds: 0, coverage: 0 }]));
  /** Those that have their turn, and those that have failed. */
  const out = new Set<string>();
  const found: string[] = [];
  const next = () =>
    names.filter((name) => !out.has(name)).sort((a, b) => sums.get(a)!.seconds - sums.get(b)!.seconds)[0];
  const work = async () => {
    for (let name = next(); name && total(sums) < executions; name = next()) {
      out.add(name);
      const turn = await fuzzTarget(name, way);
      found.push(...turn.found);
      const { executions: before, seconds, coverage } = sums.get(name)!;
      sums.set(name, {
        executions: before + turn.executions,
        seconds: seconds + turn.seconds,
        coverage: Math.max(coverage, turn.coverage),
      });
      if (turn.found.length === 0) out.delete(name);
      if (file) await writeFile(file, JSON.stringify({ ...known, ...Object.fromEntries(sums) }));
      console.log(`${sentence(name, sums.get(name)!)}; ${total(sums).toLocaleString("en")} of all`);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: availableParallelism() }, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return { sums, found };
}

function total(sums: ReadonlyMap<string, Sum>): number {
  return [...sums.values()].reduce((sum, it) => sum + it.executions, 0);
}

function sentence(target: string, { executions, seconds, coverage }: Sum): string {
  const speed = (executions / Math.max(1, seconds)).toFixed(0);
  return (
    `${target}: ${executions.toLocaleString("en")} executions in ${seconds.toFixed(0)} s (${speed} in a second), ` +
    `${coverage.toLocaleString("en")} places reached`
  );
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
  /** The most executions of a turn. */
  readonly executions: number;
  /** With the targets, built. */
  readonly folder: string;
  /** With a folder of inputs for each target. */
  readonly inputs: string;
}

async function fuzzTarget(target: string, { node, executions, folder, inputs }: Way): Promise<Fuzzed> {
  const [seeds, failing] = [join(inputs, `${target}-inputs`), join(folder, `${target}-failing`)];
  await mkdir(seeds, { recursive: true });
  await mkdir(failing, { recursive: true });
  for (const [name, bytes] of seedsOf(target)) await writeFile(join(seeds, name), bytes);
  const given = [
    `-runs=${executions}`,
    `-max_total_time=${TURN}`,
    `-max_len=${LONGEST}`,
    `-artifact_prefix=${failing}/`,
  ];
  const options = ["-i", folder, "--timeout", String(SLOWEST), "--disableBugDetectors", ".*"];
  // Without a turn of the event loop for each input it is up to a quarter faster.
  const sync = targets[target] instanceof AsyncFunction ? [] : ["--sync"];
  const args = [PROGRAM, join(folder, "target"), seeds, ...options, ...sync, "--", ...given];
  const start = performance.now();
  const output = await outputOf([...node, ...args], { OCTAVO_TARGET: target });
  const seconds = (performance.now() - start) / 1000;
  const isDone = /^#\d+\s+DONE /m.test(output);
  const found = await keep(target, failing);
  if (!isDone && found.length === 0) throw new Error(`The fuzzer of ${target} ended early:\n${output.slice(-3000)}`);
  if (found.length > 0) console.log(output.slice(-3000));
  return {
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
