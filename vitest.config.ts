import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Files that take minutes begin first: one that begins last is waited for by all. */
const LONGEST = [
  ...["stress/contention/contention", "invariants/laws", "resources/resources", "console/browser-organization"],
  ...["security/parsers-are-linear", "invariants/largest", "cli/serve", "openapi/clients", "s3/r2", "s3/real-server"],
  ...["postgres/real-server", "security/large-texts", "pdf/hostile", "security/content-hostile"],
  ...["storage-tools/verify", "library/transfer-races", "site/browser-hostile", "durable-objects/conformance"],
  ...["stress/overload/overload", "stress/contention/modelled-time", "s3/waits", "stress/fuzz/fuzz", "git/packs"],
  ...["sites/remembered-sites", "content/whole-content", "postgres/conformance", "recipes/recipes"],
  ...["runtimes/worker", "adapters/level", "node/merge-summary"],
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// Tests import the package by its public names, straight from the source.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^octavo$/, replacement: at("./src/index.ts") },
      { find: /^octavo\/adapter$/, replacement: at("./adapters/adapter.ts") },
      {
        find: /^octavo\/(memory|level|s3|r2|postgres|durable-objects|conformance)$/,
        replacement: at("./adapters/$1/index.ts"),
      },
      {
        find: /^octavo\/(node|pdf|sandbox|translators|client|sign-in|site|console|storage-tools)$/,
        replacement: at("./src/$1/index.ts"),
      },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/**/*.outside.test.ts"],
    globalSetup: [at("./test/support/run-folder.ts")],
    setupFiles: [at("./test/support/chance.ts")],
    reporters: ["default", at("./test/support/hanging-test-reporter.ts")],
    // For what hangs: a busy machine makes no test fail. It is PATIENCE_MS of test/support/patience.ts.
    testTimeout: 15 * 60_000,
    hookTimeout: 15 * 60_000,
    // A worker imports the source once and not for each file, which took a third of the processor time of the suite. A test
    // that replaces something global puts it back.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    // Many tests wait for servers and processes that they have started: three keep two processors busy.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
