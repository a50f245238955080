// Organizations as stories.

import { ask, defineStory, get, list, refuse, type Story, send } from "../scenario";

const hasUrls = (url: unknown) => typeof url === "string" && url.startsWith("http://localhost:3000/");

export const stories: Story[] = [
  defineStory("the service says that it is up, to anybody", [
    get(null, "/v1/", { version: (value: unknown) => typeof value === "string" }),
    ask(null, "GET /v1/health", 200, { see: { status: "up" }, seeHeaders: { "cache-control": "no-store" } }),
    get("read", "/v1/ready", { status: "ready" }),
    get(null, "/v1"),
    get(null, "/v1/openapi.json", { openapi: "3.1.0" }),
    ask(null, "POST /v1/", "405 method_not_allowed", { seeHeaders: { allow: "GET, HEAD, OPTIONS" } }),
    ask(null, "GET /v1/nothing", "404 route_not_found"),
    ask(null, "GET /v2/", "404 route_not_found"),
  ]),
  defineStory("whoever founds an organization is its admin", [
    ask("stranger", "POST /v1/orgs", 201, {
      send: {
        title: "Docs",
        emailDomains: ["Docs.example"],
        type: "community",
        useCase: "openSourceDocs",
        communityType: "openSource",
      },
      see: {
        object: "organization",
        title: "Docs",
        emailDomains: ["docs.example"],
        plan: "internal",
        inviteLinks: true,
        permissions: { admin: true, view: true },
      },
      seeHeaders: { location: (url) => hasUrls(url) },
      keep: { mine: "id" },
    }),
    list("stranger", "/v1/orgs", [{ id: "{mine}" }]),
    list("stranger", "/v1/orgs/{mine}/members", [{ id: "{stranger}", role: "admin" }]),
    ask("admin", "GET /v1/orgs/{mine}", "404 organization_not_found"),
    refuse("stranger", "POST /v1/orgs", "body.title", { title: "x" }),
    ask("stranger", "POST /v1/orgs", 400, {
      see: { error: { issues: [{ path: "body.title", message: "This field is required." }] } },
    }),
    refuse("stranger", "POST /v1/orgs", "body.plan", { title: "Docs", plan: "pro" }),
  ]),
  defineStory("everybody sees the organizations that they are in, and no others", [
    list("guest", "/v1/orgs", [{ id: "{org}", permissions: { view: true, listMembers: false, admin: false } }]),
    list("stranger", "/v1/orgs", []),
    get("create", "/v1/orgs/{org}", {
      permissions: {
        view: true,
        admin: false,
        createContent: true,
        createOpenAPISpec: true,
        viewBilling: false,
        listMembers: true,
        listTeams: true,
      },
    }),
    get("read", "/v1/orgs/{org}", { permissions: { createContent: false, listMembers: true, ownTeam: false } }),
    ask("rival", "GET /v1/orgs/org_000000000000", "404 organization_not_found"),
    refuse("admin", "GET /v1/orgs?limit=0", "query.limit"),
    ask("admin", "GET /v1/orgs?limit=1001", 400, {
      see: { error: { issues: [{ path: "query.limit", message: "At most 1000" }] } },
    }),
    ask("admin", "GET /v1/orgs?limit=ten", 400, {
      see: { error: { issues: [{ path: "query.limit", message: "Expected a whole number" }] } },
    }),
    ask("admin", "GET /v1/orgs?page=forged", "400 invalid_cursor"),
  ]),
  defineStory("a list is walked page by page, and a cursor works only in its own list", [
    send("admin", "POST /v1/orgs", 201, { title: "Second" }),
    send("admin", "POST /v1/orgs", 201, { title: "Third" }),
    ask("admin", "GET /v1/orgs?limit=2", 200, { see: { count: 3, items: [{}, {}] }, keep: { next: "next.page" } }),
    get("admin", "/v1/orgs?limit=2&page={next}", { count: 3, items: [{}], next: undefined }),
    ask("admin", "GET /v1/user/tokens?page={next}", "400 invalid_cursor"),
  ]),
  defineStory("an admin changes the settings; nobody else does", [
    ask("admin", "PATCH /v1/orgs/{org}", 200, {
      send: {
        title: "Acme Inc.",
        emailDomains: ["acme.example", "ACME.example"],
        defaultRole: null,
        logo: "https://acme.example/logo.png",
        sso: true,
        ai: true,
        inviteLinks: false,
        defaultContent: null,
      },
      see: {
        title: "Acme Inc.",
        emailDomains: ["acme.example"],
        defaultRole: null,
        sso: true,
        ai: true,
        inviteLinks: false,
        urls: { logo: "https://acme.example/logo.png" },
      },
    }),
    ask("admin", "PATCH /v1/orgs/{org}", 200, {
      send: { logo: null },
      see: { title: "Acme Inc.", urls: { logo: undefined } },
    }),
    ask("admin", "PATCH /v1/orgs/{org}", 200, { send: {}, see: { title: "Acme Inc." } }),
    refuse("admin", "PATCH /v1/orgs/{org}", "body.logo", { logo: "javascript:alert(1)" }),
    refuse("admin", "PATCH /v1/orgs/{org}", "body.emailDomains.0", { emailDomains: ["no domain"] }),
    refuse("admin", "PATCH /v1/orgs/{org}", "body.defaultRole", { defaultRole: "owner" }),
    refuse("admin", "PATCH /v1/orgs/{org}", "body.defaultContent.site", {
      defaultContent: { type: "site", site: "site_x" },
    }),
    ask("admin", "PATCH /v1/orgs/{org}", 400, {
      send: [1],
      see: { error: { issues: (issues: unknown[]) => issues.length > 0 } },
    }),
    get("admin", "/v1/orgs/{org}", { title: "Acme Inc.", emailDomains: ["acme.example"] }),
  ]),
  defineStory("a hostname belongs to one organization, and leads to it", [
    ask("admin", "PATCH /v1/orgs/{org}", 200, { send: { hostname: "acme" }, see: { hostname: "acme" } }),
    get("stranger", "/v1/subdomains/acme", {
      object: "subdomain",
      subdomain: "acme",
      isActive: true,
      target: { type: "organization", organization: "{org}" },
    }),
    send("rival", "PATCH /v1/orgs/{otherOrg}", "409 hostname_taken", { hostname: "acme", title: "Pirates" }),
    get("rival", "/v1/orgs/{otherOrg}", { title: "Rival", hostname: undefined }),
    send("stranger", "POST /v1/orgs", "409 hostname_taken", { title: "Third", hostname: "acme" }),
    get("stranger", "/v1/orgs", { count: 0 }),
    send("admin", "PATCH /v1/orgs/{org}", 200, { hostname: "acme" }),
    ask("admin", "PATCH /v1/orgs/{org}", 200, { send: { hostname: "acme-docs" }, see: { hostname: "acme-docs" } }),
    ask("stranger", "GET /v1/subdomains/acme", "404 subdomain_not_found"),
    send("rival", "PATCH /v1/orgs/{otherOrg}", 200, { hostname: "acme" }),
    get("stranger", "/v1/subdomains/acme", { target: { organization: "{otherOrg}" } }),
    ask("stranger", "POST /v1/orgs", 201, { send: { title: "Third", hostname: "third" }, see: { hostname: "third" } }),
    refuse("admin", "PATCH /v1/orgs/{org}", "body.hostname", { hostname: "-no" }),
    send("admin", "PATCH /v1/orgs/{org}", 400, { hostname: "No" }),
    ask("admin", "GET /v1/subdomains/NOPE", "404 subdomain_not_found"),
    ask("admin", `GET /v1/subdomains/${"x".repeat(3000)}`, "404 subdomain_not_found"),
  ]),
  defineStory("an e-mail domain leads its own people to its organizations", [
    send("admin", "PATCH /v1/orgs/{org}", 200, { emailDomains: ["example.com", "acme.example"], defaultRole: "edit" }),
    get("read", "/v1/email-domains/example.com/orgs", {
      organizations: [{ id: "{org}", defaultRole: "edit", permissions: { view: true } }],
    }),
    get("stranger", "/v1/email-domains/EXAMPLE.com/orgs", {
      organizations: [
        { id: "{org}", emailDomains: ["example.com"], defaultRole: undefined, permissions: { view: false } },
      ],
    }),
    get("stranger", "/v1/email-domains/acme.example/orgs", { organizations: [] }),
    get("read", "/v1/email-domains/acme.example/orgs", { organizations: [{ id: "{org}" }] }),
    send("admin", "PATCH /v1/orgs/{org}", 200, { emailDomains: [] }),
    get("read", "/v1/email-domains/example.com/orgs", { organizations: [] }),
    refuse("read", "GET /v1/email-domains/nonsense/orgs", "params.emailDomain"),
  ]),
  defineStory("a ping writes down when a member was last seen, and answers with a JWT", [
    get("read", "/v1/orgs/{org}/members/{read}", { lastSeenAt: undefined }),
    ask("read", "POST /v1/orgs/{org}/ping", 200, {
      see: { serviceVisitorClaims: (jwt: unknown) => String(jwt).split(".").length === 3 },
      after: 5000,
    }),
    get("read", "/v1/orgs/{org}/members/{read}", { lastSeenAt: (at: unknown) => String(at) > "2026-03-01T09:00:05" }),
    ask("guest", "POST /v1/orgs/{org}/ping", 200, { send: {}, see: { serviceVisitorClaims: undefined } }),
    refuse("guest", "POST /v1/orgs/{org}/ping", "body", { force: true }),
  ]),
  defineStory("a search looks at what there is", [
    list("guest", "/v1/orgs/{org}/search?query=hello", []),
    refuse("admin", "GET /v1/orgs/{org}/search", "query.query"),
    refuse("admin", `GET /v1/orgs/{org}/search?query=${"x".repeat(513)}`, "query.query"),
  ]),
  defineStory("a resource that was read can be asked for again, and changed only as it was read", [
    ask("admin", "GET /v1/orgs/{org}", 200, { keep: { tag: "etag" } }),
    ask("admin", "GET /v1/orgs/{org}", 304, { headers: { "if-none-match": "{tag}" }, seeHeaders: { etag: "{tag}" } }),
    ask("admin", "PATCH /v1/orgs/{org}", 200, { send: { title: "First" }, headers: { "if-match": "{tag}" } }),
    ask("admin", "PATCH /v1/orgs/{org}", "412 precondition_failed", {
      send: { title: "Second" },
      headers: { "if-match": "{tag}" },
    }),
    ask("admin", "GET /v1/orgs/{org}", 200, { headers: { "if-none-match": "{tag}" }, see: { title: "First" } }),
    ask("admin", "PATCH /v1/orgs/{org}", 200, {
      send: { title: "Third" },
      headers: { "if-match": "*" },
      see: { title: "Third" },
    }),
  ]),
  defineStory("a POST with an Idempotency-Key happens once", [
    ask("stranger", "POST /v1/orgs", 201, {
      send: { title: "Once" },
      headers: { "idempotency-key": "k1" },
      keep: { once: "id" },
    }),
    ask("stranger", "POST /v1/orgs", 201, {
      send: { title: "Once" },
      headers: { "idempotency-key": "k1" },
      see: { id: "{once}" },
      seeHeaders: { "idempotent-replayed": "true", location: (url) => url !== null },
    }),
    ask("stranger", "POST /v1/orgs", "409 idempotency_key_reused", {
      send: { title: "Twice" },
      headers: { "idempotency-key": "k1" },
    }),
    get("stranger", "/v1/orgs", { count: 1 }),
    ask("rival", "POST /v1/orgs", 201, {
      send: { title: "Once" },
      headers: { "idempotency-key": "k1" },
      see: { id: (id: unknown) => id !== undefined },
    }),
    ask("stranger", "POST /v1/user/tokens", 201, {
      send: { label: "t" },
      headers: { "idempotency-key": "k2" },
      keep: { secret: "token" },
    }),
    ask("stranger", "POST /v1/user/tokens", 201, {
      send: { label: "t" },
      headers: { "idempotency-key": "k2" },
      see: { token: "{secret}" },
    }),
    ask("stranger", "POST /v1/user/tokens", 201, {
      send: { label: "t" },
      headers: { "idempotency-key": "k2" },
      see: { token: (token: unknown) => typeof token === "string" },
      after: 25 * 60 * 60 * 1000,
    }),
    get("stranger", "/v1/user/tokens", { count: 3 }),
    ask("stranger", "POST /v1/orgs", 400, { send: { title: "Long" }, headers: { "idempotency-key": "k".repeat(256) } }),
  ]),
];
