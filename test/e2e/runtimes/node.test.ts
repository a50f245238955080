// Node, with the built package where other tests take the source.

import { test } from "vitest";
import { project, serve, withoutTypes } from "./project";
import { walkOverARestart } from "./scenario";

test("the example answers on Node, keeps its data over a restart and exits on request", async () => {
  const path = await project("node.ts");
  await withoutTypes(path, ["node.ts"]);
  await walkOverARestart(() => serve(path, process.execPath, () => ["node.js"]));
});
