// What integrations do for published sites, as stories: scripts on their pages, the login of their visitors, and views.

import { ask, create, defineStory, get, refuse, type Scene, type Story, send } from "../scenario";

const bot = "/v1/integrations/bot";
const one = `${bot}/installations/{installation}`;
const site = "/v1/orgs/{org}/sites/{site}";

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
    send("rival", `POST ${bot}`, 200, {
      visibility: "public",
      scopes,
      contentSecurityPolicy: { "script-src": "https://cdn.example" },
    }),
    send("rival", `PUT ${bot}/dev`, 204, { tunnelUrl: "https://tunnel.example", all: true }),
    create("admin", `POST ${bot}/installations`, "installation", { organization: "{org}" }),
    create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
    create("admin", "POST /v1/orgs/{org}/spaces", "other", { title: "Other" }),
    create("admin", "POST /v1/orgs/{org}/spaces", "off", { title: "Off" }),
    ask("admin", "POST /v1/spaces/{space}/content", 200, {
      send: { changes: [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }] },
      keep: { page: (body) => body.changes[0].page.id },
    }),
    create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", visibility, spaces: ["{space}", "{other}"] }),
    ask("admin", `POST ${site}/publish`, 200),
  ];
}

const signatureIn = (body: { scripts: { script: string }[] }, at = 0) =>
  new URL(body.scripts[at]!.script).pathname.split("/").at(-1)!;
const script = `GET ${bot}/scripts/{installation}/{site}`;
const url = "https://docs.example.com/one";
const visitor = { anonymousId: "a", userAgent: "Browser", ip: "2001:db8::1", cookies: { _id: "1" }, language: "de" };
const at = (path: string) => ({ error: { issues: [{ path }] } });

export const stories: Story[] = [
  defineStory(
    "an integration on a site brings its script, at a URL that ends when the installation changes",
    { options: { fetch: tunnel } },
    [
      ...installed("public", ["site:script:inject", "site:script:cookies"]),
      get(null, `${site}/published`, { scripts: [] }),
      send("admin", `PATCH ${one}`, 200, { site_selection: "all" }),
      ask(null, `GET ${site}/published`, 200, {
        see: {
          scripts: [{ contentSecurityPolicy: "script-src https://cdn.example", cookies: true, space: undefined }],
        },
        keep: { signature: signatureIn },
      }),
      ask(null, `${script}/{signature}`, 200, {
        see: 'load({"siteId":"{site}"});',
        seeHeaders: {
          "content-type": "text/javascript; charset=utf-8",
          "cache-control": "public, max-age=3600",
          "x-content-type-options": "nosniff",
          "content-security-policy": "sandbox, script-src https://cdn.example",
        },
      }),
      ask(null, `${script}/{signature}?space={space}`, "404 file_not_found"),
      ask("admin", `${script}/AAAA`, "404 file_not_found"),
      send("admin", `PATCH ${one}`, 200, { status: "paused" }),
      ask(null, `${script}/{signature}`, "404 file_not_found"),
      get(null, `${site}/published`, { scripts: [] }),
      ask("admin", `PATCH ${one}`, 200, { send: { status: "active" }, after: 1000 }),
      ask(null, `${script}/{signature}`, "404 file_not_found"),
      ask(null, `GET ${site}/published`, 200, { keep: { signature: signatureIn } }),
      ask(null, `${script}/{signature}`, 200),
      send("rival", `POST ${bot}`, 200, { scopes: ["site:script:inject"] }),
      ask(null, `${script}/{signature}`, "404 file_not_found"),
      ask(null, `GET ${site}/published`, 200, {
        see: { scripts: [{ cookies: false }] },
        keep: { signature: signatureIn },
      }),
      ask("admin", `POST ${site}/unpublish`, 200),
      ask(null, `${script}/{signature}`, "404 file_not_found"),
      ask("admin", `POST ${site}/publish`, 200),
      ask(null, `${script}/{signature}`, 200),
      ask("admin", `DELETE ${one}`, 204),
      ask(null, `${script}/{signature}`, "404 file_not_found"),
    ],
  ),
  defineStory(
    "an integration on a space of a site brings its script to the pages of that space",
    { options: { fetch: tunnel } },
    [
      ...installed("public", ["space:script:inject"]),
      send("admin", `POST ${one}/spaces`, 201, { space: "{other}" }),
      send("admin", `POST ${one}/spaces`, 201, { space: "{off}" }),
      ask(null, `GET ${site}/published`, 200, {
        see: { scripts: [{ space: "{other}", cookies: false }] },
        keep: { signature: signatureIn },
      }),
      ask(null, `${script}/{signature}?space={other}`, 200, { see: 'load({"spaceId":"{other}"});' }),
      ask(null, `${script}/{signature}?space={space}`, "404 file_not_found"),
      ask(null, `${script}/{signature}`, "404 file_not_found"),
      ask("admin", `DELETE ${one}/spaces/{other}`, 204),
      ask(null, `${script}/{signature}?space={other}`, "404 file_not_found"),
      get(null, `${site}/published`, { scripts: [] }),
      send("admin", `PATCH ${one}`, 200, { space_selection: "all" }),
      ask(null, `GET ${site}/published`, 200, {
        see: { scripts: [{ space: "{space}" }, { space: "{other}" }] },
        keep: { signature: (body) => signatureIn(body, 1) },
      }),
      ask(null, `${script}/{signature}?space={other}`, 200),
      ask("admin", "DELETE /v1/spaces/{other}", 204),
      ask(null, `${script}/{signature}?space={other}`, "404 file_not_found"),
      get(null, `${site}/published`, { scripts: [{ space: "{space}" }] }),
    ],
  ),
  defineStory(
    "visitors of a site sign in with an integration, or where the site sends them",
    { options: { fetch: tunnel } },
    [
      ...installed("visitor-auth", ["site:visitor:auth"]),
      ask(null, `GET ${site}/login`, "404 site_not_found"),
      refuse("create", `PATCH ${site}/publishing/auth`, "body.integration", {
        backend: "integration",
        integration: "bot",
      }),
      send("admin", `PATCH ${one}`, 200, { site_selection: "all" }),
      refuse("create", `PATCH ${site}/publishing/auth`, "body.integration", {
        backend: "integration",
        integration: "none",
      }),
      ask("create", `PATCH ${site}/publishing/auth`, 200, {
        send: { backend: "integration", integration: "bot" },
        see: { backend: "integration", integration: "bot", urls: { login: (it: string) => it.endsWith("/login") } },
      }),
      ask(null, `GET ${site}/login?location=/form`, 200, {
        see: "<form>",
        seeHeaders: {
          "content-security-policy": (value) => value?.startsWith("sandbox ") === true,
          "cache-control": "no-store",
          "set-cookie": (value) => value === null,
        },
      }),
      ask(null, `GET ${site}/login?location=/guide/one%3Fa%3Db`, 302, {
        seeHeaders: { location: "https://login.example/?to=/guide/one?a=b" },
      }),
      ...["//evil.example", "https://evil.example", "/../up", "/a/%252e%252e", "/\\evil.example", "guide"].map(
        (location): Scene => refuse(null, `GET ${site}/login?location=${location}`, "query.location"),
      ),
      ask(null, `GET ${site}/published`, "404 site_not_found"),
      send("admin", `PATCH ${one}`, 200, { status: "paused" }),
      ask(null, `GET ${site}/login`, "404 site_not_found"),
      refuse("create", `PATCH ${site}/publishing/auth`, "body.fallbackURL", {
        fallbackURL: "https://login.example/übung",
      }),
      ask("create", `PATCH ${site}/publishing/auth`, 200, {
        send: { fallbackURL: "https://login.example/%C3%BCbung" },
        see: { backend: "integration" },
      }),
      ask(null, `GET ${site}/login?location=/one`, 302, {
        seeHeaders: { location: "https://login.example/%C3%BCbung" },
      }),
      ask(null, `GET ${site}/published`, "404 site_not_found"),
      send("create", `PATCH ${site}/publishing/auth`, 200, { backend: "custom" }),
      ask(null, `GET ${site}/login`, 302),
      send("create", `PATCH ${site}`, 200, { visibility: "public" }),
      ask(null, `GET ${site}/login`, "404 site_not_found"),
    ],
  ),
  defineStory("whoever renders a site tells what was looked at", { options: { fetch: tunnel } }, [
    ...installed("public", ["site:views:read"]),
    send("create", `POST ${site}/views`, 204, { url, visitor }),
    ask("admin", `PATCH ${one}`, 200, { send: { site_selection: "all" }, after: 1000 }),
    ask("create", `POST ${site}/views`, 204, {
      send: { url, referrer: "https://a.example/", visitor, spaceId: "{space}", pageId: "{page}" },
      after: 1000,
    }),
    get("rival", `${bot}/events`, {
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
    }),
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
    ).map(([send, path]): Scene => ask("create", `POST ${site}/views`, 400, { send, see: at(path) })),
  ]),
];

/** A visitor as an integration without the scope for cookies hears of them. */
const told = { anonymousId: "a", userAgent: "Browser", cookies: {}, ip: "2001:db8::1" };
