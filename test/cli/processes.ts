// The command line and the examples as processes: started with an environment of their own, watched for what they print,
// ended with the test.

import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { afterwards } from "../node/servers";
import { freePort } from "../support/listening";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The command line and the Express example with the source that they use, as files that Node starts at once. tsx, with which
 * `npm start` runs the source, reads every file of it at every start. */
const built = join(root, "node_modules/.cache", `octavo-processes-${process.pid}`);
await build({
  config: false,
  silent: true,
  entry: { octavo: "cli/bin.ts", express: "examples/express.ts" },
  outDir: built,
  format: "esm",
  target: "es2022",
  platform: "node",
  skipNodeModulesBundle: true,
  removeNodeProtocol: false,
});
process.once("exit", () => rmSync(built, { recursive: true, force: true }));

/** Runs an example of this name, with nothing in its environment but what is given. */
export function run(example: "express" | `${string}.mjs`, environment: Record<string, string>) {
  const file = example === "express" ? join(built, "express.js") : `examples/${example}`;
  return runCommand(process.execPath, [file], environment);
}

/** The program, as a file that Node runs. */
export const program = join(built, "octavo.js");

/** Runs the command line, in the same way. */
export function octavo(args: readonly string[], environment: Record<string, string> = {}, stdio?: StdioOptions) {
  return runCommand(process.execPath, [program, ...args], environment, stdio);
}

/** Runs a command in the project, in the same way. */
export function runCommand(
  command: string,
  args: string[],
  environment: Record<string, string>,
  stdio: StdioOptions = "pipe",
) {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(command, args, { cwd: root, env, stdio }) as ChildProcessWithoutNullStreams;
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal)),
  );
  afterwards(() => {
    child.kill("SIGKILL");
    return exited;
  });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text) => {
      output[stream] += text;
    });
  }
  /** The match, once the process has printed a whole line that fits; rejects when it ends without. */
  const prints = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const check = () => {
        const whole = output.stdout.slice(0, output.stdout.lastIndexOf("\n") + 1);
        const found = whole.match(pattern);
        if (found) resolve(found);
      };
      child.stdout.on("data", check);
      check();
      void exited.then((code) =>
        reject(new Error(`It ended with ${code} and never printed ${pattern}: ${output.stderr}`)),
      );
    });
  return { child, exited, output, prints };
}

/** Starts the server and waits until it has said everything. */
export async function start(environment: Record<string, string>) {
  const port = await freePort();
  const server = octavo(["serve"], { PORT: String(port), ...environment });
  await server.prints(/^(Octavo is running at \S+\/v1|curl .*)$/m);
  const ask = (path: string, token: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  return { ...server, port, ask };
}
