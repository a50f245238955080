// S15, S16: answers of the API were taken for scripts, and policies let pages load whatever else was at their origin: integrations
// answer there with scripts of theirs.

import { createServer } from "node:http";
import { createDocsApi } from "octavo";
import { createConsole } from "octavo/console";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSignIn } from "octavo/sign-in";
import { createSite } from "octavo/site";
import { beforeAll, describe, expect, test } from "vitest";
import { buildPolicySources } from "../../src/http/content-security-policy";
import { dial, listen } from "../node/servers";
import { showSpace } from "../resources/integrations/installed";
import { type Setting, setUp } from "../support/setting";

const ORIGIN = "http://localhost:3000";
let setting: Setting;
let handle: (request: Request) => Promise<Response>;
let signIn: ReturnType<typeof createSignIn>;
let published: string;
let cookie: string;

beforeAll(async () => {
  setting = await setUp(memoryStorage());
  const { api, ask, ids } = setting;
  signIn = createSignIn(api);
  const console = createConsole(api, { fallback: signIn });
  handle = createSite(api, { fallback: console, diagrams: "globalThis.mermaid = {};" }).fetch;
  const { space, at } = await showSpace(setting, { visibility: "public" });
  const changes = [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }];
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  published = (await ask("admin", `GET ${at}`)).body.urls.published;
  const link = await signIn.createSignInLink(ids.admin);
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: ORIGIN };
  const body = new URLSearchParams({ token: new URL(link).pathname.split("/").at(-1)! });
  const signed = await handle(new Request(link, { method: "POST", headers, body, redirect: "manual" }));
  cookie = signed.headers
    .getSetCookie()
    .map((it) => it.split(";")[0])
    .join("; ");
});

const get = (path: string, headers: Record<string, string> = {}) =>
  handle(
    new Request(new URL(path, ORIGIN), { headers: { host: new URL(ORIGIN).host, ...headers }, redirect: "manual" }),
  );

describe("nosniff", () => {
  test.each<[string, string, number, RequestInit?]>([
    ["a probe", "/v1/health", 200],
    ["the front", "/v1/", 200],
    ["the description", "/v1/openapi.json", 200],
    ["nobody", "/v1/user", 401],
    ["a wrong token", "/v1/user", 401, { headers: { authorization: "Bearer x" } }],
    ["an unknown path", "/v1/nothing", 404],
    ["two slashes", "/v1//nothing", 404],
    ["outside of it", "/nothing", 404],
    ["a method that nothing takes", "/v1/user", 405, { method: "POST" }],
    ["what may be asked", "/v1/user", 204, { method: "OPTIONS" }],
    [
      "no JSON",
      "/v1/urls/published",
      400,
      { method: "POST", body: "{", headers: { "content-type": "application/json" } },
    ],
    ["metadata for tools", "/.well-known/oauth-authorization-server", 200],
    [
      "a refused tool",
      "/oauth/token",
      401,
      { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ],
    ["a refused directory", "/scim/v2/org_x/Users", 401],
  ])("every response has nosniff: %s", async (_, path, status, init) => {
    const response = await handle(new Request(new URL(path, ORIGIN), init));
    expect([response.status, response.headers.get("x-content-type-options")]).toEqual([status, "nosniff"]);
  });

  test("responses to requests with a token have nosniff: reads, creations and 304s", async () => {
    const { ask, org } = setting;
    const read = await ask("admin", `GET /v1/orgs/${org}`);
    const known = { "if-none-match": read.headers.get("etag")! };
    const made = await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "New" });
    const answers = [
      [200, read],
      [304, await ask("admin", `GET /v1/orgs/${org}`, undefined, known)],
      [201, made],
    ] as const;
    for (const [status, { status: got, headers }] of answers)
      expect([got, headers.get("x-content-type-options")]).toEqual([status, "nosniff"]);
  });

  test("responses created by the Node handler itself have nosniff", async () => {
    const failing = { handle: () => Promise.reject(new Error("on purpose")) };
    const report = globalThis.console.error;
    globalThis.console.error = () => {};
    try {
      for (const [handler, target, status] of [
        [nodeHandler(createDocsApi(memoryStorage())), "//x", 400],
        [nodeHandler(failing), "/x", 500],
      ] as const) {
        const { head, ends } = dial(await listen(createServer(handler)));
        head(`GET ${target} HTTP/1.1`, "Host: x", "Connection: close");
        const text = await ends();
        expect(text).toContain(`HTTP/1.1 ${status}`);
        expect(text).toContain("x-content-type-options: nosniff");
      }
    } finally {
      globalThis.console.error = report;
    }
  });
});

/** The sources of a directive. */
function sourcesIn(response: Response, directive: string): string[] {
  const policy = response.headers.get("content-security-policy")!;
  return policy
    .split("; ")
    .find((it) => it.startsWith(`${directive} `))!
    .split(" ")
    .slice(1);
}

/** Whether a source without a scheme lets an address through, as browsers match it. */
function lets(source: string, url: URL): boolean {
  const whole = `${url.host}${url.pathname}`;
  return source.endsWith("/") ? whole.startsWith(source) : whole === source;
}

describe("script sources of pages", () => {
  test.each([
    ["the console", () => get("/account", { cookie }), 1],
    ["a page of a site", () => get(`${published}/one`), 2],
    ["a page of a site that is not there", () => get(`${published}/nothing`), 2],
    ["the search of a site", () => get(`${published}/~octavo/search?q=text`), 2],
    ["the frame of diagrams", () => get(`${published}/~octavo/diagram`), 2],
    ["the reference", () => get("/v1/docs"), 1],
  ] as const)("a page runs scripts only from its own folder: %s", async (_, open, count) => {
    const response = await open();
    const sources = sourcesIn(response, "script-src");
    expect(sources.filter((it) => it.startsWith("'") || !it.includes("/"))).toEqual([]);
    const scripts = [...(await response.text()).matchAll(/<script[^>]* src="([^"]+)"/g)].map(
      ([, src]) => new URL(src!, ORIGIN),
    );
    expect(scripts).toHaveLength(count);
    for (const url of scripts) {
      expect(
        sources.some((it) => lets(it, url)),
        url.href,
      ).toBe(true);
      expect((await get(url.href)).headers.get("content-type")).toContain("text/javascript");
    }
    for (const other of [
      "/v1/integrations/bot/integration",
      "/v1/integrations/bot/scripts/x.js",
      "/x.js",
      "/~console",
      published,
    ])
      expect(
        sources.some((it) => lets(it, new URL(other, ORIGIN))),
        other,
      ).toBe(false);
  });

  test("a page without a script runs none", async () => {
    expect(sourcesIn(await get("/sites/nobody/docs"), "script-src")).toEqual(["'none'"]);
    const policy = (await get("/sign-in")).headers.get("content-security-policy")!;
    expect([policy.startsWith("default-src 'none'; "), policy.includes("script-src")]).toEqual([true, false]);
  });

  test("the console restricts scripts under any name of its host", async () => {
    const sources = sourcesIn(await get("/account", { cookie, host: "internal.example:8080" }), "script-src");
    // The request of a platform whose URL has another host than its header says nothing for certain.
    expect(sources).toEqual(["localhost:3000/~console/"]);
    const port = await listen(createServer(nodeHandler(createConsole(setting.api))));
    const { head, ends } = dial(port);
    head("GET /account HTTP/1.1", "Host: internal.example:8080", `Cookie: ${cookie}`, "Connection: close");
    expect(await ends()).toContain("script-src internal.example:8080/~console/ localhost:3000/~console/;");
  });

  test.each([
    [["a.example"], "/x/", "a.example/x/"],
    [["a.example:8443", "a.example:8443"], "/x.js", "a.example:8443/x.js"],
    [["127.0.0.1:3000", "localhost:3000"], "/x/", "127.0.0.1:3000/x/ localhost:3000/x/"],
    [["a.example"], "/a;b,c/", "a.example/a%3Bb%2Cc/"],
    [["[::1]:3000"], "/x/", "'self'"],
    [["192.168.1.10:3000"], "/x/", "'self'"],
    [["my_host"], "/x/", "'self'"],
    [["a.example; script-src *", "a.example *", "a.example."], "/x/", "'self'"],
    [["[::1]", "a.example"], "/x/", "a.example/x/"],
    [[], "/x/", "'self'"],
  ])("the script sources of %j at %s are %s", (hosts, path, sources) => {
    expect(buildPolicySources(hosts, path)).toBe(sources);
  });
});
