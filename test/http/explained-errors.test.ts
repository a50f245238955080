// Errors that say what the caller did: the path, the scope, the limit, the place in the body, the parameter.

import fc from "fast-check";
import { type DocsApiOptions, DocsError } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { findJsonErrorInSteps } from "../../src/http/json-error";
import { open, setUp } from "../support/setting";

async function start(options: DocsApiOptions = {}) {
  const setting = await setUp(memoryStorage());
  const { askWith, clock, api } = open(setting.storage, options);
  clock.now = setting.clock.now;
  const ask = (route: string, send?: unknown, headers?: Record<string, string>) =>
    askWith(setting.tokens.admin, route, send, headers);
  return { ...setting, api, ask, askWith };
}

describe("unknown paths", () => {
  test("the error for an unknown path names the path and the expected base path", async () => {
    const { ask } = await start({ basePath: "/docs-api" });
    const { status, body } = await ask("GET /v1/orgs?token=secret");
    expect([status, body.error.reason]).toEqual([404, "route_not_found"]);
    expect(body.error.message).toBe(
      "No endpoint exists at `/v1/orgs`. All paths begin with `/docs-api/v1`. See `/docs-api/v1/openapi.json`.",
    );
    expect((await ask("GET /docs-api/v1/nothing")).body.error.message).toContain("`/docs-api/v1/nothing`");
    expect((await ask("OPTIONS /docs-api/v1/nothing")).body.error.message).toContain("`/docs-api/v1/nothing`");
  });

  test("the error for a long path is cut and contains no unprintable character", async () => {
    const { api } = await start();
    for (const path of [`/${"a".repeat(5000)}`, "/v1//a\u0000\u202e\u001b[31m`b<script>", "/%00%E2%80%AE\u{1F600}é"]) {
      const answer = await api.handle({
        method: "GET",
        url: path,
        headers: { get: () => null },
        body: async () => new Uint8Array(),
      });
      const { message } = JSON.parse(answer.body as string).error;
      expect(message.length).toBeLessThan(400);
      expect(message).toMatch(/^No endpoint exists at `[\x21-\x5f\x61-\x7e]+`\. [\x20-\x7e]*$/);
    }
  });
});

test("the error for a missing scope names the scope that the operation needs", async () => {
  const { ask, askWith, org } = await start();
  const made = await ask("POST /v1/user/tokens", { label: "narrow", scopes: ["teams:read"] });
  const { status, body, headers } = await askWith(made.body.token, `PUT /v1/orgs/${org}/teams`, { title: "Writers" });
  expect([status, body.error.reason]).toEqual([403, "scope_missing"]);
  expect(body.error.message).toBe("The token's scopes don't include this operation. It requires `teams:write`.");
  expect(headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="teams:write"');
});

test("the error for a value of the wrong type says what was expected and does not repeat the value", async () => {
  const { ask, org } = await start();
  const made = await ask(`POST /v1/orgs/${org}/spaces`, { title: "Guide" });
  const told = async (route: string, send: object) => (await ask(route, send)).body.error.issues;
  expect(await told(`POST /v1/spaces/${made.body.id}/permissions`, { users: [5] })).toEqual([
    { path: "body.users.0", message: "Expected an id, or {id, role}" },
  ]);
  const user = { id: "usr_secret", rol: "read" };
  expect(await told(`POST /v1/spaces/${made.body.id}/permissions`, { users: [user] })).toEqual([
    { path: "body.users.0.rol", message: "Unknown field." },
  ]);
  expect(await told(`PATCH /v1/orgs/${org}`, { ai: "secret" })).toEqual([
    { path: "body.ai", message: "Expected true or false" },
  ]);
  expect(await told("POST /v1/user/tokens", { label: "x", scopes: [5] })).toEqual([
    { path: "body.scopes.0", message: "Expected text" },
  ]);
  expect(await told(`PATCH /v1/spaces/${made.body.id}`, { defaultLevel: "secret" })).toEqual([
    { path: "body.defaultLevel", message: "Expected read, comment, edit, review, create, admin or inherit" },
  ]);
  expect(await told("POST /v1/integrations/mine", { contentSecurityPolicy: 5 })).toEqual([
    { path: "body.contentSecurityPolicy", message: "Expected text or an object" },
  ]);
  expect(await told("POST /v1/integrations/mine", { contentSecurityPolicy: { "Script Src": "'self'" } })).toEqual([
    { path: "body.contentSecurityPolicy.Script Src", message: "Expected the name of a directive, such as script-src" },
  ]);
});

test("the error for a body that is too large states the limit in bytes, with or without Content-Length", async () => {
  const { api, tokens, org } = await start({ maxBodyBytes: 100 });
  const send = async (body: BodyInit) => {
    const headers = { authorization: `Bearer ${tokens.admin}`, "content-type": "application/json" };
    const init = { method: "PATCH", headers, body, duplex: "half" } as RequestInit;
    const answer = await api.fetch(new Request(`http://test.invalid/v1/orgs/${org}`, init));
    return [answer.status, (await answer.json()).error.message];
  };
  const long = JSON.stringify({ title: "x".repeat(200) });
  const told = [413, "The body exceeds the limit of 100 bytes."];
  expect(await send(long)).toEqual(told);
  expect(await send(new Blob([long]).stream())).toEqual(told);
});

describe("invalid JSON", () => {
  test.each([
    ['{"title":', "Unexpected end at line 1, column 10"],
    ['{"title": "New",\n  "logo": nul}', "Syntax error at line 2, column 11"],
    ['{\n\n"title": "a\nb"}', "Syntax error at line 3, column 12"],
    ['{"title": "a\\x"}', "Syntax error at line 1, column 14"],
    ['{"title": "New",}', "Syntax error at line 1, column 17"],
    ["{'title': 1}", "Syntax error at line 1, column 2"],
    ["[1 2]", "Syntax error at line 1, column 4"],
    ["[01]", "Syntax error at line 1, column 3"],
    ["{} {}", "Syntax error at line 1, column 4"],
    ['{"a": "b', "Unexpected end at line 1, column 9"],
    ["]", "Syntax error at line 1, column 1"],
    ['{"a" 1}', "Syntax error at line 1, column 6"],
    ['{"a": "\\u12g4"}', "Syntax error at line 1, column 12"],
  ])("the error for the invalid JSON %j says where it is wrong", async (sent, place) => {
    const { ask, org } = await start();
    const { status, body } = await ask(`PATCH /v1/orgs/${org}`, sent);
    expect([status, body.error.reason]).toEqual([400, "invalid_json"]);
    expect(body.error.message).toBe(`The body is not valid JSON. ${place}.`);
  });

  test("the error for a body that is not UTF-8 says so", async () => {
    const { api, tokens, org } = await start();
    const headers = { authorization: `Bearer ${tokens.admin}`, "content-type": "application/json" };
    const body = Uint8Array.of(0x22, 0xff, 0x22);
    const answer = await api.fetch(new Request(`http://x/v1/orgs/${org}`, { method: "PATCH", headers, body }));
    expect((await answer.json()).error.message).toBe("The body is not valid JSON, because it is not UTF-8.");
  });
});

describe("unions", () => {
  test("the error for an unknown change lists the kinds of changes", async () => {
    const { ask, org } = await start();
    const space = (await ask(`POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
    const issue = async (change: object) =>
      (await ask(`POST /v1/spaces/${space}/content`, { changes: [change] })).body.error.issues;
    const kinds = [
      ...["insert_page", "update_page", "move_page", "delete_page", "revert_page", "insert_group", "insert_link"],
      ...["insert_files", "delete_files", "keep_files", "set_variables", "insert_reusable_content"],
      ...["update_reusable_content", "delete_reusable_content"],
    ].join(", ");
    expect(await issue({ operation: "insert_pages" })).toEqual([
      { path: "body.changes.0.operation", message: `Expected one of: ${kinds}` },
    ]);
    expect(await issue({})).toEqual([
      { path: "body.changes.0.operation", message: `This member is required. Expected one of: ${kinds}` },
    ]);
  });

  test("the error for an unknown kind of neighbor lists the kinds", async () => {
    const { ask, org } = await start();
    const space = (await ask(`POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
    const moved = await ask(`POST /v1/spaces/${space}/move`, { position: { before: { type: "site" } } });
    expect(moved.body.error.issues).toEqual([
      { path: "body.position.before.type", message: "Expected one of: space, collection" },
    ]);
  });
});

describe("401", () => {
  test("the 401 error distinguishes a missing token from an unknown one, and does not say why it is unknown", async () => {
    const { ask, askWith } = await start();
    const missing = await askWith(null, "GET /v1/user");
    expect([missing.body.error.reason, missing.headers.get("www-authenticate")]).toEqual(["unauthorized", "Bearer"]);
    expect(missing.body.error.message).toContain("Authentication required");
    const basic = await askWith(null, "GET /v1/user", undefined, { authorization: "Basic dXNlcjpwYXNz" });
    expect(basic.body.error.reason).toBe("unauthorized");

    const made = (await ask("POST /v1/user/tokens", { label: "short" })).body;
    await ask(`DELETE /v1/user/tokens/${made.id}`);
    const revoked = await askWith(made.token, "GET /v1/user");
    const unknown = await askWith("nobody-has-it", "GET /v1/user");
    expect([unknown.status, unknown.body.error.reason]).toEqual([401, "token_unknown"]);
    expect(unknown.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    const { requestId: _, ...told } = unknown.body.error;
    expect(revoked.body.error).toMatchObject(told);
  });

  test("the 401 error for users of the host says what was sent", async () => {
    const { api } = await start({ authenticate: () => null });
    const reason = async (headers: Record<string, string>) =>
      (await (await api.fetch(new Request("http://x/v1/user", { headers }))).json()).error.reason;
    expect(await reason({ cookie: "session=old" })).toBe("unauthorized");
    expect(await reason({ authorization: "Bearer of-the-host" })).toBe("token_unknown");
  });
});

describe("unknown query parameters", () => {
  test.each([
    ["GET /v1/user?foo=1", ["query.foo"]],
    ["GET /v1/orgs?limit=1&Limit=2&foo[]=3", ["query.Limit", "query.foo"]],
    ["GET /v1/orgs/{org}?", undefined],
    ["GET /v1/orgs/{org}?page=1", ["query.page"]],
    ["GET /v1/orgs/{org}/members?sort=joinedAt&rol=admin", ["query.rol"]],
    ["PATCH /v1/orgs/{org}?dryRun=true", ["query.dryRun"]],
    ["GET /v1/user?__proto__=1&constructor=2", ["query.__proto__", "query.constructor"]],
  ])("an unknown query parameter is rejected by name: %s", async (route, paths) => {
    const { ask, org } = await start();
    const path = route.replace("{org}", org);
    const { status, body } = await ask(path, path.startsWith("PATCH") ? { title: "New" } : undefined);
    expect(body.error?.issues?.map((issue: { path: string }) => issue.path)).toEqual(paths);
    expect(status).toBe(paths ? 400 : 200);
    if (paths) expect(body.error.issues[0].message).toBe("Unknown parameter.");
  });

  test("an unknown query parameter changes nothing, and its name is cut in the error", async () => {
    const { ask, org } = await start();
    const answer = await ask(`PATCH /v1/orgs/${org}?${"n".repeat(2000)}=1`, { title: "New" });
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues[0].path.length).toBeLessThan(320);
    expect((await ask(`GET /v1/orgs/${org}`)).body.title).toBe("Acme");
    const many = Array.from({ length: 200 }, (_, i) => `n${i}=1`).join("&");
    expect((await ask(`GET /v1/orgs/${org}?${many}`)).body.error.issues).toHaveLength(50);
  });

  test("call rejects an unknown query parameter by name", async () => {
    const { api, ids, org } = await start();
    const asked = api.call("getOrganization", { params: { organizationId: org }, query: { foo: "1" } } as never, {
      user: ids.admin,
    });
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DocsError);
    expect(error).toMatchObject({ reason: "invalid_request", issues: [{ path: "query.foo" }] });
  });
});

test.each([
  ["a long string", `{"a":"${"x".repeat(9_000_000)}`],
  ["many escapes", `{"a":"x${"\\n".repeat(4_500_000)}`],
  ["many items", `[${"1,".repeat(4_500_000)}`],
  ["many names", `[${'{"a":null},'.repeat(800_000)}`],
  ["many lines", `[${"\n".repeat(9_000_000)}`],
  ["blanks and a number", `[${" ".repeat(4_500_000)}${"1".repeat(4_500_000)}x`],
])("validating 9 MB of invalid JSON does not block other requests: %s", (_, text) => {
  let steps = 0;
  for (const walk = findJsonErrorInSteps(text); !walk.next().done; ) steps++;
  // Half of the last text is one number, which is one step. All others are steps of 65,536 characters.
  expect(steps).toBeGreaterThanOrEqual(text.length / 2 / 70_000);
});

test("the position of a JSON error does not depend on the text after it, and the text before it can be valid JSON", () => {
  const placeIn = (text: string) => {
    const walk = findJsonErrorInSteps(text);
    for (;;) {
      const { done, value } = walk.next();
      if (done) return value;
    }
  };
  const texts = fc
    .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom("", "}", "]", ",", '"', "x", "\\", "0", "\n", ":", "-"))
    .map(([text, at, sign]) => text.slice(0, at % (text.length + 1)) + sign + text.slice((at % (text.length + 1)) + 1));
  fc.assert(
    fc.property(texts, (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      const { line, column, isEnd } = placeIn(text);
      if (isJson) {
        expect(isEnd).toBe(true);
        return;
      }
      const at = text.split("\n", line - 1).reduce((sum, it) => sum + it.length + 1, 0) + column - 1;
      expect(placeIn(text.slice(0, at)).isEnd).toBe(true);
      if (!isEnd) expect(placeIn(text.slice(0, at + 1))).toEqual({ line, column, isEnd: false });
    }),
    { seed: 18, numRuns: 3000 },
  );
});
