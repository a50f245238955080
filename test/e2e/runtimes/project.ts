// A user's project: an example beside a `node_modules` with the built package and its declared dependencies. Nothing
// else can be imported from there, in particular not `src`.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build, type Options } from "tsup";
import { onTestFinished } from "vitest";
import config from "../../../tsup.config";
import { freePort } from "../../support/listening";
import { PATIENCE_MS } from "../../support/patience";
import { runFolder } from "../../support/run-folder";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const ADMIN_TOKEN = "the-token-of-the-first-user";
export const SECRET = "a secret of more than thirty-two characters";

let building: Promise<string> | undefined;

/** The folder with the code of the built package. A worker builds it once, for all its projects; nothing here reads types. */
function builtPackage(): Promise<string> {
  building ??= (async () => {
    const outDir = await mkdtemp(join(runFolder(), "built-"));
    const options = config as Options;
    const plugins = options.plugins?.filter(({ name }) => name !== "declarations") ?? [];
    await build({ ...options, plugins, config: false, silent: true, dts: false, sourcemap: false, outDir });
    return outDir;
  })();
  return building;
}

/** Puts the built package into a new project, copies examples (files or folders) there, and gives the project's path. Further
 * packages are those of the tests. */
export async function project(
  examples: string | readonly string[],
  packages: readonly string[] = [],
  above = runFolder(),
): Promise<string> {
  const path = await mkdtemp(join(above, "runtime-"));
  const octavo = join(path, "node_modules/octavo");
  await mkdir(octavo, { recursive: true });
  await cp(join(root, "package.json"), join(octavo, "package.json"));
  await cp(await builtPackage(), join(octavo, "dist"), { recursive: true });
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(octavo, "package.json"), "utf8"));
  for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), ...packages]) {
    const place = join(path, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    const found = ["node_modules", "test/node_modules"].map((folder) => join(root, folder, name)).find(existsSync);
    if (found === undefined) throw new Error(`${name} is not installed: run \`npm run tools\`.`);
    await symlink(found, place);
  }
  await writeFile(join(path, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const example of [examples].flat())
    await cp(join(root, "examples", example), join(path, example), { recursive: true });
  return path;
}

/** Takes the types out of examples of a project, so that Node runs them: each `.ts` gets a `.js` beside it. tsx would read
 * every file of every package at every start. */
export async function withoutTypes(path: string, examples: readonly string[]): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry: examples.map((file) => join(path, file)),
    outDir: path,
    format: "esm",
    target: "es2022",
    platform: "node",
    external: [/^[^./]/],
    removeNodeProtocol: false,
  });
}

/** A runtime that answers. */
export interface Served {
  readonly origin: string;
  /** Resolves with the first group of a pattern, once the runtime has printed a line that matches. */
  readonly printed: (pattern: RegExp) => Promise<string>;
  /** Asks it to end, and gives the code or the signal that it ended with. */
  readonly stop: () => Promise<number | string | null>;
}

/** Starts a runtime in a project, with the variables that the examples read, and waits until it answers: at a path where the
 * first user is known, or at another one. */
export async function serve(
  cwd: string,
  command: string,
  args: (port: number) => readonly string[],
  at = "/v1/user",
): Promise<Served> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const place = { PORT: String(port), HOST: "127.0.0.1", ORIGIN: origin };
  const settings = { ...place, DATA_DIR: join(cwd, "data"), ADMIN_TOKEN, SECRET };
  const env = { PATH: process.env.PATH, HOME: cwd, ...settings };
  const child = spawn(command, args(port), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const exited = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  async function printed(pattern: RegExp): Promise<string> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(25)) {
      const match = said.match(pattern);
      if (match) return match[1]!;
    }
    throw new Error(`${command} never printed ${pattern}: ${said}`);
  }
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(25)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command} ended: ${said}`);
    if (await answers(origin + at)) return { origin, printed, stop: () => stop(child, exited) };
  }
  throw new Error(`${command} did not answer: ${said}`);
}

function stop(child: ChildProcess, exited: ReturnType<Served["stop"]>) {
  child.kill("SIGTERM");
  return exited;
}

/** Whether the server is there and knows its first user. */
async function answers(url: string): Promise<boolean> {
  return fetch(url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } }).then(
    (response) => response.ok,
    () => false,
  );
}
