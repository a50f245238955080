// Invites as stories.

import { DAY } from "../../support/setting";
import { ask, create, defineStory, get, list, refuse, type Story, send } from "../scenario";

export const stories: Story[] = [
  defineStory("invites by e-mail are listed, sent again and taken back", [
    ask("admin", "POST /v1/orgs/{org}/invites", 200, {
      send: { emails: ["stranger@example.com", "nobody@example.com"], role: "read" },
      keep: { invite: "invites.0.id", other: "invites.1.id" },
    }),
    create("admin", "POST /v1/orgs/{org}/link-invites", "link", {}),
    get(
      "admin",
      "/v1/orgs/{org}/invites",
      (body: { count: number; items: { email: string; type: string }[] }) =>
        body.count === 2 &&
        body.items
          .map(({ email }) => email)
          .sort()
          .join() === "nobody@example.com,stranger@example.com",
    ),
    get("admin", "/v1/orgs/{org}/invites?limit=1", { count: 2, items: [{ type: "email" }] }),
    ask("create", "GET /v1/orgs/{org}/invites", "403 forbidden"),
    ask("stranger", "POST /v1/orgs/{org}/invites/{invite}", 404, { after: 15 * DAY }),
    ask("admin", "POST /v1/orgs/{org}/invites/{link}/send", "404 invite_not_found"),
    ask("admin", "POST /v1/orgs/{org}/invites/{invite}/send", 200, {
      see: { id: "{invite}", email: "stranger@example.com", role: "read", createdBy: { id: "{admin}" }, mailed: false },
    }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{invite}", 200, { see: { role: "read" } }),
    ask("admin", "POST /v1/orgs/{org}/invites/{invite}/send", "404 invite_not_found"),
    ask("create", "DELETE /v1/orgs/{org}/invites/{other}", 204),
    ask("rival", "DELETE /v1/orgs/{org}/invites/{other}", "404 organization_not_found"),
    list("admin", "/v1/orgs/{org}/invites", [{ id: "{other}" }]),
    ask("admin", "DELETE /v1/orgs/{org}/invites/{other}", 204),
    get("admin", "/v1/orgs/{org}/invites", { count: 0 }),
  ]),
  defineStory("people are invited by e-mail and accept", [
    ask("admin", "POST /v1/orgs/{org}/invites", 200, {
      send: {
        emails: ["Stranger@Example.com", "stranger@example.com", "edit@example.com", "nobody@example.com"],
        role: "review",
        sso: true,
      },
      see: {
        invites: [
          {
            object: "invite",
            type: "email",
            email: "stranger@example.com",
            role: "review",
            sso: true,
            createdBy: { id: "{admin}" },
          },
          { email: "nobody@example.com" },
        ],
        invited: 2,
        members: ["edit@example.com"],
        users: ["{edit}"],
      },
      keep: { invite: "invites.0.id", other: "invites.1.id" },
    }),
    ask("rival", "POST /v1/orgs/{org}/invites/{invite}", "403 invite_for_someone_else"),
    ask("stranger", "POST /v1/orgs/{org}/invites/{other}", "403 invite_for_someone_else"),
    ask("stranger", "POST /v1/orgs/{otherOrg}/invites/{invite}", "404 invite_not_found"),
    ask("stranger", "POST /v1/orgs/{org}/invites/{invite}", 200, {
      see: { id: "{stranger}", role: "review", sso: true },
    }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{invite}", 200, { see: { id: "{stranger}", role: "review" } }),
    list("stranger", "/v1/orgs", [{ id: "{org}" }]),
    get("stranger", "/v1/orgs/{org}"),
    ask("rival", "POST /v1/orgs/{org}/invites/{invite}", "404 invite_not_found"),
    refuse("admin", "POST /v1/orgs/{org}/invites", "body.emails", { emails: [] }),
    refuse("admin", "POST /v1/orgs/{org}/invites", "body.emails.1", { emails: ["fine@example.com", "not an address"] }),
    refuse("admin", "POST /v1/orgs/{org}/invites", "body.role", { emails: ["a@example.com"], role: "owner" }),
    ask("admin", "POST /v1/orgs/{org}/invites", 200, {
      send: { emails: ["nobody@example.com"] },
      see: { invites: [{ id: "{other}", role: "read" }] },
    }),
  ]),
  defineStory("an invite by e-mail ends after two weeks", [
    ask("admin", "POST /v1/orgs/{org}/invites", 200, {
      send: { emails: ["stranger@example.com"] },
      keep: { invite: "invites.0.id" },
    }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{invite}", "404 invite_not_found", { after: 14 * DAY }),
    ask("admin", "POST /v1/orgs/{org}/invites", 200, {
      send: { emails: ["stranger@example.com"] },
      see: { invites: [{ id: "{invite}" }] },
    }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{invite}", 200),
  ]),
  defineStory("a link lets in whoever has it, until it is changed, switched off, over or deleted", [
    ask("admin", "POST /v1/orgs/{org}/link-invites", 201, {
      send: { role: "comment" },
      see: { object: "invite", type: "link", role: "comment", expiresAt: undefined },
      keep: { link: "id" },
      seeHeaders: { location: (url) => url?.includes("/link-invites/inv_") === true },
    }),
    list("admin", "/v1/orgs/{org}/link-invites", [{ id: "{link}", createdBy: { id: "{admin}" } }]),
    get("admin", "/v1/orgs/{org}/link-invites/{link}", { id: "{link}" }),
    ask("edit", "GET /v1/orgs/{org}/link-invites", "403 forbidden"),
    ask("edit", "DELETE /v1/orgs/{org}/link-invites/{link}", 204),
    ask("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", 200, {
      send: { role: "edit" },
      see: { role: "edit", expiresAt: undefined },
    }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{link}", 200, { see: { id: "{stranger}", role: "edit" } }),
    ask("guest", "POST /v1/orgs/{org}/invites/{link}", 200, { see: { id: "{guest}", role: null } }),
    send("admin", "PATCH /v1/orgs/{org}", 200, { inviteLinks: false }),
    ask("rival", "POST /v1/orgs/{org}/invites/{link}", "404 invite_not_found"),
    send("admin", "POST /v1/orgs/{org}/link-invites", "412 invite_links_disabled", {}),
    send("admin", "PATCH /v1/orgs/{org}", 200, { inviteLinks: true }),
    ask("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", 200, {
      send: { expiresAt: "2026-03-05T00:00:00.000Z" },
      see: { expiresAt: "2026-03-05T00:00:00.000Z" },
    }),
    ask("rival", "POST /v1/orgs/{org}/invites/{link}", 404, { after: 5 * DAY }),
    refuse("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", "body.expiresAt", {
      expiresAt: "2026-03-05T00:00:00.000Z",
    }),
    ask("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", 200, {
      send: { expiresAt: null },
      see: { expiresAt: undefined },
    }),
    send("admin", "PATCH /v1/orgs/{org}/link-invites/inv_none", "404 invite_not_found", {}),
    ask("admin", "DELETE /v1/orgs/{org}/link-invites/{link}", 204),
    ask("admin", "DELETE /v1/orgs/{org}/link-invites/{link}", 204),
    ask("admin", "GET /v1/orgs/{org}/link-invites/{link}", "404 invite_not_found"),
    ask("rival", "POST /v1/orgs/{org}/invites/{link}", "404 invite_not_found"),
    ask("rival", "DELETE /v1/orgs/{org}/link-invites/{link}", "404 organization_not_found"),
    refuse("admin", "POST /v1/orgs/{org}/link-invites", "body.uses", { role: "read", uses: 1 }),
  ]),
  defineStory("a link to a space gives its role there, and makes others than members guests of the organization", [
    create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Handbook" }),
    create("rival", "POST /v1/orgs/{otherOrg}/spaces", "foreign", { title: "Theirs" }),
    ask("admin", "POST /v1/orgs/{org}/link-invites", 201, {
      send: { level: "edit", space: "{space}" },
      see: { role: "edit", level: "edit", space: "{space}", redundant: false },
      keep: { link: "id" },
    }),
    refuse("admin", "POST /v1/orgs/{org}/link-invites", "body.space", { level: "edit", space: "{foreign}" }),
    refuse("admin", "POST /v1/orgs/{org}/link-invites", "body.level", { space: "{space}" }),
    refuse("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", "body.level", { role: null }),
    refuse("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", "body.space", { space: "{space}" }),
    send("edit", "POST /v1/orgs/{org}/link-invites", "403 forbidden", { level: "edit", space: "{space}" }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{link}", 200, { see: { id: "{stranger}", role: null, spaces: 1 } }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{link}", 200, { see: { role: null, spaces: 1 } }),
    get("stranger", "/v1/spaces/{space}", { permissions: { edit: true, admin: false } }),
    ask("read", "POST /v1/orgs/{org}/invites/{link}", 200, { see: { role: "read" } }),
    get("read", "/v1/spaces/{space}", { permissions: { edit: true, admin: false } }),
    // A link gives no less than what is there.
    send("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", 200, { level: "read" }),
    ask("stranger", "POST /v1/orgs/{org}/invites/{link}", 200),
    get("stranger", "/v1/spaces/{space}", { permissions: { edit: true } }),
    ask("admin", "DELETE /v1/spaces/{space}", 204),
    ask("rival", "POST /v1/orgs/{org}/invites/{link}", "404 invite_not_found"),
    get("admin", "/v1/orgs/{org}/link-invites/{link}", { space: "{space}" }),
    ask("admin", "POST /v1/spaces/{space}/restore", 200),
    ask("rival", "POST /v1/orgs/{org}/invites/{link}", 200, { see: { role: null } }),
  ]),
  defineStory("a link is redundant while an older one gives the same", [
    create("admin", "POST /v1/orgs/{org}/link-invites", "first", {
      role: "read",
      expiresAt: "2026-03-03T00:00:00.000Z",
    }),
    ask("admin", "POST /v1/orgs/{org}/link-invites", 201, {
      send: { role: "read" },
      see: { redundant: true },
      keep: { second: "id" },
      after: 1000,
    }),
    ask("admin", "POST /v1/orgs/{org}/link-invites", 201, {
      send: { role: "edit" },
      see: { redundant: false },
      after: 1000,
    }),
    list("admin", "/v1/orgs/{org}/link-invites", [
      { id: "{first}", redundant: false },
      { id: "{second}", redundant: true },
      { redundant: false },
    ]),
    ask("admin", "GET /v1/orgs/{org}/link-invites/{second}", 200, { see: { redundant: false }, after: 5 * DAY }),
    ask("admin", "PATCH /v1/orgs/{org}/link-invites/{first}", 200, {
      send: { expiresAt: null },
      see: { redundant: false },
    }),
    get("admin", "/v1/orgs/{org}/link-invites/{second}", { redundant: true }),
    ask("admin", "DELETE /v1/orgs/{org}/link-invites/{first}", 204),
    get("admin", "/v1/orgs/{org}/link-invites/{second}", { redundant: false }),
  ]),
  defineStory("an admin who was removed gets nobody in any more, least of all themselves", [
    send("admin", "PATCH /v1/orgs/{org}/members/{create}", 200, { role: "admin" }),
    create("create", "POST /v1/orgs/{org}/link-invites", "link", { role: "admin" }),
    ask("admin", "DELETE /v1/orgs/{org}/members/{create}", 204),
    ask("create", "POST /v1/orgs/{org}/invites/{link}", "404 invite_not_found"),
    ask("stranger", "POST /v1/orgs/{org}/invites/{link}", "404 invite_not_found"),
  ]),
];
