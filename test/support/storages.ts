// The storages that stories and races run on: a new one for each, removed afterwards. STORAGES=postgres adds PostgreSQL.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import type { Storage } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { objectStorage } from "../../adapters/s3/engine";
import { freshPostgres } from "../adapters/postgres/fresh";
import { ObjectsInMemory } from "../adapters/s3/objects-in-memory";

export interface Opened {
  readonly storage: Storage;
  readonly cleanUp: () => Promise<void>;
}

/** Whether PostgreSQL is asked for. In the suite it has tests of its own (`test/adapters/postgres`). */
export const hasPostgres = env.STORAGES === "postgres";

export const storages: [name: string, open: () => Promise<Opened>][] = [
  ["memory", async () => ({ storage: memoryStorage(), cleanUp: async () => {} })],
  [
    "LevelDB",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "octavo-"));
      return { storage: levelStorage(directory), cleanUp: () => rm(directory, { recursive: true, force: true }) };
    },
  ],
  ["object storage", async () => ({ storage: objectStorage(new ObjectsInMemory()), cleanUp: async () => {} })],
  ...(hasPostgres ? [["PostgreSQL", freshPostgres] as [string, () => Promise<Opened>]] : []),
];
