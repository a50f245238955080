// Grants on spaces and collections as stories.

import type { Scene, Story } from "../scenario";

/** The same story under the path of a space and of a collection. */
const scenesAt = (at: string, get: string, missing: string): Scene[] => [
  {
    as: "admin",
    ask: "PUT /v1/orgs/{org}/teams",
    send: { title: "Writers", members: ["{read}"] },
    expect: 201,
    keep: { team: "id" },
  },
  { as: "admin", ask: `PATCH ${get}`, send: { defaultLevel: null }, expect: 200 },
  { as: "read", ask: `GET ${at}/users`, expect: 404, reason: missing },
  {
    as: "admin",
    ask: `POST ${at}`,
    send: {
      users: [
        { id: "{guest}", role: "comment" },
        { id: "{edit}", role: "create" },
      ],
    },
    expect: 204,
  },
  { as: "admin", ask: `POST ${at}`, send: { teams: ["{team}"], role: "review" }, expect: 204 },
  {
    as: "admin",
    ask: `POST ${at}`,
    send: { users: ["{guest}"] },
    expect: 400,
    see: { error: { issues: [{ path: "body.role" }] } },
  },
  {
    as: "admin",
    ask: `POST ${at}`,
    send: { users: [{ id: "{guest}", role: "comment" }, "usr_none"], role: "read" },
    expect: 400,
    see: { error: { issues: [{ path: "body.users.1" }] } },
  },
  { as: "guest", ask: `GET ${get}`, expect: 200 },
  {
    as: "guest",
    ask: `GET ${at}/users?limit=1`,
    expect: 200,
    see: { count: 2, items: [{ permission: (role: unknown) => role !== null }] },
    keep: { next: "next.page" },
  },
  {
    as: "guest",
    ask: `GET ${at}/users?limit=1&page={next}`,
    expect: 200,
    see: { count: 2, items: [{}], next: undefined },
  },
  {
    as: "read",
    ask: `GET ${at}/teams`,
    expect: 200,
    see: { count: 1, items: [{ permission: "review", team: { id: "{team}" } }] },
  },
  {
    as: "read",
    ask: `GET ${at}/aggregate`,
    expect: 200,
    see: {
      count: 4,
      items: [
        { permission: "admin", user: { id: "{admin}" } },
        { permission: "review", user: { id: "{read}" } },
        { permission: "create", user: { id: "{edit}" } },
        { permission: "comment", user: { id: "{guest}" } },
      ],
    },
  },
  { as: "edit", ask: `PATCH ${at}/users/{guest}`, send: { role: "admin" }, expect: 403, reason: "above_own_role" },
  {
    as: "edit",
    ask: `POST ${at}`,
    send: { users: [{ id: "{edit}", role: "admin" }] },
    expect: 403,
    reason: "above_own_role",
  },
  { as: "edit", ask: `PATCH ${at}/users/{guest}`, send: { role: "edit" }, expect: 204 },
  { as: "edit", ask: `PATCH ${at}/teams/{team}`, send: { role: "read" }, expect: 204 },
  {
    as: "read",
    ask: `POST ${at}`,
    send: { users: [{ id: "{read}", role: "create" }] },
    expect: 403,
    reason: "forbidden",
  },
  { as: "read", ask: `PATCH ${at}/teams/{team}`, send: { role: "create" }, expect: 403, reason: "forbidden" },
  { as: "read", ask: `DELETE ${at}/users/{guest}`, expect: 403, reason: "forbidden" },
  { as: "read", ask: `DELETE ${at}/teams/{team}`, expect: 403, reason: "forbidden" },
  { as: "edit", ask: `PATCH ${at}/users/{review}`, send: { role: "read" }, expect: 404, reason: "grant_not_found" },
  { as: "edit", ask: `PATCH ${at}/teams/tem_none`, send: { role: "read" }, expect: 404, reason: "grant_not_found" },
  {
    as: "edit",
    ask: `PATCH ${at}/users/{guest}`,
    send: { role: null },
    expect: 400,
    see: { error: { issues: [{ path: "body.role" }] } },
  },
  {
    as: "admin",
    ask: `POST ${at}`,
    send: {
      users: [
        { id: "{review}", role: "read" },
        { id: "{rival}", role: "read" },
      ],
    },
    expect: 400,
    see: { error: { issues: [{ path: "body.users.1.id" }] } },
  },
  { as: "review", ask: `GET ${at}/aggregate`, expect: 404, reason: missing },
  { as: "review", ask: `GET ${at}/teams`, expect: 404, reason: missing },
  { as: "review", ask: `DELETE ${at}/users/{guest}`, expect: 404, reason: missing },
  {
    as: "admin",
    ask: `POST ${at}`,
    send: { teams: [{ id: "tem_none", role: "read" }] },
    expect: 400,
    see: { error: { issues: [{ path: "body.teams.0.id" }] } },
  },
  { as: "edit", ask: `DELETE ${at}/users/{guest}`, expect: 204 },
  { as: "edit", ask: `DELETE ${at}/users/{guest}`, expect: 204 },
  { as: "guest", ask: `GET ${get}`, expect: 404, reason: missing },
  { as: "admin", ask: "DELETE /v1/orgs/{org}/teams/{team}", expect: 204 },
  { as: "read", ask: `GET ${get}`, expect: 404, reason: missing },
  { as: "admin", ask: `DELETE ${at}/teams/{team}`, expect: 204 },
  { as: "admin", ask: "DELETE /v1/orgs/{org}/members/{edit}", expect: 204 },
  { as: "admin", ask: `GET ${at}/users`, expect: 200, see: { count: 0, items: [] } },
  { as: "admin", ask: `GET ${at}/teams`, expect: 200, see: { count: 0, items: [] } },
];

export const stories: Story[] = [
  {
    title: "what is granted on a space counts there",
    scenes: [
      { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "S" }, expect: 201, keep: { space: "id" } },
      ...scenesAt("/v1/spaces/{space}/permissions", "/v1/spaces/{space}", "space_not_found"),
    ],
  },
  {
    title: "what is granted on a collection counts there",
    scenes: [
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/collections",
        send: { title: "C" },
        expect: 201,
        keep: { collection: "id" },
      },
      ...scenesAt("/v1/collections/{collection}/permissions", "/v1/collections/{collection}", "collection_not_found"),
    ],
  },
  {
    title: "what is granted on a collection counts in everything that lies in it",
    scenes: [
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/collections",
        send: { title: "Outer" },
        expect: 201,
        keep: { outer: "id" },
      },
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/collections",
        send: { title: "Inner", parent: "{outer}" },
        expect: 201,
        keep: { inner: "id" },
      },
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/spaces",
        send: { title: "S", parent: "{inner}" },
        expect: 201,
        keep: { space: "id" },
      },
      { as: "guest", ask: "GET /v1/spaces/{space}", expect: 404, reason: "space_not_found" },
      {
        as: "admin",
        ask: "POST /v1/collections/{outer}/permissions",
        send: { users: [{ id: "{guest}", role: "edit" }] },
        expect: 204,
      },
      { as: "guest", ask: "GET /v1/spaces/{space}", expect: 200, see: { permissions: { edit: true, review: false } } },
      { as: "guest", ask: "GET /v1/orgs/{org}/spaces", expect: 200, see: { count: 1 } },
      { as: "guest", ask: "GET /v1/orgs/{org}/collections", expect: 200, see: { count: 2 } },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/members/{guest}/spaces",
        expect: 200,
        see: { count: 1, items: [{ permission: "edit", space: { id: "{space}" } }] },
      },
      { as: "admin", ask: "GET /v1/orgs/{org}/members/{guest}", expect: 200, see: { spaces: 0 } },
      {
        as: "admin",
        ask: "POST /v1/spaces/{space}/permissions",
        send: { users: [{ id: "{guest}", role: "review" }] },
        expect: 204,
      },
      { as: "admin", ask: "GET /v1/orgs/{org}/members/{guest}", expect: 200, see: { spaces: 1 } },
      { as: "guest", ask: "GET /v1/spaces/{space}", expect: 200, see: { permissions: { review: true } } },
      { as: "admin", ask: "POST /v1/spaces/{space}/move", send: { parent: null }, expect: 200 },
      { as: "admin", ask: "DELETE /v1/spaces/{space}/permissions/users/{guest}", expect: 204 },
      { as: "guest", ask: "GET /v1/spaces/{space}", expect: 404, reason: "space_not_found" },
    ],
  },
];
