// Where sites are found, as stories: hosts, proxies, URLs that resolve, redirects.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites";
export const site = `${at}/{site}`;
export const base = "http://localhost:3000/sites/{org}/docs";

/** Writes into a space, and keeps the page of the last change. */
export const write = (space: string, name: string, ...changes: object[]): Scene =>
  ask("admin", `POST /v1/spaces/{${space}}/content`, 200, {
    send: { changes },
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
  create("create", `POST ${at}`, "site", { title: "Docs", spaces: ["{guide}", "{api}"] }),
  ask("create", `POST ${site}/publish`, 200),
  ask("create", `GET ${site}/site-spaces`, 200, {
    keep: { guideOnSite: (body) => body.items[0].id, apiOnSite: (body) => body.items[1].id },
  }),
];

const elsewhere = { kind: "url", url: "https://example.com" };

/** Asks what is at a URL. */
export const shows = (url: string, see: object): Scene =>
  ask(null, "POST /v1/urls/published", 200, {
    send: { url },
    see: { object: "published-url", organization: "{org}", site: "{site}", type: "content", ...see },
  });
export const leads = (url: string, target: string): Scene =>
  ask(null, "POST /v1/urls/published", 200, {
    send: { url },
    see: { type: "redirect", site: "{site}", urls: { target } },
  });
/** A path that names no page: it leads to its space. */
export const rest = (url: string, pathname: string): Scene => shows(url, { pathname, page: undefined });
export const nothing = (url: string): Scene =>
  send(null, "POST /v1/urls/published", "404 published_url_not_found", { url });

const host = "/v1/custom-hostnames/docs.acme.example";

export const stories: Story[] = [
  defineStory("a site has a host of its own, which one organization has", [
    ...published,
    send("edit", `PATCH ${site}`, "403 forbidden", { hostname: "docs.acme.example" }),
    ask("create", `PATCH ${site}`, 200, {
      send: { hostname: "docs.acme.example" },
      see: { hostname: "docs.acme.example", urls: { published: "https://docs.acme.example" } },
    }),
    ask("create", `PATCH ${site}`, 200, { send: { title: "Docs 2" }, see: { hostname: "docs.acme.example" } }),
    create("rival", "POST /v1/orgs/{otherOrg}/sites", "theirs", {}),
    ...["docs.acme.example"].map(
      (hostname): Scene =>
        send("rival", "PATCH /v1/orgs/{otherOrg}/sites/{theirs}", "409 site_host_taken", { hostname }),
    ),
    send("rival", "PATCH /v1/orgs/{otherOrg}/sites/{theirs}", "409 site_host_taken", {
      proxy: "docs.acme.example/theirs",
    }),
    get("rival", "/v1/orgs/{otherOrg}/sites/{theirs}", { hostname: undefined, proxy: undefined }),
    create("create", `POST ${at}`, "other", {}),
    ...[{ hostname: "docs.acme.example" }, { proxy: "docs.acme.example/more" }].map(
      (address): Scene => send("create", `PATCH ${at}/{other}`, "409 site_host_taken", address),
    ),
    shows("https://docs.acme.example/start", {
      page: "{start}",
      urls: { published: "https://docs.acme.example/start" },
    }),
    shows("https://docs.acme.example", { siteSpace: (id: string) => id.startsWith("ssp_"), space: "{guide}" }),
    shows(`${base}/start`, { page: "{start}", urls: { published: "https://docs.acme.example/start" } }),
    nothing("https://docs.acme.example:8443/start"),
    ask("create", `PATCH ${site}`, 200, { send: { hostname: null }, see: { hostname: undefined } }),
    nothing("https://docs.acme.example/start"),
    send("rival", "PATCH /v1/orgs/{otherOrg}/sites/{theirs}", 200, { hostname: "docs.acme.example" }),
    send("create", `PATCH ${site}`, "409 site_host_taken", { hostname: "docs.acme.example" }),
    ask("rival", "DELETE /v1/orgs/{otherOrg}/sites/{theirs}", 204),
    send("create", `PATCH ${site}`, 200, { hostname: "docs.acme.example" }),
    ...["localhost", "example.com", "DOCS.example.com", "docs.example.com/x", "-a.b.c", "", 5].map(
      (hostname): Scene => refuse("create", `PATCH ${site}`, "body.hostname", { hostname }),
    ),
  ]),
  defineStory("a site is shown in a directory of another host", [
    ...published,
    ask("create", `PATCH ${site}`, 200, {
      send: { proxy: "Acme.example/help/docs" },
      see: {
        proxy: { origin: "acme.example/help/docs", target: "http://localhost:3000/sites/{org}/docs" },
        urls: { published: "https://acme.example/help/docs" },
      },
    }),
    shows("https://acme.example/help/docs/start/deep", { page: "{deep}", pagePath: "start/deep" }),
    shows(`${base}/start/deep`, { urls: { published: "https://acme.example/help/docs/start/deep" } }),
    nothing("https://acme.example/help"),
    nothing("https://acme.example/help/docsy"),
    create("create", `POST ${at}`, "other", { title: "More" }),
    ...["acme.example/help", "acme.example/help/docs", "acme.example/help/docs/start"].map(
      (proxy): Scene => send("create", `PATCH ${at}/{other}`, "409 site_host_taken", { proxy }),
    ),
    send("create", `PATCH ${at}/{other}`, 200, { proxy: "acme.example/help/docs2" }),
    send("create", `PATCH ${site}`, "409 site_host_taken", { proxy: "a.acme.example/x", hostname: "a.acme.example" }),
    create("rival", "POST /v1/orgs/{otherOrg}/sites", "theirs", {}),
    ask("create", `PATCH ${site}`, 200, { send: { proxy: null }, see: { proxy: undefined } }),
    send("rival", "PATCH /v1/orgs/{otherOrg}/sites/{theirs}", "409 site_host_taken", { proxy: "acme.example/theirs" }),
    ask("create", `DELETE ${at}/{other}`, 204),
    send("rival", "PATCH /v1/orgs/{otherOrg}/sites/{theirs}", 200, { proxy: "acme.example/theirs" }),
    ...["acme.example", "acme.example/", "https://acme.example/docs", "acme.example/a b", "acme/docs", 5].map(
      (proxy): Scene => refuse("create", `PATCH ${site}`, "body.proxy", { proxy }),
    ),
  ]),
  {
    title: "what the server itself is reached at is nobody's to take",
    options: { origin: "https://api.server.example", sitesUrl: "https://sites.server.example/s" },
    scenes: [
      create("create", `POST ${at}`, "site", {}),
      ...[
        { hostname: "api.server.example" },
        { hostname: "sites.server.example" },
        { proxy: "sites.server.example/s" },
      ].map((address): Scene => send("create", `PATCH ${site}`, "409 site_host_taken", address)),
    ],
  },
  defineStory("the default site-space is one of the site's", [
    ...published,
    ask(null, "POST /v1/urls/published", 200, {
      send: { url: `${base}/api` },
      see: { space: "{api}", page: "{calls}", urls: { published: `${base}/api` } },
      keep: { apiOnSite: "siteSpace" },
    }),
    create("create", `POST ${at}`, "other", { spaces: "empty" }),
    ask("create", `PATCH ${at}/{other}`, 400, {
      send: { defaultSiteSpace: "{apiOnSite}" },
      see: {
        error: {
          issues: [
            {
              path: "body.defaultSiteSpace",
              message: "Site-space not found at the root of this site or in its default section",
            },
          ],
        },
      },
    }),
    ask("create", `PATCH ${site}`, 400, {
      send: { defaultSiteSection: "{apiOnSite}" },
      see: { error: { issues: [{ path: "body.defaultSiteSection", message: "Section not found on this site" }] } },
    }),
    send("create", `PATCH ${site}`, 200, { defaultSiteSpace: "{apiOnSite}" }),
    shows(base, { space: "{api}" }),
    shows(`${base}/calls`, { space: "{api}", page: "{calls}" }),
    shows(`${base}/guide/start`, { space: "{guide}", page: "{start}" }),
    leads(`${base}/api/calls`, `${base}/calls`),
    leads(`${base}/api`, base),
  ]),
  defineStory("a URL resolves to what is published there, and to nothing else", [
    ...published,
    send(null, "POST /v1/urls/published", 400, { url: "docs" }),
    send(null, "POST /v1/urls/published", 400, { url: "javascript:alert(1)" }),
    send(null, "POST /v1/urls/published", 400, {}),
    shows(base, { space: "{guide}", page: "{start}", pagePath: "start", urls: { published: base } }),
    shows(`${base}/`, { space: "{guide}" }),
    shows(`${base}//start/?utm=1#part`, { page: "{start}" }),
    shows(`${base}/start/deep`, { page: "{deep}", pagePath: "start/deep", urls: { published: `${base}/start/deep` } }),
    shows(`${base}/api/calls`, { space: "{api}", page: "{calls}" }),
    { ...shows(`${base}/start`, {}), as: "admin" },
    leads(`${base}/guide`, base),
    leads(`${base}/guide/start`, `${base}/start`),
    send("admin", "PATCH /v1/orgs/{org}", 200, { hostname: "acme" }),
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
    ask("create", `POST ${site}/unpublish`, 200),
    nothing(base),
    { ...nothing(base), as: "admin" },
  ]),
  defineStory("S30: what is hidden from a visitor resolves as what is not there", [
    ...published,
    rest(`${base}/hidden`, "/hidden"),
    rest(`${base}/hidden/below`, "/hidden/below"),
    { ...rest(`${base}/hidden`, "/hidden"), as: "admin" },
    send("create", `PATCH ${site}`, 200, { visibility: "share-link" }),
    nothing(base),
    nothing(`${base}/wrong-key`),
    nothing(`${base}/wrong-key/start`),
    send("create", `PATCH ${site}`, 200, { visibility: "visitor-auth" }),
    nothing(base),
    send(null, "POST /v1/urls/published", 404, { url: base, visitorToken: "a.b.c" }),
    send("create", `PATCH ${site}`, 200, { visibility: "unlisted" }),
    shows(base, { space: "{guide}" }),
    ask("admin", "DELETE /v1/spaces/{api}", 204),
    rest(`${base}/api`, "/api"),
    rest(`${base}/api/calls`, "/api/calls"),
    ask("admin", "DELETE /v1/spaces/{guide}", 204),
    nothing(base),
  ]),
  defineStory("a host is shown, checked again and removed by its name, by those who see its site", [
    ...published,
    ask("create", `GET ${host}`, "404 custom_hostname_not_found"),
    ask("create", "GET /v1/custom-hostnames/no%20host", "404 custom_hostname_not_found"),
    send("create", `PATCH ${site}`, 200, { hostname: "docs.acme.example", proxy: "www.acme.example/docs" }),
    get("create", host, {
      object: "custom-hostname",
      hostname: "docs.acme.example",
      target: { type: "site", organization: "{org}", site: "{site}" },
      isActive: true,
      status: "active",
      record: { type: "TXT", name: "_octavo-challenge.docs.acme.example" },
    }),
    // The record proves the host, so only those who may change the site see it.
    get("read", host, { isActive: true, record: undefined }),
    ask(null, `GET ${host}`, "401 unauthorized"),
    ...(["guest", "rival", "stranger"] as const).map(
      (person): Scene => ask(person, `GET ${host}`, "404 custom_hostname_not_found"),
    ),
    // The host of a subdirectory belongs to its sites, and is none of its own.
    ask("create", "GET /v1/custom-hostnames/www.acme.example", "404 custom_hostname_not_found"),
    ask("edit", `PATCH ${host}`, "403 forbidden"),
    ask("rival", `PATCH ${host}`, "404 custom_hostname_not_found"),
    ask("create", `PATCH ${host}`, 204),
    ask("edit", `DELETE ${host}`, "403 forbidden"),
    ask("rival", `DELETE ${host}`, 204),
    get("create", site, { hostname: "docs.acme.example" }),
    ask("create", `DELETE ${host}`, 204),
    get("create", site, { hostname: undefined, proxy: { origin: "www.acme.example/docs" } }),
    ask("create", `GET ${host}`, "404 custom_hostname_not_found"),
    ask("create", `PATCH ${host}`, "404 custom_hostname_not_found"),
    ask("create", `DELETE ${host}`, 204),
    // Another organization can have it now.
    create("rival", "POST /v1/orgs/{otherOrg}/sites", "theirs", {}),
    send("rival", "PATCH /v1/orgs/{otherOrg}/sites/{theirs}", 200, { hostname: "docs.acme.example" }),
    get("rival", host, { target: { organization: "{otherOrg}", site: "{theirs}" } }),
    ask("create", `GET ${host}`, "404 custom_hostname_not_found"),
  ]),
  defineStory(
    "a host without a proof is found by its organization, and stays pending",
    { options: { verifyDomain: () => false } },
    [
      ...published,
      create("rival", "POST /v1/orgs/{otherOrg}/sites", "theirs", {}),
      send("create", `PATCH ${site}`, 200, { hostname: "docs.acme.example" }),
      send("rival", "PATCH /v1/orgs/{otherOrg}/sites/{theirs}", 200, { hostname: "docs.acme.example" }),
      get("create", host, { isActive: false, status: "pending", target: { site: "{site}" } }),
      get("rival", host, { isActive: false, status: "pending", target: { site: "{theirs}" } }),
      ask("create", `PATCH ${host}`, 204),
      get("create", host, { isActive: false, status: "pending" }),
      ask("create", `DELETE ${host}`, 204),
      ask("create", `GET ${host}`, "404 custom_hostname_not_found"),
      get("rival", host, { target: { site: "{theirs}" } }),
    ],
  ),
  defineStory("a page that moves is found at its old path", [
    ...published,
    send("admin", "POST /v1/spaces/{guide}/content", 200, {
      changes: [{ operation: "update_page", page: "{start}", slug: "begin" }],
    }),
    shows(`${base}/begin`, { page: "{start}" }),
    leads(`${base}/start`, `${base}/begin`),
    leads(`${base}/start/deep`, `${base}/begin/deep`),
    get(null, `${site}/redirect?source=%2Fstart%2Fdeep`, {
      source: "/start/deep",
      target: `${base}/begin/deep`,
      redirect: undefined,
    }),
    // Another page that takes the old path is shown.
    write("guide", "second", page("Start")),
    shows(`${base}/start`, { page: "{second}" }),
  ]),
  defineStory("redirects are set by those who edit the site", [
    ...published,
    ask("create", `POST ${site}/redirects`, 201, {
      send: { source: "//old//path/", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" } },
      see: {
        object: "site-redirect",
        source: "/old/path",
        destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" },
      },
      keep: { redirect: "id" },
      seeHeaders: { location: (url) => url?.includes("/redirects/red_") === true },
    }),
    leads(`${base}/old/path`, `${base}/start/deep`),
    leads(`${base}/old/path/?a=b`, `${base}/start/deep`),
    rest(`${base}/old`, "/old"),
    get(null, `${site}/redirect?source=%2Fold%2Fpath`, {
      target: `${base}/start/deep`,
      redirect: { object: "site-redirect", id: "{redirect}", source: "/old/path" },
    }),
    ask(null, `GET ${site}/redirect?source=%2Fstart`, "404 redirect_not_found"),
    ask(null, `GET ${site}/redirect?source=%2Fnowhere`, "404 redirect_not_found"),
    ask(null, `GET ${site}/redirect`, 400),
    ask(null, `GET ${at}/sit_none/redirect?source=%2Fold`, "404 site_not_found"),
    ask("create", `POST ${site}/redirects`, 201, {
      send: { source: "/away", destination: { kind: "external", url: "https://away.example/" } },
      see: { destination: { kind: "url", url: "https://away.example/" } },
      keep: { away: "id" },
    }),
    leads(`${base}/away`, "https://away.example/"),
    send("create", `DELETE ${site}/redirects/{away}`, 204, undefined),
    list("create", `${site}/redirects`, [{ id: "{redirect}" }]),
    get("create", `${site}/redirects/{redirect}`, { source: "/old/path" }),
    ask("review", `GET ${site}/redirects`, "403 forbidden"),
    ask("create", `GET ${site}/redirects/red_none`, "404 redirect_not_found"),
    send("create", `POST ${site}/redirects`, "409 redirect_taken", {
      source: "/old/path",
      destination: { kind: "url", url: "https://example.com" },
    }),
    send("edit", `POST ${site}/redirects`, 403, {
      source: "/a",
      destination: { kind: "url", url: "https://example.com" },
    }),
    ask("create", `PATCH ${site}/redirects/{redirect}`, 200, {
      send: { source: "/alt%20path", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
      see: { source: "/alt path" },
    }),
    send("edit", `PATCH ${site}/redirects/red_none`, 403, { source: "/b" }),
    rest(`${base}/old/path`, "/old/path"),
    leads(`${base}/alt%20path`, `${base}/api`),
    // What shows content is never redirected.
    send("create", `PATCH ${site}/redirects/{redirect}`, 200, { source: "/start" }),
    shows(`${base}/start`, { page: "{start}" }),
    ask("edit", `DELETE ${site}/redirects/{redirect}`, 403),
    get("create", `${site}/redirects`, { count: 1 }),
    ask("create", `DELETE ${site}/redirects/{redirect}`, 204),
    get("create", `${site}/redirects`, { count: 0 }),
  ]),
  defineStory("many redirects are set at once, all of them or none, and a refusal names the first that cannot be", [
    ...published,
    send("edit", `POST ${site}/redirects/bulk`, "403 forbidden", {
      redirects: [{ source: "/a", destination: elsewhere }],
    }),
    ask("create", `POST ${site}/redirects/bulk`, 201, {
      send: {
        redirects: [
          { source: "/a", destination: elsewhere },
          { source: "/b", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" } },
          { source: "/c", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
        ],
      },
      see: {
        redirects: [
          { object: "site-redirect", source: "/a", destination: elsewhere },
          { source: "/b", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" } },
          { source: "/c", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
        ],
      },
    }),
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
      ([redirect, status, member]): Scene =>
        ask("create", `POST ${site}/redirects/bulk`, status, {
          send: { redirects: [{ source: "/new", destination: elsewhere }, redirect] },
          see: { error: { issues: [{ path: `body.redirects.1.${member}` }] } },
        }),
    ),
    ...[[], Array.from({ length: 101 }, (_, n) => ({ source: `/r${n}`, destination: elsewhere }))].map(
      (redirects): Scene => refuse("create", `POST ${site}/redirects/bulk`, "body.redirects", { redirects }),
    ),
    get("create", `${site}/redirects`, { count: 3 }),
  ]),
  defineStory("redirects are created, changed, published and deleted by their sources, each by itself", [
    ...published,
    send("edit", `PUT ${site}/redirects`, "403 forbidden", { redirects: [{ source: "/a", destination: elsewhere }] }),
    send("create", `PUT ${at}/sit_none/redirects`, "404 site_not_found", {
      redirects: [{ source: "/a", destination: elsewhere }],
    }),
    ask("create", `PUT ${site}/redirects`, 200, {
      send: {
        redirects: [
          { source: "//a/", destination: elsewhere },
          {
            source: "/b",
            destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{deep}" },
            intent: "draft",
          },
          { source: "/c", destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "pag_none" } },
          { source: "/d", destination: { kind: "page", siteSpaceId: "ssp_none", pageId: "{deep}" } },
          { source: "/e", intent: "publish" },
          { source: "/f", destination: { kind: "url", url: `${base}/f` } },
          { source: "/g", destination: null },
        ],
      },
      see: {
        results: [
          { source: "/a", status: "created", redirect: { source: "/a", destination: elsewhere, draft: false } },
          { source: "/b", status: "created", redirect: { source: "/b", draft: true } },
          { source: "/c", status: "failed", error: { code: 400, message: "Page not found in this space" } },
          { source: "/d", status: "failed", error: { code: 400, message: "Space not found on this site" } },
          { source: "/e", status: "failed", error: { code: 400, reason: "invalid_request" } },
          { source: "/f", status: "failed", error: { code: 409, reason: "redirect_loop" } },
          { source: "/g", status: "deleted", redirect: undefined },
        ],
      },
      keep: { a: "results.0.redirect.id", b: "results.1.redirect.id" },
    }),
    get("create", `${site}/redirects`, { count: 2 }),
    get("create", `${site}/redirects/{b}`, { draft: true }),
    // A draft leads nowhere until it is published.
    rest(`${base}/b`, "/b"),
    ask(null, `GET ${site}/redirect?source=%2Fb`, "404 redirect_not_found"),
    ask("create", `PUT ${site}/redirects`, 200, {
      send: {
        redirects: [
          { source: "/b", intent: "publish" },
          { source: "/a", destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" } },
          { source: "/a", intent: "draft" },
        ],
      },
      see: {
        results: [
          { status: "updated", redirect: { id: "{b}", draft: false, destination: { kind: "page", pageId: "{deep}" } } },
          { status: "updated", redirect: { id: "{a}", draft: false } },
          { status: "updated", redirect: { id: "{a}", draft: true, destination: { kind: "site-space" } } },
        ],
      },
    }),
    leads(`${base}/b`, `${base}/start/deep`),
    rest(`${base}/a`, "/a"),
    // The other operations publish and withdraw as well.
    ask("create", `PATCH ${site}/redirects/{a}`, 200, { send: { draft: false }, see: { draft: false } }),
    leads(`${base}/a`, `${base}/api`),
    ask("create", `PATCH ${site}/redirects/{b}`, 200, { send: { draft: true }, see: { draft: true } }),
    rest(`${base}/b`, "/b"),
    ask("create", `POST ${site}/redirects`, 201, {
      send: { source: "/h", destination: elsewhere, draft: true },
      see: { draft: true },
    }),
    send("create", `POST ${site}/redirects`, "409 redirect_taken", { source: "/h", destination: elsewhere }),
    ask("create", `PUT ${site}/redirects`, 200, {
      send: { redirects: ["/a", "/b", "/h"].map((source) => ({ source, destination: null })) },
      see: { results: [{ status: "deleted" }, { status: "deleted" }, { status: "deleted" }] },
    }),
    list("create", `${site}/redirects`, []),
    rest(`${base}/a`, "/a"),
    ...(
      [
        [[], "body.redirects"],
        [Array.from({ length: 101 }, (_, n) => ({ source: `/r${n}`, destination: elsewhere })), "body.redirects"],
        [[{ source: "x", destination: elsewhere }], "body.redirects.0.source"],
        [[{ source: "/x", intent: "later" }], "body.redirects.0.intent"],
      ] as const
    ).map(([redirects, path]): Scene => refuse("create", `PUT ${site}/redirects`, path, { redirects })),
  ]),
  defineStory("a redirect leads to what the visitor may see, or nowhere", [
    ...published,
    send("create", `POST ${site}/redirects`, 201, {
      source: "/secret",
      destination: { kind: "page", siteSpaceId: "{guideOnSite}", pageId: "{below}" },
    }),
    rest(`${base}/secret`, "/secret"),
    send("create", `POST ${site}/redirects`, 201, {
      source: "/calls",
      destination: { kind: "site-space", siteSpaceId: "{apiOnSite}" },
    }),
    leads(`${base}/calls`, `${base}/api`),
    ask("admin", "DELETE /v1/spaces/{api}", 204),
    rest(`${base}/calls`, "/calls"),
  ]),
  defineStory("redirects follow each other, and none leads back to where it begins", [
    ...published,
    ...[
      ["/a", `${base}/b`],
      ["/b", `${base}/c`],
      ["/c", `${base}/start`],
    ].map(
      ([source, url]): Scene =>
        ask("create", `POST ${site}/redirects`, 201, {
          send: { source, destination: { kind: "url", url } },
          keep: { [`red${source!.slice(1)}`]: "id" },
        }),
    ),
    leads(`${base}/a`, `${base}/start`),
    send("create", `PATCH ${site}/redirects/{redc}`, "409 redirect_loop", {
      destination: { kind: "url", url: `${base}/a` },
    }),
    send("create", `POST ${site}/redirects`, "409 redirect_loop", {
      source: "/self",
      destination: { kind: "url", url: `${base}/self/?x` },
    }),
    // Through the site's host it is the same site.
    send("create", `PATCH ${site}`, 200, { hostname: "docs.acme.example" }),
    send("create", `PATCH ${site}/redirects/{redc}`, "409 redirect_loop", {
      destination: { kind: "url", url: "http://docs.acme.example/b" },
    }),
    send("create", `PATCH ${site}/redirects/{redc}`, "409 redirect_loop", { source: "/start" }),
    ...Array.from(
      { length: 8 },
      (_, i): Scene =>
        send("create", `POST ${site}/redirects`, i < 7 ? 201 : 400, {
          source: `/n${i}`,
          destination: { kind: "url", url: `https://docs.acme.example/${i === 0 ? "a" : `n${i - 1}`}` },
        }),
    ),
    leads(`${base}/n6`, "https://docs.acme.example/start"),
  ]),
];
