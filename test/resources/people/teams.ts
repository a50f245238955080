// Teams as stories.

import { ask, create, defineStory, get, list, refuse, type Story, send } from "../scenario";

interface TeamMemberView {
  readonly teamRole: string;
  readonly permissions: { readonly remove: boolean };
}

export const stories: Story[] = [
  defineStory("admins make teams, whose titles are unique", [
    ask("admin", "PUT /v1/orgs/{org}/teams", 201, {
      send: { title: "Writers", members: ["{read}", "{edit}"] },
      see: { object: "team", title: "Writers", members: 2, spaces: 0, permissions: { admin: true, view: true } },
      keep: { team: "id" },
      seeHeaders: { location: (url) => url?.includes("/teams/tem_") === true },
    }),
    send("admin", "PUT /v1/orgs/{org}/teams", "409 title_taken", { title: "  writers " }),
    create("rival", "PUT /v1/orgs/{otherOrg}/teams", "theirs", { title: "Writers" }),
    refuse("admin", "PUT /v1/orgs/{org}/teams", "body.members.1", {
      title: "Ghosts",
      members: ["{read}", "{stranger}"],
    }),
    refuse("admin", "PUT /v1/orgs/{org}/teams", "body.title", { title: "" }),
    send("admin", "PUT /v1/orgs/{org}/teams", 400, { title: "x".repeat(65) }),
    list("admin", "/v1/orgs/{org}/teams", [{ id: "{team}" }]),
    ask("admin", "GET /v1/orgs/{org}/teams/{theirs}", "404 team_not_found"),
    get("read", "/v1/orgs/{org}/teams/{team}", { id: "{team}", permissions: { admin: false, view: true } }),
  ]),
  defineStory("teams are listed by title, and filtered by title and by who manages them", [
    create("admin", "PUT /v1/orgs/{org}/teams", "zebra", { title: "Zebra" }),
    create("admin", "PUT /v1/orgs/{org}/teams", "apple", { title: "apple" }),
    create("admin", "PUT /v1/orgs/{org}/teams", "mango", { title: "Mango" }),
    ask("admin", "PUT /v1/orgs/{org}/teams/{mango}/members/{read}", 200, {
      send: { role: "owner" },
      see: { id: "{read}", teamRole: "owner" },
    }),
    ask("read", "GET /v1/orgs/{org}/teams?limit=2", 200, {
      see: { count: 3, items: [{ title: "apple" }, { title: "Mango", permissions: { admin: true } }] },
      keep: { next: "next.page" },
    }),
    get("read", "/v1/orgs/{org}/teams?limit=2&page={next}", { count: 3, items: [{ title: "Zebra" }], next: undefined }),
    list("read", "/v1/orgs/{org}/teams?title=AN", [{ title: "Mango" }]),
    list("read", "/v1/orgs/{org}/teams?owner={read}", [{ id: "{mango}" }]),
    get("read", "/v1/orgs/{org}/teams?owner={admin}", { count: 3 }),
    list("read", "/v1/orgs/{org}/teams?owner={edit}", []),
    list("read", "/v1/orgs/{org}/teams?owner={rival}", []),
    get("read", "/v1/orgs/{org}", { permissions: { ownTeam: true } }),
    refuse("read", "GET /v1/orgs/{org}/teams?owner=a%20b", "query.owner"),
  ]),
  defineStory("a team is renamed by those who manage it and deleted by admins", [
    create("admin", "PUT /v1/orgs/{org}/teams", "team", { title: "Writers", members: ["{edit}"] }),
    send("admin", "PUT /v1/orgs/{org}/teams", 201, { title: "Others" }),
    send("edit", "PATCH /v1/orgs/{org}/teams/{team}", "403 forbidden", { title: "Authors" }),
    send("admin", "PUT /v1/orgs/{org}/teams/{team}/members/{edit}", 200, { role: "owner" }),
    ask("edit", "PATCH /v1/orgs/{org}/teams/{team}", 200, { send: { title: "Authors" }, see: { title: "Authors" } }),
    ask("edit", "PATCH /v1/orgs/{org}/teams/{team}", 200, { send: {}, see: { title: "Authors" } }),
    send("edit", "PATCH /v1/orgs/{org}/teams/{team}", "409 title_taken", { title: "OTHERS" }),
    refuse("edit", "PATCH /v1/orgs/{org}/teams/{team}", "body.title", { title: 5 }),
    send("admin", "PUT /v1/orgs/{org}/teams", 201, { title: "Writers" }),
    ask("edit", "DELETE /v1/orgs/{org}/teams/{team}", "403 forbidden"),
    ask("guest", "DELETE /v1/orgs/{org}/teams/{team}", 204),
    get("read", "/v1/orgs/{org}/teams/{team}"),
    ask("admin", "DELETE /v1/orgs/{org}/teams/{team}", 204),
    ask("admin", "DELETE /v1/orgs/{org}/teams/{team}", 204),
    ask("admin", "GET /v1/orgs/{org}/teams/{team}", "404 team_not_found"),
    get("edit", "/v1/orgs/{org}/members/{edit}", { teams: 0 }),
    get("edit", "/v1/orgs/{org}", { permissions: { ownTeam: false } }),
  ]),
  defineStory("who is in a team is decided by those who manage it", [
    create("admin", "PUT /v1/orgs/{org}/teams", "team", { title: "Writers" }),
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
    send("edit", "PUT /v1/orgs/{org}/teams/{team}/members", 204, {
      memberships: { "{review}": { role: "owner" }, "{create}": "member", "{guest}": {} },
    }),
    ask("edit", "PUT /v1/orgs/{org}/teams/{team}/members/{create}", 200, {
      see: {
        ...{ id: "{create}", organization: "{org}", team: "{team}", teamRole: "member" },
        permissions: { view: true, admin: true, remove: true },
      },
    }),
    get("read", "/v1/orgs/{org}/teams/{team}/members", ({ items }: { items: TeamMemberView[] }) => {
      const mayRemove = items.filter(({ permissions }) => permissions.remove);
      const owners = items.filter(({ teamRole }) => teamRole === "owner");
      return items.length === 5 && mayRemove.length === 1 && owners.length === 2;
    }),
    refuse("edit", "PUT /v1/orgs/{org}/teams/{team}/members", "body.memberships.{rival}", {
      memberships: { "{rival}": "member" },
    }),
    refuse("edit", "PUT /v1/orgs/{org}/teams/{team}/members", "body.memberships.{read}", {
      memberships: { "{read}": "boss" },
    }),
    send("edit", "PUT /v1/orgs/{org}/teams/{team}/members", 204, { remove: ["{guest}", "{create}"] }),
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
    ask("guest", "GET /v1/orgs/{org}/teams/{team}/members", "404 team_not_found"),
  ]),
];
