// Where sites lead: no target of a redirect comes out of a request, and nothing tells what is hidden from what is absent.

import fc from "fast-check";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { type Setting, setUp } from "../support/setting";

let setting: Setting;
let site: string;
let space: string;
let page: string;
let base: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  const { ask, org } = setting;
  space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
  const changes = [{ operation: "insert_page", title: "Start", document: { markdown: "Hello." } }];
  page = (await ask("admin", `POST /v1/spaces/${space}/content`, { changes })).body.changes[0].page.id;
  site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body.id;
  await ask("admin", `POST /v1/orgs/${org}/sites/${site}/publish`);
  const renamed = [{ operation: "update_page", page, slug: "begin" }];
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes: renamed });
  base = `http://localhost:3000/sites/${org}/docs`;
});

const at = () => `/v1/orgs/${setting.org}/sites/${site}`;
const resolve = (url: string) => setting.ask(null, "POST /v1/urls/published", { url });
const leads = (source: string) => setting.ask(null, `GET ${at()}/redirect?source=${encodeURIComponent(source)}`);

/** Ways in which somebody else's address was smuggled into a redirect elsewhere. */
const hostile = [
  "//evil.example",
  "///evil.example/x",
  "/\\evil.example",
  "/%2f%2fevil.example",
  "/%5cevil.example",
  "/https://evil.example",
  "/start//evil.example",
  "/start/..//evil.example",
  "/.//evil.example",
  "/%09/evil.example",
  "/start?next=https://evil.example",
  "/start#@evil.example",
  "/start@evil.example",
  "/start/%00",
];

describe("S44: open redirects", () => {
  test("S44: a path that names another host leads nowhere or where the site itself says", async () => {
    for (const path of hostile) {
      for (const answer of [await resolve(base + path), await leads(path)]) {
        const target = answer.body.urls?.target ?? answer.body.target;
        if (target !== undefined) expect(new URL(target).href, path).toBe(`${base}/begin`);
        else expect([200, 400, 404], path).toContain(answer.status);
      }
    }
    expect((await resolve(`${base}/start`)).body.urls.target).toBe(`${base}/begin`);
    expect((await leads("/start")).body.target).toBe(`${base}/begin`);
  });

  test("S44: every redirect target belongs to the site or was configured", async () => {
    const { ask } = setting;
    const set = "https://elsewhere.example/new";
    await ask("admin", `POST ${at()}/redirects`, { source: "/old", destination: { kind: "url", url: set } });
    const allowed = [`${base}/begin`, base, set];
    const piece = fc.constantFrom(
      "start",
      "begin",
      "old",
      "guide",
      "https:",
      "evil.example",
      "..",
      "%2e%2e",
      "%2f",
      "@",
      "",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.constantFrom("", "?to=https://evil.example"),
        async (pieces, tail) => {
          const path = `/${pieces.join("/")}${tail}`;
          for (const { body } of [await resolve(base + path), await leads(path)]) {
            const target = body.urls?.target ?? body.target;
            if (target !== undefined) expect(allowed).toContain(target);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("S44: no header, query or body determines the target of a redirect", async () => {
    const { ask, org } = setting;
    const elsewhere = { host: "evil.example", "x-forwarded-host": "evil.example", origin: "https://evil.example" };
    const plain = await resolve(`${base}/start`);
    const tricked = await ask(null, "POST /v1/urls/published", { url: `${base}/start` }, elsewhere);
    expect(tricked.body).toEqual(plain.body);
    for (const more of [{ target: "https://evil.example" }, { redirect: "https://evil.example" }]) {
      expect((await ask(null, "POST /v1/urls/published", { url: base, ...more })).status).toBe(400);
    }
    const asked = `GET /v1/orgs/${org}/sites/${site}/redirect?source=/start`;
    for (const more of ["target=https://evil.example", "destination=//evil.example"]) {
      const refused = await ask(null, `${asked}&${more}`);
      expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, `query.${more.split("=")[0]}`]);
    }
    expect((await ask(null, asked, undefined, elsewhere)).body.target).toBe(`${base}/begin`);
  });

  test("S44: a target that a browser would run, or without a host, is rejected", async () => {
    const urls = [
      "javascript:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "/start",
      "ftp://x.example",
      " https:x",
      "vbscript:x",
      "java\nscript:alert(1)",
    ];
    for (const url of urls) {
      const send = { source: "/old", destination: { kind: "url", url } };
      const { status, body } = await setting.ask("admin", `POST ${at()}/redirects`, send);
      expect(status, url).toBe(400);
      expect(body.error.issues[0].path).toBe("body.destination.url");
    }
  });
});

describe("S30: errors that reveal existence", () => {
  const told = ({ status, body }: Awaited<ReturnType<typeof resolve>>) => {
    const { requestId: _, ...error } = body.error;
    return { status, error };
  };

  test("S30: missing and hidden hosts, organizations, sites and pages get the same response", async () => {
    const { ask, org } = setting;
    const absent = told(await resolve("https://nobody.example/x"));
    expect(absent.status).toBe(404);
    const hide = async (send: object) => {
      await ask("admin", `PATCH ${at()}`, send);
      const found = [await resolve(base), await resolve(`${base}/begin`), await resolve(`${base}/some-key/begin`)];
      for (const answer of found) expect(told(answer), JSON.stringify(send)).toEqual(absent);
    };
    for (const url of [`http://localhost:3000/sites/${org}/none`, "http://localhost:3000/sites/none/docs"])
      expect(told(await resolve(url))).toEqual(absent);
    await hide({ visibility: "share-link" });
    await hide({ visibility: "visitor-auth" });
    await ask("admin", `PATCH ${at()}`, { visibility: "public" });
    expect((await resolve(base)).status).toBe(200);
    await ask("admin", `POST ${at()}/unpublish`);
    expect(told(await resolve(base))).toEqual(absent);
    expect(told(await ask("admin", "POST /v1/urls/published", { url: base }))).toEqual(absent);
  });

  test("S30: a redirect of a site that a visitor may not see is not found, like the site", async () => {
    const { ask, org } = setting;
    await ask("admin", `PATCH ${at()}`, { visibility: "visitor-auth" });
    const hidden = told(await leads("/start"));
    const absent = told(await ask(null, `GET /v1/orgs/${org}/sites/sit_none/redirect?source=/start`));
    const nowhere = told(await ask(null, `GET /v1/orgs/org_000000000000/sites/${site}/redirect?source=/start`));
    expect(hidden.status).toBe(404);
    expect(hidden).toEqual(absent);
    expect(nowhere).toEqual(absent);
  });

  test("S30: a page with a condition, its descendants and redirects to it look missing", async () => {
    const { ask } = setting;
    const secret = {
      operation: "insert_page",
      title: "Secret",
      condition: "visitor.claims.staff",
      document: { markdown: "X" },
    };
    const { body } = await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [secret] });
    const hidden = body.changes[0].page.id;
    const below = { operation: "insert_page", title: "Below", into: hidden, document: { markdown: "Y" } };
    await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [below] });
    const siteSpaceId = (await ask("admin", `GET ${at()}/site-spaces`)).body.items[0].id;
    const destination = { kind: "page", siteSpaceId, pageId: hidden };
    expect((await ask("admin", `POST ${at()}/redirects`, { source: "/staff", destination })).status).toBe(201);
    /** What is told of a path, beside the path itself. */
    const toldOf = async (path: string, under = "") => {
      const { status, body } = await resolve(base + under + path);
      const { pathname, canonicalUrl, urls: _, ...rest } = body;
      expect(canonicalUrl).toBe(base + under + pathname);
      return { status, rest };
    };
    const absent = await toldOf("/none");
    expect(absent).toMatchObject({ status: 200, rest: { space } });
    expect(absent.rest).not.toHaveProperty("page");
    for (const path of ["/secret", "/secret/below", "/staff"]) expect(await toldOf(path), path).toEqual(absent);
    expect(await toldOf("/secret", "/guide")).toEqual(await toldOf("/none", "/guide"));
  });
});
