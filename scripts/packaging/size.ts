// The sizes of the core and of the client: bundled with their dependencies, minified, compressed, without what is loaded
// only when it is needed.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import { withImports } from "./portable";

/** How much a part may grow unnoticed. */
const TOLERANCE = 0.1;

/** The parts of the package that have a limit, by the names of their entries. */
export const measured = {
  index: {
    name: "core",
    /** The most bytes, minified and gzipped with dependencies. */
    most: 256 * 1024,
    advice: " Load what most processes do not need at once with `late` of src/utils/lazy.ts.",
  },
  client: { name: "client", most: 8 * 1024, advice: "" },
} as const;
export type Measured = (typeof measured)[keyof typeof measured];

/** Bundles an entry with everything that it imports, for a runtime that is not Node. What is Node's or the Workers' own stays an
 * import, and so does WebAssembly, as bundlers for Workers have it. */
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
    noExternal: [/^(?!node:|cloudflare:)(?!.*\.wasm$)/],
    external: [/^(?:node|cloudflare):/, /\.wasm$/],
    removeNodeProtocol: false,
    minify: true,
    splitting,
    outExtension: () => ({ js: ".js" }),
    // The names of this package mean the built one, as for any host, and not the source that our own settings name.
    esbuildOptions(options) {
      delete options.tsconfig;
      options.tsconfigRaw = "{}";
    },
  });
  return new URL("bundle.js", `${pathToFileURL(outDir)}/`);
}

/** Bytes after gzip. */
export function gzipBytes(code: string): number {
  return gzipSync(code, { level: 9 }).length;
}

/** What is to be said of a size; `isTooMuch` when it is above the most, or has grown by more than a tenth since it was recorded. */
export function compareSize(
  { name, most, advice }: Measured,
  bytes: number,
  recorded: number,
): { isTooMuch: boolean; says: string } {
  const growth = bytes / recorded - 1;
  const percent = `${growth < 0 ? "" : "+"}${(growth * 100).toFixed(1)} %`;
  const says = `The ${name} is ${bytes} bytes, minified and gzipped with its dependencies; ${recorded} are recorded (${percent}).`;
  if (bytes > most) return { isTooMuch: true, says: `${says} At most ${most} are allowed.${advice}` };
  if (bytes <= recorded * (1 + TOLERANCE)) return { isTooMuch: false, says };
  return {
    isTooMuch: true,
    says: `${says} If it is worth its weight, accept it with \`npm run package -- --accept-size\` and commit test/packaging/size.json.`,
  };
}
