import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineConfig } from "tsup";
import { buildConsole } from "./scripts/console/build";
import { writeDeclarations } from "./scripts/declarations";
import { pickLocaleAreas } from "./scripts/packaging/locale-areas";
import { createNotices, NOTICES_FILE } from "./scripts/packaging/notices";
import { createSbom, SBOM_FILE } from "./scripts/packaging/sbom";
import { xmlCryptoWithoutNode } from "./scripts/xml-crypto";
import { packedEngine } from "./src/sandbox/built/engine";
import { unpackEngine } from "./src/sandbox/engine";

// One entry a subpath of package.json; shared code goes into chunks, so a class is the same class through every door.
const entry = {
  index: "src/index.ts",
  memory: "adapters/memory/index.ts",
  level: "adapters/level/index.ts",
  s3: "adapters/s3/index.ts",
  r2: "adapters/r2/index.ts",
  postgres: "adapters/postgres/index.ts",
  "durable-objects": "adapters/durable-objects/index.ts",
  node: "src/node/index.ts",
  pdf: "src/pdf/index.ts",
  sandbox: "src/sandbox/index.ts",
  client: "src/client/index.ts",
  "sign-in": "src/sign-in/index.ts",
  site: "src/site/index.ts",
  console: "src/console/index.ts",
  translators: "src/translators/index.ts",
  "storage-tools": "src/storage-tools/index.ts",
  adapter: "adapters/adapter.ts",
  conformance: "adapters/conformance/index.ts",
};

/** The program, which nobody imports: it has no types. */
const program = { cli: "cli/bin.ts" };

/** The wasm file has its types in a source that holds nothing else. */
const doors = { ...entry, "sandbox.wasm": "src/sandbox/wasm-module.ts" };

interface Built {
  readonly options: { readonly outDir: string };
}

/** Workers compile no bytes at run time: they import the engine as a file of its own. */
async function writeEngine(this: Built): Promise<void> {
  await writeFile(join(this.options.outDir, "sandbox.wasm"), unpackEngine(packedEngine));
}

async function writeTypes(this: Built): Promise<void> {
  await writeDeclarations(import.meta.dirname, doors, this.options.outDir);
}

/** Writes the licenses of what is built in, and the bill of materials. */
async function writeNotices(this: Built): Promise<void> {
  const { outDir } = this.options;
  await writeFile(join(outDir, NOTICES_FILE), await createNotices());
  await writeFile(join(outDir, SBOM_FILE), await createSbom());
}

/** Removes the comments that name source maps. The maps stay in `dist` for the checks of the package, but are not published. */
async function removeMapComments(this: Built): Promise<void> {
  const { outDir } = this.options;
  const scripts = (await readdir(outDir)).filter((name) => name.endsWith(".js"));
  await Promise.all(
    scripts.map(async (name) => {
      const path = join(outDir, name);
      await writeFile(path, (await readFile(path, "utf8")).replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n"));
    }),
  );
}

// The application of the console is one of the sources.
await buildConsole();

export default defineConfig({
  entry: { ...entry, ...program },
  format: "esm",
  target: "es2022",
  platform: "neutral",
  // The protocol stays: Deno and Workers know Node's modules by no other name.
  removeNodeProtocol: false,
  external: [/^node:/],
  // The messages of the console are in its application, which is built already.
  esbuildPlugins: [xmlCryptoWithoutNode, pickLocaleAreas((area) => area !== "console")],
  clean: true,
  sourcemap: true,
  plugins: [
    { name: "sandbox.wasm", buildEnd: writeEngine },
    { name: "declarations", buildEnd: writeTypes },
    { name: "notices", buildEnd: writeNotices },
    { name: "maps", buildEnd: removeMapComments },
  ],
});
