// The declaration files of the package. Every source file whose types the public doors lead to has a file of its own,
// under `types`, that holds what is needed of it and no more; a door itself stands beside its code.

import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { type Module, type Piece, printModule, readModule } from "./declarations/module";

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
      return [placeOf(file), printModule(moduleOf(file), pieces, locate)];
    }),
  );
}

/** What the doors lead to: all that they export, and whatever that mentions. */
function reach(root: string, doors: readonly string[]) {
  const modules = new Map<string, Module>();
  const kept = new Map<string, Set<Piece>>();
  const asked = new Set<string>();

  const moduleOf = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file, readFileSync(join(root, file), "utf8"));
    modules.set(file, known);
    return known;
  };

  /** Whether a file exports a name, itself or through another. */
  const offers = (file: string, name: string): boolean =>
    moduleOf(file).pieces.some(
      ({ outside, takes }) =>
        outside === name || (outside === "*" && takes.some(({ from }) => offers(resolve(root, file, from), name))),
    );

  const take = (file: string, name: string): void => {
    if (asked.has(`${file} ${name}`)) return;
    asked.add(`${file} ${name}`);
    if (name !== "*" && !offers(file, name)) throw new Error(`${file} exports no ${name}.`);
    for (const piece of moduleOf(file).pieces) {
      if (piece.outside === undefined) continue;
      if (piece.outside === "*") passOn(file, piece, name);
      else if (name === "*" || piece.outside === name) keep(file, piece);
    }
  };

  /** A line that gives away all of another file is kept for the one name that is asked for. */
  const passOn = (file: string, piece: Piece, name: string): void => {
    for (const { from } of piece.takes) {
      const other = resolve(root, file, from);
      if (name !== "*" && !offers(other, name)) continue;
      piecesOf(file).add(piece);
      take(other, name);
    }
  };

  const keep = (file: string, piece: Piece): void => {
    if (piecesOf(file).has(piece)) return;
    piecesOf(file).add(piece);
    const { pieces, untyped } = moduleOf(file);
    const problem = piece.inside === undefined ? undefined : untyped.get(piece.inside);
    if (problem !== undefined) throw new Error(`${file}: ${piece.inside} is public. ${problem}`);
    for (const { from, name } of piece.takes) if (isOurs(from)) take(resolve(root, file, from), name);
    for (const other of pieces)
      if (other.inside !== undefined && piece.mentions.includes(other.inside)) keep(file, other);
  };

  const piecesOf = (file: string): Set<Piece> => {
    const known = kept.get(file) ?? new Set();
    kept.set(file, known);
    return known;
  };

  for (const door of doors) take(door, "*");
  return { kept, moduleOf };
}

function isOurs(from: string): boolean {
  return from.startsWith(".");
}

/** The source file that an import leads to. */
function resolve(root: string, file: string, from: string): string {
  const path = posix.join(posix.dirname(file), from);
  const found = [`${path}.ts`, `${path}/index.ts`].find((candidate) => existsSync(join(root, candidate)));
  if (!found) throw new Error(`${file}: "${from}" leads to no source file.`);
  return found;
}

function pathBetween(file: string, other: string): string {
  const path = posix.relative(posix.dirname(file), other).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}
