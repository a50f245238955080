// A program that runs in every runtime, out of the built package, and tells what it has found.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";
import { bundle } from "../../../scripts/packaging/size";
import { PATIENCE_MS } from "../../support/patience";
import { bun, deno } from "./binaries";

export interface Program {
  readonly imports: string;
  /** Statements that put what is told into a variable `answers`. */
  readonly text: string;
}

/** A file that Workers import beside the program, such as WebAssembly. */
interface Beside {
  readonly type: "CompiledWasm";
  readonly path: string;
  readonly contents: Buffer;
}

/** Nothing is fetched: what `node_modules` has must do. */
const ALONE = ["--no-remote", "--cached-only", "--node-modules-dir=manual"];

/** What runs a program of a project as a process, and what it tells. Deno has only the rights that are named. */
export const commands = {
  Node: (path: string, program: Program) => told(path, program, process.execPath, []),
  Bun: (path: string, program: Program) => told(path, program, bun, []),
  Deno: (path: string, program: Program, rights: readonly string[] = []) =>
    told(path, program, deno, ["run", ...ALONE, ...rights]),
};

async function told(
  path: string,
  { imports, text }: Program,
  command: string,
  args: readonly string[],
): Promise<unknown> {
  await writeFile(join(path, "program.mjs"), `${imports} ${text} console.log(JSON.stringify(answers));`);
  const limits = { timeout: PATIENCE_MS, maxBuffer: 10_000_000 };
  const { stdout } = await promisify(execFile)(command, [...args, "program.mjs"], { cwd: path, ...limits });
  return JSON.parse(stdout);
}

/** What the same program tells in a Worker. */
export async function inWorker(
  path: string,
  { imports, text }: Program,
  beside: readonly Beside[] = [],
): Promise<unknown> {
  const worker = `${imports} export default { async fetch() { ${text} return Response.json(answers); } }`;
  await writeFile(join(path, "worker.mjs"), worker);
  const script = await bundle(join(path, "worker.mjs"), join(path, "bundled"));
  const workerd = new Miniflare({
    host: "127.0.0.1",
    compatibilityDate: "2026-04-01",
    modules: [{ type: "ESModule", path: "worker.mjs", contents: script }, ...beside],
  });
  try {
    return await (await workerd.dispatchFetch("http://localhost/")).json();
  } finally {
    await workerd.dispose();
  }
}
