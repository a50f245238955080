// Grants on sites, as stories: what they open on the site, and that they open nothing on its spaces.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites";
const site = `${at}/{site}`;
const granted = `${site}/permissions`;

/** A published site with `guide`, which members may edit, and `closed`, which is for admins. */
const made: Scene[] = [
  makeSpace("guide", "Guide"),
  makeSpace("closed", "Closed"),
  send("admin", "PATCH /v1/spaces/{guide}", 200, { defaultLevel: "edit" }),
  send("admin", "PATCH /v1/spaces/{closed}", 200, { defaultLevel: null }),
  create("admin", `POST ${at}`, "site", { title: "Docs", spaces: ["{guide}", "{closed}"] }),
  create("admin", `POST ${at}`, "other", { title: "Other" }),
  ask("admin", `POST ${site}/publish`, 200),
  ask("admin", `GET ${site}/site-spaces`, 200, {
    keep: { guideOnSite: (body) => body.items[0].id, closedOnSite: (body) => body.items[1].id },
  }),
  create("admin", "PUT /v1/orgs/{org}/teams", "team", { title: "Writers", members: ["{review}"] }),
];

const give: Scene = send("create", `POST ${granted}`, 204, {
  users: [
    { id: "{edit}", role: "create" },
    { id: "{guest}", role: "read" },
  ],
  teams: [{ id: "{team}", role: "create" }],
});

export const stories: Story[] = [
  defineStory("users and teams are given a role on a site by their ids alone", [
    ...made,
    send("create", `POST ${granted}`, 204, { users: ["{edit}", "{guest}"], teams: ["{team}"], role: "read" }),
    get("read", `${granted}/users`, { count: 2, items: [{ permission: "read" }, { permission: "read" }] }),
    list("read", `${granted}/teams`, [{ permission: "read", team: { id: "{team}" } }]),
    refuse("create", `POST ${granted}`, "body.role", { users: ["{edit}"] }),
  ]),
  defineStory("what is granted on a site counts there, for users and teams", [
    ...made,
    send("edit", `PATCH ${site}`, "403 forbidden", { title: "Mine" }),
    ask("guest", `GET ${site}`, "404 site_not_found"),
    send("edit", `POST ${granted}`, "403 forbidden", {}),
    ...["users", "teams", "aggregate"].map(
      (list): Scene => ask("guest", `GET ${granted}/${list}`, "404 site_not_found"),
    ),
    send("read", `PATCH ${granted}/teams/{team}`, "404 grant_not_found", { role: "read" }),
    send("create", `POST ${granted}`, "403 above_own_role", { users: [{ id: "{edit}", role: "admin" }] }),
    refuse("create", `POST ${granted}`, "body.users.1.id", {
      users: [
        { id: "{edit}", role: "read" },
        { id: "{rival}", role: "read" },
      ],
    }),
    get("read", `${granted}/users`, { count: 0 }),
    get("edit", site, { permissions: { view: true, edit: false, admin: false } }),
    give,
    get("edit", site, { permissions: { view: true, edit: true, admin: true } }),
    get("guest", site, { permissions: { view: true, edit: false, admin: false } }),
    get(null, `${site}/published`, { site: { permissions: undefined } }),
    get("read", `${granted}/users`, { count: 2 }),
    list("guest", `${granted}/teams`, [{ permission: "create", team: { id: "{team}" } }]),
    get("read", `${granted}/aggregate`, {
      items: (items: { permission: string }[]) =>
        items
          .map(({ permission }) => permission)
          .sort()
          .join() === "admin,comment,create,create,create,read,read",
    }),
    ask("edit", `PATCH ${site}`, 200, { send: { title: "Mine" }, see: { title: "Mine" } }),
    send("review", `PUT ${site}/customization`, 200, { title: "Ours" }),
    send("edit", `PATCH ${at}/{other}`, "403 forbidden", { title: "Mine" }),
    send("edit", `POST ${at}`, "403 forbidden", { title: "More" }),
    get("guest", site, { title: "Mine" }),
    send("guest", `PATCH ${site}`, "403 forbidden", { title: "His" }),
    ask("guest", `GET ${at}/{other}`, "404 site_not_found"),
    send("edit", `PATCH ${granted}/users/{guest}`, "403 above_own_role", { role: "admin" }),
    send("edit", `PATCH ${granted}/users/{guest}`, 204, { role: "comment" }),
    send("edit", `PATCH ${granted}/users/{read}`, "404 grant_not_found", { role: "read" }),
    send("edit", `PATCH ${granted}/teams/{team}`, 204, { role: "read" }),
    send("review", `PUT ${site}/customization`, "403 forbidden", {}),
    ask("review", `DELETE ${granted}/users/{guest}`, "403 forbidden"),
    ask("review", `DELETE ${granted}/teams/{team}`, "403 forbidden"),
    ask("edit", `DELETE ${granted}/teams/{team}`, 204),
    ask("edit", `DELETE ${granted}/users/{guest}`, 204),
    ask("guest", `GET ${site}`, "404 site_not_found"),
    ask("create", `DELETE ${granted}/users/{edit}`, 204),
    send("edit", `PATCH ${site}`, "403 forbidden", { title: "Theirs" }),
  ]),
  defineStory("S21: a grant on a site gives nothing on the spaces that it shows", [
    ...made,
    give,
    ask("edit", "GET /v1/spaces/{closed}", "404 space_not_found"),
    send("edit", "PATCH /v1/spaces/{guide}", "403 forbidden", { title: "Mine" }),
    get("guest", `${site}/site-spaces`, { count: 0 }),
    get("edit", `${site}/structure`, {
      structure: (items: { id: string; title: string }[]) => items.map(({ title }) => title).join() === "Guide",
    }),
    ...[
      `PATCH ${site}/site-spaces/{closedOnSite}`,
      `PATCH ${site}/site-spaces/{closedOnSite}/customization`,
      `PATCH ${site}/site-spaces/ssp_none`,
    ].map((ask): Scene => send("edit", ask, "404 site_space_not_found", {})),
    ask("edit", `DELETE ${site}/site-spaces/{closedOnSite}`, 204),
    get("admin", `${site}/site-spaces`, { count: 2 }),
    ...["{closedOnSite}", "ssp_none"].flatMap((siteSpaceId): Scene[] =>
      [
        { kind: "site-space", siteSpaceId },
        { kind: "page", siteSpaceId, pageId: "pag_none" },
      ].map((destination) =>
        ask("edit", `POST ${site}/redirects`, 400, {
          send: { source: "/a", destination },
          see: {
            error: {
              issues: [
                {
                  path: "body.destination.siteSpaceId",
                  message: `${destination.kind === "page" ? "Space" : "Site-space"} not found on this site`,
                },
              ],
            },
          },
        }),
      ),
    ),
    refuse("edit", `PUT ${site}/customization`, "body.header.links.0.to.siteSpace", {
      header: { links: [{ title: "A", to: { kind: "site-space", siteSpace: "{closedOnSite}" } }] },
    }),
    ask("edit", `POST ${site}/publishing/auth/regenerate`, "403 not_yours_to_show"),
    ask("edit", `POST ${at}/{other}/publish`, "403 forbidden"),
    send("edit", `POST ${site}/site-spaces`, 400, { spaceId: "{closed}" }),
    ask("edit", `POST ${site}/unpublish`, 200),
    ask("edit", `POST ${site}/publish`, "403 not_yours_to_show"),
  ]),
];
