// Builds what runs in the reader's browser: scripts of sites and of the reference, each as a text in a module.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

/** The files below src, with the sources that they are built from. */
const sources: Readonly<Record<string, string>> = {
  "site/built/script": "site/browser/index",
  "site/built/full": "site/browser/full",
  "site/built/early": "site/browser/early",
  "site/built/static-search": "site/browser/static-search",
  "site/built/diagram": "site/browser/diagram-frame",
  "openapi/built/reference": "openapi/browser/reference",
};

/** The built files, by their paths below src. */
export async function builtFiles(): Promise<Record<string, string>> {
  const outDir = await mkdtemp(join(tmpdir(), "octavo-site-"));
  const full = (name: string) => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));
  try {
    await build({
      config: false,
      silent: true,
      entry: Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, full(source)])),
      outDir,
      format: "iife",
      target: "es2022",
      platform: "browser",
      minify: true,
      dts: false,
      // The package says that its modules do nothing when they are imported. These do.
      esbuildOptions: (options) => {
        options.ignoreAnnotations = true;
      },
      outExtension: () => ({ js: ".js" }),
    });
    const files = Object.entries(sources).map(async ([name, source]) => {
      const text = (await readFile(join(outDir, `${name}.js`), "utf8")).trim();
      const note = `// Built from src/${source}.ts by \`npm run generate:reader\`; do not edit.`;
      return [`${name}.ts`, `${note}\n\nexport const script = ${JSON.stringify(`${text}\n`)};\n`] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
