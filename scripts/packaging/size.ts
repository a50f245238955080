// The size of the core: bundled with its dependencies, minified, compressed, without what is loaded only when it is needed.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import { withImports } from "./portable";

/** How much the core may grow unnoticed. */
const TOLERANCE = 0.1;

/** The most bytes of the core, minified and gzipped with its dependencies. */
export const MOST_BYTES = 240 * 1024;

/** Bundles an entry with everything that it imports, for a runtime that is not Node: what is Node's own stays an import. */
export async function bundle(entry: string, outDir: string): Promise<string> {
  return readFile(await bundled(entry, outDir, false), "utf8");
}

/** What a process loads of an entry when it starts, as one text. */
export async function startingCode(entry: string, outDir: string): Promise<string> {
  const files = await withImports(await bundled(entry, outDir, true), "at once");
  return [...files.values()].join("\n");
}

async function bundled(entry: string, outDir: string, splitting: boolean): Promise<URL> {
  await build({
    config: false,
    silent: true,
    entry: { bundle: entry },
    outDir,
    format: "esm",
    target: "es2022",
    platform: "browser",
    noExternal: [/^(?!node:)/],
    external: [/^node:/],
    removeNodeProtocol: false,
    minify: true,
    splitting,
    outExtension: () => ({ js: ".js" }),
  });
  return new URL("bundle.js", `${pathToFileURL(outDir)}/`);
}

/** Bytes after gzip. */
export function gzipBytes(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

/** What is to be said of a size; `isTooMuch` when it is above the most, or has grown by more than a tenth since it was recorded. */
export function compareSize(bytes: number, recorded: number): { isTooMuch: boolean; says: string } {
  const growth = bytes / recorded - 1;
  const percent = `${growth < 0 ? "" : "+"}${(growth * 100).toFixed(1)} %`;
  const says = `The core is ${bytes} bytes, minified and gzipped with its dependencies; ${recorded} are recorded (${percent}).`;
  if (bytes > MOST_BYTES) {
    const way = "Load what most processes do not need at once with `late` of src/late.ts.";
    return { isTooMuch: true, says: `${says} At most ${MOST_BYTES} are allowed. ${way}` };
  }
  if (bytes <= recorded * (1 + TOLERANCE)) return { isTooMuch: false, says };
  return {
    isTooMuch: true,
    says: `${says} If it is worth its weight, accept it with \`npm run package -- --accept-size\` and commit test/packaging/size.json.`,
  };
}
