// What an earlier version has written opens for good: a system in the format of every storage, from the day of each format.
// PostgreSQL and R2 have theirs beside their own tests.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { restore } from "octavo/storage-tools";
import { describe, test } from "vitest";
import { objectStorage } from "../../adapters/s3/engine";
import { keptFiles } from "../formats/kept-files";
import { visit } from "../formats/visit";
import { ObjectsInMemory } from "../s3/objects-in-memory";

describe("a system of format 1", () => {
  test("opens in LevelDB", async () => {
    const folder = await mkdtemp(join(tmpdir(), "octavo-"));
    await mkdir(folder, { recursive: true });
    for (const [name, bytes] of await keptFiles("level-1")) await writeFile(join(folder, name), bytes);
    const storage = levelStorage(folder);
    await visit(storage, 1);
    await storage.close();
    await rm(folder, { recursive: true });
  });

  test("opens in object storage", async () => {
    const objects = new ObjectsInMemory();
    for (const [name, bytes] of await keptFiles("objects-1")) objects.putNow(name, bytes);
    await visit(objectStorage(objects), 1);
  });

  test("is restored from its backup", async () => {
    const storage = memoryStorage();
    const file = await readFile(new URL("../formats/backup-1.octavo", import.meta.url));
    await restore(new Blob([file]).stream(), storage);
    await visit(storage, 1, { asksAll: true });
  });
});
