// A storage that fails under a running API: the answer says when to try again, nothing is half written, and the API
// recovers without a restart.

import { MemoryLevel } from "memory-level";
import type { Storage } from "octavo";
import { type LevelDatabase, levelStorage } from "octavo/level";
import { describe, expect, test } from "vitest";
import { createObjectStorage } from "../../adapters/s3/engine";
import { StoreFailure } from "../../adapters/s3/object-store";
import { ObjectsInMemory } from "../adapters/s3/objects-in-memory";
import { DAY, dump, open, setUp } from "../support/setting";

type Trouble = (() => Error) | undefined;

/** The object with some of its methods failing as long as there is trouble. */
function troubled<T extends object>(target: T, fails: (method: string) => boolean) {
  const state: { trouble: Trouble } = { trouble: undefined };
  const proxy = new Proxy(target, {
    get(_, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) =>
        state.trouble && fails(String(name)) ? Promise.reject(state.trouble()) : member.apply(target, args);
    },
  });
  return { state, proxy };
}

function troubledBucket() {
  const objects = new ObjectsInMemory();
  const { state, proxy } = troubled(objects, () => true);
  return { objects, state, storage: createObjectStorage(proxy, { pause: async () => {} }) };
}

function troubledLevel() {
  const { state, proxy } = troubled(new MemoryLevel(), (method) => method === "batch");
  return { state, storage: levelStorage(proxy as unknown as LevelDatabase) };
}

const failures: [string, () => { state: { trouble: Trouble }; storage: Storage }, () => Error][] = [
  [
    "a bucket that cannot be reached",
    troubledBucket,
    () => new StoreFailure("The bucket cannot be reached.", { outcome: "unknown", isTransient: true }),
  ],
  [
    "credentials that are no longer good",
    troubledBucket,
    () => new StoreFailure("The bucket refuses the credentials.", { outcome: "none", isTransient: false }),
  ],
  [
    "a bucket that throttles",
    troubledBucket,
    () => new StoreFailure("The bucket asks to slow down (503).", { outcome: "none", isTransient: true }),
  ],
  ["a LevelDB disk that is full", troubledLevel, () => new Error("IO error: no space left on device")],
];

describe.each(failures)("%s", (_, make, trouble) => {
  test("a failing storage is 503 with Retry-After and a message, changes nothing, and recovers", async () => {
    const { state, storage } = make();
    const { org, tokens } = await setUp(storage);
    const errors: unknown[] = [];
    const { askWith } = open(storage, { onError: (error) => errors.push(error) });
    const before = await dump(storage);
    const put = (title: string) => askWith(tokens.admin, `PUT /v1/orgs/${org}/teams`, { title });

    state.trouble = trouble;
    const failed = await put("Writers");
    expect(failed.status).toBe(503);
    expect(failed.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(failed.body.error.reason).toMatch(/^(unavailable|outcome_unknown)$/);
    expect(errors.length).toBeGreaterThan(0);

    state.trouble = undefined;
    expect(await dump(storage)).toEqual(before);
    expect((await put("Writers")).status).toBe(201);
    expect((await put("Writers")).status).toBe(409);
    await storage.close();
  });
});

test("a damaged object is 503, is named to the operator and not to the caller, and affects no other organization", async () => {
  const { objects, storage } = troubledBucket();
  const { org, otherOrg, tokens } = await setUp(storage);
  const errors: unknown[] = [];
  const damaged = createObjectStorage(objects, { pause: async () => {} });
  const { askWith } = open(damaged, { onError: (error) => errors.push(error) });
  const name = objects.namesNow("").find((it) => it.includes(`org-${org.slice(4)}`))!;
  objects.putNow(name, new TextEncoder().encode("not what was written"));
  const answer = await askWith(tokens.admin, `GET /v1/orgs/${org}`);
  expect([answer.status, answer.body.error.reason]).toEqual([503, "storage_damaged"]);
  expect(answer.headers.get("retry-after")).toBe("60");
  expect(JSON.stringify(answer.body)).not.toContain(name);
  expect(String(errors[0])).toContain(name);
  expect((await askWith(tokens.rival, `GET /v1/orgs/${otherOrg}`)).status).toBe(200);
});

test("maintain() skips a damaged organization and reports it", async () => {
  const { objects, storage } = troubledBucket();
  const { org, ask, clock } = await setUp(storage);
  await ask("read", "POST /v1/user/tokens", { label: "x" }, { "idempotency-key": "k" });
  const name = objects.namesNow("").find((it) => it.includes(`org-${org.slice(4)}`))!;
  objects.putNow(name, new TextEncoder().encode("not what was written"));

  const errors: unknown[] = [];
  const next = open(createObjectStorage(objects, { pause: async () => {} }), {
    onError: (error) => errors.push(error),
  });
  next.clock.now = new Date(clock.now.getTime() + 2 * DAY);
  // The directory and the other organization; the answer that was kept is in the directory.
  expect(await next.api.maintain()).toMatchObject({ partitions: 2, responses: 1 });
  expect(String(errors[0])).toContain(name);
});
