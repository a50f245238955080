// Who sees a site, and what they see of it, as stories.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";

const site = "/v1/orgs/{org}/sites/{site}";

/** A published site with one space on it, and a page in that. */
function published(
  visibility: string,
  markdown = "# Welcome\n\nHello, reader.",
  more: readonly object[] = [],
): Scene[] {
  return [
    create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
    ask("admin", "POST /v1/spaces/{space}/content", 200, {
      send: { changes: [{ operation: "insert_page", document: { markdown } }, ...more] },
      keep: { page: (body) => body.changes[0].page.id, other: (body) => body.changes.at(-1).page.id },
    }),
    create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", visibility, spaces: ["{space}"] }),
    ask("admin", `POST ${site}/publish`, 200),
    ask("admin", `GET ${site}/site-spaces`, 200, { keep: { siteSpace: (body) => body.items[0].id } }),
  ];
}

const isKey = (key: string) => /^[\w-]{43}$/.test(key);

export const stories: Story[] = [
  defineStory("share links open a site for as long as they are there and switched on", [
    ...published("share-link"),
    ask(null, `GET ${site}/published`, "404 site_not_found"),
    ask("create", `POST ${site}/share-links`, 201, {
      send: { name: "Press" },
      see: { object: "share-link", name: "Press", active: true },
      keep: { link: "id", key: "key", url: "urls.published" },
      seeHeaders: { location: (url) => url?.includes("/share-links/shl_") === true },
    }),
    get(null, `${site}/published?shareKey={key}`, {
      object: "published-content-site",
      site: { urls: { published: "{url}" }, siteSpaces: 1 },
      structure: { type: "siteSpaces", structure: [{ id: "{siteSpace}", urls: { published: "{url}" } }] },
      scripts: [],
    }),
    list("create", `${site}/share-links`, [
      { id: "{link}", name: "Press", key: undefined, urls: { published: undefined } },
    ]),
    get("create", `${site}/share-links/{link}`, { key: undefined, active: true }),
    ask("edit", `GET ${site}/share-links/shl_none`, "403 forbidden"),
    ask("edit", `DELETE ${site}/share-links/shl_none`, "403 forbidden"),
    ask("guest", `GET ${site}/share-links`, "404 site_not_found"),
    ask("create", `GET ${site}/share-links/shl_none`, "404 share_link_not_found"),
    refuse("create", `POST ${site}/share-links`, "body.name", { name: "x".repeat(51) }),
    refuse("create", `POST ${site}/share-links`, "body.key", { name: "Press", key: "mine" }),
    ask("create", `PATCH ${site}/share-links/{link}`, 200, {
      send: { active: false, name: "Old press" },
      see: { name: "Old press", active: false },
    }),
    ask(null, `GET ${site}/published?shareKey={key}`, "404 site_not_found"),
    send("create", `PATCH ${site}/share-links/{link}`, 200, { active: true }),
    get(null, `${site}/published?shareKey={key}`),
    refuse("create", `PATCH ${site}/share-links/{link}`, "body.active", { active: "yes" }),
    ask("edit", `POST ${site}/share-links/{link}/regenerate`, "403 forbidden"),
    ask("create", `POST ${site}/share-links/{link}/regenerate`, 200, {
      see: { name: "Old press" },
      keep: { newKey: "key" },
    }),
    ask(null, `GET ${site}/published?shareKey={key}`, "404 site_not_found"),
    get(null, `${site}/published?shareKey={newKey}`),
    ask("create", `DELETE ${site}/share-links/{link}`, 204),
    ask("create", `DELETE ${site}/share-links/{link}`, 204),
    ask(null, `GET ${site}/published?shareKey={newKey}`, "404 site_not_found"),
    list("create", `${site}/share-links`, []),
    refuse(null, `GET ${site}/published?shareKey=${"k".repeat(129)}`, "query.shareKey"),
  ]),
  defineStory("a key of one site opens no other, and a site takes only so many", [
    ...published("share-link"),
    ask("admin", `POST ${site}/share-links`, 201, { send: { name: "One" }, keep: { key: "key" } }),
    create("admin", "POST /v1/orgs/{org}/sites", "site", {
      title: "More",
      visibility: "share-link",
      spaces: ["{space}"],
    }),
    ask("admin", `POST ${site}/publish`, 200),
    ask(null, `GET ${site}/published?shareKey={key}`, "404 site_not_found"),
    ...Array.from({ length: 100 }, (_, i): Scene => {
      return send("admin", `POST ${site}/share-links`, 201, { name: `Link ${i}` });
    }),
    send("admin", `POST ${site}/share-links`, "409 too_many_share_links", { name: "One more" }),
  ]),
  defineStory("a site has a key for visitors before they sign in to it, and keeps it", [
    ...published("public"),
    // A site has its key from the beginning.
    ask("create", `GET ${site}/publishing/auth`, 200, {
      see: { hasPrivateKey: true, privateKey: isKey },
      keep: { first: "privateKey" },
    }),
    send("create", `PATCH ${site}`, 200, { visibility: "visitor-auth" }),
    ask("create", `GET ${site}/publishing/auth`, 200, {
      see: {
        hasPrivateKey: true,
        privateKey: "{first}",
        privateKeyCreatedAt: (time: string) => !Number.isNaN(Date.parse(time)),
      },
      keep: { key: "privateKey" },
    }),
    send("create", `PATCH ${site}`, 200, { visibility: "unlisted" }),
    send("create", `PATCH ${site}`, 200, { visibility: "visitor-auth" }),
    get("create", `${site}/publishing/auth`, { privateKey: "{key}" }),
  ]),
  defineStory(
    "how visitors sign in is set by those who edit the site, and the key is shown to those who may make another",
    [
      ...published("visitor-auth"),
      get("create", `${site}/publishing/auth`, {
        object: "publishing-auth",
        backend: "custom",
        hasPrivateKey: true,
        privateKey: isKey,
        fallbackURL: undefined,
      }),
      ask("review", `GET ${site}/publishing/auth`, "403 forbidden"),
      ask("create", `PATCH ${site}/publishing/auth`, 200, {
        send: { fallbackURL: "https://login.example.com/start?from=docs" },
        see: { fallbackURL: "https://login.example.com/start?from=docs" },
      }),
      ...["javascript:alert(1)", "data:text/html,x", "//example.com", "/login", "ftp://example.com/"].map(
        (fallbackURL): Scene => refuse("create", `PATCH ${site}/publishing/auth`, "body.fallbackURL", { fallbackURL }),
      ),
      refuse("create", `PATCH ${site}/publishing/auth`, "body.integration", { backend: "integration" }),
      refuse("create", `PATCH ${site}/publishing/auth`, "body.integration", { integration: "okta" }),
      refuse("create", `PATCH ${site}/publishing/auth`, "body.integration", {
        backend: "integration",
        integration: "va-okta",
      }),
      ask("create", `PATCH ${site}/publishing/auth`, 200, {
        send: { backend: "custom", fallbackURL: null },
        see: { backend: "custom", integration: undefined, fallbackURL: undefined },
      }),
      ask("create", `POST ${site}/publishing/auth/regenerate`, 200, {
        see: { object: "publishing-auth", hasPrivateKey: true, privateKey: isKey },
        keep: { key: "privateKey" },
      }),
      get("create", `${site}/publishing/auth`, { privateKey: "{key}" }),
      ask("create", `PATCH ${site}/publishing/auth`, 200, {
        send: { fallbackURL: "https://login.example.com" },
        see: { privateKey: "{key}" },
      }),
      // Who edits the site but not a space on it could let people in with the key.
      send("admin", "PATCH /v1/spaces/{space}", 200, { defaultLevel: "edit" }),
      get("create", `${site}/publishing/auth`, { hasPrivateKey: true, privateKey: undefined }),
      ask("create", `PATCH ${site}/publishing/auth`, 200, {
        send: { fallbackURL: null },
        see: { privateKey: undefined },
      }),
      get("admin", `${site}/publishing/auth`, { privateKey: "{key}" }),
    ],
  ),
  defineStory("the schema of visitors is read by the organization and set by those who edit the site", [
    ...published("public"),
    get("read", `${site}/adaptive-schema`, {
      object: "site-adaptive-schema",
      jsonSchema: { type: "object", properties: {}, additionalProperties: false },
    }),
    get("read", `${site}/adaptive-schema/template-conditions`, { items: [] }),
    ask("create", `PUT ${site}/adaptive-schema`, 200, {
      send: {
        jsonSchema: {
          type: "object",
          properties: {
            isBeta: { type: "boolean", description: "Is in the beta" },
            unsigned: {
              type: "object",
              properties: { language: { type: "string", enum: ["de"] } },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
      },
      see: { jsonSchema: { properties: { isBeta: { description: "Is in the beta" } } } },
    }),
    get("read", `${site}/adaptive-schema/template-conditions`, {
      items: [
        { description: "Is in the beta", condition: "visitor.claims.isBeta" },
        { description: "unsigned language: de", condition: 'visitor.claims.unsigned.language === "de"' },
      ],
    }),
    send("edit", `PUT ${site}/adaptive-schema`, "403 forbidden", {
      jsonSchema: { type: "object", properties: {}, additionalProperties: false },
    }),
    refuse("create", `PUT ${site}/adaptive-schema`, "body.jsonSchema.properties.a.type", {
      jsonSchema: { type: "object", properties: { a: { type: "integer" } }, additionalProperties: false },
    }),
    ask("create", `PUT ${site}/adaptive-schema`, 400, {
      send: { jsonSchema: "true" },
      see: { error: { issues: [{ path: "body.jsonSchema", message: "Expected an object" }] } },
    }),
    ask("create", `PUT ${site}/adaptive-schema`, 400, {
      send: {},
      see: { error: { issues: [{ path: "body.jsonSchema", message: "This field is required." }] } },
    }),
    ask("guest", `GET ${site}/adaptive-schema`, "404 site_not_found"),
    ask("guest", `GET ${site}/adaptive-schema/template-conditions`, "404 site_not_found"),
  ]),
  defineStory("a visitor reads pages without front matter, with conditions decided, and finds what they read", [
    ...published(
      "public",
      '---\nvars:\n  edition: first\n---\n# Welcome\n\nThis is the <code class="expression">page.vars.edition</code> edition.\n\n{% if visitor.claims.isBeta %}\nThe zebra is secret.\n{% endif %}\n\nSee [more](more.md).\n',
      [
        { operation: "insert_page", title: "More", slug: "more", document: { markdown: "More zebra." } },
        {
          operation: "insert_page",
          title: "Closed",
          condition: "visitor.claims.isBeta",
          document: { markdown: "Closed zebra." },
        },
      ],
    ),
    get(null, `${site}/site-spaces/{siteSpace}/pages`, {
      pages: [
        { id: "{page}", path: "welcome", urls: { published: (url: string) => url.endsWith("/docs/welcome") } },
        { title: "More", pages: [] },
      ],
    }),
    get(null, `${site}/site-spaces/{siteSpace}/page/{page}`, {
      id: "{page}",
      markdown: (text: string) =>
        text.startsWith("# Welcome\n\nThis is the first edition.") && !text.includes("zebra") && !text.includes("{%"),
    }),
    get(null, `${site}/site-spaces/{siteSpace}/page/{page}?format=document`, {
      markdown: undefined,
      document: { object: "document" },
    }),
    ask(null, `GET ${site}/site-spaces/{siteSpace}/page/{other}`, "404 page_not_found"),
    ask("admin", `GET ${site}/site-spaces/{siteSpace}/page/{other}`, "404 page_not_found"),
    ask(null, `GET ${site}/site-spaces/ssp_none/pages`, "404 site_space_not_found"),
    ask(null, `POST ${site}/search`, 200, {
      send: { query: "zebra" },
      see: {
        count: 1,
        items: [
          {
            id: "{space}",
            title: "Guide",
            siteSpace: "{siteSpace}",
            pages: [
              {
                title: "More",
                path: "more",
                sections: [{ body: "More zebra.", urls: { app: (url: string) => url.includes("/more") } }],
                urls: {
                  app: (url: string) => /\/s\/spc_\w+\/more$/.test(url),
                  published: (url: string) => url.endsWith("/docs/more"),
                },
              },
            ],
          },
        ],
      },
    }),
    refuse(null, `POST ${site}/search`, "body.query", { query: "" }),
    ask(null, `POST ${site}/search`, 200, { send: { query: "more" }, see: { count: 1, items: [{ pages: [{}, {}] }] } }),
    ask("admin", `POST ${site}/unpublish`, 200),
    send("admin", `POST ${site}/search`, "404 site_not_found", { query: "zebra" }),
  ]),
  defineStory("pages that are hidden or not to be indexed are read, and not found by searching", [
    ...published("unlisted", "# Welcome\n\nA walrus.", [
      { operation: "insert_page", title: "Hidden", hidden: true, document: { markdown: "A walrus." } },
      { operation: "insert_page", title: "Unsearched", noIndex: true, document: { markdown: "A walrus." } },
    ]),
    get(null, `${site}/site-spaces/{siteSpace}/pages`, {
      pages: [{ id: "{page}" }, { title: "Hidden", hidden: true }, { title: "Unsearched", noIndex: true }],
    }),
    get(null, `${site}/site-spaces/{siteSpace}/page/{other}`, { title: "Unsearched" }),
    ask(null, `POST ${site}/search`, 200, {
      send: { query: "walrus" },
      see: { count: 1, items: [{ pages: [{ id: "{page}" }] }] },
    }),
  ]),
];
