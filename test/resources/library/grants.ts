// Grants on spaces and collections as stories.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";

/** The same story under the path of a space and of a collection. */
const scenesAt = (at: string, thing: string, missing: string): Scene[] => [
  create("admin", "PUT /v1/orgs/{org}/teams", "team", { title: "Writers", members: ["{read}"] }),
  send("admin", `PATCH ${thing}`, 200, { defaultLevel: null }),
  ask("read", `GET ${at}/users`, `404 ${missing}`),
  send("admin", `POST ${at}`, 204, {
    users: [
      { id: "{guest}", role: "comment" },
      { id: "{edit}", role: "create" },
    ],
  }),
  send("admin", `POST ${at}`, 204, { teams: ["{team}"], role: "review" }),
  refuse("admin", `POST ${at}`, "body.role", { users: ["{guest}"] }),
  refuse("admin", `POST ${at}`, "body.users.1", {
    users: [{ id: "{guest}", role: "comment" }, "usr_none"],
    role: "read",
  }),
  get("guest", thing),
  ask("guest", `GET ${at}/users?limit=1`, 200, {
    see: { count: 2, items: [{ permission: (role: unknown) => role !== null }] },
    keep: { next: "next.page" },
  }),
  get("guest", `${at}/users?limit=1&page={next}`, { count: 2, items: [{}], next: undefined }),
  list("read", `${at}/teams`, [{ permission: "review", team: { id: "{team}" } }]),
  list("read", `${at}/aggregate`, [
    { permission: "admin", user: { id: "{admin}" } },
    { permission: "review", user: { id: "{read}" } },
    { permission: "create", user: { id: "{edit}" } },
    { permission: "comment", user: { id: "{guest}" } },
  ]),
  send("edit", `PATCH ${at}/users/{guest}`, "403 above_own_role", { role: "admin" }),
  send("edit", `POST ${at}`, "403 above_own_role", { users: [{ id: "{edit}", role: "admin" }] }),
  send("edit", `PATCH ${at}/users/{guest}`, 204, { role: "edit" }),
  send("edit", `PATCH ${at}/teams/{team}`, 204, { role: "read" }),
  send("read", `POST ${at}`, "403 forbidden", { users: [{ id: "{read}", role: "create" }] }),
  send("read", `PATCH ${at}/teams/{team}`, "403 forbidden", { role: "create" }),
  ask("read", `DELETE ${at}/users/{guest}`, "403 forbidden"),
  ask("read", `DELETE ${at}/teams/{team}`, "403 forbidden"),
  send("edit", `PATCH ${at}/users/{review}`, "404 grant_not_found", { role: "read" }),
  send("edit", `PATCH ${at}/teams/tem_none`, "404 grant_not_found", { role: "read" }),
  refuse("edit", `PATCH ${at}/users/{guest}`, "body.role", { role: null }),
  refuse("admin", `POST ${at}`, "body.users.1.id", {
    users: [
      { id: "{review}", role: "read" },
      { id: "{rival}", role: "read" },
    ],
  }),
  ask("review", `GET ${at}/aggregate`, `404 ${missing}`),
  ask("review", `GET ${at}/teams`, `404 ${missing}`),
  ask("review", `DELETE ${at}/users/{guest}`, `404 ${missing}`),
  refuse("admin", `POST ${at}`, "body.teams.0.id", { teams: [{ id: "tem_none", role: "read" }] }),
  ask("edit", `DELETE ${at}/users/{guest}`, 204),
  ask("edit", `DELETE ${at}/users/{guest}`, 204),
  ask("guest", `GET ${thing}`, `404 ${missing}`),
  ask("admin", "DELETE /v1/orgs/{org}/teams/{team}", 204),
  ask("read", `GET ${thing}`, `404 ${missing}`),
  ask("admin", `DELETE ${at}/teams/{team}`, 204),
  ask("admin", "DELETE /v1/orgs/{org}/members/{edit}", 204),
  list("admin", `${at}/users`, []),
  list("admin", `${at}/teams`, []),
];

export const stories: Story[] = [
  defineStory("what is granted on a space counts there", [
    create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "S" }),
    ...scenesAt("/v1/spaces/{space}/permissions", "/v1/spaces/{space}", "space_not_found"),
  ]),
  defineStory("what is granted on a collection counts there", [
    create("admin", "POST /v1/orgs/{org}/collections", "collection", { title: "C" }),
    ...scenesAt("/v1/collections/{collection}/permissions", "/v1/collections/{collection}", "collection_not_found"),
  ]),
  defineStory("what is granted on a collection counts in everything that lies in it", [
    create("admin", "POST /v1/orgs/{org}/collections", "outer", { title: "Outer" }),
    create("admin", "POST /v1/orgs/{org}/collections", "inner", { title: "Inner", parent: "{outer}" }),
    create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "S", parent: "{inner}" }),
    ask("guest", "GET /v1/spaces/{space}", "404 space_not_found"),
    send("admin", "POST /v1/collections/{outer}/permissions", 204, { users: [{ id: "{guest}", role: "edit" }] }),
    get("guest", "/v1/spaces/{space}", { permissions: { edit: true, review: false } }),
    get("guest", "/v1/orgs/{org}/spaces", { count: 1 }),
    get("guest", "/v1/orgs/{org}/collections", { count: 2 }),
    list("admin", "/v1/orgs/{org}/members/{guest}/spaces", [{ permission: "edit", space: { id: "{space}" } }]),
    get("admin", "/v1/orgs/{org}/members/{guest}", { spaces: 0 }),
    send("admin", "POST /v1/spaces/{space}/permissions", 204, { users: [{ id: "{guest}", role: "review" }] }),
    get("admin", "/v1/orgs/{org}/members/{guest}", { spaces: 1 }),
    get("guest", "/v1/spaces/{space}", { permissions: { review: true } }),
    send("admin", "POST /v1/spaces/{space}/move", 200, { parent: null }),
    ask("admin", "DELETE /v1/spaces/{space}/permissions/users/{guest}", 204),
    ask("guest", "GET /v1/spaces/{space}", "404 space_not_found"),
  ]),
];
