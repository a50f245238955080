// Every story on one of the storages, in turn. In a long run on every storage.

import { describe, test } from "vitest";
import { storages } from "../support/storages";
import { isLongRun } from "../support/test-length";
import { stories } from "./index";
import { play } from "./scenario";

/** The stories that a storage has. */
function storiesFor(storage: number): typeof stories {
  return isLongRun ? stories : stories.filter((_, i) => i % storages.length === storage);
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
