// The audit log as stories.

import { ask, create, defineStory, get, type Story, send } from "../scenario";

const log = "GET /v1/orgs/{org}/audit-events";

export const stories: Story[] = [
  defineStory("every write is an event: who, what, with which credential, and what a right was changed to", [
    ask("admin", "PATCH /v1/orgs/{org}/members/{read}", 200, {
      send: { role: "edit" },
      headers: {
        "user-agent":
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
      },
    }),
    ask("admin", `${log}?limit=1`, 200, {
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
      keep: { event: "items.0.id" },
    }),
    get("admin", "/v1/orgs/{org}/audit-events/{event}", {
      object: "audit-event",
      id: "{event}",
      action: "updateMember",
      changes: [{ field: "role", value: "edit" }],
    }),
    ask("admin", `${log}/aud_none`, "404 audit_event_not_found"),
    ask("create", `${log}/{event}`, "403 forbidden"),
    ask("guest", `${log}/{event}`, "403 forbidden"),
    ask("rival", `${log}/{event}`, "404 organization_not_found"),
    ask("rival", "GET /v1/orgs/{otherOrg}/audit-events/{event}", "404 audit_event_not_found"),
    create("create", "POST /v1/orgs/{org}/spaces", "space", { title: "A title that nobody reads in a log" }),
    ask("admin", `${log}?thing={space}`, 200, {
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
    }),
    send("admin", "POST /v1/spaces/{space}/permissions", 204, {
      users: [{ id: "{guest}", role: "read" }, "{comment}"],
      role: "edit",
    }),
    ask("admin", `${log}?action=grantOnSpace&actor={admin}`, 200, {
      see: (body: { items: { things: object[]; changes: object[] }[] }) =>
        body.items.length === 1 && body.items[0]!.things.length === 3 && body.items[0]!.changes.length === 2,
    }),
    ask("admin", `${log}?from=2030-01-01T00:00:00Z`, 200, { see: { count: 0, items: [] } }),
    ask("admin", `${log}?from=yesterday`, "400 invalid_request"),
  ]),
  defineStory("a refused right is an event, once a minute", [
    ask("edit", "DELETE /v1/orgs/{org}/members/{read}", 403),
    ask("edit", "DELETE /v1/orgs/{org}/members/{read}", 403),
    ask("admin", `${log}?action=refused`, 200, {
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
    }),
    ask("edit", "DELETE /v1/orgs/{org}/members/{read}", 403, { after: 60_000 }),
    ask("admin", `${log}?action=refused`, 200, { see: { count: 2 } }),
  ]),
  defineStory("the log is exported as lines of JSON, and its actions are listed", [
    ask("admin", `${log}/export`, 200, {
      seeHeaders: { "content-type": "application/x-ndjson" },
      see: (text: string) =>
        text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
          .every(({ previousHash, hash }, i, all) => hash.length === 64 && previousHash === (all[i - 1]?.hash ?? "")),
    }),
    ask("read", `${log}/export`, "403 forbidden"),
    get(
      "admin",
      "/v1/orgs/{org}/audit-event-actions?limit=1000",
      (body: { items: { action: string }[] }) =>
        ["signIn", "refused", "updateMember", "mergeChangeRequest"].every((action) =>
          body.items.some((it) => it.action === action),
        ) && !body.items.some(({ action }) => action === "listMembers"),
    ),
    ask("read", "GET /v1/orgs/{org}/audit-event-actions", "403 forbidden"),
  ]),
];
