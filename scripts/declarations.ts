// The declaration files of the package. Every source file whose types the public doors lead to has a file of its own,
// under `types`, that holds what is needed of it and no more; a door itself stands beside its code.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { printModule } from "./declarations/module";
import { isOurs, reach, resolve } from "./declarations/reach";

/** Writes the declarations of these doors, which are source files by the names that they are built under. */
export async function writeDeclarations(
  root: string,
  doors: Readonly<Record<string, string>>,
  outDir: string,
): Promise<void> {
  for (const [path, text] of declarationFiles(root, doors)) {
    const file = join(outDir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The texts of the declaration files by their paths. */
export function declarationFiles(root: string, doors: Readonly<Record<string, string>>): Map<string, string> {
  const { kept, moduleOf } = reach(root, Object.values(doors));
  const byFile = new Map(Object.entries(doors).map(([name, file]) => [file, `${name}.d.ts`]));
  const placeOf = (file: string) => byFile.get(file) ?? `types/${file.replace(/\.ts$/, ".d.ts")}`;
  return new Map(
    [...kept].map(([file, pieces]) => {
      const locate = (from: string) =>
        isOurs(from) ? pathBetween(placeOf(file), placeOf(resolve(root, file, from))) : from;
      const text = printModule(moduleOf(file), pieces, locate);
      return [placeOf(file), file.startsWith("src/generated/") ? withoutWords(text) : text];
    }),
  );
}

function pathBetween(file: string, other: string): string {
  const path = posix.relative(posix.dirname(file), other).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Generated types without what is said of their members. The reference says it of all, and here it was a tenth of all
 * bytes. What is deprecated is still marked, because editors strike it out. */
function withoutWords(text: string): string {
  return inFewerLines(text.replaceAll(/[ \t]*\/\*\*(?:(?!\*\/|@deprecated).)*\*\/\n/gs, ""));
}

/** The longest line, as everywhere in the sources. */
const LINE = 120;

/** Puts types on one line where they fit, from the inside to the outside: words stood between their members. */
function inFewerLines(text: string): string {
  const shorter = text.replaceAll(
    /^(.*)\{\n((?:\t+[^\t}].*;\n)+)\t*\}(.*)$/gm,
    (lines, before, members: string, after) => {
      const line = `${before}{ ${members.replaceAll(/^\t+/gm, "").trimEnd().replaceAll(";\n", "; ").slice(0, -1)} }${after}`;
      return line.length <= LINE ? line : lines;
    },
  );
  return shorter === text ? text : inFewerLines(shorter);
}
