// Programs that are measured, as plain JavaScript: what compiles them while they run would count as theirs, and it gives every
// function a name, which takes time of its own.

import { mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles the programs, and has `use` run with the path of each. They are in a folder beside those of the tests: paths in
 * them lead as far up as they did before. */
export async function withBundles<Result>(
  programs: readonly URL[],
  use: (...paths: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const outdir = await mkdtemp(fileURLToPath(new URL("./.bundles-", import.meta.url)));
  try {
    const entryPoints = programs.map((program) => fileURLToPath(program));
    await build({
      ...{ entryPoints, outdir },
      ...{ bundle: true, splitting: true, format: "esm", platform: "node", packages: "external", target: "node20" },
      logLevel: "warning",
    });
    return await use(...entryPoints.map((it) => join(outdir, `${basename(it, ".ts")}.js`)));
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}
