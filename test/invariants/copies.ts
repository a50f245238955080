// Fast copies of one storage on every kind of storage: the first is filled, the others copy what it has.

import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { createObjectStorage } from "../../adapters/s3/engine";
import { freshPostgres } from "../adapters/postgres/fresh";
import { ObjectsInMemory } from "../adapters/s3/objects-in-memory";
import type { Opened } from "../support/storages";
import { isLongRun } from "../support/test-length";
import type { Fill } from "./faults";

/** Makes copies that nobody else uses. */
export interface Copier {
  readonly copy: () => Promise<Opened>;
  readonly cleanUp: () => Promise<void>;
}

type CreateCopier = (fill: Fill) => Promise<Copier>;

export const allCopiers: [name: string, create: CreateCopier][] = [
  ["memory", copiesInMemory],
  ["LevelDB", copiesInLevel],
  ["object storage", copiesOfObjects],
  ["PostgreSQL", copiesInPostgres],
];

/** All of them in a long run, otherwise all but PostgreSQL, which is slow to copy. */
export const copiers = isLongRun ? allCopiers : allCopiers.filter(([name]) => name !== "PostgreSQL");

const nothing = async () => {};

async function copiesInMemory(fill: Fill): Promise<Copier> {
  const original = memoryStorage();
  await fill(original);
  return { copy: async () => ({ storage: original.copy(), cleanUp: nothing }), cleanUp: nothing };
}

async function copiesInLevel(fill: Fill): Promise<Copier> {
  const all = await mkdtemp(join(tmpdir(), "octavo-"));
  const original = join(all, "original");
  await (await fill(levelStorage(original))).close();
  let copies = 0;
  return {
    async copy() {
      const directory = join(all, `copy-${++copies}`);
      await cp(original, directory, { recursive: true });
      const storage = levelStorage(directory);
      const cleanUp = async () => {
        await storage.close();
        await rm(directory, { recursive: true, force: true });
      };
      return { storage, cleanUp };
    },
    cleanUp: () => rm(all, { recursive: true, force: true }),
  };
}

async function copiesOfObjects(fill: Fill): Promise<Copier> {
  const objects = new ObjectsInMemory();
  const original = createObjectStorage(objects);
  await fill(original);
  await original.close();
  return {
    async copy() {
      const storage = createObjectStorage(objects.copy());
      return { storage, cleanUp: () => storage.close() };
    },
    cleanUp: nothing,
  };
}

async function copiesInPostgres(fill: Fill): Promise<Copier> {
  const original = await freshPostgres();
  await (await fill(original.storage)).close();
  return {
    async copy() {
      const { storage, cleanUp } = await freshPostgres(original.schema);
      const end = async () => {
        await storage.close();
        await cleanUp();
      };
      return { storage, cleanUp: end };
    },
    cleanUp: original.cleanUp,
  };
}
