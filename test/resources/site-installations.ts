// Installations on sites as stories, and what becomes of installations whose space or site goes away.

import type { Scene, Story } from "./scenario";

const bot = "/v1/integrations/bot";
const one = `${bot}/installations/{installation}`;
const at = (path: string) => ({ error: { issues: [{ path }] } });

/** A public integration of the rival's that is installed, with a site and a space beside it. */
const installed: Scene[] = [
  {
    as: "rival",
    ask: `POST ${bot}`,
    send: {
      visibility: "public",
      configurations: { site: { properties: { theme: { type: "string" } }, required: ["theme"] } },
    },
    expect: 200,
  },
  {
    as: "admin",
    ask: `POST ${bot}/installations`,
    send: { organization: "{org}" },
    expect: 201,
    keep: { installation: "id" },
  },
  { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Docs" }, expect: 201, keep: { space: "id" } },
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/sites",
    send: { title: "Guide", spaces: ["{space}"] },
    expect: 201,
    keep: { site: "id" },
  },
  {
    as: "rival",
    ask: "POST /v1/orgs/{otherOrg}/sites",
    send: { title: "Theirs" },
    expect: 201,
    keep: { theirs: "id" },
  },
];
const configuring = (siteId: string) => ({
  componentId: "c",
  props: {},
  context: { type: "configuration_site", siteId },
});

export const stories: Story[] = [
  {
    title: "an installation is put on sites, each with a configuration of its own",
    scenes: [
      ...installed,
      {
        as: "create",
        ask: `POST ${one}/sites`,
        send: { site: "{site}", externalIds: ["web-1"] },
        expect: 201,
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
      },
      { as: "admin", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 409, reason: "already_installed" },
      { as: "edit", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 403, reason: "forbidden" },
      { as: "admin", ask: `POST ${one}/sites`, send: { site: "{theirs}" }, expect: 400, see: at("body.site") },
      { as: "rival", ask: `POST ${one}/sites`, send: { site: "{theirs}" }, expect: 400, see: at("body.site") },
      { as: "rival", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 400, see: at("body.site") },
      { as: "admin", ask: `POST ${one}/sites`, send: { site: "{space}" }, expect: 400, see: at("body.site") },
      { as: "admin", ask: `POST ${one}/sites`, send: { space: "{space}" }, expect: 400 },
      { as: "stranger", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 404 },
      {
        as: "create",
        ask: `PATCH ${one}/sites/{site}`,
        send: { configuration: { theme: "dark" } },
        expect: 200,
        see: { status: "active", configuration: { theme: "dark" }, externalIds: ["web-1"] },
      },
      {
        as: "create",
        ask: `PATCH ${one}/sites/{site}`,
        send: { configuration: { teme: "dark" } },
        expect: 400,
        see: at("body.configuration.teme"),
      },
      { as: "edit", ask: `PATCH ${one}/sites/{site}`, send: { externalIds: [] }, expect: 403 },
      { as: "read", ask: `GET ${one}/sites/{site}`, expect: 200, see: { site: "{site}", configuration: undefined } },
      {
        as: "read",
        ask: `GET ${one}/sites/{site}?extended=true`,
        expect: 200,
        see: { site: { object: "site", id: "{site}", title: "Guide", siteSpaces: 1 } },
      },
      { as: "guest", ask: `GET ${one}/sites/{site}`, expect: 404, reason: "installation_not_found" },
      { as: "admin", ask: `GET ${one}/sites/{theirs}`, expect: 404, reason: "site_installation_not_found" },
      { as: "admin", ask: `GET ${one}/spaces`, expect: 200, see: { count: 0 } },
      { as: "admin", ask: `GET ${one}/sites`, expect: 200, see: { count: 1, items: [{ site: "{site}" }] } },
      { as: "admin", ask: `GET ${one}/sites?externalId=web-1&extended=true`, expect: 200, see: { count: 1 } },
      { as: "admin", ask: `GET ${one}/sites?externalId=web-2`, expect: 200, see: { count: 0 } },
      { as: "admin", ask: `GET ${one}/sites?extended=perhaps`, expect: 400 },
      { as: "stranger", ask: `GET ${one}/sites`, expect: 404, reason: "installation_not_found" },
      {
        as: "rival",
        ask: `GET ${bot}/sites?extended=true`,
        expect: 200,
        see: {
          count: 1,
          items: [{ installation: "{installation}", site: "{site}", configuration: { theme: "dark" } }],
        },
      },
      { as: "read", ask: `GET ${bot}/sites?externalId=web-1`, expect: 200, see: { count: 1 } },
      { as: "stranger", ask: `GET ${bot}/sites`, expect: 200, see: { count: 0 } },
      { as: "stranger", ask: "GET /v1/integrations/none/sites", expect: 404 },
      { as: "edit", ask: `DELETE ${one}/sites/{site}`, expect: 403 },
      { as: "rival", ask: `DELETE ${one}/sites/{site}`, expect: 403 },
      { as: "stranger", ask: `DELETE ${one}/sites/{site}`, expect: 404 },
      { as: "admin", ask: `PATCH ${one}`, send: { status: "paused" }, expect: 200 },
      { as: "admin", ask: `GET ${one}/sites/{site}`, expect: 200, see: { status: "paused" } },
      { as: "admin", ask: `DELETE ${one}/sites/{site}`, expect: 204 },
      { as: "admin", ask: `DELETE ${one}/sites/{site}`, expect: 204 },
      { as: "admin", ask: `GET ${one}/sites/{site}`, expect: 404 },
      { as: "rival", ask: `GET ${bot}/sites`, expect: 200, see: { count: 0 } },
      { as: "rival", ask: `POST ${bot}`, send: { target: "space" }, expect: 200 },
      { as: "admin", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 409, reason: "not_for_sites" },
      { as: "rival", ask: `POST ${bot}`, send: { target: "site" }, expect: 200 },
      { as: "admin", ask: `POST ${one}/spaces`, send: { space: "{space}" }, expect: 409, reason: "not_for_spaces" },
      { as: "admin", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 201 },
    ],
  },
  {
    title: "an installation goes with its site, and with a space that moves to another organization",
    scenes: [
      ...installed,
      { as: "admin", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 201 },
      { as: "admin", ask: `POST ${one}/spaces`, send: { space: "{space}" }, expect: 201 },
      { as: "admin", ask: "DELETE /v1/orgs/{org}/sites/{site}", expect: 204 },
      { as: "admin", ask: `GET ${one}/sites/{site}`, expect: 404, reason: "site_installation_not_found" },
      { as: "admin", ask: `GET ${one}/sites`, expect: 200, see: { count: 0 } },
      { as: "rival", ask: `GET ${bot}/sites`, expect: 200, see: { count: 0, items: [] } },
      { as: "admin", ask: "POST /v1/orgs", send: { title: "Second" }, expect: 201, keep: { second: "id" } },
      {
        as: "admin",
        ask: "POST /v1/spaces/{space}/transfer",
        send: { organization: "{second}" },
        expect: 200,
      },
      { as: "admin", ask: `GET ${one}`, expect: 200, see: { spaces: 0 } },
      { as: "admin", ask: `GET ${one}/spaces/{space}`, expect: 404, reason: "space_installation_not_found" },
      { as: "rival", ask: `GET ${bot}/spaces`, expect: 200, see: { count: 0, items: [] } },
    ],
  },
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
      { as: "rival", ask: `PUT ${bot}/dev`, send: { tunnelUrl: "https://tunnel.example", all: true }, expect: 204 },
      {
        as: "create",
        ask: `POST ${bot}/render`,
        send: configuring("{site}"),
        expect: 200,
        see: { type: "element", element: { type: "configuration" } },
      },
      { as: "edit", ask: `POST ${bot}/render`, send: configuring("{site}"), expect: 403, reason: "forbidden" },
      { as: "guest", ask: `POST ${bot}/render`, send: configuring("{site}"), expect: 404, reason: "site_not_found" },
      { as: "rival", ask: `POST ${bot}/render`, send: configuring("{site}"), expect: 404, reason: "site_not_found" },
      { as: "admin", ask: `POST ${bot}/render`, send: configuring("{theirs}"), expect: 404, reason: "site_not_found" },
      { as: "admin", ask: `POST ${bot}/render`, send: configuring("{space}"), expect: 404, reason: "site_not_found" },
      { as: "admin", ask: `POST ${bot}/render`, send: configuring("sit_none"), expect: 404, reason: "site_not_found" },
      {
        as: "rival",
        ask: `POST ${bot}/render`,
        send: configuring("{theirs}"),
        expect: 404,
        reason: "installation_not_found",
      },
      { as: null, ask: `GET ${bot}/public/{installation}/{site}/hook`, expect: 200 },
    ],
  },
];
