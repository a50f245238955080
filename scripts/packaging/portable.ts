// Whether built code runs where there is no Node and no eval: the text of an entry and of everything that it imports by a
// relative path is searched.

import { readFile } from "node:fs/promises";
import { builtinModules } from "node:module";

/** A sentence for each thing in the code that some runtimes do not have; none when it runs everywhere. */
export function unportable(name: string, code: string): string[] {
  const found = importsOf(code)
    .filter((to) => to.startsWith("node:") || builtinModules.includes(to))
    .map((to) => `${name} imports ${to}.`);
  for (const [what, pattern] of Object.entries(words)) if (pattern.test(code)) found.push(`${name} has ${what}.`);
  return found;
}

const words = { "require(": /(?<![\w$.])require\(/, "eval(": /(?<![\w$.])eval\(/, "new Function": /\bnew Function\b/ };

/** The file and all that it imports by a relative path; by itself also what it imports only when it is needed. */
export async function withImports(
  entry: URL,
  which: "all" | "at once" = "all",
  known = new Map<string, string>(),
): Promise<Map<string, string>> {
  if (known.has(entry.href)) return known;
  const code = await readFile(entry, "utf8");
  known.set(entry.href, code);
  for (const to of importsOf(code, which)) if (to.startsWith(".")) await withImports(new URL(to, entry), which, known);
  return known;
}

function importsOf(code: string, which: "all" | "at once" = "all"): string[] {
  const imports =
    which === "all" ? /(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g : /(?:\bfrom|\bimport)\s*["']([^"'\n]+)["']/g;
  return [...code.matchAll(imports)].map((match) => match[1]!);
}
