// Bun, the real one, with the example as it is.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bun } from "./binaries";
import { project, serve } from "./project";
import { walkOverARestart } from "./scenario";

test("the example answers on Bun, keeps its data over a restart and exits on request", async () => {
  const path = await project("bun.ts");
  await walkOverARestart(() => serve(path, bun, () => ["bun.ts"]));
});

test("the guarded fetch refuses to run on Bun, whose node-fetch cannot be guarded", async () => {
  const path = await project("bun.ts");
  const program = `import { guardedFetch } from "octavo/node";
    try { guardedFetch(); console.log("made"); } catch (error) { console.log(error.message); }`;
  const { stdout } = await promisify(execFile)(bun, ["-e", program], { cwd: path });
  expect(stdout.trim()).toBe("guardedFetch: Bun's node-fetch cannot be guarded; use Node or Deno.");
});
