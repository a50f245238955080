// Bundles an integration as the tools of integrations do: one ES module, with everything in it, in the forms that such
// tools are set to.

import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

/** Each is bundled in another form; the others in the plain one. */
const forms: Readonly<Record<string, BuildOptions>> = {
  oauth: { minify: true },
  "git-app": { minify: true, sourcemap: "inline" },
  webhook: { keepNames: true },
  block: { minify: true, keepNames: true },
  source: { target: "es2017" },
  bus: { target: "es2020", minify: true },
  report: { minify: true, define: { global: "globalThis" } },
};

const built = new Map<string, Promise<string>>();

/** The text of a bundle, by the name of its source. */
export function builtBundle(name: string): Promise<string> {
  const known = built.get(name) ?? bundle(name);
  built.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`./sources/${name}.js`, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["worker", "browser"],
    ...forms[name],
  });
  return outputFiles![0]!.text;
}
