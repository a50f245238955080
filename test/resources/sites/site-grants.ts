// Grants on sites, as stories: what they open on the site, and that they open nothing on its spaces.

import type { Scene, Story } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites";
const site = `${at}/{site}`;
const granted = `${site}/permissions`;

/** A published site with `guide`, which members may edit, and `closed`, which is for admins. */
const made: Scene[] = [
  makeSpace("guide", "Guide"),
  makeSpace("closed", "Closed"),
  { as: "admin", ask: "PATCH /v1/spaces/{guide}", send: { defaultLevel: "edit" }, expect: 200 },
  { as: "admin", ask: "PATCH /v1/spaces/{closed}", send: { defaultLevel: null }, expect: 200 },
  {
    as: "admin",
    ask: `POST ${at}`,
    send: { title: "Docs", spaces: ["{guide}", "{closed}"] },
    expect: 201,
    keep: { site: "id" },
  },
  { as: "admin", ask: `POST ${at}`, send: { title: "Other" }, expect: 201, keep: { other: "id" } },
  { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
  {
    as: "admin",
    ask: `GET ${site}/site-spaces`,
    expect: 200,
    keep: { guideOnSite: (body) => body.items[0].id, closedOnSite: (body) => body.items[1].id },
  },
  {
    as: "admin",
    ask: "PUT /v1/orgs/{org}/teams",
    send: { title: "Writers", members: ["{review}"] },
    expect: 201,
    keep: { team: "id" },
  },
];

const give: Scene = {
  as: "create",
  ask: `POST ${granted}`,
  send: {
    users: [
      { id: "{edit}", role: "create" },
      { id: "{guest}", role: "read" },
    ],
    teams: [{ id: "{team}", role: "create" }],
  },
  expect: 204,
};

export const stories: Story[] = [
  {
    title: "what is granted on a site counts there, for users and teams",
    scenes: [
      ...made,
      { as: "edit", ask: `PATCH ${site}`, send: { title: "Mine" }, expect: 403, reason: "forbidden" },
      { as: "guest", ask: `GET ${site}`, expect: 404, reason: "site_not_found" },
      { as: "edit", ask: `POST ${granted}`, send: {}, expect: 403, reason: "forbidden" },
      ...["users", "teams", "aggregate"].map(
        (list): Scene => ({ as: "guest", ask: `GET ${granted}/${list}`, expect: 404, reason: "site_not_found" }),
      ),
      {
        as: "read",
        ask: `PATCH ${granted}/teams/{team}`,
        send: { role: "read" },
        expect: 404,
        reason: "grant_not_found",
      },
      {
        as: "create",
        ask: `POST ${granted}`,
        send: { users: [{ id: "{edit}", role: "admin" }] },
        expect: 403,
        reason: "above_own_role",
      },
      {
        as: "create",
        ask: `POST ${granted}`,
        send: {
          users: [
            { id: "{edit}", role: "read" },
            { id: "{rival}", role: "read" },
          ],
        },
        expect: 400,
        see: { error: { issues: [{ path: "body.users.1.id" }] } },
      },
      { as: "read", ask: `GET ${granted}/users`, expect: 200, see: { count: 0 } },
      give,
      {
        as: "read",
        ask: `GET ${granted}/users`,
        expect: 200,
        see: { count: 2 },
      },
      {
        as: "guest",
        ask: `GET ${granted}/teams`,
        expect: 200,
        see: { count: 1, items: [{ permission: "create", team: { id: "{team}" } }] },
      },
      {
        as: "read",
        ask: `GET ${granted}/aggregate`,
        expect: 200,
        see: {
          items: (items: { permission: string }[]) =>
            items
              .map(({ permission }) => permission)
              .sort()
              .join() === "admin,comment,create,create,create,read,read",
        },
      },
      { as: "edit", ask: `PATCH ${site}`, send: { title: "Mine" }, expect: 200, see: { title: "Mine" } },
      { as: "review", ask: `PUT ${site}/customization`, send: { title: "Ours" }, expect: 200 },
      { as: "edit", ask: `PATCH ${at}/{other}`, send: { title: "Mine" }, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `POST ${at}`, send: { title: "More" }, expect: 403, reason: "forbidden" },
      { as: "guest", ask: `GET ${site}`, expect: 200, see: { title: "Mine" } },
      { as: "guest", ask: `PATCH ${site}`, send: { title: "His" }, expect: 403, reason: "forbidden" },
      { as: "guest", ask: `GET ${at}/{other}`, expect: 404, reason: "site_not_found" },
      {
        as: "edit",
        ask: `PATCH ${granted}/users/{guest}`,
        send: { role: "admin" },
        expect: 403,
        reason: "above_own_role",
      },
      { as: "edit", ask: `PATCH ${granted}/users/{guest}`, send: { role: "comment" }, expect: 204 },
      {
        as: "edit",
        ask: `PATCH ${granted}/users/{read}`,
        send: { role: "read" },
        expect: 404,
        reason: "grant_not_found",
      },
      { as: "edit", ask: `PATCH ${granted}/teams/{team}`, send: { role: "read" }, expect: 204 },
      { as: "review", ask: `PUT ${site}/customization`, send: {}, expect: 403, reason: "forbidden" },
      { as: "review", ask: `DELETE ${granted}/users/{guest}`, expect: 403, reason: "forbidden" },
      { as: "review", ask: `DELETE ${granted}/teams/{team}`, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `DELETE ${granted}/teams/{team}`, expect: 204 },
      { as: "edit", ask: `DELETE ${granted}/users/{guest}`, expect: 204 },
      { as: "guest", ask: `GET ${site}`, expect: 404, reason: "site_not_found" },
      { as: "create", ask: `DELETE ${granted}/users/{edit}`, expect: 204 },
      { as: "edit", ask: `PATCH ${site}`, send: { title: "Theirs" }, expect: 403, reason: "forbidden" },
    ],
  },
  {
    title: "S21: a grant on a site gives nothing on the spaces that it shows",
    scenes: [
      ...made,
      give,
      { as: "edit", ask: "GET /v1/spaces/{closed}", expect: 404, reason: "space_not_found" },
      { as: "edit", ask: "PATCH /v1/spaces/{guide}", send: { title: "Mine" }, expect: 403, reason: "forbidden" },
      { as: "guest", ask: `GET ${site}/site-spaces`, expect: 200, see: { count: 0 } },
      {
        as: "edit",
        ask: `GET ${site}/structure`,
        expect: 200,
        see: {
          structure: (items: { id: string; title: string }[]) => items.map(({ title }) => title).join() === "Guide",
        },
      },
      ...[
        `PATCH ${site}/site-spaces/{closedOnSite}`,
        `PATCH ${site}/site-spaces/{closedOnSite}/customization`,
        `PATCH ${site}/site-spaces/ssp_none`,
      ].map((ask): Scene => ({ as: "edit", ask, send: {}, expect: 404, reason: "site_space_not_found" })),
      { as: "edit", ask: `DELETE ${site}/site-spaces/{closedOnSite}`, expect: 204 },
      { as: "admin", ask: `GET ${site}/site-spaces`, expect: 200, see: { count: 2 } },
      ...["{closedOnSite}", "ssp_none"].flatMap((siteSpaceId): Scene[] =>
        [
          { kind: "site-space", siteSpaceId },
          { kind: "page", siteSpaceId, pageId: "pag_none" },
        ].map((destination) => ({
          as: "edit",
          ask: `POST ${site}/redirects`,
          send: { source: "/a", destination },
          expect: 400,
          see: {
            error: {
              issues: [
                {
                  path: "body.destination.siteSpaceId",
                  message: `The site has no such ${destination.kind === "page" ? "space" : "site-space"}`,
                },
              ],
            },
          },
        })),
      ),
      {
        as: "edit",
        ask: `PUT ${site}/customization`,
        send: { header: { links: [{ title: "A", to: { kind: "site-space", siteSpace: "{closedOnSite}" } }] } },
        expect: 400,
        see: { error: { issues: [{ path: "body.header.links.0.to.siteSpace" }] } },
      },
      { as: "edit", ask: `POST ${site}/publishing/auth/regenerate`, expect: 403, reason: "not_yours_to_show" },
      { as: "edit", ask: `POST ${at}/{other}/publish`, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `POST ${site}/site-spaces`, send: { spaceId: "{closed}" }, expect: 400 },
      { as: "edit", ask: `POST ${site}/unpublish`, expect: 200 },
      { as: "edit", ask: `POST ${site}/publish`, expect: 403, reason: "not_yours_to_show" },
    ],
  },
];
