// What reading content costs, counted in what a fresh process reads of the storage.

import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeAll, expect, test } from "vitest";
import { watch } from "../laws/faults";
import { open, type Setting, setUp } from "../setting";

let setting: Setting;
let space: string;

beforeAll(async () => {
  setting = await setUp(memoryStorage());
  space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Large" })).body.id;
  for (let at = 0; at < 1000; at += 50) {
    const changes = Array.from({ length: 50 }, (_, i) => ({
      operation: "insert_page",
      title: `Page ${at + i}`,
      document: { markdown: `Text ${at + i}.\n` },
    }));
    expect((await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
  }
});

/** The blobs and rows that a process which has read nothing yet reads for one answer. */
async function cost(route: string): Promise<{ status: number; reads: number }> {
  let blobs = 0;
  const { storage } = setting;
  const counting: Storage = {
    ...storage,
    partition: (name) => storage.partition(name),
    partitions: (after) => storage.partitions(after),
    blobs: {
      ...storage.blobs,
      put: (...args) => storage.blobs.put(...args),
      delete: (name) => storage.blobs.delete(name),
      list: (after) => storage.blobs.list(after),
      get(...args) {
        blobs++;
        return storage.blobs.get(...args);
      },
    },
    close: () => storage.close(),
  };
  const watched = watch(counting);
  const { askWith, clock } = open(watched);
  clock.now = setting.clock.now;
  const { status } = await askWith(setting.tokens.read, route);
  return { status, reads: watched.calls.reads + blobs };
}

test("a path that leads nowhere costs no listing", async () => {
  const found = await cost(`GET /v1/spaces/${space}/content/path/page-7`);
  const absent = await cost(`GET /v1/spaces/${space}/content/path/nothing-here`);
  const below = await cost(`GET /v1/spaces/${space}/content/path/page-7/nothing-here`);
  expect([found, absent, below].map(({ status }) => status)).toEqual([200, 404, 404]);
  expect(absent.reads).toBeLessThan(found.reads);
  expect(below.reads).toBeLessThan(found.reads);
});
