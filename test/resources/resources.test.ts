// Every story on every storage.

import { describe, test } from "vitest";
import { storages } from "../storages";
import { stories } from "./index";
import { play } from "./scenario";

describe.each(storages)("on %s", (_, open) => {
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
