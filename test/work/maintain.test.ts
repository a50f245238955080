// maintain(): finishes what crashed processes left behind, and deletes what has expired.

import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { LEASE_MS } from "../../src/work/jobs";
import { watch } from "../laws/faults";
import { DAY, dump, HOUR, open, setUp } from "../setting";

test("a step that a crash kept from running is run, once, and the list agrees again", async () => {
  const setting = await setUp(memoryStorage());
  const { org, ids, tokens } = setting;
  const storage = watch(setting.storage);
  const crashing = open(storage, { onError: () => {} });
  crashing.clock.now = setting.clock.now;

  // The member is gone, but the directory was never told.
  let removed = false;
  for (let call = 1; !removed; call++) {
    storage.failAt(call, "before");
    await crashing.askWith(tokens.admin, `DELETE /v1/orgs/${org}/members/${ids.edit}`);
    removed = (await setting.ask("admin", `GET /v1/orgs/${org}/members/${ids.edit}`)).status === 404;
  }
  expect((await setting.ask("edit", "GET /v1/orgs")).body).toMatchObject({ count: 1, items: [] });
  setting.clock.forward(LEASE_MS);
  expect(await setting.api.maintain()).toMatchObject({ jobs: 1 });
  expect((await setting.ask("edit", "GET /v1/orgs")).body).toMatchObject({ count: 0, items: [] });
  expect(await setting.api.maintain()).toMatchObject({ jobs: 0 });
});

test("a step of a version that this one does not know stays, is reported, and stops nothing else", async () => {
  const { storage, org, ask } = await setUp(memoryStorage());
  const { key } = await import("../../src/store/key");
  const partition = storage.partition(`org-${org.slice(4)}`);
  const entry = key("job", 1, "job_x");
  await partition.commit({
    checks: [],
    puts: [{ key: entry, value: { step: "from-the-future", payload: null, createdAt: 1, attempts: 0 } }],
    deletes: [],
    adds: [],
  });
  const errors: unknown[] = [];
  const { api } = open(storage, { onError: (error) => errors.push(error) });
  expect((await api.maintain()).jobs).toBe(0);
  expect(String(errors[0])).toContain("from-the-future");
  const waiting = await ask("admin", `GET /v1/orgs/${org}/jobs`);
  expect(waiting.body.items).toMatchObject([
    { step: "from-the-future", attempts: 1, error: expect.stringContaining("newer version") },
  ]);
});

test("answers kept for an Idempotency-Key are dropped after their day, and only then", async () => {
  const { api, ask, clock, storage } = await setUp(memoryStorage());
  const before = (await dump(storage)).size;
  await ask("read", "POST /v1/user/tokens", { label: "x" }, { "idempotency-key": "k" });
  clock.forward(DAY - 1000);
  expect((await api.maintain()).answers).toBe(0);
  clock.forward(1000);
  expect((await api.maintain()).answers).toBe(1);
  const left = [...(await dump(storage)).keys()].filter((entry) => entry.includes("idempotent"));
  expect(left).toEqual([]);
  expect((await dump(storage)).size).toBeGreaterThan(before);
});

test("it says when it wants to be called next, and finds nothing to do in a quiet store", async () => {
  const { api, clock } = await setUp(memoryStorage());
  clock.forward(HOUR);
  const done = await api.maintain();
  expect(done).toMatchObject({ partitions: 3, jobs: 0, answers: 0, reservations: 0, uploads: 0, blobs: 0 });
  expect(done.next.getTime()).toBeGreaterThan(clock.now.getTime());
});

test("two processes that maintain at once do no harm", async () => {
  const setting = await setUp(memoryStorage());
  const other = open(setting.storage);
  other.clock.now = setting.clock.now;
  const before = await dump(setting.storage);
  await Promise.all([setting.api.maintain(), other.api.maintain(), setting.api.maintain()]);
  expect(await dump(setting.storage)).toEqual(before);
});
