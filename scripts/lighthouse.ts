// Lets Lighthouse look at pages of the sample site, in both themes, and prints its four scores: `npx tsx scripts/lighthouse.ts`. It is
// installed from npm into a temporary folder, because it is large and nothing else needs it.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { promisify } from "node:util";
import { sampleStage } from "../test/site/sample-stage";
import { browserPath } from "../test/support/chromium";

const run = promisify(execFile);
const PATHS = ["/quick-start", "/concepts/shipments", "/api/shipments/create"];
const THEMES = ["light", "dark"];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const LEAST = 99;

interface Report {
  readonly categories: Readonly<
    Record<string, { readonly score: number; readonly auditRefs: { readonly id: string }[] }>
  >;
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly title: string }>>;
}

const chromium = browserPath();
if (chromium === undefined) {
  console.error("There is no browser here: install Debian's package chromium, or set CHROMIUM to the path of one.");
  exit(1);
}
const folder = await mkdtemp(join(tmpdir(), "octavo-lighthouse-"));
const stage = await sampleStage();
try {
  // A folder that has it already may be given.
  const installed = argv[2] ?? folder;
  if (argv[2] === undefined) {
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
    await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "lighthouse"], { cwd: folder });
  }
  for (const theme of THEMES)
    for (const path of PATHS) {
      const report = await look(join(installed, "node_modules/lighthouse/cli/index.js"), path, theme);
      const scores = CATEGORIES.map((name) => Math.round(100 * report.categories[name]!.score));
      console.log(`${path}, ${theme}: ${CATEGORIES.map((name, i) => `${name} ${scores[i]}`).join(", ")}`);
      for (const line of CATEGORIES.flatMap((name) => lacking(report, name))) console.log(`  ${line}`);
      if (scores.some((score) => score < LEAST)) process.exitCode = 1;
    }
} finally {
  await stage.close();
  await rm(folder, { recursive: true });
}

async function look(program: string, path: string, theme: string): Promise<Report> {
  const flags = ["--headless=new", "--no-sandbox", `--blink-settings=preferredColorScheme=${theme === "dark" ? 0 : 1}`];
  const { stdout } = await run(
    process.execPath,
    [program, stage.url + path, "--output=json", "--quiet", `--chrome-flags=${flags.join(" ")}`],
    { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: 100_000_000 },
  );
  return JSON.parse(stdout);
}

/** What was not found to be as it should be. */
function lacking({ categories, audits }: Report, category: string): string[] {
  const ids = categories[category]!.auditRefs.map(({ id }) => id);
  return ids.filter((id) => (audits[id]!.score ?? 1) < 0.9).map((id) => `${category}: ${audits[id]!.title} (${id})`);
}
