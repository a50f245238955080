// Node, with the built package where other tests take the source.

import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { project, root, serve } from "./project";
import { walkOverARestart } from "./scenario";

test("the example answers on Node, keeps its data over a restart and ends when asked to", async () => {
  const path = await project("node.ts");
  // Node learns TypeScript from tsx, which is no part of the project.
  const tsx = pathToFileURL(`${root}/node_modules/tsx/dist/loader.mjs`).href;
  await walkOverARestart(() => serve(path, process.execPath, () => ["--import", tsx, "node.ts"]));
});
