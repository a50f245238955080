// Bun, the real one, with the example as it is.

import { test } from "vitest";
import { bun } from "./binaries";
import { project, serve } from "./project";
import { walkOverARestart } from "./scenario";

test("the example answers on Bun, keeps its data over a restart and ends when asked to", async () => {
  const path = await project("bun.ts");
  await walkOverARestart(() => serve(path, bun, () => ["bun.ts"]));
});
