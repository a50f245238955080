// Members of an organization as stories.

import { ask, create, defineStory, get, list, refuse, type Story, send } from "../scenario";

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
  defineStory("who has an address of a proven domain joins by themselves, once", [
    ask("stranger", "POST /v1/orgs/{org}/join", "404 organization_not_found"),
    send("admin", "PATCH /v1/orgs/{org}", 200, { emailDomains: ["Example.com"], defaultRole: "comment" }),
    ask("stranger", "POST /v1/orgs/{org}/join", 200, {
      see: { object: "member", id: "{stranger}", role: "comment", disabled: false, user: { id: "{stranger}" } },
    }),
    get("stranger", "/v1/orgs", { items: [{ id: "{org}" }] }),
    send("admin", "PATCH /v1/orgs/{org}/members/{stranger}", 200, { role: "edit" }),
    ask("stranger", "POST /v1/orgs/{org}/join", 200, { see: { role: "edit" } }),
    ask("admin", "POST /v1/orgs/{org}/join", 200, { see: { role: "admin" } }),
    ask("guest", "POST /v1/orgs/{org}/join", "403 forbidden"),
    get("admin", "/v1/orgs/{org}/audit-events?action=joinOrganization&actor={stranger}", {
      items: [{ status: 200, actor: { type: "user", id: "{stranger}" } }],
    }),

    // Nobody comes back by themselves, whether they were removed or have left.
    ask("edit", "DELETE /v1/orgs/{org}/members/{edit}", 204),
    ask("edit", "POST /v1/orgs/{org}/join", "403 former_member", { after: 1000 }),
    ask("admin", "DELETE /v1/orgs/{org}/members/{stranger}", 204),
    ask("stranger", "POST /v1/orgs/{org}/join", "403 former_member", { after: 1000 }),

    send("admin", "PATCH /v1/orgs/{org}", 200, { sso: true }),
    ask("rival", "POST /v1/orgs/{org}/join", "403 sso_required"),
    send("admin", "PATCH /v1/orgs/{org}", 200, { sso: false, emailDomains: ["elsewhere.example"] }),
    ask("rival", "POST /v1/orgs/{org}/join", "404 organization_not_found"),
  ]),
  defineStory("members are listed, sorted, filtered and searched", [
    get("read", "/v1/orgs/{org}/members?order=asc", { count: 7, items: everybody }),
    get("read", "/v1/orgs/{org}/members", { count: 7, items: [...everybody].reverse() }),
    list("read", "/v1/orgs/{org}/members?role=edit", [
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
    ]),
    list("read", "/v1/orgs/{org}/members?role=guest", [{ id: "{guest}", role: null }]),
    list("read", "/v1/orgs/{org}/members?search=THE%20RE&order=asc", [{ id: "{read}" }, { id: "{review}" }]),
    get("read", "/v1/orgs/{org}/members?search=edit%40example", { count: 1 }),
    list("read", "/v1/orgs/{org}/members?search=token-of-the", []),
    list("read", "/v1/orgs/{org}/members?sort=lastSeenAt", [{ id: "{admin}" }]),
    ask("edit", "POST /v1/orgs/{org}/ping", 200, { after: 1000 }),
    list("read", "/v1/orgs/{org}/members?sort=lastSeenAt", [{ id: "{edit}" }, { id: "{admin}" }]),
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
    refuse("read", "GET /v1/orgs/{org}/members?role=owner", "query.role"),
    refuse("read", "GET /v1/orgs/{org}/members?sort=name", "query.sort"),
    refuse("read", "GET /v1/orgs/{org}/members?order=up", "query.order"),
  ]),
  defineStory("a member is seen by members; a guest sees only themselves", [
    get("read", "/v1/orgs/{org}/members/{edit}", { id: "{edit}", role: "edit" }),
    get("guest", "/v1/orgs/{org}/members/{guest}", { role: null }),
    ask("read", "GET /v1/orgs/{org}/members/{stranger}", "404 member_not_found"),
    ask("read", "GET /v1/orgs/{org}/members/%2e%2e%2fadmin", "404 member_not_found"),
  ]),
  defineStory("admins change roles, and one admin always remains", [
    ask("admin", "PATCH /v1/orgs/{org}/members/{edit}", 200, { send: { role: "review" }, see: { role: "review" } }),
    ask("admin", "PATCH /v1/orgs/{org}/members/{edit}", 200, { send: { role: null }, see: { role: null } }),
    ask("edit", "GET /v1/orgs/{org}/members", 403),
    send("admin", "PATCH /v1/orgs/{org}/members/{admin}", "409 last_admin", { role: "edit" }),
    ask("admin", "PATCH /v1/orgs/{org}/members/{create}", 200, { send: { role: "admin" }, see: { role: "admin" } }),
    ask("admin", "PATCH /v1/orgs/{org}/members/{admin}", 200, { send: { role: "edit" }, see: { role: "edit" } }),
    send("admin", "PATCH /v1/orgs/{org}/members/{admin}", 403, { role: "admin" }),
    send("create", "PATCH /v1/orgs/{org}/members/{create}", "409 last_admin", { role: "read" }),
    send("create", "PATCH /v1/orgs/{org}/members/{stranger}", "404 member_not_found", { role: "read" }),
    refuse("create", "PATCH /v1/orgs/{org}/members/{read}", "body.role", {}),
    refuse("create", "PATCH /v1/orgs/{org}/members/{read}", "body.disabled", { role: "read", disabled: true }),
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
    list("edit", "/v1/orgs", []),
    get("admin", "/v1/orgs/{org}/teams/{team}", { members: 1 }),
    list("admin", "/v1/orgs/{org}/teams/{team}/members", [{ id: "{read}" }]),
    ask("read", "DELETE /v1/orgs/{org}/members/{read}", 204),
    ask("read", "GET /v1/orgs/{org}", 404),
    get("admin", "/v1/orgs/{org}/members", { count: 5 }),
    ask("admin", "DELETE /v1/orgs/{org}/members/{admin}", "409 last_admin"),
    ask("guest", "DELETE /v1/orgs/{org}/members/{admin}", 204),
    get("admin", "/v1/orgs/{org}"),
  ]),
  defineStory("a member becomes one who signs in through SSO", [
    ask("admin", "POST /v1/orgs/{org}/members/{read}/sso", 200, { see: { id: "{read}", sso: true } }),
    get("read", "/v1/orgs/{org}/members/{read}", { sso: true }),
    ask("admin", "POST /v1/orgs/{org}/members/{stranger}/sso", "404 member_not_found"),
  ]),
  defineStory("a member's teams and spaces are listed", [
    create("admin", "PUT /v1/orgs/{org}/teams", "writers", { title: "Writers", members: ["{guest}"] }),
    create("admin", "PUT /v1/orgs/{org}/teams", "editors", { title: "Editors", members: ["{guest}"] }),
    send("admin", "PUT /v1/orgs/{org}/teams/{editors}/members/{guest}", 200, { role: "owner" }),
    get("guest", "/v1/orgs/{org}/members/{guest}/teams", { count: 2 }),
    list("guest", "/v1/orgs/{org}/members/{guest}/teams?title=EDIT", [
      {
        team: { id: "{editors}", title: "Editors", permissions: { admin: true, view: true } },
        member: { role: "owner" },
      },
    ]),
    ask("read", "GET /v1/orgs/{org}/members/{guest}/teams?limit=1", 200, {
      see: { count: 2, items: [{}] },
      keep: { next: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/members/{guest}/teams?limit=1&page={next}", { count: 2, items: [{}], next: undefined }),
    ask("guest", "GET /v1/orgs/{org}/members/{read}/teams", "404 member_not_found"),
    get("read", "/v1/orgs/{org}/members/{guest}", { teams: 2 }),
    list("guest", "/v1/orgs/{org}/members/{guest}/spaces", []),
    refuse("read", "GET /v1/orgs/{org}/members/{guest}/spaces?order=sideways", "query.order"),
  ]),
];
