// maintain(): finishes what crashed processes left behind, and deletes what has expired.

import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { LEASE_MS } from "../../src/jobs/jobs";
import { encodeKey } from "../../src/storage/key";
import { watch } from "../invariants/faults";
import { DAY, dump, HOUR, open, setUp } from "../support/setting";
import { through } from "../support/through";

test("a job that a crash prevented is run once, and the job list is consistent again", async () => {
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

test("a job of an unknown type stays, is reported, and stops nothing else", async () => {
  const { storage, org, ask } = await setUp(memoryStorage());
  const partition = storage.partition(`org-${org.slice(4)}`);
  const entry = encodeKey("job", 1, "job_x");
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

test("responses stored for an Idempotency-Key are dropped after one day, and not before", async () => {
  const { api, ask, clock, storage } = await setUp(memoryStorage());
  const before = (await dump(storage)).size;
  await ask("read", "POST /v1/user/tokens", { label: "x" }, { "idempotency-key": "k" });
  clock.forward(DAY - 1000);
  expect((await api.maintain()).responses).toBe(0);
  clock.forward(1000);
  expect((await api.maintain()).responses).toBe(1);
  const left = [...(await dump(storage)).keys()].filter((entry) => entry.includes("idempotent"));
  expect(left).toEqual([]);
  expect((await dump(storage)).size).toBeGreaterThan(before);
});

test("maintain() returns when to call it next, and finds no work in an idle store", async () => {
  const { api, clock } = await setUp(memoryStorage());
  clock.forward(HOUR);
  const done = await api.maintain();
  expect(done).toMatchObject({ partitions: 3, jobs: 0, responses: 0, reservations: 0, uploads: 0, blobs: 0 });
  expect(done.next.getTime()).toBeGreaterThan(clock.now.getTime());
});

test("two processes may call maintain() at the same time", async () => {
  const setting = await setUp(memoryStorage());
  const other = open(setting.storage);
  other.clock.now = setting.clock.now;
  const before = await dump(setting.storage);
  await Promise.all([setting.api.maintain(), other.api.maintain(), setting.api.maintain()]);
  expect(await dump(setting.storage)).toEqual(before);
});

test("maintain() with a limit on partitions continues where the previous call stopped, in any process", async () => {
  const setting = await setUp(memoryStorage());
  const { storage, gone } = visited(setting.storage);
  const call = async () => {
    const { api, clock } = open(storage);
    clock.now = setting.clock.now;
    const { partitions, finished, next } = await api.maintain({ partitions: 2 });
    expect(next.getTime() - clock.now.getTime()).toBe(finished ? 60_000 : 0);
    return [gone(), partitions, finished];
  };
  const [directory, first, second] = await names(setting.storage);
  expect(await call()).toEqual([[directory, first], 2, false]);
  expect(await call()).toEqual([[second], 1, true]);
  expect(await call()).toEqual([[directory, first], 2, false]);
  expect(await setting.api.maintain()).toMatchObject({ partitions: 3, finished: true });
  await expect(setting.api.maintain({ partitions: 0 })).rejects.toThrow(/partitions/);
});

test("an interrupted maintain() makes the next one smaller, and finally one partition is skipped", async () => {
  const setting = await setUp(memoryStorage());
  const [directory, first, second] = await names(setting.storage);
  const call = async (stopsAt: string) => {
    const { storage, gone, stopped } = visited(setting.storage, stopsAt);
    const { api } = open(storage);
    await Promise.race([api.maintain({ partitions: 4 }), stopped]);
    return gone();
  };
  expect(await call(first!)).toEqual([directory, first]);
  expect(await call(first!)).toEqual([directory, first]);
  expect(await call(first!)).toEqual([directory]);
  expect(await call(first!)).toEqual([first]);
  expect(await call(first!)).toEqual([first]);
  expect(await call(first!)).toEqual([second]);
  expect(await call("")).toEqual([directory, first]);
});

async function names(storage: Storage): Promise<string[]> {
  const found: string[] = [];
  for await (const name of storage.partitions()) found.push(name);
  return found;
}

/** A storage that notes the partitions of which jobs are asked for, and is stopped at one of them as a process is: nothing
 * comes back any more. */
function visited(storage: Storage, stopsAt = "") {
  const seen = new Set<string>();
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const jobs = encodeKey("job");
  const watched = through(storage, {
    list(range, go, name) {
      if (!range.under.startsWith(jobs)) return go();
      seen.add(name);
      if (name !== stopsAt) return go();
      stop();
      return new Promise(() => {});
    },
  });
  const gone = () => {
    const found = [...seen];
    seen.clear();
    return found;
  };
  return { storage: watched, gone, stopped };
}
