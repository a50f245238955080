// Members of an organization as stories.

import { ask, defineStory, get, refuse, type Story, send } from "../scenario";

const everybody = [
  { id: "{admin}" },
  { id: "{read}" },
  { id: "{comment}" },
  { id: "{edit}" },
  { id: "{review}" },
  { id: "{create}" },
  { id: "{guest}" },
];

export const stories: Story[] = [
  defineStory("members are listed, sorted, filtered and searched", [
    get("read", "/v1/orgs/{org}/members?order=asc", { count: 7, items: everybody }),
    get("read", "/v1/orgs/{org}/members", { count: 7, items: [...everybody].reverse() }),
    get("read", "/v1/orgs/{org}/members?role=edit", {
      count: 1,
      items: [
        {
          id: "{edit}",
          role: "edit",
          object: "member",
          disabled: false,
          sso: false,
          teams: 0,
          spaces: 0,
          user: { email: "edit@example.com" },
        },
      ],
    }),
    get("read", "/v1/orgs/{org}/members?role=guest", { count: 1, items: [{ id: "{guest}", role: null }] }),
    get("read", "/v1/orgs/{org}/members?search=THE%20RE&order=asc", {
      count: 2,
      items: [{ id: "{read}" }, { id: "{review}" }],
    }),
    get("read", "/v1/orgs/{org}/members?search=edit%40example", { count: 1 }),
    get("read", "/v1/orgs/{org}/members?search=token-of-the", { count: 0, items: [] }),
    get("read", "/v1/orgs/{org}/members?sort=lastSeenAt", { count: 1, items: [{ id: "{admin}" }] }),
    ask("edit", "POST /v1/orgs/{org}/ping", 200, { after: 1000 }),
    get("read", "/v1/orgs/{org}/members?sort=lastSeenAt", { count: 2, items: [{ id: "{edit}" }, { id: "{admin}" }] }),
    ask("read", "GET /v1/orgs/{org}/members?limit=3&order=asc", 200, {
      see: { items: everybody.slice(0, 3) },
      keep: { next: "next.page" },
    }),
    ask("read", "GET /v1/orgs/{org}/members?limit=3&order=asc&page={next}", 200, {
      see: { items: everybody.slice(3, 6) },
      keep: { last: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/members?limit=3&order=asc&page={last}", { items: everybody.slice(6), next: undefined }),
    ask("read", "GET /v1/orgs/{org}/members?limit=3&order=desc&page={next}", "400 invalid_cursor"),
    ask("read", "GET /v1/orgs/{org}/members?search=e&limit=2&order=desc", 200, {
      see: { count: 7, items: [{ id: "{guest}" }, { id: "{create}" }] },
      keep: { found: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/members?search=e&limit=2&order=desc&page={found}", {
      count: 7,
      items: [{ id: "{review}" }, { id: "{edit}" }],
    }),
    ask("guest", "GET /v1/orgs/{org}/members", "403 forbidden"),
    ask("rival", "GET /v1/orgs/{org}/members", "404 organization_not_found"),
    refuse("read", "GET /v1/orgs/{org}/members?role=owner", "query.role"),
    refuse("read", "GET /v1/orgs/{org}/members?sort=name", "query.sort"),
    refuse("read", "GET /v1/orgs/{org}/members?order=up", "query.order"),
  ]),
  defineStory("a member is seen by members; a guest sees only themselves", [
    get("read", "/v1/orgs/{org}/members/{edit}", { id: "{edit}", role: "edit" }),
    get("guest", "/v1/orgs/{org}/members/{guest}", { role: null }),
    ask("guest", "GET /v1/orgs/{org}/members/{edit}", "404 member_not_found"),
    ask("read", "GET /v1/orgs/{org}/members/{stranger}", "404 member_not_found"),
    ask("read", "GET /v1/orgs/{org}/members/%2e%2e%2fadmin", "404 member_not_found"),
    ask("rival", "GET /v1/orgs/{org}/members/{edit}", "404 organization_not_found"),
  ]),
  defineStory("admins change roles, and one admin always remains", [
    ask("admin", "PATCH /v1/orgs/{org}/members/{edit}", 200, {
      send: { role: "review" },
      see: { role: "review" },
    }),
    ask("admin", "PATCH /v1/orgs/{org}/members/{edit}", 200, {
      send: { role: null },
      see: { role: null },
    }),
    ask("edit", "GET /v1/orgs/{org}/members", 403),
    send("admin", "PATCH /v1/orgs/{org}/members/{admin}", "409 last_admin", { role: "edit" }),
    ask("admin", "PATCH /v1/orgs/{org}/members/{create}", 200, {
      send: { role: "admin" },
      see: { role: "admin" },
    }),
    ask("admin", "PATCH /v1/orgs/{org}/members/{admin}", 200, {
      send: { role: "edit" },
      see: { role: "edit" },
    }),
    send("admin", "PATCH /v1/orgs/{org}/members/{admin}", 403, { role: "admin" }),
    send("create", "PATCH /v1/orgs/{org}/members/{create}", "409 last_admin", { role: "read" }),
    send("review", "PATCH /v1/orgs/{org}/members/{review}", "403 forbidden", { role: "create" }),
    send("create", "PATCH /v1/orgs/{org}/members/{stranger}", "404 member_not_found", { role: "read" }),
    refuse("create", "PATCH /v1/orgs/{org}/members/{read}", "body.role", {}),
    refuse("create", "PATCH /v1/orgs/{org}/members/{read}", "body.disabled", { role: "read", disabled: true }),
    send("guest", "PATCH /v1/orgs/{org}/members/{read}", "404 member_not_found", { role: "admin" }),
  ]),
  defineStory("members leave or are removed, and with them everything they had here", [
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, {
      send: { title: "Writers", members: ["{edit}", "{read}"] },
      see: { members: 2 },
      keep: { team: "id" },
    }),
    ask("read", "DELETE /v1/orgs/{org}/members/{edit}", "403 forbidden"),
    ask("admin", "DELETE /v1/orgs/{org}/members/{edit}", 204),
    ask("admin", "DELETE /v1/orgs/{org}/members/{edit}", 204),
    ask("edit", "GET /v1/orgs/{org}", "404 organization_not_found"),
    get("edit", "/v1/orgs", { count: 0, items: [] }),
    get("admin", "/v1/orgs/{org}/teams/{team}", { members: 1 }),
    get("admin", "/v1/orgs/{org}/teams/{team}/members", { count: 1, items: [{ id: "{read}" }] }),
    ask("read", "DELETE /v1/orgs/{org}/members/{read}", 204),
    ask("read", "GET /v1/orgs/{org}", 404),
    get("admin", "/v1/orgs/{org}/members", { count: 5 }),
    ask("admin", "DELETE /v1/orgs/{org}/members/{admin}", "409 last_admin"),
    ask("rival", "DELETE /v1/orgs/{org}/members/{admin}", "404 organization_not_found"),
    ask("guest", "DELETE /v1/orgs/{org}/members/{admin}", 204),
    get("admin", "/v1/orgs/{org}"),
  ]),
  defineStory("a member becomes one who signs in through SSO", [
    ask("admin", "POST /v1/orgs/{org}/members/{read}/sso", 200, { see: { id: "{read}", sso: true } }),
    get("read", "/v1/orgs/{org}/members/{read}", { sso: true }),
    ask("create", "POST /v1/orgs/{org}/members/{read}/sso", "403 forbidden"),
    ask("admin", "POST /v1/orgs/{org}/members/{stranger}/sso", "404 member_not_found"),
  ]),
  defineStory("a member's teams and spaces are listed", [
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, {
      send: { title: "Writers", members: ["{guest}"] },
      keep: { writers: "id" },
    }),
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, {
      send: { title: "Editors", members: ["{guest}"] },
      keep: { editors: "id" },
    }),
    send("admin", "PUT /v1/orgs/{org}/teams/{editors}/members/{guest}", 200, { role: "owner" }),
    get("guest", "/v1/orgs/{org}/members/{guest}/teams", { count: 2 }),
    get("guest", "/v1/orgs/{org}/members/{guest}/teams?title=EDIT", {
      count: 1,
      items: [
        {
          team: { id: "{editors}", title: "Editors", permissions: { admin: true, view: true } },
          member: { role: "owner" },
        },
      ],
    }),
    ask("read", "GET /v1/orgs/{org}/members/{guest}/teams?limit=1", 200, {
      see: { count: 2, items: [{}] },
      keep: { next: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/members/{guest}/teams?limit=1&page={next}", { count: 2, items: [{}], next: undefined }),
    ask("guest", "GET /v1/orgs/{org}/members/{read}/teams", "404 member_not_found"),
    ask("rival", "GET /v1/orgs/{org}/members/{guest}/teams", "404 organization_not_found"),
    get("read", "/v1/orgs/{org}/members/{guest}", { teams: 2 }),
    get("guest", "/v1/orgs/{org}/members/{guest}/spaces", { count: 0, items: [] }),
    ask("guest", "GET /v1/orgs/{org}/members/{read}/spaces", "404 member_not_found"),
    refuse("read", "GET /v1/orgs/{org}/members/{guest}/spaces?order=sideways", "query.order"),
  ]),
];
