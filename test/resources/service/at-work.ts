// Integrations seen from where they work, as stories: spaces, sites and organizations; and tasks that wait.

import { ask, create, defineStory, get, list, type Scene, type Story, send } from "../scenario";

const one = "/v1/integrations/bot/installations/{installation}";
const site = "/v1/orgs/{org}/sites/{site}";
const spaceLists = ["integrations", "integrations-blocks", "integration-blocks", "integration-scripts"] as const;

function published(name: string, definition: object = {}): Scene {
  return send("rival", `POST /v1/integrations/${name}`, 200, { visibility: "public", ...definition });
}
function installed(name: string, keep: string): Scene {
  return ask("admin", `POST /v1/integrations/${name}/installations`, 201, {
    send: { organization: "{org}" },
    keep: { [keep]: "id" },
    after: 1000,
  });
}

/** A space on a published site, and two integrations of the rival's that are installed here. */
const stage: Scene[] = [
  published("bot", { blocks: [block("card"), block("note")], scopes: ["site:script:inject", "space:script:inject"] }),
  published("other", { blocks: [{ ...block("map"), urlUnfurl: ["https://maps.example"] }] }),
  installed("bot", "installation"),
  installed("other", "second"),
  create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
  create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", visibility: "public", spaces: ["{space}"] }),
];

function block(id: string) {
  return { id, title: `The ${id}` };
}

export const stories: Story[] = [
  defineStory("those who see a space see the integrations that work on it, and their blocks", [
    ...stage,
    ...spaceLists.map(
      (list): Scene => get("admin", `/v1/spaces/{space}/${list}`, list === "integration-scripts" ? [] : { items: [] }),
    ),
    send("admin", "PATCH /v1/integrations/other/installations/{second}", 200, { space_selection: "all" }),
    send("admin", `POST ${one}/spaces`, 201, { space: "{space}" }),
    list("admin", "/v1/spaces/{space}/integrations", [{ name: "bot", owner: { id: "{otherOrg}" } }, { name: "other" }]),
    ask("admin", "GET /v1/spaces/{space}/integrations-blocks?limit=2", 200, {
      see: {
        count: 3,
        items: [
          { integration: "bot", id: "card" },
          { integration: "bot", id: "note" },
        ],
      },
      keep: { next: "next.page" },
    }),
    get("admin", "/v1/spaces/{space}/integrations-blocks?limit=2&page={next}", {
      count: 3,
      items: [{ integration: "other", id: "map", title: "The map", urlUnfurl: ["https://maps.example"] }],
      next: undefined,
    }),
    get("admin", "/v1/spaces/{space}/integration-blocks?limit=1", {
      count: 3,
      items: [{ integration: "bot", id: "card" }],
    }),
    send("admin", `PATCH ${one}`, 200, { status: "paused" }),
    list("admin", "/v1/spaces/{space}/integrations", [{ name: "other" }]),
    send("admin", "PATCH /v1/spaces/{space}", 200, { defaultLevel: null }),
    ...spaceLists.map((list): Scene => ask("read", `GET /v1/spaces/{space}/${list}`, "404 space_not_found")),
  ]),
  defineStory("members see the integrations that work on a site, and everybody the scripts of a published one", [
    ...stage,
    send("admin", `POST ${one}/sites`, 201, { site: "{site}" }),
    list("read", `${site}/integrations`, [{ name: "bot", permissions: { admin: false } }]),
    ask("stranger", `GET ${site}/integrations`, "404 organization_not_found"),
    get("admin", `${site}/integration-scripts`, []),
    ask(null, `GET ${site}/integration-scripts`, "404 site_not_found"),
    ask("admin", `POST ${site}/publish`, 200),
    ask(null, `GET ${site}/published`, 200, { keep: { script: (body) => body.scripts[0].script } }),
    get(null, `${site}/integration-scripts`, [
      { script: "{script}", cookies: false, contentSecurityPolicy: undefined },
    ]),
    get("read", `${site}/integration-scripts`, [{ script: "{script}" }]),
    get("read", "/v1/spaces/{space}/integration-scripts", [{ script: "{script}", cookies: false }]),
    // Somebody with a role on the space alone learns nothing of its sites.
    ask("admin", "POST /v1/spaces/{space}/permissions", 204, { send: { users: [{ id: "{guest}", role: "read" }] } }),
    get("guest", "/v1/spaces/{space}/integration-scripts", []),
    ask(null, "POST /v1/urls/published", 200, {
      send: { url: "http://localhost:3000/sites/{org}/docs" },
      keep: { visit: "apiToken" },
    }),
    ask(null, "GET /v1/spaces/{space}/integration-scripts", 200, {
      headers: { authorization: "Bearer {visit}" },
      see: [{ script: "{script}" }],
    }),
    ask("admin", `POST ${site}/unpublish`, 200),
    get("read", "/v1/spaces/{space}/integration-scripts", []),
    ask("stranger", "GET /v1/spaces/{space}/integration-scripts", "404 space_not_found"),
  ]),
  defineStory("members ask by its name whether an integration is installed", [
    published("bot"),
    get("read", "/v1/orgs/{org}/integrations/bot/installation_status", {
      object: "integration-installation-status",
      integration: "bot",
      installed: false,
      installation: undefined,
      status: undefined,
    }),
    list("read", "/v1/orgs/{org}/integrations/bot/installations-status", []),
    installed("bot", "installation"),
    get("read", "/v1/orgs/{org}/integrations/bot/installation_status", {
      installed: true,
      installation: "{installation}",
      status: "active",
    }),
    list("read", "/v1/orgs/{org}/integrations/bot/installations-status", [
      { installation: "{installation}", status: "active" },
    ]),
    ...["installation_status", "installations-status"].flatMap((status) => [
      ask("guest", `GET /v1/orgs/{org}/integrations/bot/${status}`, "404 integration_not_found"),
      ask("stranger", `GET /v1/orgs/{org}/integrations/bot/${status}`, "404 organization_not_found"),
      ask("read", `GET /v1/orgs/{org}/integrations/none/${status}`, "404 integration_not_found"),
    ]),
  ]),
  defineStory("members see the integrations that are installed in their organization, whatever their state", [
    ...stage,
    send("admin", `PATCH ${one}`, 200, { status: "paused" }),
    ask("read", "GET /v1/orgs/{org}/integrations?limit=1", 200, {
      see: { count: 2, items: [{ name: "bot" }] },
      keep: { next: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/integrations?limit=1&page={next}", {
      count: 2,
      items: [{ name: "other" }],
      next: undefined,
    }),
    ask("rival", "DELETE /v1/integrations/other", 204),
    list("read", "/v1/orgs/{org}/integrations", [{ name: "bot" }]),
    ask("guest", "GET /v1/orgs/{org}/integrations", "403 forbidden"),
  ]),
  defineStory("a task can be looked at and taken back until its time has come", [
    ...stage,
    list("rival", `${one}/tasks`, []),
    ask("rival", `POST ${one}/tasks`, 201, {
      send: { task: { type: "late", n: 1 }, schedule: 120 },
      see: { object: "integration-task", task: { type: "late", n: 1 } },
      keep: { late: "id" },
    }),
    ask("rival", `POST ${one}/tasks`, 201, {
      send: { task: { type: "soon" }, schedule: 60 },
      seeHeaders: { location: (at) => at?.includes("/tasks/") === true },
      keep: { soon: "id" },
    }),
    list("rival", `${one}/tasks`, [{ id: "{soon}" }, { id: "{late}" }]),
    get("rival", `${one}/tasks/{late}`, { task: { type: "late", n: 1 } }),
    ask("admin", `GET ${one}/tasks`, "403 forbidden"),
    ask("admin", `GET ${one}/tasks/{late}`, "403 forbidden"),
    ask("admin", `DELETE ${one}/tasks/{late}`, "403 forbidden"),
    ask("stranger", `DELETE ${one}/tasks/{late}`, "404 installation_not_found"),
    ask("rival", `DELETE ${one}/tasks/{late}`, 204),
    ask("rival", `DELETE ${one}/tasks/{late}`, 204),
    ask("rival", `GET ${one}/tasks/{late}`, "404 task_not_found"),
    list("rival", `${one}/tasks`, [{ id: "{soon}" }]),
  ]),
];
