// Installations as stories: an integration put to use, configured, and removed, in organizations and on spaces.

import LZString from "lz-string";
import { ask, defineStory, get, type Scene, type Story, send } from "../scenario";

const bot = "/v1/integrations/bot";
const one = `${bot}/installations/{installation}`;

/** A public integration of the rival's, with something to configure. */
const published: Scene[] = [
  send("rival", `POST ${bot}`, 200, {
    visibility: "public",
    configurations: {
      account: {
        properties: {
          key: { type: "string" },
          mode: { type: "string", enum: ["a", "b"], default: "a" },
          count: { type: "number", default: 3 },
          on: { type: "boolean" },
          connect: { type: "button", callback_url: "/connect" },
        },
        required: ["key", "mode"],
      },
      space: { properties: { channel: { type: "string" } }, required: ["channel"] },
    },
  }),
];
const installed: Scene[] = [
  ...published,
  ask("admin", `POST ${bot}/installations`, 201, {
    send: { organization: "{org}" },
    keep: { installation: "id" },
  }),
  ask("admin", "POST /v1/orgs/{org}/spaces", 201, {
    send: { title: "Docs" },
    keep: { space: "id" },
  }),
  ask("rival", "POST /v1/orgs/{otherOrg}/spaces", 201, {
    send: { title: "Theirs" },
    keep: { theirs: "id" },
  }),
];
const shown = (spaceId: string) => ({ componentId: "card", props: {}, context: { type: "document", spaceId } });
const account = (organizationId: string) =>
  LZString.compressToEncodedURIComponent(
    JSON.stringify({ componentId: "c", props: {}, context: { type: "configuration_account", organizationId } }),
  );
const at = (path: string) => ({ error: { issues: [{ path }] } });

export const stories: Story[] = [
  defineStory("admins install a public integration, which is pending until it is configured", [
    ...published,
    ask("admin", `POST ${bot}/installations`, 201, {
      send: { organization: "{org}" },
      see: {
        object: "integration-installation",
        integration: "bot",
        status: "pending",
        space_selection: "selected",
        site_selection: "selected",
        spaces: 0,
        configuration: { mode: "a", count: 3, key: undefined },
        externalIds: [],
        target: { organization: "{org}" },
      },
      seeHeaders: { location: (url) => url?.includes("/integrations/bot/installations/ins_") === true },
      keep: { installation: "id" },
    }),
    send("admin", `POST ${bot}/installations`, "409 already_installed", { organization: "{org}" }),
    send("create", `POST ${bot}/installations`, 403, { organization: "{org}" }),
    ask("admin", `POST ${bot}/installations`, 400, {
      send: { organization: "{otherOrg}" },
      see: at("body.organization"),
    }),
    ask("admin", `POST ${bot}/installations`, 400, { send: {}, see: at("body.organization") }),
    send("admin", "POST /v1/integrations/none/installations", "404 integration_not_found", { organization: "{org}" }),
    ask("admin", `PATCH ${one}`, 200, {
      send: { configuration: { key: "" } },
      see: { status: "pending" },
    }),
    ask("admin", `PATCH ${one}`, 200, {
      send: { configuration: { key: "k", connect: { token: "t" } } },
      see: { status: "active", configuration: { key: "k", mode: "a", count: 3, connect: { token: "t" } } },
    }),
    ask("admin", `PATCH ${one}`, 400, {
      send: { configuration: { key: 1 } },
      see: at("body.configuration.key"),
    }),
    ask("admin", `PATCH ${one}`, 400, {
      send: { configuration: { mode: "c" } },
      see: at("body.configuration.mode"),
    }),
    ask("admin", `PATCH ${one}`, 400, {
      send: { configuration: { other: true } },
      see: at("body.configuration.other"),
    }),
    ask("admin", `PATCH ${one}`, 400, {
      send: { configuration: { connect: "x".repeat(17_000) } },
      see: at("body.configuration"),
    }),
    ask("admin", `PATCH ${one}`, 200, { send: { status: "paused" }, see: { status: "paused" } }),
    ask("admin", `PATCH ${one}`, 200, { send: { configuration: {} }, see: { status: "paused" } }),
    ask("rival", `POST ${one}/tokens`, "412 installation_paused"),
    ask("admin", `PATCH ${one}`, 400, { send: { configuration: [] }, see: at("body.configuration") }),
    ask("admin", `PATCH ${one}`, 400, { send: [], see: at("body") }),
    ask("admin", `PATCH ${one}`, 200, { send: { status: "active" }, see: { status: "pending" } }),
    ask("admin", `PATCH ${one}`, 400, { send: { status: "pending" }, see: at("body.status") }),
    ask("admin", `PATCH ${one}`, 400, {
      send: { externalIds: ["1", "2", "3", "4", "5", "6"] },
      see: at("body.externalIds"),
    }),
    send("admin", `PATCH ${one}`, 400, { externalIds: ["1", "1"] }),
    ask("admin", `PATCH ${one}`, 200, {
      send: { externalIds: ["team-1"], space_selection: "all", configuration: { key: "k" } },
      see: { externalIds: ["team-1"], space_selection: "all", status: "active" },
    }),
    get("read", `${one}`, { status: "active", configuration: undefined }),
    get("rival", `${one}`, { configuration: { key: "k" } }),
    send("rival", `PATCH ${one}`, "403 forbidden", { status: "paused" }),
    ask("rival", `DELETE ${one}`, 403),
    ask("guest", `GET ${one}`, "404 installation_not_found"),
    ask("stranger", `GET ${one}`, "404 installation_not_found"),
    ask("admin", "GET /v1/integrations/other/installations/{installation}", 404),
    ask("edit", `DELETE ${one}`, "403 forbidden"),
    ask("stranger", `DELETE ${one}`, 204),
    ask("admin", `DELETE ${one}`, 204),
    ask("admin", `GET ${one}`, 404),
    get("rival", `${bot}/installations`, { count: 0 }),
    send("admin", `POST ${bot}/installations`, 201, { organization: "{org}" }),
  ]),
  defineStory("a private integration installs at home alone, and whoever installed a public one keeps it", [
    ...installed,
    send("rival", `POST ${bot}`, 200, { visibility: "private" }),
    ask("admin", `GET ${bot}`, 404),
    get("admin", `${one}`),
    send("rival", `POST ${bot}/installations`, 201, { organization: "{otherOrg}" }),
    ask("stranger", "POST /v1/orgs", 201, { send: { title: "Third" }, keep: { third: "id" } }),
    send("stranger", `POST ${bot}/installations`, 404, { organization: "{third}" }),
    ask("rival", "POST /v1/orgs", 201, {
      send: { title: "Second" },
      keep: { second: "id" },
    }),
    send("rival", `POST ${bot}/installations`, "403 integration_private", { organization: "{second}" }),
  ]),
  defineStory(
    "installations are listed to those who run the integration and to those who have it, by external id too",
    [
      ...installed,
      send("rival", `POST ${bot}/installations`, 201, { organization: "{otherOrg}" }),
      send("admin", `PATCH ${one}`, 200, { externalIds: ["acme-1"] }),
      get("rival", `${bot}/installations`, { count: 2 }),
      get("rival", `${bot}/installations?externalId=acme-1`, { count: 1, items: [{ id: "{installation}" }] }),
      get("read", `${bot}/installations`, { count: 1, items: [{ id: "{installation}" }] }),
      get("guest", `${bot}/installations`, { count: 0 }),
      get("stranger", `${bot}/installations`, { count: 0, items: [] }),
      ask("stranger", "GET /v1/integrations/none/installations", 404),
      ask("rival", `GET ${bot}/installations?limit=1`, 200, {
        see: { count: 2 },
        keep: { next: "next.page" },
      }),
      get("rival", `${bot}/installations?limit=1&page={next}`, { next: undefined }),
      get("read", "/v1/orgs/{org}/installations", {
        count: 1,
        items: [
          {
            integration: { object: "integration", name: "bot", owner: { id: "{otherOrg}" } },
            installation: {
              object: "integration-installation",
              id: "{installation}",
              integration: "bot",
              configuration: undefined,
            },
          },
        ],
      }),
      get("read", "/v1/orgs/{org}/installations?integration=none", { count: 0 }),
      get("admin", "/v1/orgs/{org}/installations?externalId=acme-1", { count: 1 }),
      ask("guest", "GET /v1/orgs/{org}/installations", 403),
      ask("rival", "GET /v1/orgs/{org}/installations", 404),
    ],
  ),
  defineStory("an installation is put on spaces, each with a configuration of its own", [
    ...installed,
    ask("create", `POST ${one}/spaces`, 201, {
      send: { spaceId: "{space}", externalIds: ["room-1"] },
      see: {
        object: "integration-space-installation",
        integration: "bot",
        installation: "{installation}",
        status: "pending",
        configuration: {},
        externalIds: ["room-1"],
        space: "{space}",
      },
      seeHeaders: { location: (url) => url?.includes("/spaces/spc_") === true },
    }),
    send("admin", `POST ${one}/spaces`, "409 already_installed", { space: "{space}" }),
    send("edit", `POST ${one}/spaces`, 403, { space: "{space}" }),
    ask("admin", `POST ${one}/spaces`, 400, { send: { space: "{theirs}" }, see: at("body.space") }),
    ask("rival", `POST ${one}/spaces`, 400, { send: { space: "{theirs}" }, see: at("body.space") }),
    send("stranger", `POST ${one}/spaces`, 404, { space: "{space}" }),
    ask("create", `PATCH ${one}/spaces/{space}`, 200, {
      send: { configuration: { channel: "general" } },
      see: { status: "active", configuration: { channel: "general" }, externalIds: ["room-1"] },
    }),
    ask("create", `PATCH ${one}/spaces/{space}`, 400, {
      send: { configuration: { chanel: "general" } },
      see: at("body.configuration.chanel"),
    }),
    send("edit", `PATCH ${one}/spaces/{space}`, 403, { externalIds: [] }),
    get("read", `${one}/spaces/{space}`, { configuration: undefined }),
    get("read", `${one}/spaces/{space}?extended=true`, {
      space: { object: "space", id: "{space}", permissions: { admin: false } },
    }),
    get("admin", `${one}`, { spaces: 1 }),
    get("admin", `${one}/spaces`, { count: 1, items: [{ space: "{space}" }] }),
    get("admin", `${one}/spaces?externalId=room-1&extended=true`, { count: 1 }),
    get("admin", `${one}/spaces?externalId=room-2`, { count: 0 }),
    ask("admin", `GET ${one}/spaces?extended=perhaps`, 400),
    ask("stranger", `GET ${one}/spaces`, "404 installation_not_found"),
    get("rival", `${bot}/spaces?extended=true`, {
      count: 1,
      items: [{ installation: "{installation}", space: "{space}" }],
    }),
    get("read", `${bot}/spaces?externalId=room-1`, { count: 1 }),
    get("stranger", `${bot}/spaces`, { count: 0 }),
    ask("stranger", "GET /v1/integrations/none/spaces", 404),
    send("admin", "PATCH /v1/spaces/{space}", 200, { defaultLevel: null }),
    get("read", `${bot}/spaces`, { count: 0 }),
    get("read", `${one}/spaces`, { count: 0 }),
    ask("read", `GET ${one}/spaces/{space}`, "404 space_installation_not_found"),
    ask("read", `DELETE ${one}/spaces/{space}`, 204),
    ask("rival", `DELETE ${one}/spaces/{space}`, 403),
    send("admin", `PATCH ${one}`, 200, { status: "paused" }),
    get("admin", `${one}/spaces/{space}`, { status: "paused" }),
    ask("admin", `DELETE ${one}/spaces/{space}`, 204),
    ask("admin", `GET ${one}/spaces/{space}`, 404),
    get("rival", `${bot}/spaces`, { count: 0 }),
  ]),
  defineStory("an integration that is taken back is gone from wherever it was installed, and its name is free", [
    ...installed,
    send("admin", `POST ${one}/spaces`, 201, { space: "{space}" }),
    ask("rival", `DELETE ${bot}`, 204),
    ask("admin", `GET ${one}`, 404),
    get("admin", "/v1/orgs/{org}/installations", { count: 0 }),
    send("admin", `POST ${bot}`, 200, { organization: "{org}", target: "organization" }),
    ask("admin", `GET ${one}`, 404),
    get("admin", `${bot}/installations`, { count: 0 }),
    ask("admin", `POST ${bot}/installations`, 201, {
      send: { organization: "{org}" },
      see: { status: "active" },
      keep: { installation: "id" },
    }),
    send("admin", `POST ${one}/spaces`, "409 not_for_spaces", { space: "{space}" }),
  ]),
  defineStory(
    "who runs an integration sees what it was told, and may have it told elsewhere",
    { options: { fetch: async () => new Response("ok") } },
    [
      ...published,
      send("rival", `PUT ${bot}/dev`, 204, { tunnelUrl: "https://tunnel.example" }),
      ask("rival", `PUT ${bot}/dev`, 400, { send: {}, see: at("body.tunnelUrl") }),
      send("rival", `PUT ${bot}/dev`, 400, { tunnelUrl: "file:///etc/passwd" }),
      send("rival", `PUT ${bot}/dev`, 400, { tunnelUrl: "https://me:pw@tunnel.example" }),
      send("rival", `PUT ${bot}/dev`, 400, { tunnelUrl: `https://a.example/${"x".repeat(240)}` }),
      send("admin", `PUT ${bot}/dev`, 403, { tunnelUrl: "https://mine.example" }),
      send("admin", "PUT /v1/integrations/none/dev", 404, { tunnelUrl: "https://mine.example" }),
      ask("admin", `DELETE ${bot}/dev`, 403),
      send("rival", `POST ${bot}/installations`, 201, { organization: "{otherOrg}" }),
      ask("rival", `GET ${bot}/events`, 200, {
        see: { count: 1, items: [{ status: "success", payload: { type: "installation_setup", status: "pending" } }] },
        keep: { event: (body) => body.items[0].id },
      }),
      get("rival", `${bot}/events/{event}`, { event: { id: "{event}" }, trace: { logs: [] } }),
      ask("admin", `GET ${bot}/events`, "403 forbidden"),
      ask("admin", `GET ${bot}/events/{event}`, "404 event_not_found"),
      ask("rival", `GET ${bot}/events/evt_none`, "404 event_not_found"),
      ask("rival", "GET /v1/integrations/none/events/{event}", "404 integration_not_found"),
      ask("rival", `DELETE ${bot}/dev`, 204),
      ask("rival", `DELETE ${bot}/dev`, 204),
      ...installed.slice(1),
      ask("rival", `POST ${one}/tokens`, 200, {
        see: { token: (it: string) => it.startsWith("octavo_app_"), expiresAt: (it: string) => it > "2026-03-01T10" },
      }),
      ask("admin", `POST ${one}/tokens`, "403 forbidden"),
      ask("stranger", `POST ${one}/tokens`, 404),
      send("rival", `POST ${one}/tasks`, 400, { task: { type: "sweep" }, schedule: 86_401 }),
      ask("rival", `POST ${one}/tasks`, 400, { send: { task: {} }, see: at("body.task.type") }),
      send("admin", `POST ${one}/tasks`, 403, { task: { type: "sweep" } }),
      ask("rival", `POST ${one}/tasks`, 201, {
        send: { task: { type: "sweep", deep: true } },
        see: { object: "integration-task" },
        keep: { task: "id" },
      }),
      get("rival", `${bot}/events/{task}`, {
        event: { payload: { type: "task", task: { type: "sweep", deep: true } } },
      }),
    ],
  ),
  {
    title: "components are rendered where the integration is installed, for those who may be there",
    before: async ({ org }) => ({ packed: account(org) }),
    options: {
      fetch: async () =>
        new Response(JSON.stringify({ type: "element", element: { type: "block", children: [{ type: "text" }] } }), {
          headers: { "content-type": "application/json", "cache-control": "public, max-age=60, s-maxage=600" },
        }),
    },
    scenes: [
      ...installed,
      send("rival", `PUT ${bot}/dev`, 204, { tunnelUrl: "https://tunnel.example", all: true }),
      send("read", `POST ${bot}/render`, "404 installation_not_found", shown("{space}")),
      send("admin", `PATCH ${one}`, 200, { configuration: { key: "k" } }),
      send("read", `POST ${bot}/render`, "404 installation_not_found", shown("{space}")),
      send("admin", `POST ${one}/spaces`, 201, { space: "{space}" }),
      ask("read", `POST ${bot}/render`, 200, {
        send: shown("{space}"),
        see: { type: "element", element: { type: "block", children: [{ type: "text" }] }, state: {}, props: {} },
        seeHeaders: { "cache-control": "private, max-age=60" },
      }),
      send("read", `POST ${bot}/render`, "404 space_not_found", shown("{theirs}")),
      send("stranger", `POST ${bot}/render`, "404 space_not_found", shown("{space}")),
      send("read", `POST ${bot}/render`, 400, { props: {} }),
      send("read", "POST /v1/integrations/none/render", 404, shown("{space}")),
      send("edit", `POST ${bot}/render`, 403, {
        componentId: "c",
        props: {},
        context: { type: "configuration_space", spaceId: "{space}" },
      }),
      send("create", `POST ${bot}/render`, 200, {
        componentId: "c",
        props: {},
        context: { type: "configuration_space", spaceId: "{space}" },
      }),
      send("create", `POST ${bot}/render`, 403, {
        componentId: "c",
        props: {},
        context: { type: "configuration_account", organizationId: "{org}" },
      }),
      send("admin", `POST ${bot}/render`, 200, {
        componentId: "c",
        props: {},
        context: { type: "configuration_account", organizationId: "{org}" },
      }),
      get("admin", `${bot}/render?request={packed}`, { element: { type: "block" } }),
      ask("create", `GET ${bot}/render?request={packed}`, 403),
      ask("admin", `GET ${bot}/render?request=${account("org_none")}`, 404),
      ...["GET", "POST", "PUT", "PATCH", "DELETE"].flatMap((method): Scene[] => [
        ask(null, `${method} ${bot}/public/integration/hook`, 200, { see: { type: "element" } }),
        ask(null, `${method} ${bot}/public/{installation}/{space}`, 200),
      ]),
      ask(null, `GET ${bot}/public/ins_none/hook`, "404 installation_not_found"),
      ask(null, `POST ${bot}/public/hook`, "404 installation_not_found"),
      ask(null, "GET /v1/integrations/none/public/integration", "404 integration_not_found"),
      ask("admin", `GET ${bot}/render?request=nonsense`, 400, { see: at("query.request") }),
      ask("admin", `GET ${bot}/render`, 400, { see: at("query.request") }),
      send("rival", `POST ${bot}`, 200, { visibility: "private" }),
      send("read", `POST ${bot}/render`, 200, shown("{space}")),
      send("stranger", `POST ${bot}/render`, "404 integration_not_found", shown("{space}")),
    ],
  },
];
