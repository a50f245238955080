// The server that `npm start` runs, in a process of its own, for tests that come to it with browsers.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../support/listening";

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/** Starts the server of the command line in a process of its own, on a folder that is gone with it, with further variables. */
export async function startServer(variables: Readonly<Record<string, string>> = {}) {
  const data = await mkdtemp(join(tmpdir(), "octavo-people-"));
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOME: data, PORT: String(port), DATA_DIR: join(data, "data"), ...variables };
  const root = new URL("../..", import.meta.url);
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", "cli/bin.ts", "serve"], { cwd: root, env });
  let said = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  const ended = once(child, "close");
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Waits for something that it prints. */
    async prints(pattern: RegExp) {
      for (let i = 0; i < 1800; i++) {
        const found = said.match(pattern);
        if (found) {
          said = said.slice(found.index! + found[0].length);
          return found[1]!;
        }
        if (child.exitCode !== null) break;
        await wait(100);
      }
      throw new Error(`The server did not print ${pattern}: ${said}`);
    },
    async close() {
      child.kill("SIGTERM");
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}
