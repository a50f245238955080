// What the public doors lead to, piece by piece: from file to file, wherever a type mentions another.

import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type Module, type Piece, readModule } from "./module";

/** What the doors lead to: all that they export, and whatever that mentions. */
export function reach(root: string, doors: readonly string[]) {
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

/** Whether an import leads to a source file, and not to a package. */
export function isOurs(from: string): boolean {
  return from.startsWith(".");
}

/** The source file that an import leads to. */
export function resolve(root: string, file: string, from: string): string {
  const path = posix.join(posix.dirname(file), from);
  const found = [`${path}.ts`, `${path}/index.ts`].find((candidate) => existsSync(join(root, candidate)));
  if (!found) throw new Error(`${file}: "${from}" leads to no source file.`);
  return found;
}
