// Every story on every storage.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { describe, test } from "vitest";
import { stories } from "./index";
import { play } from "./scenario";

const storages = {
  memory: async () => ({ storage: memoryStorage(), cleanUp: async () => {} }),
  level: async () => {
    const directory = await mkdtemp(join(tmpdir(), "octavo-"));
    return { storage: levelStorage(directory), cleanUp: () => rm(directory, { recursive: true, force: true }) };
  },
};

describe.each(Object.entries(storages))("on %s", (_, open) => {
  test.each(stories)("$title", async (story) => {
    const { storage, cleanUp } = await open();
    try {
      await play(story, storage);
    } finally {
      await storage.close();
      await cleanUp();
    }
  });
});
