// Folders that are gone after the test.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterwards } from "../node/servers";

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "octavo-cli-"));
  afterwards(() => rm(directory, { recursive: true }));
  return directory;
}
