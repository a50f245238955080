// `npm run test:recipes`: the recipes in projects that have only the packed tarball and what npm installs beside it.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import suite from "../../../vitest.config";

export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  test: {
    ...suite.test,
    include: ["test/e2e/recipes/*.recipe.ts"],
    reporters: ["verbose"],
    disableConsoleIntercept: true,
  },
});
