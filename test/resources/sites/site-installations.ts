// Installations on sites as stories, and what becomes of installations whose space or site goes away.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";

const bot = "/v1/integrations/bot";
const one = `${bot}/installations/{installation}`;

/** A public integration of the rival's that is installed, with a site and a space beside it. */
const installed: Scene[] = [
  send("rival", `POST ${bot}`, 200, {
    visibility: "public",
    configurations: { site: { properties: { theme: { type: "string" } }, required: ["theme"] } },
  }),
  create("admin", `POST ${bot}/installations`, "installation", { organization: "{org}" }),
  create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Docs" }),
  create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Guide", spaces: ["{space}"] }),
  create("rival", "POST /v1/orgs/{otherOrg}/sites", "theirs", { title: "Theirs" }),
];
const configuring = (siteId: string) => ({
  componentId: "c",
  props: {},
  context: { type: "configuration_site", siteId },
});

export const stories: Story[] = [
  defineStory("an installation is put on sites, each with a configuration of its own", [
    ...installed,
    ask("create", `POST ${one}/sites`, 201, {
      send: { siteId: "{site}", externalIds: ["web-1"] },
      see: {
        object: "integration-site-installation",
        integration: "bot",
        installation: "{installation}",
        status: "pending",
        configuration: {},
        externalIds: ["web-1"],
        site: "{site}",
        space: undefined,
        urls: { publicEndpoint: (url: string) => /\/public\/ins_\w+\/sit_\w+$/.test(url) },
      },
      seeHeaders: { location: (url) => url?.includes("/sites/sit_") === true },
    }),
    send("admin", `POST ${one}/sites`, "409 already_installed", { site: "{site}" }),
    refuse("admin", `POST ${one}/sites`, "body.site", { site: "{theirs}" }),
    refuse("rival", `POST ${one}/sites`, "body.site", { site: "{theirs}" }),
    refuse("rival", `POST ${one}/sites`, "body.site", { site: "{site}" }),
    refuse("admin", `POST ${one}/sites`, "body.site", { site: "{space}" }),
    refuse("admin", `POST ${one}/sites`, "body.siteId", { siteId: "{theirs}" }),
    refuse("admin", `POST ${one}/sites`, "body.siteId", {}),
    refuse("admin", `POST ${one}/sites`, "body.siteId", { site: "{site}", siteId: "{site}" }),
    send("admin", `POST ${one}/sites`, 400, { space: "{space}" }),
    send("admin", `POST ${one}/sites`, 400, { spaceId: "{space}" }),
    ask("create", `PATCH ${one}/sites/{site}`, 200, {
      send: { configuration: { theme: "dark" } },
      see: { status: "active", configuration: { theme: "dark" }, externalIds: ["web-1"] },
    }),
    refuse("create", `PATCH ${one}/sites/{site}`, "body.configuration.teme", { configuration: { teme: "dark" } }),
    get("read", `${one}/sites/{site}`, { site: "{site}", configuration: undefined }),
    get("read", `${one}/sites/{site}?extended=true`, {
      site: { object: "site", id: "{site}", title: "Guide", siteSpaces: 1 },
    }),
    ask("admin", `GET ${one}/sites/{theirs}`, "404 site_installation_not_found"),
    get("admin", `${one}/spaces`, { count: 0 }),
    list("admin", `${one}/sites`, [{ site: "{site}" }]),
    get("admin", `${one}/sites?externalId=web-1&extended=true`, { count: 1 }),
    get("admin", `${one}/sites?externalId=web-2`, { count: 0 }),
    ask("admin", `GET ${one}/sites?extended=perhaps`, 400),
    list("rival", `${bot}/sites?extended=true`, [
      { installation: "{installation}", site: "{site}", configuration: { theme: "dark" } },
    ]),
    get("read", `${bot}/sites?externalId=web-1`, { count: 1 }),
    get("stranger", `${bot}/sites`, { count: 0 }),
    ask("stranger", "GET /v1/integrations/none/sites", 404),
    ask("rival", `DELETE ${one}/sites/{site}`, 403),
    ask("stranger", `DELETE ${one}/sites/{site}`, 404),
    send("admin", `PATCH ${one}`, 200, { status: "paused" }),
    get("admin", `${one}/sites/{site}`, { status: "paused" }),
    ask("admin", `DELETE ${one}/sites/{site}`, 204),
    ask("admin", `DELETE ${one}/sites/{site}`, 204),
    ask("admin", `GET ${one}/sites/{site}`, 404),
    get("rival", `${bot}/sites`, { count: 0 }),
    send("rival", `POST ${bot}`, 200, { target: "space" }),
    send("admin", `POST ${one}/sites`, "409 not_for_sites", { site: "{site}" }),
    send("rival", `POST ${bot}`, 200, { target: "site" }),
    send("admin", `POST ${one}/spaces`, "409 not_for_spaces", { space: "{space}" }),
    send("admin", `POST ${one}/sites`, 201, { site: "{site}" }),
  ]),
  defineStory("an installation on all sites, and on all spaces, is listed on each of them", [
    ...installed,
    send("rival", `POST ${bot}`, 200, { configurations: {} }),
    get("rival", `${bot}/sites`, { count: 0 }),
    send("admin", `PATCH ${one}`, 200, { site_selection: "all", space_selection: "all" }),
    list("rival", `${bot}/sites`, [
      { site: "{site}", installation: "{installation}", status: "active", externalIds: [] },
    ]),
    list("read", `${bot}/sites?extended=true`, [{ site: { object: "site", id: "{site}", title: "Guide" } }]),
    list("read", `${bot}/spaces`, [{ space: "{space}" }]),
    list("read", `${one}/spaces`, [{ space: "{space}" }]),
    list("stranger", `${bot}/sites`, []),
    create("admin", "POST /v1/orgs/{org}/sites", "second", { title: "Second" }),
    ask("rival", `GET ${bot}/sites?limit=1`, 200, {
      see: { count: 2, items: [{ site: "{site}" }] },
      keep: { next: "next.page" },
    }),
    get("rival", `${bot}/sites?limit=1&page={next}`, { count: 2, items: [{ site: "{second}" }], next: undefined }),
    get("read", `${one}/sites/{second}`, { site: "{second}", status: "active" }),
    ask("admin", `GET ${one}/sites/{theirs}`, "404 site_installation_not_found"),
    send("admin", `POST ${one}/sites`, 201, { siteId: "{second}", externalIds: ["x"] }),
    list("rival", `${bot}/sites`, [{ site: "{second}" }, { site: "{site}" }]),
    get("rival", `${bot}/sites?externalId=x`, { count: 1 }),
    ask("admin", `DELETE ${one}/sites/{second}`, 204),
    get("rival", `${bot}/sites`, { count: 2 }),
    ask("admin", `DELETE ${one}/sites/{second}`, "404 site_installation_not_found"),
    send("admin", `PATCH ${one}`, 200, { site_selection: "selected" }),
    get("rival", `${bot}/sites`, { count: 0 }),
  ]),
  defineStory("an installation goes with its site, and with a space that moves to another organization", [
    ...installed,
    send("admin", `POST ${one}/sites`, 201, { site: "{site}" }),
    send("admin", `POST ${one}/spaces`, 201, { space: "{space}" }),
    ask("admin", "DELETE /v1/orgs/{org}/sites/{site}", 204),
    ask("admin", `GET ${one}/sites/{site}`, "404 site_installation_not_found"),
    get("admin", `${one}/sites`, { count: 0 }),
    list("rival", `${bot}/sites`, []),
    create("admin", "POST /v1/orgs", "second", { title: "Second" }),
    send("admin", "POST /v1/spaces/{space}/transfer", 200, { organization: "{second}" }),
    get("admin", one, { spaces: 0 }),
    ask("admin", `GET ${one}/spaces/{space}`, "404 space_installation_not_found"),
    list("rival", `${bot}/spaces`, []),
  ]),
  {
    title: "what configures an integration on a site is shown to those who set the site up",
    options: {
      fetch: async () =>
        new Response(JSON.stringify({ type: "element", element: { type: "configuration", children: [] } }), {
          headers: { "content-type": "application/json" },
        }),
    },
    scenes: [
      ...installed,
      send("rival", `PUT ${bot}/dev`, 204, { tunnelUrl: "https://tunnel.example", all: true }),
      ask("create", `POST ${bot}/render`, 200, {
        send: configuring("{site}"),
        see: { type: "element", element: { type: "configuration" } },
      }),
      send("edit", `POST ${bot}/render`, "403 forbidden", configuring("{site}")),
      send("guest", `POST ${bot}/render`, "404 site_not_found", configuring("{site}")),
      send("rival", `POST ${bot}/render`, "404 site_not_found", configuring("{site}")),
      send("admin", `POST ${bot}/render`, "404 site_not_found", configuring("{theirs}")),
      send("admin", `POST ${bot}/render`, "404 site_not_found", configuring("{space}")),
      send("admin", `POST ${bot}/render`, "404 site_not_found", configuring("sit_none")),
      send("rival", `POST ${bot}/render`, "404 installation_not_found", configuring("{theirs}")),
      get(null, `${bot}/public/{installation}/{site}/hook`),
    ],
  },
];
