// `npm run test:deployments`: PostgreSQL as people run it, behind Debian's PgBouncer and with a standby that takes over.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import suite from "../../../../vitest.config";

export default defineConfig({
  ...suite,
  root: fileURLToPath(new URL("../../../..", import.meta.url)),
  test: {
    ...suite.test,
    include: ["test/adapters/postgres/deployments/*.deployment.ts"],
    reporters: ["verbose"],
    maxWorkers: 1,
  },
});
