// Bun and Deno from npm. Their packages put the program into place with an install script, which not every npm runs; the
// program itself is in a package for the platform beside them, and that is what is run.

import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cpu = process.arch === "arm64" ? { bun: "aarch64", deno: "arm64" } : { bun: "x64", deno: "x64" };
const libc = process.platform === "linux" ? "-glibc" : "";

export const bun = program(`@oven/bun-${process.platform}-${cpu.bun}/bin/bun`, "bun/bin/bun.exe");
export const deno = program(`@deno/${process.platform}-${cpu.deno}${libc}/deno`, "deno/deno");

/** The first of these paths that holds a program: the install script of Bun moves it, and until then a note lies there. */
function program(...paths: string[]): string {
  const places = paths.map((path) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url)));
  const found = places.find((place) => existsSync(place) && statSync(place).size > 1_000_000);
  if (found === undefined) throw new Error(`There is no program at ${places.join(" or ")}: run \`npm run tools\`.`);
  return found;
}
