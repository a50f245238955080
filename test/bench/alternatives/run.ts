// npm run bench:alternatives [-- markdown html docx pdf router smtp]
// Compares the parts that we wrote ourselves with the packages that do the same, and a package that we chose with its rivals. It
// installs the packages in a temporary folder, and prints for each of them the processor time for our own documentation, the
// processor time for a hostile input, and the size of the package with its dependencies. Each runs in a process of its own, which is
// ended after a minute.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PARTS = ["markdown", "html", "docx", "pdf", "router", "smtp"] as const;
const TIMEOUT_MS = 60_000;

/** The result of one alternative for one input: milliseconds and a remark, such as the size of what was made. */
interface Measurement {
  readonly ms: number;
  readonly remark?: string;
}

const folder = join(tmpdir(), "octavo-alternatives");
mkdirSync(folder, { recursive: true });
copyFileSync(new URL("./packages.json", import.meta.url), join(folder, "package.json"));
execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent"], { cwd: folder, stdio: "inherit" });

const wanted = process.argv.slice(2);
for (const part of PARTS) {
  if (wanted.length > 0 && !wanted.includes(part)) continue;
  const { names, inputs, packages } = measure(part, "list", "") as {
    names: string[];
    inputs: string[];
    packages: Record<string, string[]>;
  };
  console.log(`\n| ${part} | ${inputs.join(" | ")} | Installed |\n|${" --- |".repeat(inputs.length + 2)}`);
  for (const name of names) {
    const cells = inputs.map((input) => formatMeasurement(measure(part, name, input)));
    const sizes = packages[name] ? `${Math.round(measureInstalled(packages[name]) / 1024)} KB` : "";
    console.log(`| ${name} | ${cells.join(" | ")} | ${sizes} |`);
  }
}

/** Runs a measurement in a process of its own. Returns its result, or the reason for which there is none. */
function measure(part: string, name: string, input: string): unknown {
  const script = fileURLToPath(new URL(`./${part}.ts`, import.meta.url));
  const { stdout, stderr, signal, status } = spawnSync(
    process.execPath,
    ["--max-old-space-size=2048", "--import", "tsx", script, folder, name, input],
    { encoding: "utf8", timeout: TIMEOUT_MS },
  );
  if (signal === "SIGTERM") return "more than a minute";
  if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1)!);
  return /RangeError|Maximum call stack/.test(stderr)
    ? "stack overflow"
    : /heap out of memory/.test(stderr)
      ? "out of memory"
      : (/^\w*Error: .*$/m.exec(stderr)?.[0] ?? "failed").slice(0, 60);
}

function formatMeasurement(result: unknown): string {
  if (typeof result === "string") return result;
  const { ms, remark } = result as Measurement;
  return `${ms < 10 ? ms.toPrecision(2) : Math.round(ms)} ms${remark ? `, ${remark}` : ""}`;
}

/** Returns the bytes of packages and all of their dependencies. */
function measureInstalled(names: readonly string[]): number {
  const seen = new Set<string>();
  const add = (name: string) => {
    const path = join(folder, "node_modules", name);
    if (seen.has(name)) return;
    seen.add(name);
    for (const dependency of Object.keys(
      JSON.parse(readFileSync(join(path, "package.json"), "utf8")).dependencies ?? {},
    ))
      add(dependency);
  };
  names.forEach(add);
  const sizeOf = (path: string): number =>
    statSync(path).isDirectory()
      ? readdirSync(path).reduce((sum, name) => sum + (name === "node_modules" ? 0 : sizeOf(join(path, name))), 0)
      : statSync(path).size;
  return [...seen].reduce((sum, name) => sum + sizeOf(join(folder, "node_modules", name)), 0);
}
