// What an earlier version has written opens for good: a system in the format of every storage, from the day of each format.
// PostgreSQL, R2 and Durable Objects have theirs beside their own tests.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { levelStorage } from "octavo/level";
import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { restore } from "octavo/storage-tools";
import { describe, expect, test } from "vitest";
import { createObjectStorage } from "../../adapters/s3/engine";
import { ObjectsInMemory } from "../adapters/s3/objects-in-memory";
import { keptFiles, visit } from "../storage/formats/visit";
import { dump } from "../support/setting";

describe("data of format 1", () => {
  test.each([1, 2])("data of format 1 opens in LevelDB of format %i", async (number) => {
    const folder = await mkdtemp(join(tmpdir(), "octavo-"));
    await mkdir(folder, { recursive: true });
    for (const [name, bytes] of await keptFiles(`level-${number}`)) await writeFile(join(folder, name), bytes);
    const storage = levelStorage(folder);
    await visit(storage, 1);
    await storage.close();
    await rm(folder, { recursive: true });
  });

  test("data of format 1 opens in object storage", async () => {
    const objects = new ObjectsInMemory();
    for (const [name, bytes] of await keptFiles("objects-1")) objects.putNow(name, bytes);
    await visit(createObjectStorage(objects), 1);
  });

  test("data of format 1 is restored from a backup of either format", async () => {
    const [first, second] = [await restored(1), await restored(2)];
    expect(await dump(second)).toEqual(await dump(first));
    await visit(first, 1, { asksAll: true });
  });
});

async function restored(number: number): Promise<MemoryStorage> {
  const storage = memoryStorage();
  const file = await readFile(new URL(`../storage/formats/backup-${number}.octavo`, import.meta.url));
  await restore(new Blob([file]).stream(), storage);
  return storage;
}
