// S44, S16: the target of a request chose the host. Every form of a target that names another host is asked of every handler, at
// the API's host, at that of a site, and at the names of this machine. What another organization shows is never the answer.

import { createServer } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { createConsole } from "octavo/console";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSignIn } from "octavo/sign-in";
import { createSite, type Site } from "octavo/site";
import { beforeAll, describe, expect, test } from "vitest";
import { parseTarget, readRequestTarget, readRequestUrl } from "../../src/http/request-target";
import { afterwards, dial, listen } from "../node/servers";
import { installAtHome, showSpace } from "../resources/integrations/installed";
import { createReceiver, takes } from "../resources/integrations/receiver";
import { type Person, setUp } from "../support/setting";

const EVIL = "docs.evil.example";
const SECRET_TEXT = "Text of the other organization.";

interface Stage {
  readonly site: Site;
  /** The path of the page of the other organization at the host of its own. */
  readonly path: string;
  /** The same below the shared address of sites. */
  readonly sharedPath: string;
}

/** Two organizations: a site at `docs.home.example`, and one of somebody else with a script at `docs.evil.example`. */
async function stageAt(origin: string): Promise<Stage> {
  const setting = await setUp(memoryStorage(), { origin, fetch: createReceiver(takes).fetch });
  const { ask, api } = setting;
  const home = await showSpace(setting, { visibility: "public" });
  await ask("admin", `PATCH ${home.at}`, { hostname: "docs.home.example" });
  const other = { ...setting, org: setting.otherOrg, ask: asRival(ask) };
  const one = await installAtHome(other, "bot", { organization: other.org, scopes: ["site:script:inject"] });
  await ask("rival", `PATCH ${one}`, { site_selection: "all" });
  const evil = await showSpace(other, { visibility: "public" });
  await ask("rival", `PATCH ${evil.at}`, { hostname: EVIL });
  const changes = [{ operation: "insert_page", title: "Trap", document: { markdown: SECRET_TEXT } }];
  expect((await ask("rival", `POST /v1/spaces/${evil.space}/content`, { changes })).status).toBe(200);
  const otherwise = createConsole(api, { fallback: createSignIn(api) });
  return { site: createSite(api, { fallback: otherwise }), path: "/trap", sharedPath: `/sites/${other.org}/docs/trap` };
}

function asRival(ask: Awaited<ReturnType<typeof setUp>>["ask"]): typeof ask {
  return (as, ...rest) => ask(as === "admin" ? ("rival" satisfies Person) : as, ...rest);
}

/** Targets that name another host, with a path that is there. */
const forms: readonly ((host: string, path: string) => string)[] = [
  (host, path) => `//${host}${path}`,
  (host, path) => `///${host}${path}`,
  (host, path) => `////${host}${path}`,
  (host, path) => `/\\${host}${path}`,
  (host, path) => `\\\\${host}${path}`,
  (host, path) => `/\\/${host}${path}`,
  (host, path) => `//user@${host}${path}`,
  (host, path) => `//${host.toUpperCase()}${path}`,
  (host, path) => `/\t/${host}${path}`,
  (host, path) => `/.//${host}${path}`,
  (host, path) => `/..//${host}${path}`,
  (host, path) => `/%2F${host}${path}`,
  (host, path) => `/%2f%2f${host}${path}`,
  (host, path) => `/%5C${host}${path}`,
  (host, path) => `http://${host}${path}`,
  (host, path) => `HTTP://${host}${path}`,
  (host, path) => `https://${host}${path}`,
  (host, path) => `http://${host}//${path}`,
  (host, path) => `http:\\\\${host}${path}`,
  (host, path) => `http:${host}${path}`,
];

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The ways in which a request comes in. `host`: what the browser asked. */
const handlers: Readonly<Record<string, (site: Site, host: string, target: string) => Promise<Answer | undefined>>> = {
  async "the Node handler, over a socket"(site, host, target) {
    const port = await listen(createServer(nodeHandler(site)));
    const { head, ends } = dial(port);
    head(`GET ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close");
    const text = await ends();
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
  },
  // Without the header, the URL that the platform made of the request is all that there is.
  async "the fetch handler"(site, host, target) {
    return isPath(target) ? fetched(site, `http://${host}${target}`, {}) : undefined;
  },
  // With it, a target with a host may have become the URL as it is.
  async "the fetch handler, with the header that Workers, Deno and Bun leave in"(site, host, target) {
    return fetched(site, isPath(target) ? `http://${host}${target}` : target, { host });
  },
  async "a handler of somebody's own, which hands over what came"(site, host, url) {
    const headers = new Headers({ host });
    const { status, body } = await site.handle({ method: "GET", url, headers, body: async () => new Uint8Array() });
    return { status, text: await textOf(body) };
  },
};

const isPath = (target: string) => target.startsWith("/");

async function fetched(site: Site, url: string, headers: Record<string, string>): Promise<Answer | undefined> {
  if (!URL.canParse(url) || new URL(url).username !== "") return undefined;
  const response = await site.fetch(new Request(url, { headers, redirect: "manual" }));
  return { status: response.status, text: await response.text() };
}

async function textOf(body: string | Uint8Array | ReadableStream | undefined): Promise<string> {
  return new Response(body as BodyInit).text();
}

/** What tells that the page of the other organization, or a script of it, came. */
const isTheirs = ({ text }: Answer) => text.includes(SECRET_TEXT) || text.includes("/integrations/bot/scripts/");

describe.each(["http://api.example", "https://api.example", "http://127.0.0.1:3000"])(
  "with the API at %s",
  (origin) => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await stageAt(origin);
    });

    test.each(Object.entries(handlers))(
      "control: %s shows the page and its script when its own host is requested",
      async (_, ask) => {
        const answer = (await ask(stage.site, EVIL, "/trap"))!;
        expect([answer.status, isTheirs(answer)]).toEqual([200, true]);
      },
    );

    const own = new URL(origin).host;
    const asked = [own, "docs.home.example", ...(own === "127.0.0.1:3000" ? ["localhost:3000", "[::1]:3000"] : [])];
    describe.each(asked)("asked at %s", (host) => {
      test.each(Object.entries(handlers))("%s never takes another host from a target", async (_, ask) => {
        for (const form of forms) {
          const targets = [form(EVIL, stage.path)];
          // Sites of all organizations are on the host of the API.
          for (const shared of [own, "localhost:3000"])
            if (shared !== host) targets.push(form(shared, stage.sharedPath));
          for (const target of targets) {
            const answer = await ask(stage.site, host, target);
            if (!answer) continue;
            expect(isTheirs(answer), `${target} at ${host}: ${answer.status}`).toBe(false);
            expect([400, 404], `${target} at ${host}`).toContain(answer.status);
          }
        }
      });
    });

    test("an absolute target with the requested host is accepted, whatever its case and port", async () => {
      const ask = handlers["the Node handler, over a socket"]!;
      for (const [target, host] of [
        [`http://${EVIL}/trap`, EVIL],
        [`http://${EVIL.toUpperCase()}/trap`, EVIL],
        [`http://${EVIL}:80/trap`, EVIL],
        [`http://${EVIL}/trap`, `${EVIL}:80`],
      ])
        expect((await ask(stage.site, host!, target!))!.status, target).toBe(
          origin.startsWith("https") && host!.endsWith(":80") ? 404 : 200,
        );
    });

    test("a Host header that is not a host is rejected", async () => {
      const ask = handlers["the Node handler, over a socket"]!;
      for (const host of [
        `x@${EVIL}`,
        `${EVIL}/trap`,
        `${EVIL}\\x`,
        `${EVIL}?x`,
        `${EVIL}#x`,
        `${EVIL} x`,
        `${EVIL}:x`,
        "[::1",
      ])
        expect((await ask(stage.site, host, "/trap"))!.status, host).toBe(400);
    });
  },
);

test("HTTP/2 names the host in `:authority`, and a Host header beside it must agree", async () => {
  const { site } = await stageAt("http://api.example");
  const port = await listen(createHttp2Server(nodeHandler(site) as never));
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  afterwards(() => session.destroy());
  const ask = (headers: Record<string, string>) =>
    new Promise<Answer>((resolve, reject) => {
      const stream = session.request({ ":path": "/trap", ...headers });
      let status = 0;
      let text = "";
      stream.setEncoding("utf8").on("error", reject);
      stream.on("response", (it) => {
        status = Number(it[":status"]);
      });
      stream.on("data", (part: string) => {
        text += part;
      });
      stream.on("end", () => resolve({ status, text }));
    });
  expect(isTheirs(await ask({ ":authority": EVIL }))).toBe(true);
  expect((await ask({ ":authority": "api.example" })).status).toBe(404);
  for (const [authority, host] of [
    ["api.example", EVIL],
    [EVIL, "api.example"],
  ]) {
    const answer = await ask({ ":authority": authority!, host: host! });
    expect([answer.status, isTheirs(answer)]).toEqual([400, false]);
  }
});

describe("parsing request targets", () => {
  test("a path stays on the host, whatever it contains", () => {
    for (const form of forms) {
      const target = form(EVIL, "/trap");
      if (!isPath(target)) continue;
      expect(parseTarget(target, "https://api.example")!.host, target).toBe("api.example");
      const asked = { url: target, headers: new Headers({ host: "api.example" }) };
      expect(readRequestUrl(asked, "https://api.example")!.origin, target).toBe("https://api.example");
    }
  });

  test("a target with a host is accepted only if the request names the same host", () => {
    const at = (url: string, host?: string) =>
      readRequestUrl({ url, headers: new Headers(host === undefined ? {} : { host }) }, "https://api.example")?.href;
    expect(at("https://a.example/x", "a.example")).toBe("https://a.example/x");
    expect(at("https://a.example/x", "A.example:443")).toBe("https://a.example/x");
    expect(at("https://a.example/x")).toBe("https://a.example/x");
    expect(at("http://a.example/x")).toBe("https://a.example/x");
    expect(at("/x")).toBe("https://api.example/x");
    expect(at("/x", "[::1]:3000")).toBe("https://[::1]:3000/x");
    for (const host of [
      "b.example",
      "a.example:8443",
      "a.example.",
      "x@a.example",
      "a.example/",
      "a.example\\",
      "[",
      "a b",
    ])
      expect(at("https://a.example/x", host), host).toBeUndefined();
    for (const url of ["https://x@a.example/x", "ftp://a.example/x", "file:///x", "javascript:x", "", "x"])
      expect(at(url, "a.example"), url).toBeUndefined();
  });

  test("a raw target is either a path on the host or rejected", () => {
    expect(readRequestTarget("/a//b?c=//d", "x")).toBe("/a//b?c=//d");
    expect(readRequestTarget("http://x/a?b#c", "x")).toBe("/a?b");
    expect(readRequestTarget("/a", undefined)).toBe("/a");
    for (const target of [
      "*",
      "",
      "a",
      "//a",
      "/\\a",
      "/\ta",
      "/a b",
      "http://x//a",
      "http://x/\\a",
      "http://y/a",
      "http://u@x/a",
    ])
      expect(readRequestTarget(target, "x"), target).toBeUndefined();
    expect(readRequestTarget("http://x/a", undefined)).toBeUndefined();
  });
});
