// A folder that all workers of one run share and that is removed when the run ends. A worker lives longer than a test file,
// so what it makes for several files cannot be removed by one of them. The application of the console is built for the run.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { buildConsole } from "../scripts/console/build";

const NAME = "OCTAVO_RUN_FOLDER";

/** Called by vitest before the workers start, which inherit the variable. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-run-"));
  env[NAME] = folder;
  await buildConsole();
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The path of the folder. */
export function runFolder(): string {
  return env[NAME]!;
}
