// Where sites are found, as stories: hosts, proxies, URLs that resolve, redirects.

import type { Scene, Story } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites";
export const site = `${at}/{site}`;
export const base = "http://localhost:3000/sites/{org}/docs";

/** Writes into a space, and keeps the page of the last change. */
export const write = (space: string, name: string, ...changes: object[]): Scene => ({
  as: "admin",
  ask: `POST /v1/spaces/{${space}}/content`,
  send: { changes },
  expect: 200,
  keep: { [name]: (body) => body.changes.at(-1).page.id },
});
export const page = (title: string, more: object = {}) => ({
  operation: "insert_page",
  title,
  document: { markdown: `About ${title}.` },
  ...more,
});

/** A published site with `guide` (Start, with Deep below it; Hidden) as its default, and `api` (Calls) beside it. */
export const published: Scene[] = [
  makeSpace("guide", "Guide"),
  makeSpace("api", "API"),
  write("guide", "start", page("Start")),
  write("guide", "deep", page("Deep", { into: "{start}" })),
  write("guide", "hidden", page("Hidden", { condition: "visitor.claims.isStaff" })),
  write("guide", "below", page("Below", { into: "{hidden}" })),
  write("api", "calls", page("Calls")),
  {
    as: "create",
    ask: `POST ${at}`,
    send: { title: "Docs", spaces: ["{guide}", "{api}"] },
    expect: 201,
    keep: { site: "id" },
  },
  { as: "create", ask: `POST ${site}/publish`, expect: 200 },
  {
    as: "create",
    ask: `GET ${site}/site-spaces`,
    expect: 200,
    keep: { guideOnSite: (body) => body.items[0].id, apiOnSite: (body) => body.items[1].id },
  },
];

const elsewhere = { kind: "url", url: "https://example.com" };

/** Asks what is at a URL. */
export const shows = (url: string, see: object): Scene => ({
  as: null,
  ask: "POST /v1/urls/published",
  send: { url },
  expect: 200,
  see: { object: "published-url", organization: "{org}", site: "{site}", type: "content", ...see },
});
export const leads = (url: string, target: string): Scene => ({
  as: null,
  ask: "POST /v1/urls/published",
  send: { url },
  expect: 200,
  see: { type: "redirect", site: "{site}", urls: { target } },
});
/** A path that names no page: it leads to its space. */
export const rest = (url: string, pathname: string): Scene =>
  shows(url, { pathname, complete: false, page: undefined });
export const nothing = (url: string): Scene => ({
  as: null,
  ask: "POST /v1/urls/published",
  send: { url },
  expect: 404,
  reason: "published_url_not_found",
});

export const stories: Story[] = [
  {
    title: "a site has a host of its own, which one organization has",
    scenes: [
      ...published,
      { as: "edit", ask: `PATCH ${site}`, send: { hostname: "docs.acme.example" }, expect: 403, reason: "forbidden" },
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { hostname: "docs.acme.example" },
        expect: 200,
        see: { hostname: "docs.acme.example", urls: { published: "https://docs.acme.example" } },
      },
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { title: "Docs 2" },
        expect: 200,
        see: { hostname: "docs.acme.example" },
      },
      { as: "rival", ask: "POST /v1/orgs/{otherOrg}/sites", send: {}, expect: 201, keep: { theirs: "id" } },
      ...["docs.acme.example"].map(
        (hostname): Scene => ({
          as: "rival",
          ask: "PATCH /v1/orgs/{otherOrg}/sites/{theirs}",
          send: { hostname },
          expect: 409,
          reason: "site_host_taken",
        }),
      ),
      {
        as: "rival",
        ask: "PATCH /v1/orgs/{otherOrg}/sites/{theirs}",
        send: { proxy: "docs.acme.example/theirs" },
        expect: 409,
        reason: "site_host_taken",
      },
      {
        as: "rival",
        ask: "GET /v1/orgs/{otherOrg}/sites/{theirs}",
        expect: 200,
        see: { hostname: undefined, proxy: undefined },
      },
      { as: "create", ask: `POST ${at}`, send: {}, expect: 201, keep: { other: "id" } },
      ...[{ hostname: "docs.acme.example" }, { proxy: "docs.acme.example/more" }].map(
        (send): Scene => ({ as: "create", ask: `PATCH ${at}/{other}`, send, expect: 409, reason: "site_host_taken" }),
      ),
      shows("https://docs.acme.example/start", {
        page: "{start}",
        urls: { published: "https://docs.acme.example/start" },
      }),
      shows("https://docs.acme.example", { siteSpace: (id: string) => id.startsWith("ssp_"), space: "{guide}" }),
      shows(`${base}/start`, { page: "{start}", urls: { published: "https://docs.acme.example/start" } }),
      nothing("https://docs.acme.example:8443/start"),
      { as: "create", ask: `PATCH ${site}`, send: { hostname: null }, expect: 200, see: { hostname: undefined } },
      nothing("https://docs.acme.example/start"),
      {
        as: "rival",
        ask: "PATCH /v1/orgs/{otherOrg}/sites/{theirs}",
        send: { hostname: "docs.acme.example" },
        expect: 200,
      },
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { hostname: "docs.acme.example" },
        expect: 409,
        reason: "site_host_taken",
      },
      { as: "rival", ask: "DELETE /v1/orgs/{otherOrg}/sites/{theirs}", expect: 204 },
      { as: "create", ask: `PATCH ${site}`, send: { hostname: "docs.acme.example" }, expect: 200 },
      ...["localhost", "example.com", "DOCS.example.com", "docs.example.com/x", "-a.b.c", "", 5].map(
        (hostname): Scene => ({
          as: "create",
          ask: `PATCH ${site}`,
          send: { hostname },
          expect: 400,
          see: { error: { issues: [{ path: "body.hostname" }] } },
        }),
      ),
    ],
  },
  {
    title: "a site is shown in a directory of another host",
    scenes: [
      ...published,
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { proxy: "Acme.example/help/docs" },
        expect: 200,
        see: {
          proxy: { origin: "acme.example/help/docs", target: "http://localhost:3000/sites/{org}/docs" },
          urls: { published: "https://acme.example/help/docs" },
        },
      },
      shows("https://acme.example/help/docs/start/deep", { page: "{deep}", pagePath: "start/deep" }),
      shows(`${base}/start/deep`, { urls: { published: "https://acme.example/help/docs/start/deep" } }),
      nothing("https://acme.example/help"),
      nothing("https://acme.example/help/docsy"),
      { as: "create", ask: `POST ${at}`, send: { title: "More" }, expect: 201, keep: { other: "id" } },
      ...["acme.example/help", "acme.example/help/docs", "acme.example/help/docs/start"].map(
        (proxy): Scene => ({
          as: "create",
          ask: `PATCH ${at}/{other}`,
          send: { proxy },
          expect: 409,
          reason: "site_host_taken",
        }),
      ),
      { as: "create", ask: `PATCH ${at}/{other}`, send: { proxy: "acme.example/help/docs2" }, expect: 200 },
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { proxy: "a.acme.example/x", hostname: "a.acme.example" },
        expect: 409,
        reason: "site_host_taken",
      },
      { as: "rival", ask: "POST /v1/orgs/{otherOrg}/sites", send: {}, expect: 201, keep: { theirs: "id" } },
      { as: "create", ask: `PATCH ${site}`, send: { proxy: null }, expect: 200, see: { proxy: undefined } },
      {
        as: "rival",
        ask: "PATCH /v1/orgs/{otherOrg}/sites/{theirs}",
        send: { proxy: "acme.example/theirs" },
        expect: 409,
        reason: "site_host_taken",
      },
      { as: "create", ask: `DELETE ${at}/{other}`, expect: 204 },
      {
        as: "rival",
        ask: "PATCH /v1/orgs/{otherOrg}/sites/{theirs}",
        send: { proxy: "acme.example/theirs" },
        expect: 200,
      },
      ...["acme.example", "acme.example/", "https://acme.example/docs", "acme.example/a b", "acme/docs", 5].map(
        (proxy): Scene => ({
          as: "create",
          ask: `PATCH ${site}`,
          send: { proxy },
          expect: 400,
          see: { error: { issues: [{ path: "body.proxy" }] } },
        }),
      ),
    ],
  },
  {
    title: "what the server itself is reached at is nobody's to take",
    options: { origin: "https://api.server.example", sitesUrl: "https://sites.server.example/s" },
    scenes: [
      { as: "create", ask: `POST ${at}`, send: {}, expect: 201, keep: { site: "id" } },
      ...[
        { hostname: "api.server.example" },
        { hostname: "sites.server.example" },
        { proxy: "sites.server.example/s" },
      ].map((send): Scene => ({ as: "create", ask: `PATCH ${site}`, send, expect: 409, reason: "site_host_taken" })),
    ],
  },
  {
    title: "the default site-space is one of the site's",
    scenes: [
      ...published,
      {
        as: null,
        ask: "POST /v1/urls/published",
        send: { url: `${base}/api` },
        expect: 200,
        see: { space: "{api}", page: "{calls}", urls: { published: `${base}/api` } },
        keep: { apiOnSite: "siteSpace" },
      },
      { as: "create", ask: `POST ${at}`, send: { spaces: "empty" }, expect: 201, keep: { other: "id" } },
      {
        as: "create",
        ask: `PATCH ${at}/{other}`,
        send: { defaultSiteSpace: "{apiOnSite}" },
        expect: 400,
        see: {
          error: {
            issues: [
              {
                path: "body.defaultSiteSpace",
                message: "The site has no such site-space at its root or in its default section",
              },
            ],
          },
        },
      },
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { defaultSiteSection: "{apiOnSite}" },
        expect: 400,
        see: { error: { issues: [{ path: "body.defaultSiteSection", message: "Section not found on this site" }] } },
      },
      { as: "create", ask: `PATCH ${site}`, send: { defaultSiteSpace: "{apiOnSite}" }, expect: 200 },
      shows(base, { space: "{api}" }),
      shows(`${base}/calls`, { space: "{api}", page: "{calls}" }),
      shows(`${base}/guide/start`, { space: "{guide}", page: "{start}" }),
      leads(`${base}/api/calls`, `${base}/calls`),
      leads(`${base}/api`, base),
    ],
  },
  {
    title: "a URL resolves to what is published there, and to nothing else",
    scenes: [
      ...published,
      { as: null, ask: "POST /v1/urls/published", send: { url: "docs" }, expect: 400 },
      { as: null, ask: "POST /v1/urls/published", send: { url: "javascript:alert(1)" }, expect: 400 },
      { as: null, ask: "POST /v1/urls/published", send: {}, expect: 400 },
      shows(base, { space: "{guide}", page: "{start}", pagePath: "start", urls: { published: base } }),
      shows(`${base}/`, { space: "{guide}" }),
      shows(`${base}//start/?utm=1#part`, { page: "{start}" }),
      shows(`${base}/start/deep`, {
        page: "{deep}",
        pagePath: "start/deep",
        urls: { published: `${base}/start/deep` },
      }),
      shows(`${base}/api/calls`, { space: "{api}", page: "{calls}" }),
      { ...shows(`${base}/start`, {}), as: "admin" },
      leads(`${base}/guide`, base),
      leads(`${base}/guide/start`, `${base}/start`),
      { as: "admin", ask: "PATCH /v1/orgs/{org}", send: { hostname: "acme" }, expect: 200 },
      shows("http://localhost:3000/sites/acme/docs/start", {
        page: "{start}",
        urls: { published: "http://localhost:3000/sites/acme/docs/start" },
      }),
      rest(`${base}/nowhere`, "/nowhere"),
      rest(`${base}/start/nowhere`, "/start/nowhere"),
      nothing(`${base}/..%2fdocs`),
      nothing("http://localhost:3000/sites/{org}/other"),
      nothing("http://localhost:3000/sites/{org}"),
      nothing("http://localhost:3000/sites/org_000000000000/docs"),
      nothing("http://localhost:3000/sites/nobody/docs"),
      nothing("https://elsewhere.example/docs"),
      // A page that has the path of a site-space is at the long form of its URL.
      write("guide", "shadowed", page("API")),
      shows(`${base}/guide/api`, {
        page: "{shadowed}",
        urls: { published: "http://localhost:3000/sites/acme/docs/guide/api" },
      }),
      shows(`${base}/api`, { space: "{api}" }),
      { as: "create", ask: `POST ${site}/unpublish`, expect: 200 },
      nothing(base),
      { ...nothing(base), as: "admin" },
    ],
  },
  {
    title: "S30: what is hidden from a visitor resolves as what is not there",
    scenes: [
      ...published,
      rest(`${base}/hidden`, "/hidden"),
      rest(`${base}/hidden/below`, "/hidden/below"),
      { ...rest(`${base}/hidden`, "/hidden"), as: "admin" },
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "share-link" }, expect: 200 },
      nothing(base),
      nothing(`${base}/wrong-key`),
      nothing(`${base}/wrong-key/start`),
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "visitor-auth" }, expect: 200 },
      nothing(base),
      { as: null, ask: "POST /v1/urls/published", send: { url: base, visitorToken: "a.b.c" }, expect: 404 },
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "unlisted" }, expect: 200 },
      shows(base, { space: "{guide}" }),
      { as: "admin", ask: "DELETE /v1/spaces/{api}", expect: 204 },
      rest(`${base}/api`, "/api"),
      rest(`${base}/api/calls`, "/api/calls"),
      { as: "admin", ask: "DELETE /v1/spaces/{guide}", expect: 204 },
      nothing(base),
    ],
  },
  {
    title: "a page that moves is found at its old path",
    scenes: [
      ...published,
      {
        as: "admin",
        ask: "POST /v1/spaces/{guide}/content",
        send: { changes: [{ operation: "update_page", page: "{start}", slug: "begin" }] },
        expect: 200,
      },
      shows(`${base}/begin`, { page: "{start}" }),
      leads(`${base}/start`, `${base}/begin`),
      leads(`${base}/start/deep`, `${base}/begin/deep`),
      {
        as: null,
        ask: `GET ${site}/redirect?source=%2Fstart%2Fdeep`,
        expect: 200,
        see: { source: "/start/deep", target: `${base}/begin/deep` },
      },
      // Another page that takes the old path is shown.
      write("guide", "second", page("Start")),
      shows(`${base}/start`, { page: "{second}" }),
    ],
  },
  {
    title: "redirects are set by those who edit the site",
    scenes: [
      ...published,
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "//old//path/", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" } },
        expect: 201,
        see: {
          object: "site-redirect",
          source: "/old/path",
          destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" },
        },
        keep: { redirect: "id" },
        seeHeaders: { location: (url) => url?.includes("/redirects/red_") === true },
      },
      leads(`${base}/old/path`, `${base}/start/deep`),
      leads(`${base}/old/path/?a=b`, `${base}/start/deep`),
      rest(`${base}/old`, "/old"),
      {
        as: null,
        ask: `GET ${site}/redirect?source=%2Fold%2Fpath`,
        expect: 200,
        see: { target: `${base}/start/deep` },
      },
      { as: null, ask: `GET ${site}/redirect?source=%2Fstart`, expect: 404, reason: "redirect_not_found" },
      { as: null, ask: `GET ${site}/redirect?source=%2Fnowhere`, expect: 404, reason: "redirect_not_found" },
      { as: null, ask: `GET ${site}/redirect`, expect: 400 },
      { as: null, ask: `GET ${at}/sit_none/redirect?source=%2Fold`, expect: 404, reason: "site_not_found" },
      { as: "create", ask: `GET ${site}/redirects`, expect: 200, see: { count: 1, items: [{ id: "{redirect}" }] } },
      { as: "create", ask: `GET ${site}/redirects/{redirect}`, expect: 200, see: { source: "/old/path" } },
      { as: "review", ask: `GET ${site}/redirects`, expect: 403, reason: "forbidden" },
      { as: "review", ask: `GET ${site}/redirects/{redirect}`, expect: 403, reason: "forbidden" },
      { as: "create", ask: `GET ${site}/redirects/red_none`, expect: 404, reason: "redirect_not_found" },
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/old/path", destination: { kind: "url", url: "https://example.com" } },
        expect: 409,
        reason: "redirect_taken",
      },
      {
        as: "edit",
        ask: `POST ${site}/redirects`,
        send: { source: "/a", destination: { kind: "url", url: "https://example.com" } },
        expect: 403,
      },
      {
        as: "create",
        ask: `PATCH ${site}/redirects/{redirect}`,
        send: { source: "/alt%20path", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
        expect: 200,
        see: { source: "/alt path" },
      },
      { as: "edit", ask: `PATCH ${site}/redirects/red_none`, send: { source: "/b" }, expect: 403 },
      rest(`${base}/old/path`, "/old/path"),
      leads(`${base}/alt%20path`, `${base}/api`),
      // What shows content is never redirected.
      { as: "create", ask: `PATCH ${site}/redirects/{redirect}`, send: { source: "/start" }, expect: 200 },
      shows(`${base}/start`, { page: "{start}" }),
      { as: "edit", ask: `DELETE ${site}/redirects/{redirect}`, expect: 403 },
      { as: "create", ask: `GET ${site}/redirects`, expect: 200, see: { count: 1 } },
      { as: "guest", ask: `DELETE ${site}/redirects/{redirect}`, expect: 404 },
      { as: "create", ask: `DELETE ${site}/redirects/{redirect}`, expect: 204 },
      { as: "create", ask: `GET ${site}/redirects`, expect: 200, see: { count: 0 } },
    ],
  },
  {
    title: "many redirects are set at once, all of them or none, and a refusal names the first that cannot be",
    scenes: [
      ...published,
      {
        as: "edit",
        ask: `POST ${site}/redirects/bulk`,
        send: { redirects: [{ source: "/a", destination: elsewhere }] },
        expect: 403,
        reason: "forbidden",
      },
      {
        as: "create",
        ask: `POST ${site}/redirects/bulk`,
        send: {
          redirects: [
            { source: "/a", destination: elsewhere },
            { source: "/b", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" } },
            { source: "/c", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
          ],
        },
        expect: 201,
        see: {
          redirects: [
            { object: "site-redirect", source: "/a", destination: elsewhere },
            { source: "/b", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" } },
            { source: "/c", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
          ],
        },
      },
      leads(`${base}/b`, `${base}/start/deep`),
      leads(`${base}/c`, `${base}/api`),
      ...(
        [
          [{ source: "/a", destination: elsewhere }, 409, "source"],
          [{ source: "/new", destination: elsewhere }, 409, "source"],
          [{ source: "/loop", destination: { kind: "url", url: `${base}/loop` } }, 409, "destination"],
          [
            { source: "/x", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "pag_none" } },
            400,
            "destination.pageId",
          ],
          [
            { source: "/x", destination: { kind: "page", siteSpaceId: "ssp_none", pageId: "{deep}" } },
            400,
            "destination.siteSpaceId",
          ],
          [
            {
              source: "/x",
              destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}", space: "{guide}" },
            },
            400,
            "destination.space",
          ],
          [{ source: "x", destination: elsewhere }, 400, "source"],
        ] as const
      ).map(
        ([redirect, status, member]): Scene => ({
          as: "create",
          ask: `POST ${site}/redirects/bulk`,
          send: { redirects: [{ source: "/new", destination: elsewhere }, redirect] },
          expect: status,
          see: { error: { issues: [{ path: `body.redirects.1.${member}` }] } },
        }),
      ),
      ...[[], Array.from({ length: 101 }, (_, n) => ({ source: `/r${n}`, destination: elsewhere }))].map(
        (redirects): Scene => ({
          as: "create",
          ask: `POST ${site}/redirects/bulk`,
          send: { redirects },
          expect: 400,
          see: { error: { issues: [{ path: "body.redirects" }] } },
        }),
      ),
      { as: "create", ask: `GET ${site}/redirects`, expect: 200, see: { count: 3 } },
    ],
  },
  {
    title: "a redirect leads to what the visitor may see, or nowhere",
    scenes: [
      ...published,
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/secret", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{below}" } },
        expect: 201,
      },
      rest(`${base}/secret`, "/secret"),
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/calls", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
        expect: 201,
      },
      leads(`${base}/calls`, `${base}/api`),
      { as: "admin", ask: "DELETE /v1/spaces/{api}", expect: 204 },
      rest(`${base}/calls`, "/calls"),
    ],
  },
  {
    title: "redirects follow each other, and none leads back to where it begins",
    scenes: [
      ...published,
      ...[
        ["/a", `${base}/b`],
        ["/b", `${base}/c`],
        ["/c", `${base}/start`],
      ].map(
        ([source, url]): Scene => ({
          as: "create",
          ask: `POST ${site}/redirects`,
          send: { source, destination: { kind: "url", url } },
          expect: 201,
          keep: { [`red${source!.slice(1)}`]: "id" },
        }),
      ),
      leads(`${base}/a`, `${base}/start`),
      {
        as: "create",
        ask: `PATCH ${site}/redirects/{redc}`,
        send: { destination: { kind: "url", url: `${base}/a` } },
        expect: 409,
        reason: "redirect_loop",
      },
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/self", destination: { kind: "url", url: `${base}/self/?x` } },
        expect: 409,
        reason: "redirect_loop",
      },
      // Through the site's host it is the same site.
      { as: "create", ask: `PATCH ${site}`, send: { hostname: "docs.acme.example" }, expect: 200 },
      {
        as: "create",
        ask: `PATCH ${site}/redirects/{redc}`,
        send: { destination: { kind: "url", url: "http://docs.acme.example/b" } },
        expect: 409,
        reason: "redirect_loop",
      },
      {
        as: "create",
        ask: `PATCH ${site}/redirects/{redc}`,
        send: { source: "/start" },
        expect: 409,
        reason: "redirect_loop",
      },
      ...Array.from(
        { length: 8 },
        (_, i): Scene => ({
          as: "create",
          ask: `POST ${site}/redirects`,
          send: {
            source: `/n${i}`,
            destination: { kind: "url", url: `https://docs.acme.example/${i === 0 ? "a" : `n${i - 1}`}` },
          },
          expect: i < 7 ? 201 : 400,
        }),
      ),
      leads(`${base}/n6`, "https://docs.acme.example/start"),
    ],
  },
];
