// The HTTP layer: methods, bodies, headers, limits and errors, for every operation.

import { createDocsApi, type DocsApiOptions, Unavailable } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { watch } from "../invariants/faults";
import { forgetSecret, open, SECRET, setUp } from "../support/setting";

async function start(options: DocsApiOptions = {}) {
  const storage = memoryStorage();
  const setting = await setUp(storage);
  const { api, clock } = open(storage, options);
  clock.now = setting.clock.now;
  const headers = { authorization: `Bearer ${setting.tokens.admin}` };
  const fetch = (path: string, init: RequestInit = {}) =>
    api.fetch(new Request(`http://test.invalid${path}`, { ...init, headers: { ...headers, ...init.headers } }));
  return { ...setting, api, clock, fetch };
}
const json = { "content-type": "application/json" };

describe("methods", () => {
  test("HEAD answers like GET without the body", async () => {
    const { fetch, org } = await start();
    const [get, head] = [await fetch(`/v1/orgs/${org}`), await fetch(`/v1/orgs/${org}`, { method: "HEAD" })];
    expect(head.status).toBe(200);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    expect(await head.text()).toBe("");
    expect((await fetch("/v1/orgs/none", { method: "HEAD" })).status).toBe(404);
  });

  test("OPTIONS lists the methods of a path, and answers 404 for an unknown path", async () => {
    const { fetch, org } = await start();
    const answer = await fetch(`/v1/orgs/${org}`, { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD, PATCH, OPTIONS"]);
    expect((await fetch("/v1/nothing", { method: "OPTIONS" })).status).toBe(404);
  });

  test("the reference pages and the MCP server handle methods like every other path", async () => {
    const { fetch } = await start({ cors: { origins: ["https://app.example"] } });
    for (const [path, allow] of [
      ["/v1/docs", "GET, HEAD, OPTIONS"],
      ["/v1/docs/operations/getUser?x=1", "GET, HEAD, OPTIONS"],
      ["/v1/mcp", "POST, OPTIONS"],
    ] as const) {
      const answer = await fetch(path, { method: "OPTIONS", headers: { origin: "https://app.example" } });
      expect([answer.status, answer.headers.get("allow")], path).toEqual([204, allow]);
      expect(answer.headers.get("access-control-allow-methods")).toBe(allow);
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
    }
    for (const method of ["POST", "DELETE"]) {
      const answer = await fetch("/v1/docs", { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    const closed = await start({ reference: false });
    expect((await closed.fetch("/v1/docs", { method: "OPTIONS" })).status).toBe(404);
    expect((await closed.fetch("/v1/docs", { method: "POST" })).status).toBe(404);
  });

  test("a method that a path does not support is 405 and lists the supported methods", async () => {
    const { fetch } = await start();
    const answer = await fetch("/v1/orgs", { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });

  test("a cached path leads to the same operation, whatever its query, and never to another method", async () => {
    const { fetch, api, org, tokens } = await start();
    const title = async (answer: Response) => (await answer.json()).title;
    const changed = { method: "PATCH", headers: json, body: '{"title":"New"}' };
    for (const _ of ["first", "again"]) {
      expect((await fetch(`/v1/orgs/${org}`, changed)).status).toBe(200);
      for (const end of ["", "#a?b", "?#a"]) expect(await title(await fetch(`/v1/orgs/${org}${end}`))).toBe("New");
      expect((await fetch(`/v1/orgs/${org}?b#a`)).status).toBe(400);
      expect((await fetch(`/v1/orgs/${org}`, { method: "DELETE" })).status).toBe(405);
      const sent = new Map([["authorization", `Bearer ${tokens.admin}`]]);
      const headers = { get: (name: string) => sent.get(name) ?? null };
      const body = async () => new TextEncoder().encode('{"title":"Old"}');
      expect((await api.handle({ method: "GET", url: `PATCH /v1/orgs/${org}`, headers, body })).status).toBe(404);
    }
  });

  test("a trailing slash and a repeated query parameter are accepted", async () => {
    const { fetch, org } = await start();
    expect((await fetch(`/v1/orgs/${org}/`)).status).toBe(200);
    expect((await fetch("/v1/orgs?limit=1&limit=2")).status).toBe(400);
  });

  test("trailing slashes are ignored, and an empty segment in between is not found", async () => {
    const { fetch, org } = await start();
    expect((await fetch(`/v1/orgs/${org}///`)).status).toBe(200);
    for (const path of [`/v1//orgs/${org}`, `/v1/orgs//${org}`, `/v1/orgs/${org}//teams`]) {
      const answer = await fetch(path);
      expect([answer.status, (await answer.json()).error.reason]).toEqual([404, "route_not_found"]);
    }
  });

  test("a parameter with invalid percent-encoding is 400 and is named", async () => {
    const { fetch } = await start();
    const answer = await fetch("/v1/orgs/%E0%A4%A");
    expect([answer.status, (await answer.json()).error.issues[0].path]).toEqual([400, "params.organizationId"]);
  });
});

describe("bodies", () => {
  const patch = (body: BodyInit, headers: Record<string, string> = json) => ({ method: "PATCH", body, headers });

  test("JSON with any charset is read, another media type is 415, and invalid JSON or UTF-8 is 400", async () => {
    const { fetch, org } = await start();
    const at = `/v1/orgs/${org}`;
    const charset = { "content-type": "application/json; charset=utf-8" };
    expect((await fetch(at, patch('{"title":"New"}', charset))).status).toBe(200);
    expect((await fetch(at, patch('{"title":"New"}', { "content-type": "text/plain" }))).status).toBe(415);
    expect((await (await fetch(at, patch('{"title":'))).json()).error.reason).toBe("invalid_json");
    expect((await (await fetch(at, patch(Uint8Array.of(0x22, 0xff, 0x22)))).json()).error.reason).toBe("invalid_json");
  });

  test("a body over the limit is 413, with or without Content-Length, and changes nothing", async () => {
    const { fetch, org } = await start({ maxBodyBytes: 100 });
    const long = JSON.stringify({ title: "x".repeat(200) });
    const at = `/v1/orgs/${org}`;
    expect((await fetch(at, patch(long, { ...json, "content-length": String(long.length) }))).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(long));
        controller.close();
      },
    });
    expect((await fetch(at, { ...patch(stream), duplex: "half" } as RequestInit)).status).toBe(413);
    expect((await (await fetch(at)).json()).title).toBe("Acme");
  });

  test.each([
    ["[]", "body"],
    ["null", "body"],
    ["3", "body"],
  ])("%s is not accepted as an object, even if no member is required", async (body, path) => {
    const { api, tokens, org } = await setUp(memoryStorage());
    const headers = { authorization: `Bearer ${tokens.admin}`, "content-type": "application/json" };
    const answer = await api.fetch(new Request(`http://x/v1/orgs/${org}`, { method: "PATCH", headers, body }));
    expect(answer.status).toBe(400);
    expect((await answer.json()).error.issues[0].path).toBe(path);
  });

  test("members named like prototype properties are unknown members", async () => {
    const { fetch, org } = await start();
    const answer = await fetch(`/v1/orgs/${org}`, patch('{"__proto__":{"title":"x"},"constructor":1}'));
    expect(answer.status).toBe(400);
    const { issues } = (await answer.json()).error;
    expect(issues.map((issue: { path: string }) => issue.path)).toEqual(["body.__proto__"]);
    expect(({} as Record<string, unknown>).title).toBeUndefined();
  });

  test("all invalid fields are reported at once", async () => {
    const { fetch, org } = await start();
    const answer = await fetch(`/v1/orgs/${org}`, patch('{"title":1,"sso":"yes","emailDomains":["a b",5]}'));
    const paths = (await answer.json()).error.issues.map((issue: { path: string }) => issue.path);
    expect(paths).toEqual(["body.title", "body.emailDomains.0", "body.emailDomains.1", "body.sso"]);
  });
});

describe("errors", () => {
  test("an unexpected error is masked and passed to onError with the request id", async () => {
    const heard: [unknown, { requestId?: string }][] = [];
    const broken = {
      ...memoryStorage(),
      partition: () => {
        throw new Error("the password is hunter2");
      },
    };
    const api = createDocsApi(broken, { onError: (error, context) => heard.push([error, context]) });
    const answer = await api.fetch(
      new Request("http://test.invalid/v1/user", { headers: { authorization: "Bearer t" } }),
    );
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain("hunter2");
    expect(heard.length).toBe(1);
    expect(heard[0]![1].requestId).toBe(JSON.parse(text).error.requestId);
    expect(heard[0]![1].requestId).toBe(answer.headers.get("x-request-id"));
  });

  test("an unavailable storage is 503 with Retry-After, and an uncertain outcome is reported as such", async () => {
    const { storage, org, tokens } = await start();
    const watched = watch(storage);
    const { askWith } = open(watched, { onError: () => {} });
    watched.failAt(1, "before");
    const away = await askWith(tokens.admin, `GET /v1/orgs/${org}`);
    expect([away.status, away.body.error.reason, away.headers.get("retry-after")]).toEqual([503, "unavailable", "1"]);
    for (let call = 1; ; call++) {
      watched.failAt(call, "answer lost");
      const lost = await askWith(tokens.admin, `POST /v1/orgs/${org}/ping`);
      if (lost.body.error?.reason !== "outcome_unknown") continue;
      expect(lost.status).toBe(503);
      break;
    }
    expect((await askWith(tokens.admin, `GET /v1/orgs/${org}`)).status).toBe(200);
  });

  test("every request after close is 503", async () => {
    const { api, fetch } = await start({ onError: () => {} });
    await api.close();
    expect((await fetch("/v1/user")).status).toBe(503);
  });

  test("a harmless request id of the caller is kept, and any other is replaced", async () => {
    const { fetch } = await start();
    expect((await fetch("/v1/user", { headers: { "x-request-id": "abc-123" } })).headers.get("x-request-id")).toBe(
      "abc-123",
    );
    const own = (await fetch("/v1/user", { headers: { "x-request-id": "a b<script>" } })).headers.get("x-request-id");
    expect(own).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });
});

test("a response stored under another secret is not made up, and the request is not executed again", async () => {
  const storage = memoryStorage();
  const { tokens, ask } = await setUp(storage);
  const headers = { "idempotency-key": "k" };
  await ask("read", "POST /v1/user/tokens", { label: "x" }, headers);
  await forgetSecret(storage);
  const { askWith } = open(storage, { secret: "another secret of more than thirty-two characters" });
  const again = await askWith(tokens.read, "POST /v1/user/tokens", { label: "x" }, headers);
  expect([again.status, again.body.error.reason]).toEqual([409, "idempotent_answer_lost"]);
  expect((await ask("read", "GET /v1/user/tokens")).body.count).toBe(2);
});

describe("CORS", () => {
  const origin = "https://app.example";

  test("CORS is off by default", async () => {
    const { fetch } = await start();
    const answer = await fetch("/v1/user", { headers: { origin } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("the preflight of an allowed origin is answered, and that of any other origin is not", async () => {
    const { fetch, org } = await start({ cors: { origins: [origin], maxAge: 60 } });
    const ask = (from: string) => fetch(`/v1/orgs/${org}`, { method: "OPTIONS", headers: { origin: from } });
    const ours = await ask(origin);
    expect(ours.status).toBe(204);
    expect(ours.headers.get("access-control-allow-origin")).toBe(origin);
    expect(ours.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(ours.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(ours.headers.get("access-control-max-age")).toBe("60");
    expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("browsers may read the headers of responses and errors", async () => {
    const { fetch } = await start({ cors: { origins: "*" } });
    for (const path of ["/v1/user", "/v1/orgs/none"]) {
      const answer = await fetch(path, { headers: { origin } });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-expose-headers")).toContain("etag");
    }
  });
});

describe("the rate limit", () => {
  test("the rate limit counts per caller, reports how much is left, and resets", async () => {
    const { fetch, clock, api, tokens } = await start({ rateLimit: { limit: 2, window: 10 } });
    const first = await fetch("/v1/user");
    expect(first.headers.get("x-ratelimit-limit")).toBe("2");
    expect(first.headers.get("x-ratelimit-remaining")).toBe("1");
    expect(Number(first.headers.get("x-ratelimit-reset"))).toBe(Math.ceil(clock.now.getTime() / 1000 + 10));
    await fetch("/v1/user");
    const third = await fetch("/v1/user");
    expect([third.status, third.headers.get("retry-after")]).toEqual([429, "10"]);
    const other = await api.fetch(
      new Request("http://x/v1/user", { headers: { authorization: `Bearer ${tokens.edit}` } }),
    );
    expect(other.status).toBe(200);
    clock.forward(10_000);
    expect((await fetch("/v1/user")).status).toBe(200);
  });
});

describe("mounting", () => {
  test("a basePath precedes the version in routes and URLs", async () => {
    const { fetch, org } = await start({ basePath: "/docs/", origin: "https://docs.example/" });
    expect((await fetch(`/v1/orgs/${org}`)).status).toBe(404);
    expect((await fetch(`/docsx/v1/orgs/${org}`)).status).toBe(404);
    const answer = await (await fetch(`/docs/v1/orgs/${org}`)).json();
    expect(answer.urls.location).toBe(`https://docs.example/docs/v1/orgs/${org}`);
    expect(answer.urls.app).toBe(`https://docs.example/o/${org}`);
  });

  test("URLs use the configured origin and never that of the request", async () => {
    const { fetch, org } = await start({ origin: "https://docs.example", appOrigin: "https://app.example" });
    const { urls } = await (
      await fetch(`/v1/orgs/${org}`, { headers: { host: "evil.example", "x-forwarded-host": "evil.example" } })
    ).json();
    expect(urls).toEqual({ location: `https://docs.example/v1/orgs/${org}`, app: `https://app.example/o/${org}` });
  });

  test("fetch works without its object", async () => {
    const { fetch } = createDocsApi(memoryStorage());
    expect((await fetch(new Request("http://x/v1/"))).status).toBe(200);
  });

  test("a secret that is too short is rejected at once", () => {
    expect(() => createDocsApi(memoryStorage(), { secret: "short" })).toThrow("at least 32 characters");
  });
});

describe("users of the host application", () => {
  const people: Record<string, { id: string; displayName: string; email: string; scopes?: string[] }> = {
    ada: { id: "host_ada", displayName: "Ada", email: "ada@host.example" },
    eve: { id: "host_eve", displayName: "Eve", email: "eve@host.example", scopes: ["users:read"] },
  };
  const authenticate = (request: { headers: { get(name: string): string | null } }) =>
    people[request.headers.get("cookie") ?? ""];
  const ask = (api: ReturnType<typeof createDocsApi>, cookie: string, path: string, init: RequestInit = {}) =>
    api.fetch(new Request(`http://x${path}`, { ...init, headers: { cookie, ...init.headers } }));

  test("users recognized by authenticate are stored once and kept up to date", async () => {
    const storage = watch(memoryStorage());
    const api = createDocsApi(storage, { authenticate });
    expect(await (await ask(api, "ada", "/v1/user")).json()).toMatchObject({
      id: "host_ada",
      email: "ada@host.example",
    });
    const commits = storage.calls.commits;
    await ask(api, "ada", "/v1/user");
    expect(storage.calls.commits).toBe(commits);
    people.ada = { ...people.ada!, displayName: "Ada L." };
    expect((await (await ask(api, "ada", "/v1/user")).json()).displayName).toBe("Ada L.");
    expect((await ask(api, "mallory", "/v1/user")).status).toBe(401);
    expect(
      (await ask(api, "ada", "/v1/orgs", { method: "POST", body: '{"title":"Host"}', headers: json })).status,
    ).toBe(201);
    expect((await ask(api, "eve", "/v1/orgs")).status).toBe(403);
    expect((await ask(api, "eve", "/v1/user")).status).toBe(200);
  });

  test("an API token takes precedence over authenticate, which decides about any other bearer token", async () => {
    const storage = memoryStorage();
    const { tokens, ids } = await setUp(storage);
    const seen: (string | null)[] = [];
    const api = createDocsApi(storage, {
      secret: SECRET,
      authenticate: ({ headers }) => {
        seen.push(headers.get("authorization"));
        return headers.get("authorization") === "Bearer a.jwt.of-the-host"
          ? people.ada
          : people[headers.get("cookie")!];
      },
    });
    const whoIs = async (headers: Record<string, string>) => {
      const response = await api.fetch(new Request("http://x/v1/user", { headers }));
      return response.status === 200 ? (await response.json()).id : response.status;
    };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect(await whoIs(bearer(tokens.admin))).toBe(ids.admin);
    expect(await whoIs({ ...bearer(tokens.admin), cookie: "ada" })).toBe(ids.admin);
    expect(seen).toEqual([]);
    expect(await whoIs(bearer("a.jwt.of-the-host"))).toBe("host_ada");
    expect(await whoIs({ cookie: "ada" })).toBe("host_ada");
    expect(await whoIs({ ...bearer("octavo_unknown"), cookie: "ada" })).toBe("host_ada");
    expect(await whoIs(bearer("octavo_unknown"))).toBe(401);
    expect(await whoIs({})).toBe(401);
  });

  test("users of the host create API tokens that work without the host", async () => {
    const storage = memoryStorage();
    const api = createDocsApi(storage, { authenticate });
    const made = await ask(api, "ada", "/v1/user/tokens", { method: "POST", body: '{"label":"ci"}', headers: json });
    const { token, id } = await made.json();
    const headers = { authorization: `Bearer ${token}` };
    const whoIs = async (from: ReturnType<typeof createDocsApi>) =>
      (await (await from.fetch(new Request("http://x/v1/user", { headers }))).json()).id;
    expect(await whoIs(api)).toBe("host_ada");
    expect(await whoIs(createDocsApi(storage))).toBe("host_ada");
    await ask(api, "ada", `/v1/user/tokens/${id}`, { method: "DELETE" });
    expect((await ask(api, "", "/v1/user", { headers })).status).toBe(401);
  });

  test("a host user with the e-mail address of another user is refused, and no user is changed", async () => {
    const errors: unknown[] = [];
    const api = createDocsApi(memoryStorage(), { authenticate, onError: (error) => errors.push(error) });
    await ask(api, "ada", "/v1/user");
    people.twin = { id: "host_twin", displayName: "Twin", email: "ADA@host.example" };
    expect((await ask(api, "twin", "/v1/user")).status).toBe(409);
    expect(errors).toEqual([]);
    expect((await (await ask(api, "ada", "/v1/user")).json()).id).toBe("host_ada");
  });
});

describe("call", () => {
  test("call runs an operation by name without HTTP, with the same permissions and errors", async () => {
    const { api, org, ids } = await start();
    const team = await api.call(
      "createTeam",
      { params: { organizationId: org }, body: { title: "Writers" } },
      { user: ids.admin },
    );
    expect(team.title).toBe("Writers");
    const list = await api.call(
      "listTeams",
      { params: { organizationId: org }, query: { limit: 1 } },
      { user: ids.read },
    );
    expect(list.items.map((item) => item.id)).toEqual([team.id]);
    const as = { user: ids.read };
    await expect(
      api.call("createTeam", { params: { organizationId: org }, body: { title: "X" } }, as),
    ).rejects.toMatchObject({ reason: "forbidden", status: 403 });
    await expect(api.call("getTeam", { params: { organizationId: org, teamId: "none" } }, as)).rejects.toMatchObject({
      reason: "team_not_found",
    });
    await expect(api.call("getCurrentUser", {}, { user: "nobody" })).rejects.toMatchObject({
      reason: "user_not_found",
      issues: [{ path: "as.user" }],
    });
  });

  test("call turns storage errors into API errors", async () => {
    const api = createDocsApi({
      ...memoryStorage(),
      partition: () => ({
        snapshot: async () => {
          throw new Unavailable("away", { outcome: "none" });
        },
        commit: async () => ({ ok: true, version: 1 }),
      }),
    });
    await expect(api.call("getCurrentUser", {}, { user: "x" })).rejects.toMatchObject({ reason: "unavailable" });
  });
});
