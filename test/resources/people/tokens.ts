// Users and their API tokens as stories.

import { DAY, HOUR } from "../../support/setting";
import type { Story } from "../scenario";

const inOneDay = "2026-03-02T09:00:00.000Z";

export const stories: Story[] = [
  {
    title: "a user is known to themselves and to those who may list the members beside them",
    scenes: [
      { as: "stranger", ask: "GET /v1/users/{stranger}", expect: 200, see: { id: "{stranger}", object: "user" } },
      { as: "read", ask: "GET /v1/users/{admin}", expect: 200, see: { id: "{admin}", email: "admin@example.com" } },
      { as: "guest", ask: "GET /v1/users/{admin}", expect: 404, reason: "user_not_found" },
      { as: "rival", ask: "GET /v1/users/{admin}", expect: 404, reason: "user_not_found" },
      { as: "admin", ask: "GET /v1/users/usr_none", expect: 404, reason: "user_not_found" },
      { as: "admin", ask: "DELETE /v1/orgs/{org}/members/{edit}", expect: 204 },
      { as: "admin", ask: "GET /v1/users/{edit}", expect: 404, reason: "user_not_found" },
      { as: "edit", ask: "GET /v1/users/{admin}", expect: 404, reason: "user_not_found" },
    ],
  },
  {
    title: "a user leaves all organizations, but not as the last admin of one",
    scenes: [
      { as: "admin", ask: "DELETE /v1/user/organizations", expect: 409, reason: "last_admin" },
      { as: "edit", ask: "DELETE /v1/user/organizations", expect: 204 },
      { as: "edit", ask: "GET /v1/orgs", expect: 200, see: { count: 0 } },
      { as: "edit", ask: "GET /v1/orgs/{org}", expect: 404 },
      { as: "edit", ask: "DELETE /v1/user/organizations", expect: 204 },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/audit-events?action=removeMember",
        expect: 200,
        see: { items: [{ actor: { id: "{edit}" }, things: [{ type: "user", id: "{edit}" }] }] },
      },
    ],
  },
  {
    title: "a user erases their account, but not as the last admin of an organization",
    scenes: [
      {
        as: "admin",
        ask: "DELETE /v1/user",
        expect: 409,
        reason: "last_admin",
        see: {
          error: { message: "An organization needs at least one admin. Make another member an admin first of: {org}." },
        },
      },
      { as: "edit", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Docs" }, expect: 403 },
      { as: "create", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Docs" }, expect: 201, keep: { space: "id" } },
      {
        as: "create",
        ask: "POST /v1/spaces/{space}/comments",
        send: { body: { markdown: "Hello" } },
        expect: 200,
        keep: { comment: "id" },
      },
      { as: "create", ask: "DELETE /v1/user", expect: 204 },
      { as: "create", ask: "GET /v1/user", expect: 401, reason: "token_unknown" },
      {
        as: "admin",
        ask: "GET /v1/spaces/{space}/comments/{comment}",
        expect: 200,
        see: { postedBy: { id: "{create}", displayName: "A former user", email: "" } },
      },
      { as: "admin", ask: "GET /v1/orgs/{org}/members/{create}", expect: 404, reason: "member_not_found" },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/audit-events?action=userErased",
        expect: 200,
        see: { items: [{ things: [{ type: "user", id: "{create}" }] }] },
      },
    ],
  },
  {
    title: "a user downloads what is stored about them",
    scenes: [
      { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Docs" }, expect: 201, keep: { space: "id" } },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/comments",
        send: { body: { markdown: "What I wrote" } },
        expect: 200,
        keep: { comment: "id" },
      },
      {
        as: "edit",
        ask: "GET /v1/user/export",
        expect: 200,
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
      },
      { as: null, ask: "GET /v1/user/export", expect: 401, reason: "unauthorized" },
    ],
  },
  {
    title: "a token tells whose it is",
    scenes: [
      {
        as: "edit",
        ask: "GET /v1/user",
        expect: 200,
        see: { object: "user", id: "{edit}", email: "edit@example.com", displayName: "The edit" },
      },
      {
        as: null,
        ask: "GET /v1/user",
        expect: 401,
        reason: "unauthorized",
        seeHeaders: { "www-authenticate": "Bearer" },
      },
      { as: null, ask: "GET /v1/user", headers: { authorization: "Bearer unknown" }, expect: 401 },
      { as: null, ask: "GET /v1/user", headers: { authorization: "Basic dXNlcjpwYXNz" }, expect: 401 },
      { as: null, ask: "GET /v1/user", headers: { authorization: "Bearer" }, expect: 401 },
      { as: null, ask: "GET /v1/user", headers: { authorization: "bearer token-of-the-edit" }, expect: 200 },
    ],
  },
  {
    title: "a token is issued, shown once, used, listed and revoked at once",
    scenes: [
      {
        as: "read",
        ask: "POST /v1/user/tokens",
        send: { label: "Laptop" },
        expect: 201,
        see: { object: "token", label: "Laptop", scopes: null, expiresAt: null },
        keep: { id: "id", value: "token" },
        seeHeaders: { location: (url) => url?.includes("/v1/user/tokens/tok_") === true },
      },
      {
        as: null,
        ask: "GET /v1/user",
        headers: { authorization: "Bearer {value}" },
        expect: 200,
        see: { id: "{read}" },
      },
      {
        as: "read",
        ask: "GET /v1/user/tokens",
        expect: 200,
        see: {
          count: 2,
          items: [
            { label: "test", token: undefined },
            { id: "{id}", token: undefined },
          ],
        },
      },
      { as: "edit", ask: "GET /v1/user/tokens", expect: 200, see: { count: 1 } },
      { as: "edit", ask: "DELETE /v1/user/tokens/{id}", expect: 204 },
      { as: null, ask: "GET /v1/user", headers: { authorization: "Bearer {value}" }, expect: 200 },
      { as: "read", ask: "DELETE /v1/user/tokens/{id}", expect: 204 },
      { as: null, ask: "GET /v1/user", headers: { authorization: "Bearer {value}" }, expect: 401 },
      { as: "read", ask: "DELETE /v1/user/tokens/{id}", expect: 204 },
      { as: "read", ask: "DELETE /v1/user/tokens/not%20an%20id", expect: 204 },
      {
        as: "read",
        ask: "POST /v1/user/tokens",
        send: {},
        expect: 400,
        see: { error: { issues: [{ path: "body.label" }] } },
      },
      { as: "read", ask: "POST /v1/user/tokens", send: { label: "x".repeat(51) }, expect: 400 },
      {
        as: "read",
        ask: "POST /v1/user/tokens",
        send: { label: "x", user: "{edit}" },
        expect: 400,
        see: { error: { issues: [{ path: "body.user" }] } },
      },
      { as: null, ask: "POST /v1/user/tokens", send: { label: "x" }, expect: 401 },
      { as: null, ask: "GET /v1/user/tokens", expect: 401 },
      { as: null, ask: "DELETE /v1/user/tokens/{id}", expect: 401 },
    ],
  },
  {
    title: "a token ends when it was made to end",
    scenes: [
      {
        as: "read",
        ask: "POST /v1/user/tokens",
        send: { label: "Day", expiresAt: inOneDay },
        expect: 201,
        see: { expiresAt: inOneDay },
        keep: { value: "token" },
      },
      { as: null, ask: "GET /v1/user", headers: { authorization: "Bearer {value}" }, expect: 200, after: DAY - HOUR },
      {
        as: null,
        ask: "POST /v1/user/tokens",
        send: { label: "Longer", expiresAt: null },
        headers: { authorization: "Bearer {value}" },
        expect: 403,
        reason: "above_own_token",
      },
      {
        as: null,
        ask: "POST /v1/user/tokens",
        send: { label: "Same" },
        headers: { authorization: "Bearer {value}" },
        expect: 201,
        see: { expiresAt: inOneDay },
      },
      { as: null, ask: "GET /v1/user", headers: { authorization: "Bearer {value}" }, expect: 401, after: HOUR },
      {
        as: "read",
        ask: "POST /v1/user/tokens",
        send: { label: "Past", expiresAt: inOneDay },
        expect: 400,
        see: { error: { issues: [{ path: "body.expiresAt" }] } },
      },
      {
        as: "read",
        ask: "POST /v1/user/tokens",
        send: { label: "Odd", expiresAt: "tomorrow" },
        expect: 400,
        see: { error: { issues: [{ path: "body.expiresAt" }] } },
      },
    ],
  },
  {
    title: "a token with scopes does what they say, and makes no stronger one",
    scenes: [
      {
        as: "admin",
        ask: "POST /v1/user/tokens",
        send: { label: "Teams", scopes: ["teams:write", "tokens:write"] },
        expect: 201,
        keep: { value: "token" },
      },
      {
        as: null,
        ask: "PUT /v1/orgs/{org}/teams",
        send: { title: "Writers" },
        headers: { authorization: "Bearer {value}" },
        expect: 201,
      },
      { as: null, ask: "GET /v1/orgs/{org}/teams", headers: { authorization: "Bearer {value}" }, expect: 200 },
      {
        as: null,
        ask: "GET /v1/orgs/{org}",
        headers: { authorization: "Bearer {value}" },
        expect: 403,
        reason: "scope_missing",
      },
      {
        as: null,
        ask: "PATCH /v1/orgs/{org}",
        send: { title: "Mine" },
        headers: { authorization: "Bearer {value}" },
        expect: 403,
        reason: "scope_missing",
      },
      {
        as: null,
        ask: "POST /v1/user/tokens",
        send: { label: "All", scopes: null },
        headers: { authorization: "Bearer {value}" },
        expect: 403,
        reason: "above_own_token",
      },
      {
        as: null,
        ask: "POST /v1/user/tokens",
        send: { label: "More", scopes: ["organizations:read"] },
        headers: { authorization: "Bearer {value}" },
        expect: 403,
        reason: "above_own_token",
      },
      {
        as: null,
        ask: "POST /v1/user/tokens",
        send: { label: "Less", scopes: ["teams:read"] },
        headers: { authorization: "Bearer {value}" },
        expect: 201,
        keep: { less: "token" },
      },
      {
        as: null,
        ask: "PUT /v1/orgs/{org}/teams",
        send: { title: "Readers" },
        headers: { authorization: "Bearer {less}" },
        expect: 403,
        reason: "scope_missing",
      },
      {
        as: "admin",
        ask: "POST /v1/user/tokens",
        send: { label: "Odd", scopes: ["everything"] },
        expect: 400,
        see: { error: { issues: [{ path: "body.scopes.0" }] } },
      },
    ],
  },
];
