// Every story on one of the storages, in turn. Where a seed is given, on every storage.

import { env } from "node:process";
import { describe, test } from "vitest";
import { storages } from "../support/storages";
import { stories } from "./index";
import { play } from "./scenario";

/** The stories that a storage has. */
function storiesFor(storage: number): typeof stories {
  return env.SEED === undefined ? stories.filter((_, i) => i % storages.length === storage) : stories;
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
