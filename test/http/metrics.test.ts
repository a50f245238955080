// The numbers of a running API: caches, retries, jobs, and the calls of its storage.

import { createDocsApi, measureStorage, type Storage, type StorageStatistics, Unavailable } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { until } from "../support/patience";
import { open, setUp } from "../support/setting";
import { through } from "../support/through";

describe("caches", () => {
  test("caches count hits and misses", async () => {
    const { storage, tokens, org, clock: then } = await setUp(memoryStorage());
    const { api, askWith, clock } = open(storage);
    clock.now = then.now;
    for (let i = 0; i < 3; i++) await askWith(tokens.admin, `GET /v1/orgs/${org}`);
    const { responses, tokens: recognized, routes, objects } = api.metrics().caches;
    expect(responses).toMatchObject({ entries: 1, hits: 2, misses: 1, limit: 16 * 1024 * 1024 });
    expect(responses.size).toBeGreaterThan(500);
    expect(recognized).toEqual({ entries: 1, size: 1, limit: 500, hits: 2, misses: 1 });
    expect(routes).toEqual({ entries: 1, size: 1, limit: 500, hits: 2, misses: 1 });
    expect(objects).toMatchObject({ entries: 0, limit: 64 * 1024 * 1024 });
    await askWith(tokens.admin, `PATCH /v1/orgs/${org}`, { title: "New" });
    await askWith(tokens.admin, `GET /v1/orgs/${org}`);
    expect(api.metrics().caches.responses).toMatchObject({ entries: 1, hits: 2, misses: 2 });
  });

  test("the host sets the sizes of the caches, and each size may be zero", async () => {
    const { storage, tokens, org, clock: then } = await setUp(memoryStorage());
    const none = { responses: 0, objects: 0, contents: 0, indexes: 0, lists: 0, tokens: 0, routes: 0, callers: 0 };
    const { api, askWith, clock } = open(storage, { caches: none, rateLimit: { limit: 100 } });
    clock.now = then.now;
    for (let i = 0; i < 2; i++) {
      for (const who of [tokens.admin, tokens.edit]) {
        expect((await askWith(who, `GET /v1/orgs/${org}`)).status).toBe(200);
        expect((await askWith(who, `GET /v1/orgs/${org}/search?query=x`)).status).toBe(200);
      }
    }
    const { responses, objects, contents, indexes, lists, ...counted } = api.metrics().caches;
    expect([responses, objects, contents, indexes, lists].map(({ entries }) => entries)).toEqual([0, 0, 0, 0, 0]);
    for (const { entries } of Object.values(counted)) expect(entries).toBeLessThanOrEqual(1);
    expect(() => createDocsApi(memoryStorage(), { caches: { responses: -1 } })).toThrow(
      "`caches.responses` must be a whole number, 0 or more",
    );
    expect(() => createDocsApi(memoryStorage(), { caches: { pages: 5 } as never })).toThrow("`caches.pages`");
  });
});

/** A storage whose commits take a while, so that others read before them. */
function slow(inner: Storage): Storage {
  return through(inner, {
    async commit(_, go) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return go();
    },
  });
}

test("retried transactions are counted", async () => {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const inner = memoryStorage();
  const held = through(inner, {
    async commit(_, go) {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      return go();
    },
  });
  const { api, ask, org, tokens } = await setUp(held);
  expect(api.metrics().retries).toBe(0);
  isHeld = true;
  const answer = ask("admin", `PATCH /v1/orgs/${org}`, { title: "Ours" });
  await until(() => expect(waiting).toHaveLength(1));
  isHeld = false;
  // Another process is faster.
  const other = open(inner);
  expect((await other.askWith(tokens.admin, `PATCH /v1/orgs/${org}`, { title: "Theirs" })).status).toBe(200);
  for (const goOn of waiting) goOn();
  expect((await answer).status).toBe(200);
  expect(api.metrics().retries).toBeGreaterThan(0);
});

test("maintain counts waiting jobs by job type", async () => {
  const { api, ask, org, clock } = await setUp(memoryStorage());
  expect(api.metrics().jobs).toBeUndefined();
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  await ask("admin", `DELETE /v1/spaces/${space}`);
  const { waiting, parked } = await api.maintain();
  expect(Object.values(waiting)).toEqual([1]);
  expect(parked).toBe(0);
  expect(api.metrics().jobs).toEqual({ waiting, parked: 0, counted: clock.now });
});

describe("a measured storage", () => {
  test("a measured storage counts and times calls by kind, with failures and conflicts", async () => {
    let isAway = false;
    const fragile = through(slow(memoryStorage()), {
      async commit(_, go) {
        if (isAway) throw new Unavailable("away", { outcome: "none" });
        return go();
      },
    });
    const storage = measureStorage(fragile);
    const { ask, org } = await setUp(storage, { onError: () => {} });
    const since = storage.numbers();
    await ask("admin", `GET /v1/orgs/${org}`);
    await ask("admin", `PATCH /v1/orgs/${org}`, { title: "New" });
    isAway = true;
    expect((await ask("admin", `PATCH /v1/orgs/${org}`, { title: "Newer" })).status).toBe(503);
    isAway = false;
    const now = storage.numbers();
    const more = (call: Exclude<keyof StorageStatistics, "conflicts">) => now[call].calls - since[call].calls;
    expect(more("commit")).toBe(2);
    expect(more("snapshot")).toBeGreaterThanOrEqual(3);
    expect(more("get")).toBeGreaterThan(0);
    expect(now.commit.failures - since.commit.failures).toBe(1);
    expect(now.get.milliseconds).toBeGreaterThan(0);
    expect(now.conflicts).toBe(since.conflicts);
    await Promise.all(Array.from({ length: 5 }, (_, i) => ask("admin", `PATCH /v1/orgs/${org}`, { title: `T${i}` })));
    expect(storage.numbers().conflicts).toBeGreaterThan(since.conflicts);
  });
});
