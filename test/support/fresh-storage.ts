// A fresh storage for every test of a group.

import { afterEach, beforeEach } from "vitest";
import type { Opened } from "./storages";

/** Has every test begin with a storage of its own, which is closed and gone afterwards. */
export function onFreshStorage(open: () => Promise<Opened>, begin: (opened: Opened) => Promise<void>): void {
  let opened: Opened;
  beforeEach(async () => {
    opened = await open();
    await begin(opened);
  });
  afterEach(async () => {
    await opened.storage.close();
    await opened.cleanUp();
  });
}
