// The storages that stories and races run on: a new one for each, removed afterwards. A long run adds PostgreSQL.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { createObjectStorage } from "../../adapters/s3/engine";
import { freshPostgres } from "../adapters/postgres/fresh";
import { ObjectsInMemory } from "../adapters/s3/objects-in-memory";
import { isLongRun } from "./test-length";

export interface Opened {
  readonly storage: Storage;
  readonly cleanUp: () => Promise<void>;
}

export const storages: [name: string, open: () => Promise<Opened>][] = [
  ["memory", async () => ({ storage: memoryStorage(), cleanUp: async () => {} })],
  [
    "LevelDB",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "octavo-"));
      return { storage: levelStorage(directory), cleanUp: () => rm(directory, { recursive: true, force: true }) };
    },
  ],
  ["object storage", async () => ({ storage: createObjectStorage(new ObjectsInMemory()), cleanUp: async () => {} })],
  // In a short run PostgreSQL has its own tests only (`test/adapters/postgres`).
  ...(isLongRun ? [["PostgreSQL", freshPostgres] as [string, () => Promise<Opened>]] : []),
];
