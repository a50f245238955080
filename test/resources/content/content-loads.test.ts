// What one request reads from the storage: each key once, unless another process commits in between.

import type { Snapshot } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { getOrganizationPartition } from "../../../src/storage/ids";
import { open, setUp } from "../../support/setting";

test("a batch of changes reads no key twice, and reads again after another process has committed", async () => {
  const setting = await setUp(memoryStorage());
  const { storage, org } = setting;
  const space = (await setting.ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  const read: string[] = [];
  /** Runs before a commit, as another process would. */
  const between = { run: async () => {} };
  const noted = (snapshot: Snapshot): Snapshot => ({
    version: snapshot.version,
    async get(keys) {
      read.push(...keys);
      return snapshot.get(keys);
    },
    async list(range) {
      read.push(JSON.stringify(range));
      return snapshot.list(range);
    },
  });
  const { askWith, clock } = open({
    ...storage,
    blobs: storage.blobs,
    partitions: (after) => storage.partitions(after),
    partition: (name) => ({
      async snapshot() {
        const snapshot = await storage.partition(name).snapshot();
        return name === getOrganizationPartition(org) ? noted(snapshot) : snapshot;
      },
      async commit(batch) {
        if (name === getOrganizationPartition(org)) await between.run();
        return storage.partition(name).commit(batch);
      },
    }),
    close: () => storage.close(),
  });
  clock.now = setting.clock.now;
  const write = async (title: string) => {
    read.length = 0;
    const changes = [{ operation: "insert_page", title, document: { markdown: "Text.\n" } }];
    expect((await askWith(setting.tokens.admin, `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
    return read.filter((key, at) => read.indexOf(key) < at);
  };

  expect(await write("One")).toEqual([]);
  between.run = async () => {
    between.run = async () => {};
    await setting.ask("admin", `PATCH /v1/orgs/${org}`, { title: "Renamed" });
  };
  expect(await write("Two")).not.toEqual([]);
});
