// Deno, the real one, with the example as it is and with no more rights than the example names.

import { rm } from "node:fs/promises";
import { onTestFinished, test } from "vitest";
import { lastingFolder } from "../../support/run-folder";
import { deno } from "./binaries";
import { project, serve } from "./project";
import { walkOverARestart } from "./scenario";

const rights = ["--allow-env", "--allow-sys", "--allow-ffi", "--allow-read", "--allow-write"];
/** Nothing is fetched: what `node_modules` has must do. */
const alone = ["--no-remote", "--cached-only", "--node-modules-dir=manual"];

test("the example answers on Deno, keeps its data over a restart and exits on request", async () => {
  // On the disk: what Linux has in memory is below /dev, where Deno writes nothing without every right.
  const path = await project("deno.ts", [], lastingFolder());
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const args = (port: number) => ["serve", ...alone, ...rights, "--host=127.0.0.1", `--port=${port}`, "deno.ts"];
  await walkOverARestart(() => serve(path, deno, args));
});
