// What one request reads from the storage: each key once, unless another process commits in between.

import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { getOrganizationPartition } from "../../../src/storage/ids";
import { open, setUp } from "../../support/setting";
import { through } from "../../support/through";

test("a batch of changes reads no key twice, and reads again after another process has committed", async () => {
  const setting = await setUp(memoryStorage());
  const { storage, org } = setting;
  const space = (await setting.ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  const read: string[] = [];
  /** Runs before a commit, as another process would. */
  const between = { run: async () => {} };
  const isOurs = (partition: string) => partition === getOrganizationPartition(org);
  const watched = through(storage, {
    get(keys, go, partition) {
      if (isOurs(partition)) read.push(...keys);
      return go();
    },
    list(range, go, partition) {
      if (isOurs(partition)) read.push(JSON.stringify(range));
      return go();
    },
    async commit(_, go, partition) {
      if (isOurs(partition)) await between.run();
      return go();
    },
  });
  const { askWith, clock } = open(watched);
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
