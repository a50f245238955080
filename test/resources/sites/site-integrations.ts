// What integrations do for published sites, as stories: scripts on their pages, the login of their visitors, and views.

import type { Scene, Story } from "../scenario";

const bot = "/v1/integrations/bot";
const one = `${bot}/installations/{installation}`;
const site = "/v1/orgs/{org}/sites/{site}";
const isNowhere = { expect: 404, reason: "site_not_found" } as const;

/** The integration at the end of its tunnel. */
const tunnel: typeof fetch = async (input, init) => {
  const form = await new Request(input, init).formData();
  const { type, siteId, spaceId, location } = JSON.parse(String(form.get("event")));
  if (type === "fetch_published_script") {
    const headers = { "content-type": "application/javascript", "cache-control": "public, max-age=86400" };
    return new Response(`load(${JSON.stringify({ siteId, spaceId })});`, { headers });
  }
  if (type === "fetch_visitor_authentication" && location === "/form")
    return new Response("<form>", { headers: { "content-type": "text/html", "set-cookie": "a=b" } });
  if (type === "fetch_visitor_authentication")
    return new Response(null, { status: 302, headers: { location: `https://login.example/?to=${location ?? ""}` } });
  return new Response("ok");
};

/** A site with two spaces on it, and an integration of the rival's that is installed here. */
function installed(visibility: string, scopes: readonly string[]): Scene[] {
  return [
    {
      as: "rival",
      ask: `POST ${bot}`,
      send: { visibility: "public", scopes, contentSecurityPolicy: { "script-src": "https://cdn.example" } },
      expect: 200,
    },
    { as: "rival", ask: `PUT ${bot}/dev`, send: { tunnelUrl: "https://tunnel.example", all: true }, expect: 204 },
    {
      as: "admin",
      ask: `POST ${bot}/installations`,
      send: { organization: "{org}" },
      expect: 201,
      keep: { installation: "id" },
    },
    { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Guide" }, expect: 201, keep: { space: "id" } },
    { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Other" }, expect: 201, keep: { other: "id" } },
    { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Off" }, expect: 201, keep: { off: "id" } },
    {
      as: "admin",
      ask: "POST /v1/spaces/{space}/content",
      send: { changes: [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }] },
      expect: 200,
      keep: { page: (body) => body.changes[0].page.id },
    },
    {
      as: "admin",
      ask: "POST /v1/orgs/{org}/sites",
      send: { title: "Docs", visibility, spaces: ["{space}", "{other}"] },
      expect: 201,
      keep: { site: "id" },
    },
    { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
  ];
}

const signatureIn = (body: { scripts: { script: string }[] }, at = 0) =>
  new URL(body.scripts[at]!.script).pathname.split("/").at(-1)!;
const script = `GET ${bot}/scripts/{installation}/{site}`;
const over = { expect: 404, reason: "file_not_found" } as const;
const url = "https://docs.example.com/one";
const visitor = { anonymousId: "a", userAgent: "Browser", ip: "2001:db8::1", cookies: { _id: "1" }, language: "de" };
const at = (path: string) => ({ error: { issues: [{ path }] } });

export const stories: Story[] = [
  {
    title: "an integration on a site brings its script, at a URL that ends when the installation changes",
    options: { fetch: tunnel },
    scenes: [
      ...installed("public", ["site:script:inject", "site:script:cookies"]),
      { as: null, ask: `GET ${site}/published`, expect: 200, see: { scripts: [] } },
      { as: "admin", ask: `PATCH ${one}`, send: { site_selection: "all" }, expect: 200 },
      {
        as: null,
        ask: `GET ${site}/published`,
        expect: 200,
        see: {
          scripts: [{ contentSecurityPolicy: "script-src https://cdn.example", cookies: true, space: undefined }],
        },
        keep: { signature: signatureIn },
      },
      {
        as: null,
        ask: `${script}/{signature}`,
        expect: 200,
        see: 'load({"siteId":"{site}"});',
        seeHeaders: {
          "content-type": "text/javascript; charset=utf-8",
          "cache-control": "public, max-age=3600",
          "x-content-type-options": "nosniff",
          "content-security-policy": "sandbox, script-src https://cdn.example",
        },
      },
      { as: null, ask: `${script}/{signature}?space={space}`, ...over },
      { as: "admin", ask: `${script}/AAAA`, ...over },
      { as: "admin", ask: `PATCH ${one}`, send: { status: "paused" }, expect: 200 },
      { as: null, ask: `${script}/{signature}`, ...over },
      { as: null, ask: `GET ${site}/published`, expect: 200, see: { scripts: [] } },
      { as: "admin", ask: `PATCH ${one}`, send: { status: "active" }, expect: 200, after: 1000 },
      { as: null, ask: `${script}/{signature}`, ...over },
      { as: null, ask: `GET ${site}/published`, expect: 200, keep: { signature: signatureIn } },
      { as: null, ask: `${script}/{signature}`, expect: 200 },
      { as: "rival", ask: `POST ${bot}`, send: { scopes: ["site:script:inject"] }, expect: 200 },
      { as: null, ask: `${script}/{signature}`, ...over },
      {
        as: null,
        ask: `GET ${site}/published`,
        expect: 200,
        see: { scripts: [{ cookies: false }] },
        keep: { signature: signatureIn },
      },
      { as: "admin", ask: `POST ${site}/unpublish`, expect: 200 },
      { as: null, ask: `${script}/{signature}`, ...over },
      { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
      { as: null, ask: `${script}/{signature}`, expect: 200 },
      { as: "admin", ask: `DELETE ${one}`, expect: 204 },
      { as: null, ask: `${script}/{signature}`, ...over },
    ],
  },
  {
    title: "an integration on a space of a site brings its script to the pages of that space",
    options: { fetch: tunnel },
    scenes: [
      ...installed("public", ["space:script:inject"]),
      { as: "admin", ask: `POST ${one}/spaces`, send: { space: "{other}" }, expect: 201 },
      { as: "admin", ask: `POST ${one}/spaces`, send: { space: "{off}" }, expect: 201 },
      {
        as: null,
        ask: `GET ${site}/published`,
        expect: 200,
        see: { scripts: [{ space: "{other}", cookies: false }] },
        keep: { signature: signatureIn },
      },
      {
        as: null,
        ask: `${script}/{signature}?space={other}`,
        expect: 200,
        see: 'load({"spaceId":"{other}"});',
      },
      { as: null, ask: `${script}/{signature}?space={space}`, ...over },
      { as: null, ask: `${script}/{signature}`, ...over },
      { as: "admin", ask: `DELETE ${one}/spaces/{other}`, expect: 204 },
      { as: null, ask: `${script}/{signature}?space={other}`, ...over },
      { as: null, ask: `GET ${site}/published`, expect: 200, see: { scripts: [] } },
      { as: "admin", ask: `PATCH ${one}`, send: { space_selection: "all" }, expect: 200 },
      {
        as: null,
        ask: `GET ${site}/published`,
        expect: 200,
        see: { scripts: [{ space: "{space}" }, { space: "{other}" }] },
        keep: { signature: (body) => signatureIn(body, 1) },
      },
      { as: null, ask: `${script}/{signature}?space={other}`, expect: 200 },
      { as: "admin", ask: "DELETE /v1/spaces/{other}", expect: 204 },
      { as: null, ask: `${script}/{signature}?space={other}`, ...over },
      { as: null, ask: `GET ${site}/published`, expect: 200, see: { scripts: [{ space: "{space}" }] } },
    ],
  },
  {
    title: "visitors of a site sign in with an integration, or where the site sends them",
    options: { fetch: tunnel },
    scenes: [
      ...installed("visitor-auth", ["site:visitor:auth"]),
      { as: null, ask: `GET ${site}/login`, ...isNowhere },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { backend: "integration", integration: "bot" },
        expect: 400,
        see: at("body.integration"),
      },
      { as: "admin", ask: `PATCH ${one}`, send: { site_selection: "all" }, expect: 200 },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { backend: "integration", integration: "none" },
        expect: 400,
        see: at("body.integration"),
      },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { backend: "integration", integration: "bot" },
        expect: 200,
        see: { backend: "integration", integration: "bot", urls: { login: (it: string) => it.endsWith("/login") } },
      },
      {
        as: null,
        ask: `GET ${site}/login?location=/form`,
        expect: 200,
        see: "<form>",
        seeHeaders: {
          "content-security-policy": (value) => value?.startsWith("sandbox ") === true,
          "cache-control": "no-store",
          "set-cookie": (value) => value === null,
        },
      },
      {
        as: null,
        ask: `GET ${site}/login?location=/guide/one%3Fa%3Db`,
        expect: 302,
        seeHeaders: { location: "https://login.example/?to=/guide/one?a=b" },
      },
      ...["//evil.example", "https://evil.example", "/../up", "/a/%252e%252e", "/\\evil.example", "guide"].map(
        (location): Scene => ({
          as: null,
          ask: `GET ${site}/login?location=${location}`,
          expect: 400,
          see: at("query.location"),
        }),
      ),
      { as: null, ask: `GET ${site}/published`, ...isNowhere },
      { as: "admin", ask: `PATCH ${one}`, send: { status: "paused" }, expect: 200 },
      { as: null, ask: `GET ${site}/login`, ...isNowhere },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { fallbackURL: "https://login.example/übung" },
        expect: 400,
        see: { error: { issues: [{ path: "body.fallbackURL" }] } },
      },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { fallbackURL: "https://login.example/%C3%BCbung" },
        expect: 200,
        see: { backend: "integration" },
      },
      {
        as: null,
        ask: `GET ${site}/login?location=/one`,
        expect: 302,
        seeHeaders: { location: "https://login.example/%C3%BCbung" },
      },
      { as: null, ask: `GET ${site}/published`, ...isNowhere },
      { as: "create", ask: `PATCH ${site}/publishing/auth`, send: { backend: "custom" }, expect: 200 },
      { as: null, ask: `GET ${site}/login`, expect: 302 },
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "public" }, expect: 200 },
      { as: null, ask: `GET ${site}/login`, ...isNowhere },
    ],
  },
  {
    title: "whoever renders a site tells what was looked at",
    options: { fetch: tunnel },
    scenes: [
      ...installed("public", ["site:views:read"]),
      { as: "create", ask: `POST ${site}/views`, send: { url, visitor }, expect: 204 },
      { as: "admin", ask: `PATCH ${one}`, send: { site_selection: "all" }, expect: 200, after: 1000 },
      {
        as: "create",
        ask: `POST ${site}/views`,
        send: { url, referrer: "https://a.example/", visitor, spaceId: "{space}", pageId: "{page}" },
        expect: 204,
        after: 1000,
      },
      {
        as: "rival",
        ask: `GET ${bot}/events`,
        expect: 200,
        see: {
          items: [
            {
              payload: {
                type: "site_view",
                siteId: "{site}",
                pageId: "{page}",
                url,
                referrer: "https://a.example/",
                visitor: (it: object) => JSON.stringify(it) === JSON.stringify({ ...told, language: "de" }),
              },
            },
            { payload: { type: "installation_setup" } },
            { payload: { type: "installation_setup" } },
          ],
        },
      },
      ...(
        [
          [{ url, visitor, spaceId: "{off}" }, "body.spaceId"],
          [{ url, visitor, pageId: "{page}" }, "body.spaceId"],
          [{ url, visitor, spaceId: "{other}", pageId: "{page}" }, "body.pageId"],
          [{ url: "javascript:alert(1)", visitor }, "body.url"],
          [{ url, visitor: { ...visitor, ip: "here" } }, "body.visitor.ip"],
          [{ url, visitor: { ...visitor, cookies: { large: "x".repeat(4097) } } }, "body.visitor.cookies.large"],
          [{ url, visitor: { userAgent: "Browser" } }, "body.visitor.anonymousId"],
          [{ url, visitor: { ...visitor, name: "Ann" } }, "body.visitor.name"],
        ] as const
      ).map(([send, path]): Scene => ({ as: "create", ask: `POST ${site}/views`, send, expect: 400, see: at(path) })),
      { as: "review", ask: `POST ${site}/views`, send: { url, visitor }, expect: 403, reason: "forbidden" },
      { as: null, ask: `POST ${site}/views`, send: { url, visitor }, expect: 401 },
    ],
  },
];

/** A visitor as an integration without the scope for cookies hears of them. */
const told = { anonymousId: "a", userAgent: "Browser", cookies: {}, ip: "2001:db8::1" };
