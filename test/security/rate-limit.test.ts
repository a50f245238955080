// The rate limit counts every request, for every operation and every caller.

import { createDocsApi, type DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";

const people: Record<string, { id: string; displayName: string; email: string }> = {
  ada: { id: "ada", displayName: "Ada", email: "ada@example.com" },
  twin: { id: "twin", displayName: "Twin", email: "ada@example.com" },
};

function limited(options: DocsApiOptions = {}) {
  const api = createDocsApi(memoryStorage(), {
    rateLimit: { limit: 3 },
    clientAddress: ({ headers }) => headers.get("x-test-address") ?? undefined,
    ...options,
  });
  return async (method: string, path: string, headers: Record<string, string> = {}) => {
    const given = { "x-test-address": "192.0.2.1", ...headers };
    return api.fetch(new Request(`http://x.invalid${path}`, { method, headers: given }));
  };
}

describe("requests that count toward the limit of an address", () => {
  test.each([
    ["OPTIONS", "/v1/user", 204],
    ["OPTIONS", "/v1/nowhere", 404],
    ["GET", "/v1/nowhere", 404],
    ["GET", "/elsewhere", 404],
    ["POST", "/v1/user", 405],
    ["BREW", "/v1/user", 405],
    ["GET", "/v1/orgs/%zz", 400],
    ["GET", "/v1/user", 401],
    ["GET", "/v1", 200],
  ])("unknown paths count toward the limit of the address: %s %s", async (method, path, status) => {
    const ask = limited();
    for (const left of ["2", "1", "0"]) {
      const answer = await ask(method, path);
      expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([status, left]);
    }
    const over = await ask(method, path);
    expect([over.status, over.headers.has("retry-after")]).toEqual([429, true]);
    expect((await ask(method, path, { "x-test-address": "192.0.2.2" })).status).toBe(status);
  });

  test("unknown tokens and rejected host users count toward the limit of the address", async () => {
    const withToken = limited();
    const withHost = limited({
      authenticate: ({ headers }) => people[headers.get("x-user") ?? ""],
      rateLimit: { limit: 3 },
    });
    await withHost("GET", "/v1/user", { "x-user": "ada" });
    for (const status of [401, 401, 401, 429])
      expect((await withToken("GET", "/v1/user", { authorization: "Bearer nobody-has-this" })).status).toBe(status);
    for (const status of [409, 409, 409, 429])
      expect((await withHost("GET", "/v1/user", { "x-user": "twin" })).status).toBe(status);
    expect((await withHost("GET", "/v1/user", { "x-user": "ada" })).status).toBe(200);
  });

  test("browsers may read rate limit responses like any other", async () => {
    const ask = limited({ cors: { origins: ["https://app.example"] }, rateLimit: { limit: 1 } });
    const origin = { origin: "https://app.example" };
    expect((await ask("OPTIONS", "/v1/user", origin)).headers.get("access-control-allow-methods")).toContain("GET");
    const over = await ask("OPTIONS", "/v1/user", origin);
    expect([over.status, over.headers.get("access-control-allow-origin")]).toEqual([429, "https://app.example"]);
  });
});
