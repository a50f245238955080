// Integrations seen from where they work, as stories: spaces, sites and organizations; and tasks that wait.

import type { Scene, Story } from "../scenario";

const one = "/v1/integrations/bot/installations/{installation}";
const site = "/v1/orgs/{org}/sites/{site}";
const spaceLists = ["integrations", "integrations-blocks"] as const;

function published(name: string, definition: object = {}): Scene {
  return {
    as: "rival",
    ask: `POST /v1/integrations/${name}`,
    send: { visibility: "public", ...definition },
    expect: 200,
  };
}
function installed(name: string, keep: string): Scene {
  return {
    as: "admin",
    ask: `POST /v1/integrations/${name}/installations`,
    send: { organization: "{org}" },
    expect: 201,
    keep: { [keep]: "id" },
    after: 1000,
  };
}

/** A space on a published site, and two integrations of the rival's that are installed here. */
const stage: Scene[] = [
  published("bot", { blocks: [block("card"), block("note")], scopes: ["site:script:inject", "space:script:inject"] }),
  published("other", { blocks: [{ ...block("map"), urlUnfurl: ["https://maps.example"] }] }),
  installed("bot", "installation"),
  installed("other", "second"),
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/spaces",
    send: { title: "Guide" },
    expect: 201,
    keep: { space: "id" },
  },
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/sites",
    send: { title: "Docs", visibility: "public", spaces: ["{space}"] },
    expect: 201,
    keep: { site: "id" },
  },
];

function block(id: string) {
  return { id, title: `The ${id}` };
}

export const stories: Story[] = [
  {
    title: "those who see a space see the integrations that work on it, and their blocks",
    scenes: [
      ...stage,
      ...spaceLists.map(
        (list): Scene => ({ as: "admin", ask: `GET /v1/spaces/{space}/${list}`, expect: 200, see: { items: [] } }),
      ),
      {
        as: "admin",
        ask: "PATCH /v1/integrations/other/installations/{second}",
        send: { space_selection: "all" },
        expect: 200,
      },
      { as: "admin", ask: `POST ${one}/spaces`, send: { space: "{space}" }, expect: 201 },
      {
        as: "admin",
        ask: "GET /v1/spaces/{space}/integrations",
        expect: 200,
        see: { count: 2, items: [{ name: "bot", owner: { id: "{otherOrg}" } }, { name: "other" }] },
      },
      {
        as: "admin",
        ask: "GET /v1/spaces/{space}/integrations-blocks?limit=2",
        expect: 200,
        see: {
          count: 3,
          items: [
            { integration: "bot", id: "card" },
            { integration: "bot", id: "note" },
          ],
        },
        keep: { next: "next.page" },
      },
      {
        as: "admin",
        ask: "GET /v1/spaces/{space}/integrations-blocks?limit=2&page={next}",
        expect: 200,
        see: {
          count: 3,
          items: [{ integration: "other", id: "map", title: "The map", urlUnfurl: ["https://maps.example"] }],
          next: undefined,
        },
      },
      { as: "admin", ask: `PATCH ${one}`, send: { status: "paused" }, expect: 200 },
      {
        as: "admin",
        ask: "GET /v1/spaces/{space}/integrations",
        expect: 200,
        see: { count: 1, items: [{ name: "other" }] },
      },
      { as: "admin", ask: "PATCH /v1/spaces/{space}", send: { defaultLevel: null }, expect: 200 },
      ...spaceLists.map(
        (list): Scene => ({
          as: "read",
          ask: `GET /v1/spaces/{space}/${list}`,
          expect: 404,
          reason: "space_not_found",
        }),
      ),
      { as: null, ask: "GET /v1/spaces/{space}/integrations", expect: 401, reason: "unauthorized" },
    ],
  },
  {
    title: "members see the integrations that work on a site, and everybody the scripts of a published one",
    scenes: [
      ...stage,
      { as: "admin", ask: `POST ${one}/sites`, send: { site: "{site}" }, expect: 201 },
      {
        as: "read",
        ask: `GET ${site}/integrations`,
        expect: 200,
        see: { count: 1, items: [{ name: "bot", permissions: { admin: false } }] },
      },
      { as: "stranger", ask: `GET ${site}/integrations`, expect: 404, reason: "organization_not_found" },
      { as: "admin", ask: `GET ${site}/integration-scripts`, expect: 200, see: { items: [], count: 0 } },
      { as: null, ask: `GET ${site}/integration-scripts`, expect: 404, reason: "site_not_found" },
      { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
      {
        as: null,
        ask: `GET ${site}/published`,
        expect: 200,
        keep: { script: (body) => body.scripts[0].script },
      },
      {
        as: null,
        ask: `GET ${site}/integration-scripts`,
        expect: 200,
        see: { count: 1, items: [{ script: "{script}", cookies: false, contentSecurityPolicy: undefined }] },
      },
      { as: "read", ask: `GET ${site}/integration-scripts`, expect: 200, see: { count: 1 } },
    ],
  },
  {
    title: "members see the integrations that are installed in their organization, whatever their state",
    scenes: [
      ...stage,
      { as: "admin", ask: `PATCH ${one}`, send: { status: "paused" }, expect: 200 },
      {
        as: "read",
        ask: "GET /v1/orgs/{org}/integrations?limit=1",
        expect: 200,
        see: { count: 2, items: [{ name: "bot" }] },
        keep: { next: "next.page" },
      },
      {
        as: "read",
        ask: "GET /v1/orgs/{org}/integrations?limit=1&page={next}",
        expect: 200,
        see: { count: 2, items: [{ name: "other" }], next: undefined },
      },
      { as: "rival", ask: "DELETE /v1/integrations/other", expect: 204 },
      { as: "read", ask: "GET /v1/orgs/{org}/integrations", expect: 200, see: { count: 1, items: [{ name: "bot" }] } },
      { as: "guest", ask: "GET /v1/orgs/{org}/integrations", expect: 403, reason: "forbidden" },
      { as: "stranger", ask: "GET /v1/orgs/{org}/integrations", expect: 404, reason: "organization_not_found" },
    ],
  },
  {
    title: "a task can be looked at and taken back until its time has come",
    scenes: [
      ...stage,
      { as: "rival", ask: `GET ${one}/tasks`, expect: 200, see: { items: [], count: 0 } },
      {
        as: "rival",
        ask: `POST ${one}/tasks`,
        send: { task: { type: "late", n: 1 }, schedule: 120 },
        expect: 201,
        see: { object: "integration-task", task: { type: "late", n: 1 } },
        keep: { late: "id" },
      },
      {
        as: "rival",
        ask: `POST ${one}/tasks`,
        send: { task: { type: "soon" }, schedule: 60 },
        expect: 201,
        seeHeaders: { location: (at) => at?.includes("/tasks/") === true },
        keep: { soon: "id" },
      },
      {
        as: "rival",
        ask: `GET ${one}/tasks`,
        expect: 200,
        see: { count: 2, items: [{ id: "{soon}" }, { id: "{late}" }] },
      },
      { as: "rival", ask: `GET ${one}/tasks/{late}`, expect: 200, see: { task: { type: "late", n: 1 } } },
      { as: "admin", ask: `GET ${one}/tasks`, expect: 403, reason: "forbidden" },
      { as: "admin", ask: `GET ${one}/tasks/{late}`, expect: 403, reason: "forbidden" },
      { as: "admin", ask: `DELETE ${one}/tasks/{late}`, expect: 403, reason: "forbidden" },
      { as: "stranger", ask: `DELETE ${one}/tasks/{late}`, expect: 404, reason: "installation_not_found" },
      { as: "rival", ask: `DELETE ${one}/tasks/{late}`, expect: 204 },
      { as: "rival", ask: `DELETE ${one}/tasks/{late}`, expect: 204 },
      { as: "rival", ask: `GET ${one}/tasks/{late}`, expect: 404, reason: "task_not_found" },
      { as: "rival", ask: `GET ${one}/tasks`, expect: 200, see: { count: 1, items: [{ id: "{soon}" }] } },
    ],
  },
];
