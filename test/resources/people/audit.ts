// The audit log as stories.

import type { Story } from "../scenario";

const log = "GET /v1/orgs/{org}/audit-events";

export const stories: Story[] = [
  {
    title: "every write is an event: who, what, with which credential, and what a right was changed to",
    scenes: [
      {
        as: "admin",
        ask: "PATCH /v1/orgs/{org}/members/{read}",
        send: { role: "edit" },
        headers: {
          "user-agent":
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
        },
        expect: 200,
      },
      {
        as: "admin",
        ask: `${log}?limit=1`,
        expect: 200,
        see: {
          items: [
            {
              object: "audit-event",
              action: "updateMember",
              status: 200,
              actor: { type: "user", id: "{admin}" },
              credential: { type: "token" },
              from: { userAgent: "(X11; Linux x86_64) Chrome/130.0 Safari/537.36" },
              things: [{ type: "user", id: "{read}" }],
              made: [],
              changes: [{ field: "role", value: "edit" }],
              operation: undefined,
            },
          ],
        },
      },
      {
        as: "create",
        ask: "POST /v1/orgs/{org}/spaces",
        send: { title: "A title that nobody reads in a log" },
        expect: 201,
        keep: { space: "id" },
      },
      {
        as: "admin",
        ask: `${log}?thing={space}`,
        expect: 200,
        see: {
          count: 1,
          items: [
            {
              action: "createSpace",
              status: 201,
              made: [{ type: "space", id: "{space}" }, { type: "revision" }],
              changes: [{ field: "title" }],
            },
          ],
        },
      },
      {
        as: "admin",
        ask: "POST /v1/spaces/{space}/permissions",
        send: { users: [{ id: "{guest}", role: "read" }, "{comment}"], role: "edit" },
        expect: 204,
      },
      {
        as: "admin",
        ask: `${log}?action=grantOnSpace&actor={admin}`,
        expect: 200,
        see: (body: { items: { things: object[]; changes: object[] }[] }) =>
          body.items.length === 1 && body.items[0]!.things.length === 3 && body.items[0]!.changes.length === 2,
      },
      { as: "admin", ask: `${log}?from=2030-01-01T00:00:00Z`, expect: 200, see: { count: 0, items: [] } },
      { as: "admin", ask: `${log}?from=yesterday`, expect: 400, reason: "invalid_request" },
      { as: "create", ask: log, expect: 403, reason: "forbidden" },
      { as: "rival", ask: log, expect: 404, reason: "organization_not_found" },
    ],
  },
  {
    title: "a refused right is an event, once a minute",
    scenes: [
      { as: "edit", ask: "DELETE /v1/orgs/{org}/members/{read}", expect: 403 },
      { as: "edit", ask: "DELETE /v1/orgs/{org}/members/{read}", expect: 403 },
      {
        as: "admin",
        ask: `${log}?action=refused`,
        expect: 200,
        see: {
          count: 1,
          items: [
            {
              action: "refused",
              operation: "removeMember",
              status: 403,
              actor: { type: "user", id: "{edit}" },
              things: [{ type: "user", id: "{read}" }],
            },
          ],
        },
      },
      { as: "edit", ask: "DELETE /v1/orgs/{org}/members/{read}", after: 60_000, expect: 403 },
      { as: "admin", ask: `${log}?action=refused`, expect: 200, see: { count: 2 } },
    ],
  },
  {
    title: "the log is exported as lines of JSON, and its actions are listed",
    scenes: [
      {
        as: "admin",
        ask: `${log}/export`,
        expect: 200,
        seeHeaders: { "content-type": "application/x-ndjson" },
        see: (text: string) =>
          text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
            .every(({ previousHash, hash }, i, all) => hash.length === 64 && previousHash === (all[i - 1]?.hash ?? "")),
      },
      { as: "read", ask: `${log}/export`, expect: 403, reason: "forbidden" },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/audit-event-actions?limit=1000",
        expect: 200,
        see: (body: { items: { action: string }[] }) =>
          ["signIn", "refused", "updateMember", "mergeChangeRequest"].every((action) =>
            body.items.some((it) => it.action === action),
          ) && !body.items.some(({ action }) => action === "listMembers"),
      },
      { as: "read", ask: "GET /v1/orgs/{org}/audit-event-actions", expect: 403, reason: "forbidden" },
    ],
  },
];
