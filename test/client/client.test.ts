// The client on a real API: without a network through `api.fetch`, and over a socket.

import { createClient } from "octavo/client";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { describe, expect, test } from "vitest";
import { docs, serve } from "../node/servers";
import { setUp } from "../support/setting";

async function served(basePath = "") {
  const { api, organization, authorization } = await docs({ basePath });
  const origin = await serve(nodeHandler(api));
  const token = authorization.slice("Bearer ".length);
  return { api, organization, token, url: `${origin}${basePath}` };
}

describe.each(["over a socket", "without a network"])("call %s", (way) => {
  const begin = async () => {
    const { api, organization, token, url } = await served("/docs-api");
    const through = way === "over a socket" ? {} : { fetch: api.fetch };
    return { docs: createClient({ url, token, ...through }), params: { organizationId: organization } };
  };

  test("call returns the value, the status and the ETag", async () => {
    const { docs, params } = await begin();
    const { ok, value, error, status, etag } = await docs.call("getOrganization", { params });
    expect({ ok, title: value?.title, error, status }).toEqual({
      ok: true,
      title: "Engines",
      error: undefined,
      status: 200,
    });
    expect(etag).toMatch(/^".+"$/);
  });

  test("call needs no input if nothing is required", async () => {
    const { docs } = await begin();
    expect(await docs.call("getCurrentUser")).toMatchObject({ ok: true, value: { displayName: "Ada" } });
  });

  test("call supports operations that create and operations without a response body", async () => {
    const { docs, params } = await begin();
    const made = await docs.call("createTeam", { params, body: { title: "Writers" } });
    expect(made).toMatchObject({ ok: true, value: { title: "Writers" } });
    const gone = await docs.call("deleteTeam", { params: { ...params, teamId: made.value!.id } });
    expect(gone).toMatchObject({ ok: true, status: 204, value: undefined });
  });

  test("call returns a refusal as a value with the reason of the API", async () => {
    const { docs, params } = await begin();
    const refused = await docs.call("createTeam", { params, body: { title: "" } });
    expect(refused).toMatchObject({ ok: false, status: 400, error: { reason: "invalid_request", status: 400 } });
    expect(refused.error?.issues[0]?.path).toBe("body.title");
    expect(refused.error?.requestId).toMatch(/./);
    expect(refused.error).toBeInstanceOf(Error);
    const absent = await docs.call("getTeam", { params: { ...params, teamId: "tem_0" } });
    expect(absent.error?.reason).toBe("team_not_found");
  });

  test("call rejects invalid input before it sends anything", async () => {
    const { docs } = await begin();
    const wrong = await docs.call("getTeam", { params: { organizationId: "org_1" } as never });
    expect(wrong).toMatchObject({ ok: false, status: undefined, error: { reason: "invalid_request" } });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const unwritable = await docs.call("createTeam", { params: { organizationId: "org_1" }, body: circular as never });
    expect(unwritable.error).toMatchObject({ reason: "invalid_request", issues: [{ path: "body" }] });
    const unsendable = await docs.call("getCurrentUser", {}, { headers: { "x-a": "a\nb" } });
    expect(unsendable.error).toMatchObject({ reason: "invalid_request", issues: [{ path: "headers" }] });
    const unknown = await docs.call("getTeems" as "getTeam", {} as never);
    expect(unknown.error?.message).toBe("There is no operation getTeems.");
  });

  test("call finds a page by its path", async () => {
    const { docs, params } = await begin();
    const space = await docs.call("createSpace", { params, body: { title: "Guide" } });
    const spaceId = space.value!.id;
    const changes = [
      { operation: "insert_page", ref: "start", title: "Start", document: { markdown: "" } },
      { operation: "insert_page", into: "start", title: "Install it", document: { markdown: "" } },
    ] as const;
    expect(await docs.call("changeContent", { params: { spaceId }, body: { changes: [...changes] } })).toMatchObject({
      ok: true,
    });
    const page = await docs.call("getPageByPath", { params: { spaceId, pagePath: "start/install-it" } });
    expect(page).toMatchObject({ ok: true, value: { title: "Install it" } });
  });

  test("call with an ETag returns 304 while nothing changed, and rejects a change to something that changed", async () => {
    const { docs, params } = await begin();
    const first = await docs.call("getOrganization", { params });
    const etag = first.etag!;
    const same = await docs.call("getOrganization", { params }, { etag });
    expect(same).toMatchObject({ ok: true, status: 304, value: undefined, etag });
    const changed = await docs.call("updateOrganization", { params, body: { title: "Looms" } }, { etag });
    expect(changed).toMatchObject({ ok: true, status: 200 });
    expect(await docs.call("getOrganization", { params }, { etag })).toMatchObject({
      status: 200,
      value: { title: "Looms" },
    });
    const late = await docs.call("updateOrganization", { params, body: { title: "Mills" } }, { etag });
    expect(late.error?.reason).toBe("precondition_failed");
  });

  test("each iterates over all pages of a list in order", async () => {
    const { docs, params } = await begin();
    const titles = Array.from({ length: 7 }, (_, i) => `Team ${i}`);
    for (const title of titles) await docs.call("createTeam", { params, body: { title } });
    const found: string[] = [];
    for await (const team of docs.each("listTeams", { params, query: { limit: 3 } })) found.push(team.title);
    expect(found).toEqual(titles);
    const first: string[] = [];
    for await (const team of docs.each("listTeams", { params, query: { limit: 3 } })) {
      first.push(team.title);
      if (first.length === 2) break;
    }
    expect(first).toEqual(titles.slice(0, 2));
  });

  test("each throws the error that call would return", async () => {
    const { docs } = await begin();
    const walk = async () => {
      for await (const _ of docs.each("listTeams", { params: { organizationId: "org_1" } }));
    };
    await expect(walk()).rejects.toMatchObject({ name: "CallError", reason: "organization_not_found", status: 404 });
  });

  test("call returns the Response if the operation answers with bytes", async () => {
    const { docs, params } = await begin();
    const source = { text: "openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\n" };
    const spec = await docs.call("createOpenApiSpec", { params, body: { slug: "a", source } });
    expect(spec.error).toBeUndefined();
    const sent = await docs.call("getLatestOpenApiSpecText", { params: { ...params, specSlug: "a" } });
    expect(await sent.value?.text()).toBe(source.text);
    const absent = await docs.call("getLatestOpenApiSpecText", { params: { ...params, specSlug: "b" } });
    expect(absent.error?.reason).toBe("openapi_spec_not_found");
  });
});

describe("createClient", () => {
  test("createClient accepts a URL with or without the version and trailing slashes", async () => {
    const { api, token } = await served("/docs-api");
    for (const url of ["https://a.example/docs-api", "https://a.example/docs-api/", "https://a.example/docs-api/v1/"]) {
      const { ok } = await createClient({ url, token, fetch: api.fetch }).call("getCurrentUser");
      expect(ok, url).toBe(true);
    }
  });

  test.each(["", "docs.example.com", "/docs-api", undefined as never])("createClient rejects %j as a URL", (url) => {
    expect(() => createClient({ url })).toThrow(TypeError);
  });

  test("the token function is called for every call", async () => {
    const { api, token } = await served();
    const tokens: (string | undefined)[] = [undefined, token];
    const docs = createClient({ url: "https://a.example", token: async () => tokens.shift(), fetch: api.fetch });
    expect((await docs.call("getCurrentUser")).error?.reason).toBe("unauthorized");
    expect((await docs.call("getCurrentUser")).ok).toBe(true);
    const broken = createClient({
      url: "https://a.example",
      token: () => Promise.reject(new Error("no")),
      fetch: api.fetch,
    });
    expect((await broken.call("getCurrentUser")).error).toMatchObject({
      reason: "unauthorized",
      cause: new Error("no"),
    });
  });

  test("headers of the client are sent, and headers of the call override them", async () => {
    const seen: (string | null)[][] = [];
    const fetch = async (request: Request) => {
      seen.push([request.headers.get("x-a"), request.headers.get("x-b"), request.headers.get("idempotency-key")]);
      return Response.json({});
    };
    const docs = createClient({ url: "https://a.example", fetch, headers: { "x-a": "1", "x-b": "1" } });
    await docs.call("getCurrentUser", {}, { headers: { "x-b": "2" } });
    await docs.call("createToken", { body: { label: "a" } }, { idempotencyKey: "mine" });
    await docs.call("createToken", { body: { label: "a" } }, { retries: 0 });
    expect(seen).toEqual([
      ["1", "2", null],
      ["1", "1", "mine"],
      ["1", "1", null],
    ]);
  });

  test("the methods of a client work without their object", async () => {
    const { api, token, organization } = await served();
    const { call, each } = createClient({ url: "https://a.example", token, fetch: api.fetch });
    expect((await call("getCurrentUser")).ok).toBe(true);
    expect(await each("listMembers", { params: { organizationId: organization } }).next()).toMatchObject({
      done: false,
    });
  });
});

test("every role can do through the client exactly what it is allowed to do", async () => {
  const { api, org, tokens } = await setUp(memoryStorage());
  const titles = async (token: string) => {
    const docs = createClient({ url: "http://test.invalid", token, fetch: api.fetch });
    return (await docs.call("createTeam", { params: { organizationId: org }, body: { title: "New" } })).error?.reason;
  };
  expect(await titles(tokens.read)).toBe("forbidden");
  expect(await titles(tokens.stranger)).toBe("organization_not_found");
  expect(await titles(tokens.admin)).toBeUndefined();
});
