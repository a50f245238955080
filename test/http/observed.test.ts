// What operators see of a running API: health, readiness, and what `onRequest` hears.

import { createDocsApi, type DocsApiOptions, type RequestReport, type Storage, Unavailable } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test, vi } from "vitest";
import { createReadiness } from "../../src/execution/readiness";
import { watch } from "../invariants/faults";
import { open, setUp } from "../support/setting";

const away = (storage: Storage): Storage => ({
  ...storage,
  partition: () => ({
    snapshot: async () => {
      throw new Unavailable("s3.internal:9000 is away", { outcome: "none" });
    },
    commit: async () => ({ ok: true, version: 1 }),
  }),
});

describe("/v1/health", () => {
  test("/v1/health answers without a token, without the storage and without being counted", async () => {
    const storage = watch(memoryStorage());
    const { askWith } = open(storage, {
      rateLimit: { limit: 1 },
      authenticate: () => Promise.reject(new Error("asked")),
    });
    for (const token of [null, "unknown", null]) {
      const { status, body, headers } = await askWith(token, "GET /v1/health?probe=1");
      expect([status, body]).toEqual([200, { status: "up" }]);
      expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["no-store", null]);
      expect(headers.get("x-ratelimit-limit")).toBeNull();
    }
    expect(Object.values(storage.calls).every((calls) => calls === 0)).toBe(true);
    const { status } = await open(away(memoryStorage())).askWith(null, "GET /v1/health");
    expect(status).toBe(200);
    expect((await askWith(null, "HEAD /v1/health")).status).toBe(200);
  });
});

describe("/v1/ready", () => {
  test("/v1/ready is 200 when the storage can be read", async () => {
    const { askWith } = open(memoryStorage(), { rateLimit: { limit: 1 } });
    for (let i = 0; i < 3; i++) {
      const { status, body, headers } = await askWith(null, "GET /v1/ready");
      expect([status, body, headers.get("cache-control")]).toEqual([200, { status: "ready" }, "no-store"]);
    }
  });

  test("/v1/ready is 503 with a message when the storage cannot be read, and onError gets the cause", async () => {
    const errors: unknown[] = [];
    const { askWith } = open(away(memoryStorage()), { onError: (error) => errors.push(error) });
    const { status, body, headers } = await askWith(null, "GET /v1/ready");
    expect([status, body.error.reason, headers.get("retry-after")]).toEqual([503, "not_ready", "1"]);
    expect(body.error.message).toBe("The server is not ready: the storage cannot be read.");
    expect(errors.map(String)).toEqual(["Unavailable: s3.internal:9000 is away"]);
  });

  test("/v1/ready reads the storage at most once a second", async () => {
    const storage = watch(memoryStorage());
    const { api, askWith, clock } = open(storage);
    // The secret is compared once.
    await api.ready();
    const before = storage.calls.total;
    await Promise.all(Array.from({ length: 20 }, () => askWith(null, "GET /v1/ready")));
    const looked = storage.calls.total - before;
    expect(looked).toBeGreaterThan(0);
    clock.forward(999);
    await askWith(null, "GET /v1/ready");
    expect(storage.calls.total).toBe(before + looked);
    clock.forward(1);
    await askWith(null, "GET /v1/ready");
    expect(storage.calls.total).toBe(before + 2 * looked);
    expect(looked).toBeLessThan(5);
  });

  test("/v1/ready does not wait for a storage that hangs, and reads it only once", async () => {
    vi.useFakeTimers();
    try {
      let looks = 0;
      const holds = () => {
        looks++;
        return new Promise<never>(() => {});
      };
      const whyNot = createReadiness([{ check: holds, problem: "no" }], { now: () => new Date(), onError: () => {} });
      const set = vi.spyOn(globalThis, "setTimeout");
      const cleared = vi.spyOn(globalThis, "clearTimeout");
      const asked = [whyNot(), whyNot()];
      const timers = set.mock.results.map(({ value }) => value);
      await vi.advanceTimersByTimeAsync(5000);
      expect(await Promise.all(asked)).toEqual(Array(2).fill("the storage does not answer"));
      expect(timers.length).toBe(2);
      for (const timer of timers) expect(cleared).toHaveBeenCalledWith(timer);
      expect(looks).toBe(1);
    } finally {
      // In this order: what was spied on are the timers of the test.
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });
});

describe("onRequest", () => {
  async function start(options: DocsApiOptions = {}) {
    const setting = await setUp(memoryStorage());
    const heard: RequestReport[] = [];
    const opened = open(setting.storage, { onRequest: (it) => void heard.push(it), ...options });
    opened.clock.now = setting.clock.now;
    const last = () => heard.at(-1);
    return { ...setting, ...opened, heard, last };
  }

  test("onRequest receives the operation, the outcome, the duration and the ids", async () => {
    const { askWith, tokens, ids, org, last } = await start();
    const answer = await askWith(tokens.admin, `GET /v1/orgs/${org}`, undefined, { "x-request-id": "abc" });
    expect(last()).toEqual({
      operation: "getOrganization",
      method: "GET",
      status: 200,
      reason: undefined,
      milliseconds: expect.any(Number),
      requestId: "abc",
      user: ids.admin,
      organization: org,
      space: undefined,
      site: undefined,
      isReplayed: false,
      isCached: false,
      received: undefined,
      sent: JSON.stringify(answer.body).length,
    });
    expect(last()!.milliseconds).toBeGreaterThan(0);
    await askWith(tokens.admin, `GET /v1/orgs/${org}`);
    expect(last()).toMatchObject({ isCached: true, status: 200 });
    const made = { "idempotency-key": "k", "content-length": "19" };
    for (const isReplayed of [false, true]) {
      await askWith(tokens.admin, `POST /v1/orgs/${org}/spaces`, { title: "A space" }, made);
      expect(last()).toMatchObject({ operation: "createSpace", status: 201, isReplayed, received: 19 });
    }
  });

  test("onRequest receives refused and failed requests with their reasons", async () => {
    const { askWith, tokens, org, ids, last } = await start({ maxBodyBytes: 50 });
    const cases: readonly (readonly [string | null, string, unknown, Partial<RequestReport>])[] = [
      [tokens.admin, "GET /v1/nothing", undefined, { operation: undefined, status: 404, reason: "route_not_found" }],
      [null, "GET /v1/user", undefined, { operation: "getCurrentUser", status: 401, reason: "unauthorized" }],
      ["no", "GET /v1/user", undefined, { operation: "getCurrentUser", status: 401, reason: "token_unknown" }],
      [tokens.read, `PATCH /v1/orgs/${org}`, { title: "X" }, { status: 403, reason: "forbidden", user: ids.read }],
      [tokens.admin, `PATCH /v1/orgs/${org}`, { title: "x".repeat(99) }, { status: 413, organization: org }],
      [tokens.admin, "OPTIONS /v1/orgs", undefined, { operation: undefined, method: "OPTIONS", status: 204 }],
    ];
    for (const [token, route, send, expected] of cases) {
      await askWith(token, route, send);
      expect(last(), route).toMatchObject(expected);
    }
    const broken = createDocsApi(away(memoryStorage()), {
      onError: () => {},
      onRequest: (it) => expect(it).toMatchObject({ operation: "getCurrentUser", status: 503, reason: "unavailable" }),
    });
    expect(
      (await broken.fetch(new Request("http://x/v1/user", { headers: { authorization: "Bearer t" } }))).status,
    ).toBe(503);
    expect.assertions(cases.length + 2);
  });

  test("onRequest receives calls without HTTP", async () => {
    const { api, ids, org, last, heard } = await start();
    const input = { params: { organizationId: org } };
    await api.call("getOrganization", input, { user: ids.admin });
    const told = { operation: "getOrganization", method: "GET", requestId: undefined, organization: org };
    expect(last()).toMatchObject({ ...told, status: 200, user: ids.admin });
    await api.call("getOrganization", input, { user: ids.stranger }).catch(() => {});
    expect(last()).toMatchObject({ ...told, status: 404, reason: "organization_not_found", user: ids.stranger });
    expect(heard).toHaveLength(2);
  });

  test("onRequest never receives a body, a secret or a query", async () => {
    const { askWith, tokens, org, heard } = await start();
    const secrets = ["hunter2-title", "hunter2-key", "hunter2-query", tokens.admin];
    await askWith(tokens.admin, `PATCH /v1/orgs/${org}`, { title: secrets[0] }, { "idempotency-key": secrets[1]! });
    await askWith(tokens.admin, `GET /v1/orgs/${org}/members?search=${secrets[2]}`);
    const invite = (await askWith(tokens.admin, `POST /v1/orgs/${org}/link-invites`, { role: "read" })).body.id;
    await askWith(tokens.stranger, `POST /v1/orgs/${org}/invites/${invite}`);
    expect(heard).toHaveLength(4);
    for (const secret of [...secrets, invite]) expect(JSON.stringify(heard)).not.toContain(secret);
  });

  test("an error in onRequest is reported and does not affect the response", async () => {
    for (const onRequest of [
      () => {
        throw new Error("the hook broke");
      },
      async () => {
        throw new Error("the hook broke");
      },
    ]) {
      const errors: unknown[] = [];
      const { askWith, tokens } = await start({ onRequest, onError: (error) => errors.push(error) });
      expect((await askWith(tokens.admin, "GET /v1/user")).status).toBe(200);
      await Promise.resolve();
      expect(errors.map(String)).toEqual(["Error: the hook broke"]);
    }
  });
});
