// Sites as stories: making, settings, publishing.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";

const at = "/v1/orgs/{org}/sites";

/** Creates a space and keeps its id. */
export const makeSpace = (name: string, title: string, more: object = {}): Scene =>
  create("admin", "POST /v1/orgs/{org}/spaces", name, { title, ...more });

export const stories: Story[] = [
  defineStory("a site is made by those who create, with spaces that they may publish", [
    makeSpace("guide", "Guide"),
    makeSpace("closed", "Closed"),
    send("admin", "PATCH /v1/spaces/{closed}", 200, { defaultLevel: null }),
    makeSpace("readable", "Readable"),
    send("admin", "PATCH /v1/spaces/{readable}", 200, { defaultLevel: "read" }),
    makeSpace("old", "Old"),
    ask("admin", "DELETE /v1/spaces/{old}", 204),
    create("rival", "POST /v1/orgs/{otherOrg}/spaces", "theirs", { title: "Theirs" }),
    ask("create", `POST ${at}`, 201, {
      send: { title: "Docs", spaces: ["{guide}"] },
      see: {
        object: "site",
        type: "basic",
        title: "Docs",
        visibility: "public",
        published: false,
        basename: "docs",
        siteSpaces: 1,
        features: (features: { id: string; plan: string; frozen: boolean }[]) =>
          ["sites-page-feedback", "sites-search-insights", "sites-sections"].every((id) =>
            features.some((it) => it.id === id && it.plan === "basic" && !it.frozen),
          ),
        adaptiveContent: { enabled: false },
        agentsContext: "included",
        hostname: undefined,
        proxy: undefined,
        ads: undefined,
        urls: { published: undefined },
      },
      keep: { site: "id" },
      seeHeaders: { location: (url) => url?.includes("/sites/sit_") === true },
    }),
    ...(["{closed}", "{theirs}", "{old}", "spc_none"] as const).map(
      (space): Scene =>
        ask("create", `POST ${at}`, 400, {
          send: { spaces: ["{guide}", space] },
          see: { error: { issues: [{ path: "body.spaces.1", message: "Space not found in this organization" }] } },
        }),
    ),
    send("create", `POST ${at}`, "403 forbidden", { spaces: ["{readable}"] }),
    refuse("create", `POST ${at}`, "body.spaces", { spaces: ["{guide}", "{guide}"] }),
    ask("create", `POST ${at}`, 400, {
      send: { spaces: "some" },
      see: { error: { issues: [{ path: "body.spaces", message: "Expected a list of spaces, sample or empty" }] } },
    }),
    send("create", `POST ${at}`, 400, { title: "x" }),
    send("create", `POST ${at}`, 400, { id: "sit_mine" }),
    get("create", at, { count: 1 }),
  ]),
  defineStory("a site can begin with a space of its own, with pages or without", [
    ask("create", `POST ${at}`, 201, { send: { title: "Manual", spaces: "sample" }, see: { siteSpaces: 1 } }),
    ask("create", `POST ${at}`, 201, {
      after: 1000,
      send: { spaces: "empty" },
      see: { title: "Untitled", siteSpaces: 1 },
    }),
    ask("create", `POST ${at}`, 201, { see: { title: "Untitled", basename: "untitled-1", siteSpaces: 0 } }),
    ask("create", "GET /v1/orgs/{org}/spaces", 200, {
      see: { items: [{ title: "Manual", visibility: "private" }, { title: "Untitled" }] },
      keep: { manual: "items.0.id", empty: "items.1.id" },
    }),
    get("create", "/v1/spaces/{manual}/content/pages", { pages: (pages: unknown[]) => pages.length > 0 }),
    get("create", "/v1/spaces/{empty}/content/pages", { pages: [] }),
  ]),
  defineStory("a template fills a site without spaces", [
    create("create", `POST ${at}`, "site", { title: "Manual" }),
    ask("comment", `POST ${at}/{site}/template`, "403 forbidden"),
    ask("guest", `POST ${at}/{site}/template`, "404 site_not_found"),
    ask("create", `POST ${at}/sit_none/template`, "404 site_not_found"),
    ask("create", `POST ${at}/{site}/template`, 200, {
      see: { type: "siteSpaces", structure: [{ title: "Manual", path: "manual", default: true }] },
      keep: { space: "structure.0.space.id" },
    }),
    get("create", "/v1/spaces/{space}", { title: "Manual", visibility: "private", organization: "{org}" }),
    get("create", "/v1/spaces/{space}/content/pages", { pages: (pages: unknown[]) => pages.length > 0 }),
    ask("create", `POST ${at}/{site}/template`, "412 site_not_empty"),
    send("create", `POST ${at}/{site}/template`, 400, { template: "blank" }),
  ]),
  defineStory("sites are listed by age, and by space, title and whether they are published", [
    makeSpace("closed", "Closed"),
    send("admin", "PATCH /v1/spaces/{closed}", 200, { defaultLevel: null }),
    makeSpace("open", "Open"),
    ask("admin", `POST ${at}`, 201, {
      send: { title: "Zebra", spaces: ["{closed}", "{open}"] },
      see: { siteSpaces: 2 },
      keep: { zebra: "id" },
    }),
    ask("admin", `POST ${at}`, 201, { send: { title: "Ant" }, keep: { ant: "id" }, after: 1000 }),
    ask("admin", `POST ${at}`, 201, { send: { title: "Bee", spaces: ["{open}"] }, keep: { bee: "id" }, after: 1000 }),
    ask("admin", `POST ${at}/{bee}/publish`, 200),
    ask("read", `GET ${at}?limit=2`, 200, {
      see: { count: 3, items: [{ id: "{zebra}" }, { id: "{ant}" }] },
      keep: { next: "next.page" },
    }),
    get("read", `${at}?limit=2&page={next}`, { count: 3, items: [{ id: "{bee}" }] }),
    list("read", `${at}?title=EB`, [{ id: "{zebra}" }]),
    list("read", `${at}?published=true`, [{ id: "{bee}" }]),
    get("read", `${at}?published=false`, { count: 2 }),
    ask("read", `GET ${at}?published=maybe`, 400),
    get("read", `${at}?space={open}`, { count: 2 }),
    get("read", `${at}?space={closed}`, { count: 0 }),
    list("create", `${at}?space={closed}`, [{ id: "{zebra}" }]),
    list("read", `${at}?space=spc_none`, []),
  ]),
  defineStory("a site's settings are changed by those who create", [
    create("create", `POST ${at}`, "site", { title: "Docs" }),
    ask("create", `POST ${at}`, 201, { send: { title: "Docs", visibility: "unlisted" }, see: { basename: "docs-1" } }),
    ask("read", `GET ${at}/sit_none`, "404 site_not_found"),
    ask("rival", "GET /v1/orgs/{otherOrg}/sites/{site}", "404 site_not_found"),
    send("create", `PATCH ${at}/{site}`, 200, {
      title: "Handbuch",
      visibility: "unlisted",
      basename: "hand.buch_1",
      adaptiveContent: { enabled: true },
      agentsContext: "excluded",
    }),
    get("read", `${at}/{site}`, {
      id: "{site}",
      title: "Handbuch",
      visibility: "unlisted",
      basename: "hand.buch_1",
      adaptiveContent: { enabled: true },
      agentsContext: "excluded",
      urls: { app: "http://localhost:3000/o/{org}/sites/{site}" },
    }),
    ask("create", `PATCH ${at}/{site}`, 200, { send: {}, see: { title: "Handbuch" } }),
    send("create", `PATCH ${at}/{site}`, "409 basename_taken", { basename: "docs-1" }),
    send("create", `PATCH ${at}/{site}`, 200, { basename: "hand.buch_1" }),
    ...["", "a/b", "~b", "..", "a--b", "-a", "a b", "%2e", "x".repeat(101)].map(
      (basename): Scene => refuse("create", `PATCH ${at}/{site}`, "body.basename", { basename }),
    ),
    send("create", `PATCH ${at}/{site}`, 400, { visibility: "secret" }),
    send("create", `PATCH ${at}/{site}`, 400, { published: true }),
    send("create", `PATCH ${at}/{site}`, 400, { agentsContext: null }),
  ]),
  defineStory("a site is published and taken off again", [
    create("create", `POST ${at}`, "site", { title: "Docs", spaces: "empty" }),
    ask("create", `POST ${at}/{site}/publish`, 200, {
      see: { published: true, urls: { published: "http://localhost:3000/sites/{org}/docs" } },
    }),
    ask("create", `POST ${at}/{site}/publish`, 200, { see: { published: true } }),
    send("admin", "PATCH /v1/orgs/{org}", 200, { hostname: "acme" }),
    get("read", `${at}/{site}`, { published: true, urls: { published: "http://localhost:3000/sites/acme/docs" } }),
    ask("create", `PATCH ${at}/{site}`, 200, {
      send: { visibility: "share-link" },
      see: { urls: { published: undefined } },
    }),
    ask("edit", `POST ${at}/{site}/unpublish`, "403 forbidden"),
    ask("create", `POST ${at}/{site}/unpublish`, 200, { see: { published: false, urls: { published: undefined } } }),
    ask("create", `POST ${at}/{site}/unpublish`, 200, { see: { published: false } }),
  ]),
  defineStory("ads are asked for, and switched off", [
    create("create", `POST ${at}`, "site", { title: "Docs" }),
    send("create", `POST ${at}/{site}/ads`, 400, { status: "live", topic: "webdev" }),
    send("create", `POST ${at}/{site}/ads`, 400, { status: "in-review", topic: "food" }),
    send("create", `POST ${at}/{site}/ads`, 204, { status: "in-review", topic: "webdev" }),
    get("read", `${at}/{site}`, { ads: { status: "in-review", topic: "webdev" } }),
    send("create", `POST ${at}/{site}/ads`, 204, { status: "disabled", topic: "webdev" }),
    get("read", `${at}/{site}`, { ads: { status: "pending", submittable: true } }),
  ]),
  defineStory("a site is deleted, and its spaces stay", [
    create("create", `POST ${at}`, "site", { title: "Docs", spaces: "empty" }),
    ask("create", `POST ${at}/{site}/publish`, 200),
    ask("edit", `DELETE ${at}/{site}`, "403 forbidden"),
    ask("guest", `DELETE ${at}/{site}`, 204),
    get("read", `${at}/{site}`),
    ask("create", `DELETE ${at}/{site}`, 204),
    ask("create", `DELETE ${at}/{site}`, 204),
    ask("create", `GET ${at}/{site}`, "404 site_not_found"),
    ask("create", "GET /v1/orgs/{org}/spaces", 200, { see: { count: 1 }, keep: { space: "items.0.id" } }),
    get("create", `${at}?space={space}`, { count: 0 }),
    ask("create", `POST ${at}`, 201, { send: { title: "Docs" }, see: { basename: "docs" } }),
  ]),
  defineStory("an organization has a default site, one of its own", [
    create("create", `POST ${at}`, "site", { title: "Docs" }),
    create("rival", "POST /v1/orgs/{otherOrg}/sites", "theirs", {}),
    refuse("admin", "PATCH /v1/orgs/{org}", "body.defaultContent.site", {
      defaultContent: { type: "site", site: "{theirs}" },
    }),
    ask("admin", "PATCH /v1/orgs/{org}", 200, {
      send: { defaultContent: { type: "site", site: "{site}" } },
      see: { defaultContent: { type: "site", site: "{site}" } },
    }),
    send("admin", "PATCH /v1/orgs/{org}", 200, { title: "Acme 2" }),
    get("read", "/v1/orgs/{org}", { defaultContent: { site: "{site}" } }),
    get("guest", "/v1/orgs/{org}", { defaultContent: undefined }),
    ask("create", `DELETE ${at}/{site}`, 204),
    get("read", "/v1/orgs/{org}", { defaultContent: undefined }),
  ]),
];
