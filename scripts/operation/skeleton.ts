// The skeleton of a new operation: a copy of the nearest operation of the same method, with its example and the refusals of a story.
// It compiles and passes the invariants as it is, so that its author changes one thing after the other.

import type { RegisteredOperation } from "../../src/execution/kernel";

/** The source of one file, by its path in the project. */
export type Sources = Map<string, string>;

export const EXAMPLES = "test/invariants/examples.ts";

/** Finds the operation to copy: of the same method, at the path or nearest above it, or else beside it. */
export function findNearest(table: readonly RegisteredOperation[], method: string, path: string): RegisteredOperation {
  const wanted = path.split("/");
  const countShared = (operation: RegisteredOperation) => {
    const parts = operation.definition.path.split("/");
    const difference = parts.findIndex((part, i) => part !== wanted[i]);
    const shared = difference < 0 ? parts.length : difference;
    // Of two that share as much of the path, the one with less beyond it is nearer.
    return shared - parts.length / 100;
  };
  const [nearest] = table
    .filter(({ definition }) => definition.method === method)
    .sort((a, b) => countShared(b) - countShared(a));
  if (!nearest || countShared(nearest) < 2) throw new Error(`No operation is near ${method} ${path}.`);
  return nearest;
}

/** Adds an operation, its example and a story to the sources. Returns the paths of the files that it changed. */
export function addSkeleton(
  sources: Sources,
  nearest: RegisteredOperation,
  { method, path, name }: { readonly method: string; readonly path: string; readonly name: string },
): readonly string[] {
  const changed: string[] = [];
  const change = (file: string, edit: (source: string) => string) => {
    sources.set(file, edit(sources.get(file)!));
    changed.push(file);
  };

  // The operation stands behind the one that it is copied from.
  const declaration = new RegExp(`^export const ${nearest.name} = defineOperation\\(.*?^\\}?\\);\\n`, "ms");
  const [file] = [...sources].find(([, source]) => declaration.test(source)) ?? [];
  if (file === undefined) throw new Error(`${nearest.name} is not declared by itself. Write ${name} by hand.`);
  const route = `${method} ${path}`;
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const { definition } = nearest;
  change(file, (source) =>
    source.replace(declaration, (text) => {
      const copy = text
        .replace(nearest.name, name)
        .replace(`"${definition.method} ${definition.path}"`, JSON.stringify(route))
        .replace(/^( +summary: ).*,$/m, `$1${JSON.stringify(words[0]!.toUpperCase() + words.slice(1))},`);
      return `${text}\n${copy}`;
    }),
  );

  // The example asks for what the other one does, with the rest of the path. Beside the other one, its author writes the path. An example
  // is one line, or all lines up to the end of its call.
  const row = new RegExp(`^ {4}${nearest.name}: allow\\((?:[^\\n]*\\),$|.*?^ {4}\\}?\\),$)`, "ms");
  const [example] = sources.get(EXAMPLES)!.match(row) ?? [];
  const rest = path.startsWith(definition.path) ? path.slice(definition.path.length) : "";
  if (example !== undefined)
    change(EXAMPLES, (source) => {
      const copy = example.replace(nearest.name, name).replace(/(allow\(\s*[`"].*?)([`"])/, `$1${rest}$2`);
      return source.replace(example, () => `${example}\n${copy}`);
    });

  // The story has the refusals that every operation has.
  const [module, resource] = file.split("/").slice(2) as [string, string];
  const story = `test/resources/${module}/${resource}.ts`;
  if (sources.has(story)) {
    const ask = `${method} /v1${path.replace(":organizationId", "{org}").replace(/:\w+\+?/g, "none")}`;
    const lines = [
      `  defineStory("${name}", [`,
      `    ask(null, ${JSON.stringify(ask)}, 401),`,
      `    ask("stranger", ${JSON.stringify(ask)}, 404),`,
      `  ]),`,
    ];
    change(story, (source) => source.replace(/^\];$(?![\s\S]*^\];$)/m, () => `${lines.join("\n")}\n];`));
  }
  return changed;
}
