// The storages that stories and races run on: a new one for each, removed afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { objectStorage } from "../adapters/s3/engine";
import { ObjectsInMemory } from "./s3/objects-in-memory";

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
  ["object storage", async () => ({ storage: objectStorage(new ObjectsInMemory()), cleanUp: async () => {} })],
];
