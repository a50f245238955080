// Kept answers are used again, but never for the wrong user and never after a change.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { createResponseCache } from "../../src/execution/response-cache";
import { watch } from "../invariants/faults";
import { DAY, open, type Setting, setUp } from "../support/setting";

let setting: Setting;
let watched: ReturnType<typeof watch>;
let ask: (as: keyof Setting["tokens"], route: string, send?: unknown) => ReturnType<Setting["ask"]>;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  watched = watch(setting.storage);
  const { askWith, clock } = open(watched);
  clock.now = setting.clock.now;
  ask = (as, route, send) => askWith(setting.tokens[as], route, send);
});

/** How many calls of the storage a request takes. */
async function cost(as: keyof Setting["tokens"], route: string): Promise<number> {
  const before = watched.calls.total;
  await ask(as, route);
  return watched.calls.total - before;
}

describe("cached responses", () => {
  test("a cached response costs two snapshots and no reads", async () => {
    const route = `GET /v1/orgs/${setting.org}`;
    const first = await cost("read", route);
    const second = await cost("read", route);
    expect([second < first, second]).toEqual([true, 2]);
  });

  test("a cached response is discarded after any change to the organization or the directory", async () => {
    const { org, ids } = setting;
    const members = `GET /v1/orgs/${org}/members?order=asc`;
    expect((await ask("read", members)).body.count).toBe(7);
    await ask("admin", `DELETE /v1/orgs/${org}/members/${ids.edit}`);
    expect((await ask("read", members)).body.count).toBe(6);
    const renamed = { id: ids.admin, displayName: "The boss", email: "admin@example.com", emailVerified: true };
    const host = open(watched, { authenticate: () => renamed });
    await host.askWith(null, "GET /v1/user");
    expect((await ask("read", members)).body.items[0].user.displayName).toBe("The boss");
  });

  test("a cached response is returned only to the caller it was made for", async () => {
    const route = `GET /v1/orgs/${setting.org}`;
    expect((await ask("admin", route)).body.permissions.admin).toBe(true);
    expect((await ask("read", route)).body.permissions.admin).toBe(false);
    expect((await ask("rival", route)).status).toBe(404);
  });

  test("a cached response is not returned to a revoked token or a token without the scope", async () => {
    const { org } = setting;
    const route = `GET /v1/orgs/${org}`;
    await ask("admin", route);
    const made = (await ask("admin", "POST /v1/user/tokens", { label: "x", scopes: ["teams:read"] })).body;
    const { askWith, clock } = open(watched);
    clock.now = setting.clock.now;
    await askWith(setting.tokens.admin, route);
    expect((await askWith(made.token, route)).body.error.reason).toBe("scope_missing");
    await ask("admin", `DELETE /v1/user/tokens/${made.id}`);
    expect((await askWith(made.token, route)).status).toBe(401);
  });

  test("a cached response is not returned after the caller has lost access", async () => {
    const { org, ids } = setting;
    const route = `GET /v1/orgs/${org}/members`;
    expect((await ask("read", route)).status).toBe(200);
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.read}`, { role: null });
    expect((await ask("read", route)).status).toBe(403);
  });
});

test("a cached response belongs to the partition it came from, even if another partition has the same version", () => {
  const answers = createResponseCache(16 * 1024 * 1024);
  const basis = {
    url: "/v1/spaces/x",
    credentials: "c",
    directoryVersion: 3,
    partition: "org-a",
    partitionVersion: 7,
    hour: 5,
  };
  const kept = { text: "{}", etag: undefined };
  answers.save(basis, kept);
  expect(answers.find(basis)).toMatchObject(kept);
  for (const other of [
    { partition: "org-b" },
    { partitionVersion: 8 },
    { directoryVersion: 4 },
    { credentials: "d" },
    { url: "/v1/spaces/y" },
    { hour: 6 },
  ])
    expect(answers.find({ ...basis, ...other })).toBeUndefined();
});

test("responses that depend on the time or on other partitions are not cached", async () => {
  const { otherOrg, clock } = setting;
  const expiresAt = new Date(clock.now.getTime() + DAY).toISOString();
  const made = (await ask("rival", "POST /v1/user/tokens", { label: "x", expiresAt })).body;
  const { askWith, clock: own } = open(watched);
  own.now = clock.now;
  expect((await askWith(made.token, "GET /v1/orgs")).body.items[0].title).toBe("Rival");
  await ask("rival", `PATCH /v1/orgs/${otherOrg}`, { title: "Renamed" });
  expect((await askWith(made.token, "GET /v1/orgs")).body.items[0].title).toBe("Renamed");
  own.forward(DAY);
  expect((await askWith(made.token, "GET /v1/orgs")).status).toBe(401);
});
