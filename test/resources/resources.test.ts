// Every story in memory, and on one of the other storages. Where a seed is given, on every storage.

import { env } from "node:process";
import { describe, test } from "vitest";
import { storages } from "../storages";
import { stories } from "./index";
import { play } from "./scenario";

/** The stories that a storage has in the suite: all for the first, and for the others in turn. */
function storiesFor(storage: number): typeof stories {
  const isAll = storage === 0 || env.SEED !== undefined;
  return isAll ? stories : stories.filter((_, i) => i % (storages.length - 1) === storage - 1);
}

describe.each(storages.map(([name, open], i) => [name, open, storiesFor(i)] as const))("on %s", (_, open, played) => {
  test.each(played)("$title", async (story) => {
    const { storage, cleanUp } = await open();
    try {
      await play(story, storage);
    } finally {
      await storage.close();
      await cleanUp();
    }
  });
});
