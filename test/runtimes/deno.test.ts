// Deno, the real one, with the example as it is and with no more rights than the example names.

import { test } from "vitest";
import { deno } from "./binaries";
import { project, serve } from "./project";
import { walkOverARestart } from "./scenario";

const rights = ["--allow-env", "--allow-sys", "--allow-ffi", "--allow-read", "--allow-write"];
/** Nothing is fetched: what `node_modules` has must do. */
const alone = ["--no-remote", "--cached-only", "--node-modules-dir=manual"];

test("the example answers on Deno, keeps its data over a restart and ends when asked to", async () => {
  const path = await project("deno.ts");
  const args = (port: number) => ["serve", ...alone, ...rights, "--host=127.0.0.1", `--port=${port}`, "deno.ts"];
  await walkOverARestart(() => serve(path, deno, args));
});
