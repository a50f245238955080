// Builds the files of src/site/built.

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const sources = fileURLToPath(new URL("../../src/site/browser/", import.meta.url));

/** The files of src/site/built, by name: one for each file of src/site/browser. */
export async function builtScripts(): Promise<Record<string, string>> {
  const names = (await readdir(sources)).filter((name) => name.endsWith(".ts")).map((name) => name.slice(0, -3));
  const outDir = await mkdtemp(join(tmpdir(), "octavo-site-"));
  try {
    await build({
      config: false,
      silent: true,
      entry: Object.fromEntries(names.map((name) => [name, join(sources, `${name}.ts`)])),
      outDir,
      format: "iife",
      target: "es2022",
      platform: "browser",
      minify: true,
      dts: false,
      outExtension: () => ({ js: ".js" }),
    });
    const files = names.sort().map(async (name) => {
      const text = (await readFile(join(outDir, `${name}.js`), "utf8")).trim();
      const note = `// Built from src/site/browser/${name}.ts by \`npx tsx scripts/site.ts\`; do not edit.`;
      return [`${name}.ts`, `${note}\n\nexport const script = ${JSON.stringify(`${text}\n`)};\n`] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
