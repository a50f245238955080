// Tests that take long because they download or start what they run against: recipes with the packed tarball, PostgreSQL behind
// Debian's PgBouncer and with a standby, Debian's simplesamlphp, moves between real servers. The suite leaves them out.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import suite from "../../vitest.config";

export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...suite.test,
    include: ["test/**/*.outside.test.ts"],
    exclude: [],
    reporters: ["verbose"],
    disableConsoleIntercept: true,
    maxWorkers: 1,
  },
});
