// What the types of the package cost those who use it: bytes to read, and processor time of a compiler that checks them.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";

/** The most bytes of declarations that the core may lead to. */
const MAX_BYTES = 176 * 1024;
/** The most processor time that a strict project without `skipLibCheck` may take more for importing the core. */
const MAX_SECONDS = 3;

/** A file of declarations with all that it leads to, by URL. */
export async function declarationsOf(entry: URL, known = new Map<string, string>()): Promise<Map<string, string>> {
  if (known.has(entry.href)) return known;
  const text = await readFile(entry, "utf8");
  known.set(entry.href, text);
  for (const [, path] of text.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)\.js"/g))
    await declarationsOf(new URL(`${path}.d.ts`, entry), known);
  return known;
}

/** The packages that declarations import. */
export function packagesIn(files: Iterable<string>): string[] {
  const imports = /^(?:import|export)\b[^"\n]*\bfrom "([^".][^"]*)"/gm;
  return [...files].flatMap((text) => [...text.matchAll(imports)].map((match) => match[1]!));
}

/** The processor time that TypeScript takes to check a project. */
export async function checkingSeconds(project: string): Promise<number> {
  const tsc = createRequire(import.meta.url).resolve("typescript/lib/tsc.js");
  const tellsTime = `process.on("exit", () => console.error(JSON.stringify(process.cpuUsage())));`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(tellsTime)}`, tsc, "--project", project];
  const { stderr } = await promisify(execFile)(process.execPath, args).catch((cause: Error & { stdout?: string }) => {
    throw new Error(`${project} does not compile.\n${cause.stdout}`, { cause });
  });
  const { user, system } = JSON.parse(stderr) as NodeJS.CpuUsage;
  return (user + system) / 1_000_000;
}

export function compareDeclarations(bytes: number): { isTooMuch: boolean; says: string } {
  const says = `The core leads to ${bytes} bytes of declarations; at most ${MAX_BYTES} are good.`;
  return { isTooMuch: bytes > MAX_BYTES, says };
}

export function compareChecking(seconds: number): { isTooMuch: boolean; says: string } {
  const says = `A strict project takes ${seconds.toFixed(2)} s of processor time more to check when it imports the core; at most ${MAX_SECONDS} s are good.`;
  return { isTooMuch: seconds > MAX_SECONDS, says };
}
