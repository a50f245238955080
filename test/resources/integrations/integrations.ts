// Integrations as stories: how they are published, found and taken back.

import { png } from "../../invariants/examples";
import { ask, defineStory, get, type Story, send } from "../scenario";

const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>');
const html = btoa("<!doctype html><script>alert(1)</script>");
const at = (path: string) => ({ error: { issues: [{ path }] } });

export const stories: Story[] = [
  defineStory("an integration names the runtime that it was bundled for, and a policy over several lines", [
    ask("admin", "POST /v1/integrations/bot", 200, {
      send: {
        runtime: "v2",
        contentSecurityPolicy: "\n  default-src 'none';\r\n\tscript-src 'self'\n    https://a.example;\n",
      },
      see: { version: 1, contentSecurityPolicy: "default-src 'none'; script-src 'self' https://a.example;" },
    }),
    ask("admin", "POST /v1/integrations/bot", 200, {
      send: { runtime: "v1", contentSecurityPolicy: { "script-src": "'self'\nhttps://a.example" } },
      see: { version: 2, contentSecurityPolicy: { "script-src": "'self' https://a.example" } },
    }),
    ask("admin", "POST /v1/integrations/bot", 200, {
      send: { contentSecurityPolicy: "default-src 'self'\r\nset-cookie: a=b" },
      see: { contentSecurityPolicy: "default-src 'self' set-cookie: a=b" },
    }),
  ]),
  defineStory("admins publish integrations, whose versions count up and whose secrets are never shown", [
    ask("admin", "POST /v1/integrations/acme-bot", 200, {
      send: {
        title: "Acme Bot",
        description: "Answers.",
        summary: "# Hello",
        script: "export default { fetch() {} }",
        icon: png,
        previewImages: [png],
        secrets: { API_KEY: "very-secret" },
        scopes: ["space:content:read"],
        categories: ["content"],
        externalLinks: [{ url: "https://acme.example", label: "Home" }],
        blocks: [{ id: "card", title: "Card", urlUnfurl: ["https://cards.example/"] }],
        configurations: {
          account: { properties: { key: { type: "string", default: "x" } }, required: ["key"] },
        },
        contentSecurityPolicy: "default-src 'self'",
      },
      see: {
        object: "integration",
        name: "acme-bot",
        version: 1,
        title: "Acme Bot",
        target: "all",
        visibility: "private",
        verified: false,
        owner: { id: "{org}" },
        permissions: { admin: true, install: true },
        previewImages: (urls: string[]) => urls.length === 1 && urls[0]!.includes("/acme-bot/assets/"),
      },
      keep: { icon: (body) => new URL(body.urls.icon).pathname.slice("/v1/integrations/acme-bot/assets/".length) },
    }),
    get(
      "admin",
      "/v1/integrations/acme-bot",
      (body: object) => !/very-secret|API_KEY|export default/.test(JSON.stringify(body)),
    ),
    ask("admin", "POST /v1/integrations/acme-bot", 200, {
      send: { title: "Renamed" },
      see: { version: 2, title: "Renamed", description: "Answers.", scopes: ["space:content:read"] },
    }),
    ask(null, "GET /v1/integrations/acme-bot/assets/{icon}", 200, {
      seeHeaders: {
        "content-type": "image/png",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      },
    }),
    ask(null, "GET /v1/integrations/acme-bot/assets/nonsense", "404 file_not_found"),
    get("read", "/v1/integrations/acme-bot", { permissions: { admin: false } }),
    ask("guest", "GET /v1/integrations/acme-bot", "404 integration_not_found"),
    ask("rival", "GET /v1/integrations/acme-bot", "404 integration_not_found"),
    send("create", "POST /v1/integrations/acme-bot", "403 forbidden", {}),
    ask("rival", "POST /v1/integrations/acme-bot", "409 integration_name_taken"),
    send("rival", "POST /v1/integrations/ACME-Bot", "409 integration_name_taken", { organization: "{otherOrg}" }),
    ask("admin", "POST /v1/integrations/Acme-BOT", "409 integration_name_taken"),
    ask("create", "DELETE /v1/integrations/acme-bot", "403 forbidden"),
    ask("rival", "DELETE /v1/integrations/acme-bot", 204),
    get("admin", "/v1/integrations/acme-bot"),
    ask("admin", "DELETE /v1/integrations/acme-bot", 204),
    ask("admin", "GET /v1/integrations/acme-bot", 404),
    ask(null, "GET /v1/integrations/acme-bot/assets/{icon}", 404),
    ask("rival", "POST /v1/integrations/acme-bot", 200, {
      send: { organization: "{otherOrg}" },
      see: { version: 1, title: "acme-bot", owner: { id: "{otherOrg}" }, urls: { icon: undefined } },
    }),
  ]),
  defineStory("an integration is published by an organization that is named, or by the only one that somebody runs", [
    send("admin", "PATCH /v1/orgs/{org}", 200, { hostname: "acme" }),
    send("admin", "POST /v1/integrations/one", 200, { organization: "acme" }),
    send("admin", "POST /v1/integrations/one", 200, { organization: "{org}" }),
    ask("admin", "POST /v1/integrations/two", 200, { see: { owner: { id: "{org}" } } }),
    ask("read", "POST /v1/integrations/three", 400, { see: at("body.organization") }),
    send("admin", "POST /v1/orgs", 201, { title: "Second" }),
    ask("admin", "POST /v1/integrations/three", 400, { see: at("body.organization") }),
    ask("admin", "POST /v1/integrations/three", 400, {
      send: { organization: "{otherOrg}" },
      see: at("body.organization"),
    }),
    ask("admin", "POST /v1/integrations/three", 400, {
      send: { organization: "nowhere" },
      see: at("body.organization"),
    }),
    send("rival", "POST /v1/integrations/one", "409 integration_name_taken", { organization: "{org}" }),
  ]),
  defineStory("what is published has its limits, and pictures are what their bytes are", [
    ask("admin", "POST /v1/integrations/a%20b", 400, { see: at("params.integrationName") }),
    ask("admin", `POST /v1/integrations/${"x".repeat(101)}`, 400, { see: at("params.integrationName") }),
    ask("admin", `POST /v1/integrations/${"x".repeat(100)}`, 200),
    ask("admin", "POST /v1/integrations/bot", 400, { send: { title: "x" }, see: at("body.title") }),
    ...["not JavaScript (", "export default {}", "throw new Error()", "for (;;);"].map((script) =>
      ask("admin" as const, "POST /v1/integrations/bot", 400, {
        send: { script },
        see: at("body.script"),
      }),
    ),
    ask("admin", "GET /v1/integrations/bot", 404),
    send("admin", "POST /v1/integrations/bot", 400, { title: "x".repeat(31) }),
    send("admin", "POST /v1/integrations/bot", 400, { description: "x".repeat(101) }),
    send("admin", "POST /v1/integrations/bot", 400, { summary: "x".repeat(2049) }),
    ask("admin", "POST /v1/integrations/bot", 400, { send: { runtime: "v3" }, see: at("body.runtime") }),
    send("admin", "POST /v1/integrations/bot", 400, { scopes: ["root"] }),
    send("admin", "POST /v1/integrations/bot", 400, { previewImages: [png, png, png, png] }),
    ask("admin", "POST /v1/integrations/bot", 400, { send: { icon: html }, see: at("body.icon") }),
    ask("admin", "POST /v1/integrations/bot", 400, {
      send: { previewImages: [png, btoa("%PDF-1.7")] },
      see: at("body.previewImages.1"),
    }),
    ask("admin", "POST /v1/integrations/bot", 400, { send: { icon: "%%%" }, see: at("body.icon") }),
    ask("admin", "POST /v1/integrations/bot", 400, {
      send: { externalLinks: [{ url: "javascript:alert(1)", label: "x" }] },
      see: at("body.externalLinks.0.url"),
    }),
    ask("admin", "POST /v1/integrations/bot", 400, {
      send: { secrets: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`K${i}`, "x"])) },
      see: at("body.secrets"),
    }),
    ask("admin", "POST /v1/integrations/bot", 400, {
      send: { secrets: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`K${i}`, "x".repeat(8000)])) },
      see: at("body.secrets"),
    }),
    send("admin", "POST /v1/integrations/bot", 400, { contentSecurityPolicy: "default-src 'self'\0set-cookie: a=b" }),
    send("admin", "POST /v1/integrations/bot", 400, { contentSecurityPolicy: " \n " }),
    send("admin", "POST /v1/integrations/bot", 400, {
      configurations: { space: { properties: {}, required: ["key"] } },
    }),
    ask("admin", "POST /v1/integrations/bot", 400, {
      send: {
        blocks: Array.from({ length: 50 }, (_, i) => ({ id: `b${i}`, title: "Block", icon: "x".repeat(2048) })),
      },
      see: at("body"),
    }),
    ask("admin", "POST /v1/integrations/bot", 400, { send: { id: "int_x" }, see: at("body.id") }),
    ask("admin", "GET /v1/integrations/bot", 404),
    ask("admin", "POST /v1/integrations/bot", 200, {
      send: { icon: `data:image/png;base64,${svg}` },
      keep: { icon: (body) => new URL(body.urls.icon).pathname.slice("/v1/integrations/bot/assets/".length) },
    }),
    ask(null, "GET /v1/integrations/bot/assets/{icon}", 200, {
      seeHeaders: {
        "content-type": "image/svg+xml",
        "content-disposition": (it) => it?.startsWith("attachment") === true,
        "content-security-policy": "sandbox; default-src 'none'",
      },
    }),
  ]),
  defineStory("lists show public integrations to everybody, private ones to their organization, and take filters", [
    send("admin", "POST /v1/integrations/alpha", 200, {
      visibility: "public",
      title: "Alpha",
      description: "Finds things",
      target: "space",
      categories: ["analytics"],
      scopes: ["space:views:read"],
      blocks: [{ id: "b", title: "Block", urlUnfurl: ["https://alpha.example/x", "beta.example"] }],
      secrets: { KEY: "needle" },
      script: "// needle\nexport default { fetch() {} }",
    }),
    send("admin", "POST /v1/integrations/beta", 200, { visibility: "unlisted" }),
    send("admin", "POST /v1/integrations/gamma", 200, {
      contentSources: [{ id: "s", title: "Source" }],
      target: "site",
    }),
    send("rival", "POST /v1/integrations/delta", 200, { visibility: "public" }),
    get("read", "/v1/integrations", {
      count: 4,
      items: [{ name: "alpha" }, { name: "beta" }, { name: "delta" }, { name: "gamma" }],
    }),
    get("rival", "/v1/integrations", {
      count: 2,
      items: [{ name: "alpha", owner: { emailDomains: [] } }, { name: "delta" }],
    }),
    get("guest", "/v1/integrations", { count: 2 }),
    get("stranger", "/v1/integrations/beta", { permissions: { install: true } }),
    ask("stranger", "GET /v1/integrations/gamma", 404),
    get("read", "/v1/integrations?search=ALPH", { items: [{ name: "alpha" }] }),
    get("read", "/v1/integrations?search=finds", { items: [{ name: "alpha" }] }),
    get("read", "/v1/integrations?search=needle", { count: 0 }),
    get("read", "/v1/integrations?category=analytics", { items: [{ name: "alpha" }] }),
    get("read", "/v1/integrations?blockDomain=beta.example", { count: 1 }),
    get("read", "/v1/integrations?blockDomain=example", { count: 0 }),
    get("read", "/v1/integrations?blocks=true", { items: [{ name: "alpha" }] }),
    get("read", "/v1/integrations?blocks=false", { count: 3 }),
    get("read", "/v1/integrations?contentSources=true", { items: [{ name: "gamma" }] }),
    get("read", "/v1/integrations?owner={otherOrg}", { items: [{ name: "delta" }] }),
    get("read", "/v1/integrations?scope=space:views:read", { count: 1 }),
    get("read", "/v1/integrations?target=site", { count: 3 }),
    ask("read", "GET /v1/integrations?target=moon", 400),
    ask("read", "GET /v1/integrations?blocks=maybe", 400),
    ask("read", "GET /v1/integrations?limit=3", 200, {
      see: { count: 4 },
      keep: { next: "next.page" },
    }),
    get("read", "/v1/integrations?limit=3&page={next}", { count: 4, next: undefined, items: [{ name: "gamma" }] }),
    send("admin", "POST /v1/integrations/alpha", 200, { visibility: "private" }),
    get("rival", "/v1/integrations", { items: [{ name: "delta" }] }),
    get("rival", "/v1/integrations?search=alpha", { count: 0 }),
    ask("admin", "DELETE /v1/integrations/alpha", 204),
    get("read", "/v1/integrations", { count: 3 }),
    ask(null, "GET /v1/integrations", 401),
  ]),
];
