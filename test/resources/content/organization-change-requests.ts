// The change requests of an organization, as stories: the newest first, and only those of spaces that one may see.

import type { Scene, Story } from "../scenario";

const list = "GET /v1/orgs/{org}/change-requests";

const space = (name: string): Scene => ({
  as: "admin",
  ask: "POST /v1/orgs/{org}/spaces",
  send: { title: name },
  expect: 201,
  keep: { [name]: "id" },
});
const change = (as: "admin" | "edit", of: string, name: string): Scene => ({
  as,
  ask: `POST /v1/spaces/{${of}}/change-requests`,
  send: { subject: name },
  expect: 201,
  keep: { [name]: "id" },
  after: 1000,
});

const stage: Scene[] = [
  space("first"),
  space("second"),
  space("empty"),
  change("admin", "first", "a"),
  change("edit", "second", "b"),
  change("admin", "first", "c"),
  change("edit", "first", "d"),
  change("admin", "second", "e"),
  {
    as: "admin",
    ask: "PATCH /v1/spaces/{first}/change-requests/{a}",
    send: { status: "open" },
    expect: 200,
  },
  {
    as: "edit",
    ask: "POST /v1/spaces/{first}/change-requests/{c}/content",
    send: { changes: [{ operation: "insert_page", title: "More", document: { markdown: "More." } }] },
    expect: 200,
  },
];

/** The list has these, in this order. */
const has = (...names: string[]) => ({ count: names.length, items: names.map((name) => ({ id: `{${name}}` })) });

export const stories: Story[] = [
  {
    title: "the change requests of an organization are listed with their spaces, the newest first, in pages",
    scenes: [
      ...stage,
      { as: "read", ask: list, expect: 200, see: { ...has("e", "d", "c", "b", "a"), next: undefined } },
      {
        as: "read",
        ask: `${list}?limit=2`,
        expect: 200,
        see: {
          count: 5,
          items: [
            { id: "{e}", space: "{second}", number: 2, subject: "e", status: "draft" },
            { id: "{d}", space: "{first}", number: 3, createdBy: { id: "{edit}" } },
          ],
        },
        keep: { next: "next.page" },
      },
      change("admin", "second", "f"),
      {
        as: "read",
        ask: `${list}?limit=2&page={next}`,
        expect: 200,
        see: { count: 6, items: [{ id: "{c}" }, { id: "{b}" }] },
        keep: { next: "next.page" },
      },
      {
        as: "read",
        ask: `${list}?limit=2&page={next}`,
        expect: 200,
        see: { count: 6, items: [{ id: "{a}" }], next: undefined },
      },
    ],
  },
  {
    title: "the change requests of an organization are found by status, space, creator and contributor",
    scenes: [
      ...stage,
      { as: "read", ask: `${list}?status=open`, expect: 200, see: has("a") },
      { as: "read", ask: `${list}?status=draft`, expect: 200, see: has("e", "d", "c", "b") },
      { as: "read", ask: `${list}?status=merged`, expect: 200, see: has() },
      { as: "read", ask: `${list}?space={second}`, expect: 200, see: has("e", "b") },
      { as: "read", ask: `${list}?space={empty}`, expect: 200, see: has() },
      { as: "read", ask: `${list}?space=none`, expect: 200, see: has() },
      { as: "read", ask: `${list}?creator={edit}`, expect: 200, see: has("d", "b") },
      { as: "read", ask: `${list}?contributor={edit}`, expect: 200, see: has("d", "c", "b") },
      {
        as: "read",
        ask: `${list}?contributor={edit}&limit=2`,
        expect: 200,
        see: { count: 3, items: [{ id: "{d}" }, { id: "{c}" }] },
        keep: { next: "next.page" },
      },
      {
        as: "read",
        ask: `${list}?contributor={edit}&limit=2&page={next}`,
        expect: 200,
        see: { count: 3, items: [{ id: "{b}" }], next: undefined },
      },
      {
        as: "read",
        ask: `${list}?status=draft&creator={admin}&space={first}`,
        expect: 200,
        see: has("c"),
      },
      {
        as: "read",
        ask: `${list}?status=closed`,
        expect: 400,
        reason: "invalid_request",
        see: { error: { issues: [{ path: "query.status" }] } },
      },
    ],
  },
  {
    title: "S22: change requests of spaces that one may not see are neither listed nor counted",
    scenes: [
      ...stage,
      { as: "admin", ask: "PATCH /v1/spaces/{first}", send: { defaultLevel: null }, expect: 200 },
      { as: "read", ask: list, expect: 200, see: has("e", "b") },
      { as: "read", ask: `${list}?space={first}`, expect: 200, see: has() },
      { as: "read", ask: `${list}?creator={edit}`, expect: 200, see: has("b") },
      { as: "guest", ask: list, expect: 200, see: has() },
      { as: "stranger", ask: list, expect: 404, reason: "organization_not_found" },
      { as: null, ask: list, expect: 401, reason: "unauthorized" },
      { as: "admin", ask: "DELETE /v1/spaces/{second}", expect: 204 },
      { as: "admin", ask: list, expect: 200, see: has("d", "c", "a") },
      { as: "read", ask: list, expect: 200, see: has() },
    ],
  },
];
