// Where the killed processes keep their data: in the LevelDB directory of a run, or in the PostgreSQL that OCTAVO_KILLS_URL
// names, which is the run's own.

import { join } from "node:path";
import { env } from "node:process";
import { levelStorage } from "../../adapters/level";
import { postgresStorage } from "../../adapters/postgres";
import type { Storage } from "../../src/index";

export function openStorage(directory: string): Storage {
  const url = env.OCTAVO_KILLS_URL;
  return url === undefined ? levelStorage(join(directory, "data")) : postgresStorage(url, { connections: 4 });
}
