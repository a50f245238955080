// Who sees a site, and what they see of it, as stories.

import type { Scene, Story } from "../scenario";

const site = "/v1/orgs/{org}/sites/{site}";

/** A published site with one space on it, and a page in that. */
function published(
  visibility: string,
  markdown = "# Welcome\n\nHello, reader.",
  more: readonly object[] = [],
): Scene[] {
  return [
    { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Guide" }, expect: 201, keep: { space: "id" } },
    {
      as: "admin",
      ask: "POST /v1/spaces/{space}/content",
      send: { changes: [{ operation: "insert_page", document: { markdown } }, ...more] },
      expect: 200,
      keep: { page: (body) => body.changes[0].page.id, other: (body) => body.changes.at(-1).page.id },
    },
    {
      as: "admin",
      ask: "POST /v1/orgs/{org}/sites",
      send: { title: "Docs", visibility, spaces: ["{space}"] },
      expect: 201,
      keep: { site: "id" },
    },
    { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
    {
      as: "admin",
      ask: `GET ${site}/site-spaces`,
      expect: 200,
      keep: { siteSpace: (body) => body.items[0].id },
    },
  ];
}

const isKey = (key: string) => /^[\w-]{43}$/.test(key);

const isNowhere: Pick<Scene, "expect" | "reason"> = { expect: 404, reason: "site_not_found" };

export const stories: Story[] = [
  {
    title: "share links open a site for as long as they are there and switched on",
    scenes: [
      ...published("share-link"),
      { as: null, ask: `GET ${site}/published`, ...isNowhere },
      {
        as: "create",
        ask: `POST ${site}/share-links`,
        send: { name: "Press" },
        expect: 201,
        see: { object: "share-link", name: "Press", active: true },
        keep: { link: "id", key: "key", url: "urls.published" },
        seeHeaders: { location: (url) => url?.includes("/share-links/shl_") === true },
      },
      {
        as: null,
        ask: `GET ${site}/published?shareKey={key}`,
        expect: 200,
        see: {
          object: "published-content-site",
          site: { urls: { published: "{url}" }, siteSpaces: 1 },
          structure: { type: "siteSpaces", structure: [{ id: "{siteSpace}", urls: { published: "{url}" } }] },
          scripts: [],
        },
      },
      {
        as: "create",
        ask: `GET ${site}/share-links`,
        expect: 200,
        see: {
          count: 1,
          items: [{ id: "{link}", name: "Press", key: undefined, urls: { published: undefined } }],
        },
      },
      { as: "create", ask: `GET ${site}/share-links/{link}`, expect: 200, see: { key: undefined, active: true } },
      { as: "edit", ask: `GET ${site}/share-links`, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `GET ${site}/share-links/{link}`, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `GET ${site}/share-links/shl_none`, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `DELETE ${site}/share-links/shl_none`, expect: 403, reason: "forbidden" },
      { as: "guest", ask: `GET ${site}/share-links`, ...isNowhere },
      { as: "create", ask: `GET ${site}/share-links/shl_none`, expect: 404, reason: "share_link_not_found" },
      {
        as: "create",
        ask: `POST ${site}/share-links`,
        send: { name: "x".repeat(51) },
        expect: 400,
        see: { error: { issues: [{ path: "body.name" }] } },
      },
      {
        as: "create",
        ask: `POST ${site}/share-links`,
        send: { name: "Press", key: "mine" },
        expect: 400,
        see: { error: { issues: [{ path: "body.key" }] } },
      },
      {
        as: "create",
        ask: `PATCH ${site}/share-links/{link}`,
        send: { active: false, name: "Old press" },
        expect: 200,
        see: { name: "Old press", active: false },
      },
      { as: null, ask: `GET ${site}/published?shareKey={key}`, ...isNowhere },
      { as: "create", ask: `PATCH ${site}/share-links/{link}`, send: { active: true }, expect: 200 },
      { as: null, ask: `GET ${site}/published?shareKey={key}`, expect: 200 },
      {
        as: "create",
        ask: `PATCH ${site}/share-links/{link}`,
        send: { active: "yes" },
        expect: 400,
        see: { error: { issues: [{ path: "body.active" }] } },
      },
      { as: "edit", ask: `POST ${site}/share-links/{link}/regenerate`, expect: 403, reason: "forbidden" },
      {
        as: "create",
        ask: `POST ${site}/share-links/{link}/regenerate`,
        expect: 200,
        see: { name: "Old press" },
        keep: { newKey: "key" },
      },
      { as: null, ask: `GET ${site}/published?shareKey={key}`, ...isNowhere },
      { as: null, ask: `GET ${site}/published?shareKey={newKey}`, expect: 200 },
      { as: "edit", ask: `DELETE ${site}/share-links/{link}`, expect: 403, reason: "forbidden" },
      { as: "create", ask: `DELETE ${site}/share-links/{link}`, expect: 204 },
      { as: "create", ask: `DELETE ${site}/share-links/{link}`, expect: 204 },
      { as: null, ask: `GET ${site}/published?shareKey={newKey}`, ...isNowhere },
      { as: "create", ask: `GET ${site}/share-links`, expect: 200, see: { count: 0, items: [] } },
      {
        as: null,
        ask: `GET ${site}/published?shareKey=${"k".repeat(129)}`,
        expect: 400,
        see: { error: { issues: [{ path: "query.shareKey" }] } },
      },
    ],
  },
  {
    title: "a key of one site opens no other, and a site takes only so many",
    scenes: [
      ...published("share-link"),
      { as: "admin", ask: `POST ${site}/share-links`, send: { name: "One" }, expect: 201, keep: { key: "key" } },
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/sites",
        send: { title: "More", visibility: "share-link", spaces: ["{space}"] },
        expect: 201,
        keep: { site: "id" },
      },
      { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
      { as: null, ask: `GET ${site}/published?shareKey={key}`, ...isNowhere },
      ...Array.from({ length: 100 }, (_, i): Scene => {
        return { as: "admin", ask: `POST ${site}/share-links`, send: { name: `Link ${i}` }, expect: 201 };
      }),
      {
        as: "admin",
        ask: `POST ${site}/share-links`,
        send: { name: "One more" },
        expect: 409,
        reason: "too_many_share_links",
      },
    ],
  },
  {
    title: "a site has a key for visitors as soon as they sign in to it, and keeps it",
    scenes: [
      ...published("public"),
      {
        as: "create",
        ask: `GET ${site}/publishing/auth`,
        expect: 200,
        see: { hasPrivateKey: false, privateKey: undefined },
      },
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "visitor-auth" }, expect: 200 },
      {
        as: "create",
        ask: `GET ${site}/publishing/auth`,
        expect: 200,
        see: {
          hasPrivateKey: true,
          privateKey: isKey,
          privateKeyCreatedAt: (time: string) => !Number.isNaN(Date.parse(time)),
        },
        keep: { key: "privateKey" },
      },
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "unlisted" }, expect: 200 },
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "visitor-auth" }, expect: 200 },
      { as: "create", ask: `GET ${site}/publishing/auth`, expect: 200, see: { privateKey: "{key}" } },
    ],
  },
  {
    title: "how visitors sign in is set by those who edit the site, and the key is shown to those who may make another",
    scenes: [
      ...published("visitor-auth"),
      {
        as: "create",
        ask: `GET ${site}/publishing/auth`,
        expect: 200,
        see: {
          object: "publishing-auth",
          backend: "custom",
          hasPrivateKey: true,
          privateKey: isKey,
          fallbackURL: undefined,
        },
      },
      { as: "review", ask: `GET ${site}/publishing/auth`, expect: 403, reason: "forbidden" },
      { as: "stranger", ask: `GET ${site}/publishing/auth`, expect: 404, reason: "organization_not_found" },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { fallbackURL: "https://login.example.com/start?from=docs" },
        expect: 200,
        see: { fallbackURL: "https://login.example.com/start?from=docs" },
      },
      ...["javascript:alert(1)", "data:text/html,x", "//example.com", "/login", "ftp://example.com/"].map(
        (fallbackURL): Scene => ({
          as: "create",
          ask: `PATCH ${site}/publishing/auth`,
          send: { fallbackURL },
          expect: 400,
          see: { error: { issues: [{ path: "body.fallbackURL" }] } },
        }),
      ),
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { backend: "integration" },
        expect: 400,
        see: { error: { issues: [{ path: "body.integration" }] } },
      },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { integration: "okta" },
        expect: 400,
        see: { error: { issues: [{ path: "body.integration" }] } },
      },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { backend: "integration", integration: "va-okta" },
        expect: 400,
        see: { error: { issues: [{ path: "body.integration" }] } },
      },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { backend: "custom", fallbackURL: null },
        expect: 200,
        see: { backend: "custom", integration: undefined, fallbackURL: undefined },
      },
      { as: "edit", ask: `PATCH ${site}/publishing/auth`, send: {}, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `POST ${site}/publishing/auth/regenerate`, expect: 403, reason: "forbidden" },
      {
        as: "create",
        ask: `POST ${site}/publishing/auth/regenerate`,
        expect: 200,
        see: { object: "publishing-auth", hasPrivateKey: true, privateKey: isKey },
        keep: { key: "privateKey" },
      },
      { as: "create", ask: `GET ${site}/publishing/auth`, expect: 200, see: { privateKey: "{key}" } },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { fallbackURL: "https://login.example.com" },
        expect: 200,
        see: { privateKey: "{key}" },
      },
      // Who edits the site but not a space on it could let people in with the key.
      { as: "admin", ask: "PATCH /v1/spaces/{space}", send: { defaultLevel: "edit" }, expect: 200 },
      {
        as: "create",
        ask: `GET ${site}/publishing/auth`,
        expect: 200,
        see: { hasPrivateKey: true, privateKey: undefined },
      },
      {
        as: "create",
        ask: `PATCH ${site}/publishing/auth`,
        send: { fallbackURL: null },
        expect: 200,
        see: { privateKey: undefined },
      },
      { as: "admin", ask: `GET ${site}/publishing/auth`, expect: 200, see: { privateKey: "{key}" } },
    ],
  },
  {
    title: "the schema of visitors is read by the organization and set by those who edit the site",
    scenes: [
      ...published("public"),
      {
        as: "read",
        ask: `GET ${site}/adaptive-schema`,
        expect: 200,
        see: {
          object: "site-adaptive-schema",
          jsonSchema: { type: "object", properties: {}, additionalProperties: false },
        },
      },
      { as: "read", ask: `GET ${site}/adaptive-schema/template-conditions`, expect: 200, see: { items: [] } },
      {
        as: "create",
        ask: `PUT ${site}/adaptive-schema`,
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
        expect: 200,
        see: { jsonSchema: { properties: { isBeta: { description: "Is in the beta" } } } },
      },
      {
        as: "read",
        ask: `GET ${site}/adaptive-schema/template-conditions`,
        expect: 200,
        see: {
          items: [
            { description: "Is in the beta", condition: "visitor.claims.isBeta" },
            { description: "unsigned language: de", condition: 'visitor.claims.unsigned.language === "de"' },
          ],
        },
      },
      { as: "edit", ask: `PUT ${site}/adaptive-schema`, send: {}, expect: 403, reason: "forbidden" },
      {
        as: "edit",
        ask: `PUT ${site}/adaptive-schema`,
        send: { jsonSchema: { type: "object", properties: {}, additionalProperties: false } },
        expect: 403,
        reason: "forbidden",
      },
      {
        as: "create",
        ask: `PUT ${site}/adaptive-schema`,
        send: { jsonSchema: { type: "object", properties: { a: { type: "integer" } }, additionalProperties: false } },
        expect: 400,
        see: { error: { issues: [{ path: "body.jsonSchema.properties.a.type" }] } },
      },
      {
        as: "create",
        ask: `PUT ${site}/adaptive-schema`,
        send: { jsonSchema: "true" },
        expect: 400,
        see: { error: { issues: [{ path: "body.jsonSchema", message: "Expected an object" }] } },
      },
      {
        as: "create",
        ask: `PUT ${site}/adaptive-schema`,
        send: {},
        expect: 400,
        see: { error: { issues: [{ path: "body.jsonSchema", message: "This field is required." }] } },
      },
      { as: "guest", ask: `GET ${site}/adaptive-schema`, ...isNowhere },
      { as: "guest", ask: `GET ${site}/adaptive-schema/template-conditions`, ...isNowhere },
    ],
  },
  {
    title: "a visitor reads pages without front matter, with conditions decided, and finds what they read",
    scenes: [
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
      {
        as: null,
        ask: `GET ${site}/site-spaces/{siteSpace}/pages`,
        expect: 200,
        see: {
          pages: [
            { id: "{page}", path: "welcome", urls: { published: (url: string) => url.endsWith("/docs/welcome") } },
            { title: "More", pages: [] },
          ],
        },
      },
      {
        as: null,
        ask: `GET ${site}/site-spaces/{siteSpace}/page/{page}`,
        expect: 200,
        see: {
          id: "{page}",
          markdown: (text: string) =>
            text.startsWith("# Welcome\n\nThis is the first edition.") &&
            !text.includes("zebra") &&
            !text.includes("{%"),
        },
      },
      {
        as: null,
        ask: `GET ${site}/site-spaces/{siteSpace}/page/{page}?format=document`,
        expect: 200,
        see: { markdown: undefined, document: { object: "document" } },
      },
      {
        as: null,
        ask: `GET ${site}/site-spaces/{siteSpace}/page/{other}`,
        expect: 404,
        reason: "page_not_found",
      },
      { as: "admin", ask: `GET ${site}/site-spaces/{siteSpace}/page/{other}`, expect: 404, reason: "page_not_found" },
      {
        as: null,
        ask: `GET ${site}/site-spaces/ssp_none/pages`,
        expect: 404,
        reason: "site_space_not_found",
      },
      {
        as: null,
        ask: `POST ${site}/search`,
        send: { query: "zebra" },
        expect: 200,
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
      },
      {
        as: null,
        ask: `POST ${site}/search`,
        send: { query: "" },
        expect: 400,
        see: { error: { issues: [{ path: "body.query" }] } },
      },
      {
        as: null,
        ask: `POST ${site}/search`,
        send: { query: "more" },
        expect: 200,
        see: { count: 1, items: [{ pages: [{}, {}] }] },
      },
      { as: "admin", ask: `POST ${site}/unpublish`, expect: 200 },
      { as: "admin", ask: `POST ${site}/search`, send: { query: "zebra" }, ...isNowhere },
    ],
  },
  {
    title: "pages that are hidden or not to be indexed are read, and not found by searching",
    scenes: [
      ...published("unlisted", "# Welcome\n\nA walrus.", [
        { operation: "insert_page", title: "Hidden", hidden: true, document: { markdown: "A walrus." } },
        { operation: "insert_page", title: "Unsearched", noIndex: true, document: { markdown: "A walrus." } },
      ]),
      {
        as: null,
        ask: `GET ${site}/site-spaces/{siteSpace}/pages`,
        expect: 200,
        see: { pages: [{ id: "{page}" }, { title: "Hidden", hidden: true }, { title: "Unsearched", noIndex: true }] },
      },
      { as: null, ask: `GET ${site}/site-spaces/{siteSpace}/page/{other}`, expect: 200, see: { title: "Unsearched" } },
      {
        as: null,
        ask: `POST ${site}/search`,
        send: { query: "walrus" },
        expect: 200,
        see: { count: 1, items: [{ pages: [{ id: "{page}" }] }] },
      },
    ],
  },
];
