// Teams as stories.

import { ask, defineStory, get, refuse, type Story, send } from "../scenario";

export const stories: Story[] = [
  defineStory("admins make teams, whose titles are unique", [
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, {
      send: { title: "Writers", members: ["{read}", "{edit}"] },
      see: { object: "team", title: "Writers", members: 2, spaces: 0, permissions: { admin: true, view: true } },
      keep: { team: "id" },
      seeHeaders: { location: (url) => url?.includes("/teams/tem_") === true },
    }),
    send("admin", "PUT /v1/orgs/{org}/teams", "409 title_taken", { title: "  writers " }),
    ask("rival", "PUT /v1/orgs/{otherOrg}/teams", 201, { send: { title: "Writers" }, keep: { theirs: "id" } }),
    refuse("admin", "PUT /v1/orgs/{org}/teams", "body.members.1", {
      title: "Ghosts",
      members: ["{read}", "{stranger}"],
    }),
    refuse("admin", "PUT /v1/orgs/{org}/teams", "body.title", { title: "" }),
    send("admin", "PUT /v1/orgs/{org}/teams", 400, { title: "x".repeat(65) }),
    get("admin", "/v1/orgs/{org}/teams", { count: 1, items: [{ id: "{team}" }] }),
    ask("admin", "GET /v1/orgs/{org}/teams/{theirs}", "404 team_not_found"),
    get("read", "/v1/orgs/{org}/teams/{team}", { id: "{team}", permissions: { admin: false, view: true } }),
  ]),
  defineStory("teams are listed by title, and filtered by title and by who manages them", [
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, { send: { title: "Zebra" }, keep: { zebra: "id" } }),
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, { send: { title: "apple" }, keep: { apple: "id" } }),
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, { send: { title: "Mango" }, keep: { mango: "id" } }),
    ask("admin", "PUT /v1/orgs/{org}/teams/{mango}/members/{read}", 200, {
      send: { role: "owner" },
      see: { id: "{read}", teamRole: "owner" },
    }),
    ask("read", "GET /v1/orgs/{org}/teams?limit=2", 200, {
      see: { count: 3, items: [{ title: "apple" }, { title: "Mango", permissions: { admin: true } }] },
      keep: { next: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/teams?limit=2&page={next}", { count: 3, items: [{ title: "Zebra" }], next: undefined }),
    get("read", "/v1/orgs/{org}/teams?title=AN", { count: 1, items: [{ title: "Mango" }] }),
    get("read", "/v1/orgs/{org}/teams?owner={read}", { count: 1, items: [{ id: "{mango}" }] }),
    get("read", "/v1/orgs/{org}/teams?owner={admin}", { count: 3 }),
    get("read", "/v1/orgs/{org}/teams?owner={edit}", { count: 0, items: [] }),
    get("read", "/v1/orgs/{org}/teams?owner={rival}", { count: 0, items: [] }),
    get("read", "/v1/orgs/{org}", { permissions: { ownTeam: true } }),
    refuse("read", "GET /v1/orgs/{org}/teams?owner=a%20b", "query.owner"),
  ]),
  defineStory("a team is renamed by those who manage it and deleted by admins", [
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, {
      send: { title: "Writers", members: ["{edit}"] },
      keep: { team: "id" },
    }),
    send("admin", "PUT /v1/orgs/{org}/teams", 201, { title: "Others" }),
    send("edit", "PATCH /v1/orgs/{org}/teams/{team}", "403 forbidden", { title: "Authors" }),
    send("admin", "PUT /v1/orgs/{org}/teams/{team}/members/{edit}", 200, { role: "owner" }),
    ask("edit", "PATCH /v1/orgs/{org}/teams/{team}", 200, { send: { title: "Authors" }, see: { title: "Authors" } }),
    ask("edit", "PATCH /v1/orgs/{org}/teams/{team}", 200, { send: {}, see: { title: "Authors" } }),
    send("edit", "PATCH /v1/orgs/{org}/teams/{team}", "409 title_taken", { title: "OTHERS" }),
    refuse("edit", "PATCH /v1/orgs/{org}/teams/{team}", "body.title", { title: 5 }),
    send("admin", "PUT /v1/orgs/{org}/teams", 201, { title: "Writers" }),
    ask("guest", "DELETE /v1/orgs/{org}/teams/{team}", 204),
    get("read", "/v1/orgs/{org}/teams/{team}"),
    ask("admin", "DELETE /v1/orgs/{org}/teams/{team}", 204),
    ask("admin", "DELETE /v1/orgs/{org}/teams/{team}", 204),
    ask("admin", "GET /v1/orgs/{org}/teams/{team}", "404 team_not_found"),
    get("edit", "/v1/orgs/{org}/members/{edit}", { teams: 0 }),
    get("edit", "/v1/orgs/{org}", { permissions: { ownTeam: false } }),
  ]),
  defineStory("who is in a team is decided by those who manage it", [
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, { send: { title: "Writers" }, keep: { team: "id" } }),
    send("admin", "PUT /v1/orgs/{org}/teams/{team}/members/{edit}", 200, { role: "owner" }),
    ask("edit", "PUT /v1/orgs/{org}/teams/{team}/members", 204, { send: { add: ["{read}", "{guest}"] }, after: 1000 }),
    get("read", "/v1/orgs/{org}/teams/{team}/members", { count: 3 }),
    get("guest", "/v1/orgs/{org}/teams/{team}", { permissions: { view: true, admin: false } }),
    ask("guest", "GET /v1/orgs/{org}/teams/{team}/members?limit=2", 200, {
      see: { count: 3, items: [{ teamRole: "owner" }, { teamRole: "member" }] },
      keep: { next: "next.page" },
    }),
    get("guest", "/v1/orgs/{org}/teams/{team}/members?limit=2&page={next}", {
      items: [{ teamRole: "member" }],
      next: undefined,
    }),
    send("edit", "PUT /v1/orgs/{org}/teams/{team}/members", 204, {
      add: ["{review}"],
      remove: ["{guest}", "{stranger}"],
    }),
    refuse("edit", "PUT /v1/orgs/{org}/teams/{team}/members", "body.add.1", {
      add: ["{create}", "{rival}"],
      remove: ["{review}"],
    }),
    get("edit", "/v1/orgs/{org}/teams/{team}", { members: 3 }),
    refuse("edit", "PUT /v1/orgs/{org}/teams/{team}/members", "body.members", { members: [] }),
    send("edit", "PUT /v1/orgs/{org}/teams/{team}/members/{rival}", "404 member_not_found", {}),
    ask("edit", "PUT /v1/orgs/{org}/teams/{team}/members/{create}", 200, {
      see: { id: "{create}", teamRole: "member" },
    }),
    refuse("edit", "PUT /v1/orgs/{org}/teams/{team}/members/{create}", "body.role", { role: "boss" }),
    ask("read", "DELETE /v1/orgs/{org}/teams/{team}/members/{create}", "403 forbidden"),
    ask("read", "DELETE /v1/orgs/{org}/teams/{team}/members/{read}", 204),
    ask("edit", "DELETE /v1/orgs/{org}/teams/{team}/members/{create}", 204),
    ask("edit", "DELETE /v1/orgs/{org}/teams/{team}/members/{create}", 204),
    get("edit", "/v1/orgs/{org}/teams/{team}/members", { count: 2 }),
    ask("edit", "DELETE /v1/orgs/{org}/teams/tem_none/members/{edit}", "404 team_not_found"),
  ]),
];
