// What the parts of the comparison share: each is a process that measures one alternative with one input.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The time for which an input is repeated, in milliseconds; a hostile input that takes longer runs once. */
const REPEAT_MS = 2000;

/** Loads a package of the temporary folder. */
// biome-ignore lint/suspicious/noExplicitAny: the packages are not installed where types are checked
type Load = (name: string) => Promise<any>;

/** An alternative: prepares itself, and returns the function to measure. The function may return a remark. */
export type Alternative<Input> = (load: Load) => Promise<(input: Input) => unknown>;

/** Measures the alternative and the input that the command line names, or lists them. */
export async function runPart<Input>({
  alternatives,
  inputs,
  packages,
}: {
  readonly alternatives: Record<string, Alternative<Input>>;
  readonly inputs: Record<string, (load: Load) => Input | Promise<Input>>;
  /** The packages of each alternative that is not ours. */
  readonly packages: Record<string, readonly string[]>;
}): Promise<void> {
  const [, , folder, name, inputName] = process.argv as [string, string, string, string, string];
  if (name === "list") {
    console.log(JSON.stringify({ names: Object.keys(alternatives), inputs: Object.keys(inputs), packages }));
    return;
  }
  const require = createRequire(join(folder, "package.json"));
  const load: Load = async (id) => {
    try {
      return await import(pathToFileURL(require.resolve(id)).href);
    } catch (error) {
      // A package without an entry for `require`.
      if ((error as { code?: string }).code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
      const { exports: entries } = JSON.parse(readFileSync(join(folder, "node_modules", id, "package.json"), "utf8"));
      const root = entries["."] ?? entries;
      const entry = typeof root === "string" ? root : (root.import?.default ?? root.import ?? root.default);
      return import(pathToFileURL(join(folder, "node_modules", id, entry)).href);
    }
  };
  const run = await alternatives[name]!(load);
  const input = await inputs[inputName]!(load);
  let remark: unknown;
  let best = Number.POSITIVE_INFINITY;
  const startedAt = performance.now();
  do {
    const before = process.cpuUsage();
    remark = await run(input);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  } while (performance.now() - startedAt < REPEAT_MS);
  console.log(JSON.stringify({ ms: best, ...(typeof remark === "string" ? { remark } : {}) }));
}

/** Returns the pages of our own documentation. */
export function readDocumentation(): { readonly name: string; readonly markdown: string }[] {
  const folders = ["docs/guides", "docs/reference", "docs/internals", "docs/decisions"];
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => ({ name, markdown: readFileSync(join(folder, name), "utf8") })),
  );
}
