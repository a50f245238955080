// What a script imports. It is read by eye, not parsed: words in comments and texts are taken out first.

const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^\\`])*`/g;
const IMPORT =
  /(?:^|[;}\n])\s*(?:import|export)\b[^;'"()]*?(?:\bfrom\s*)?(["'])((?:\\.|(?!\1)[^\\\n])*)\1|\bimport\s*\(\s*(["'])((?:\\.|(?!\3)[^\\\n])*)\3/g;

/** The modules that a script imports, in their order. */
export function importsIn(script: string): string[] {
  const found: string[] = [];
  for (const [whole, , named, , late] of script.replaceAll(NOT_CODE, " ").matchAll(IMPORT)) {
    const isExport = /^\W*export\b/.test(whole);
    if (isExport && !/\bfrom\s*["']/.test(whole)) continue;
    found.push((named ?? late)!);
  }
  return found;
}
