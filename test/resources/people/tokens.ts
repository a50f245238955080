// Users and their API tokens as stories.

import { DAY, HOUR } from "../../support/setting";
import { ask, create, defineStory, get, list, refuse, type Story, send } from "../scenario";

const inOneDay = "2026-03-02T09:00:00.000Z";

export const stories: Story[] = [
  defineStory("a user is known to themselves and to those who may list the members beside them", [
    get("stranger", "/v1/users/{stranger}", { id: "{stranger}", object: "user" }),
    get("read", "/v1/users/{admin}", { id: "{admin}", email: "admin@example.com" }),
    ask("admin", "GET /v1/users/usr_none", "404 user_not_found"),
    ask("admin", "DELETE /v1/orgs/{org}/members/{edit}", 204),
    ask("admin", "GET /v1/users/{edit}", "404 user_not_found"),
    ask("edit", "GET /v1/users/{admin}", "404 user_not_found"),
  ]),
  defineStory("a user leaves all organizations, but not as the last admin of one", [
    ask("admin", "DELETE /v1/user/organizations", "409 last_admin"),
    ask("edit", "DELETE /v1/user/organizations", 204),
    get("edit", "/v1/orgs", { count: 0 }),
    ask("edit", "GET /v1/orgs/{org}", 404),
    ask("edit", "DELETE /v1/user/organizations", 204),
    get("admin", "/v1/orgs/{org}/audit-events?action=removeMember", {
      items: [{ actor: { id: "{edit}" }, things: [{ type: "user", id: "{edit}" }] }],
    }),
  ]),
  defineStory("a user erases their account, but not as the last admin of an organization", [
    ask("admin", "DELETE /v1/user", "409 last_admin", {
      see: {
        error: { message: "An organization needs at least one admin. Make another member an admin first of: {org}." },
      },
    }),
    send("edit", "POST /v1/orgs/{org}/spaces", 403, { title: "Docs" }),
    create("create", "POST /v1/orgs/{org}/spaces", "space", { title: "Docs" }),
    ask("create", "POST /v1/spaces/{space}/comments", 200, {
      send: { body: { markdown: "Hello" } },
      keep: { comment: "id" },
    }),
    ask("create", "DELETE /v1/user", 204),
    ask("create", "GET /v1/user", "401 token_unknown"),
    get("admin", "/v1/spaces/{space}/comments/{comment}", {
      postedBy: { id: "{create}", displayName: "A former user", email: "" },
    }),
    ask("admin", "GET /v1/orgs/{org}/members/{create}", "404 member_not_found"),
    get("admin", "/v1/orgs/{org}/audit-events?action=userErased", {
      items: [{ things: [{ type: "user", id: "{create}" }] }],
    }),
  ]),
  defineStory("a user downloads what is stored about them", [
    create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Docs" }),
    ask("edit", "POST /v1/spaces/{space}/comments", 200, {
      send: { body: { markdown: "What I wrote" } },
      keep: { comment: "id" },
    }),
    ask("edit", "GET /v1/user/export", 200, {
      seeHeaders: { "content-type": "application/x-ndjson" },
      see: (text: string) => {
        const lines = text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
        const of = (object: string) => lines.filter((line) => line.object === object);
        return (
          of("user")[0].email === "edit@example.com" &&
          of("token").length === 1 &&
          of("member")[0].role === "edit" &&
          of("comment")[0].id.startsWith("com_") &&
          of("audit-event")
            .map(({ action }) => action)
            .join() === "acceptInvite,postCommentOnSpace" &&
          !text.includes("token-of-the-edit") &&
          !text.includes("What I wrote")
        );
      },
    }),
    ask(null, "GET /v1/user/export", "401 unauthorized"),
  ]),
  defineStory("a token tells whose it is", [
    get("edit", "/v1/user", { object: "user", id: "{edit}", email: "edit@example.com", displayName: "The edit" }),
    ask(null, "GET /v1/user", "401 unauthorized", { seeHeaders: { "www-authenticate": "Bearer" } }),
    ask(null, "GET /v1/user", 401, { headers: { authorization: "Bearer unknown" } }),
    ask(null, "GET /v1/user", 401, { headers: { authorization: "Basic dXNlcjpwYXNz" } }),
    ask(null, "GET /v1/user", 401, { headers: { authorization: "Bearer" } }),
    ask(null, "GET /v1/user", 200, { headers: { authorization: "bearer token-of-the-edit" } }),
  ]),
  defineStory("a token is issued, shown once, used, listed and revoked at once", [
    ask("read", "POST /v1/user/tokens", 201, {
      send: { label: "Laptop" },
      see: { object: "token", label: "Laptop", scopes: null, expiresAt: null },
      keep: { id: "id", value: "token" },
      seeHeaders: { location: (url) => url?.includes("/v1/user/tokens/tok_") === true },
    }),
    ask(null, "GET /v1/user", 200, { headers: { authorization: "Bearer {value}" }, see: { id: "{read}" } }),
    list("read", "/v1/user/tokens", [
      { label: "test", token: undefined },
      { id: "{id}", token: undefined },
    ]),
    get("edit", "/v1/user/tokens", { count: 1 }),
    ask("edit", "DELETE /v1/user/tokens/{id}", 204),
    ask(null, "GET /v1/user", 200, { headers: { authorization: "Bearer {value}" } }),
    ask("read", "DELETE /v1/user/tokens/{id}", 204),
    ask(null, "GET /v1/user", 401, { headers: { authorization: "Bearer {value}" } }),
    ask("read", "DELETE /v1/user/tokens/{id}", 204),
    ask("read", "DELETE /v1/user/tokens/not%20an%20id", 204),
    refuse("read", "POST /v1/user/tokens", "body.label", {}),
    send("read", "POST /v1/user/tokens", 400, { label: "x".repeat(51) }),
    refuse("read", "POST /v1/user/tokens", "body.user", { label: "x", user: "{edit}" }),
    ask(null, "DELETE /v1/user/tokens/{id}", 401),
  ]),
  defineStory("a token ends when it was made to end", [
    ask("read", "POST /v1/user/tokens", 201, {
      send: { label: "Day", expiresAt: inOneDay },
      see: { expiresAt: inOneDay },
      keep: { value: "token" },
    }),
    ask(null, "GET /v1/user", 200, { headers: { authorization: "Bearer {value}" }, after: DAY - HOUR }),
    ask(null, "POST /v1/user/tokens", "403 above_own_token", {
      send: { label: "Longer", expiresAt: null },
      headers: { authorization: "Bearer {value}" },
    }),
    ask(null, "POST /v1/user/tokens", 201, {
      send: { label: "Same" },
      headers: { authorization: "Bearer {value}" },
      see: { expiresAt: inOneDay },
    }),
    ask(null, "GET /v1/user", 401, { headers: { authorization: "Bearer {value}" }, after: HOUR }),
    refuse("read", "POST /v1/user/tokens", "body.expiresAt", { label: "Past", expiresAt: inOneDay }),
    refuse("read", "POST /v1/user/tokens", "body.expiresAt", { label: "Odd", expiresAt: "tomorrow" }),
  ]),
  defineStory("a token with scopes does what they say, and makes no stronger one", [
    ask("admin", "POST /v1/user/tokens", 201, {
      send: { label: "Teams", scopes: ["teams:write", "tokens:write"] },
      keep: { value: "token" },
    }),
    ask(null, "PUT /v1/orgs/{org}/teams", 201, {
      send: { title: "Writers" },
      headers: { authorization: "Bearer {value}" },
    }),
    ask(null, "GET /v1/orgs/{org}/teams", 200, { headers: { authorization: "Bearer {value}" } }),
    ask(null, "GET /v1/orgs/{org}", "403 scope_missing", { headers: { authorization: "Bearer {value}" } }),
    ask(null, "PATCH /v1/orgs/{org}", "403 scope_missing", {
      send: { title: "Mine" },
      headers: { authorization: "Bearer {value}" },
    }),
    ask(null, "POST /v1/user/tokens", "403 above_own_token", {
      send: { label: "All", scopes: null },
      headers: { authorization: "Bearer {value}" },
    }),
    ask(null, "POST /v1/user/tokens", "403 above_own_token", {
      send: { label: "More", scopes: ["organizations:read"] },
      headers: { authorization: "Bearer {value}" },
    }),
    ask(null, "POST /v1/user/tokens", 201, {
      send: { label: "Less", scopes: ["teams:read"] },
      headers: { authorization: "Bearer {value}" },
      keep: { less: "token" },
    }),
    ask(null, "PUT /v1/orgs/{org}/teams", "403 scope_missing", {
      send: { title: "Readers" },
      headers: { authorization: "Bearer {less}" },
    }),
    refuse("admin", "POST /v1/user/tokens", "body.scopes.0", { label: "Odd", scopes: ["everything"] }),
  ]),
];
