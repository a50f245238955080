// The size of the core as a Worker would carry it: bundled with its dependencies, minified, compressed.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "tsup";

/** How much the core may grow unnoticed. */
const TOLERANCE = 0.1;

/** Bundles an entry with everything that it imports, for a runtime that is not Node: what is Node's own stays an import. */
export async function bundle(entry: string, outDir: string): Promise<string> {
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
    splitting: false,
    outExtension: () => ({ js: ".js" }),
  });
  return readFile(new URL("bundle.js", `${pathToFileURL(outDir)}/`), "utf8");
}

/** Bytes after gzip. */
export function gzipBytes(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

/** What is to be said of a size; `isTooLarge` when it has grown by more than a tenth since it was recorded. */
export function compareSize(bytes: number, recorded: number): { isTooLarge: boolean; says: string } {
  const growth = bytes / recorded - 1;
  const percent = `${growth < 0 ? "" : "+"}${(growth * 100).toFixed(1)} %`;
  const says = `The core is ${bytes} bytes, minified and gzipped with its dependencies; ${recorded} are recorded (${percent}).`;
  if (bytes <= recorded * (1 + TOLERANCE)) return { isTooLarge: false, says };
  return {
    isTooLarge: true,
    says: `${says} If it is worth its weight, accept it with \`npm run package -- --accept-size\` and commit test/packaging/size.json.`,
  };
}
