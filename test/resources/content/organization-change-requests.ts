// The change requests of an organization, as stories: the newest first, and only those of spaces that one may see.

import { ask, create, defineStory, type Scene, type Story, send } from "../scenario";

const list = "GET /v1/orgs/{org}/change-requests";

const space = (name: string): Scene => create("admin", "POST /v1/orgs/{org}/spaces", name, { title: name });
const change = (as: "admin" | "edit", of: string, name: string): Scene =>
  ask(as, `POST /v1/spaces/{${of}}/change-requests`, 201, {
    send: { subject: name },
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
  send("admin", "PATCH /v1/spaces/{first}/change-requests/{a}", 200, { status: "open" }),
  send("edit", "POST /v1/spaces/{first}/change-requests/{c}/content", 200, {
    changes: [{ operation: "insert_page", title: "More", document: { markdown: "More." } }],
  }),
];

/** The list has these, in this order. */
const has = (...names: string[]) => ({ count: names.length, items: names.map((name) => ({ id: `{${name}}` })) });

export const stories: Story[] = [
  defineStory("the change requests of an organization are listed with their spaces, the newest first, in pages", [
    ...stage,
    ask("read", list, 200, { see: { ...has("e", "d", "c", "b", "a"), next: undefined } }),
    ask("read", `${list}?limit=2`, 200, {
      see: {
        count: 5,
        items: [
          { id: "{e}", space: "{second}", number: 2, subject: "e", status: "draft" },
          { id: "{d}", space: "{first}", number: 3, createdBy: { id: "{edit}" } },
        ],
      },
      keep: { next: "next.page" },
    }),
    change("admin", "second", "f"),
    ask("read", `${list}?limit=2&page={next}`, 200, {
      see: { count: 6, items: [{ id: "{c}" }, { id: "{b}" }] },
      keep: { next: "next.page" },
    }),
    ask("read", `${list}?limit=2&page={next}`, 200, { see: { count: 6, items: [{ id: "{a}" }], next: undefined } }),
  ]),
  defineStory("the change requests of an organization are found by status, space, creator and contributor", [
    ...stage,
    ask("read", `${list}?status=open`, 200, { see: has("a") }),
    ask("read", `${list}?status=draft`, 200, { see: has("e", "d", "c", "b") }),
    ask("read", `${list}?status=merged`, 200, { see: has() }),
    ask("read", `${list}?space={second}`, 200, { see: has("e", "b") }),
    ask("read", `${list}?space={empty}`, 200, { see: has() }),
    ask("read", `${list}?space=none`, 200, { see: has() }),
    ask("read", `${list}?creator={edit}`, 200, { see: has("d", "b") }),
    ask("read", `${list}?contributor={edit}`, 200, { see: has("d", "c", "b") }),
    ask("read", `${list}?contributor={edit}&limit=2`, 200, {
      see: { count: 3, items: [{ id: "{d}" }, { id: "{c}" }] },
      keep: { next: "next.page" },
    }),
    ask("read", `${list}?contributor={edit}&limit=2&page={next}`, 200, {
      see: { count: 3, items: [{ id: "{b}" }], next: undefined },
    }),
    ask("read", `${list}?status=draft&creator={admin}&space={first}`, 200, { see: has("c") }),
    ask("read", `${list}?status=closed`, "400 invalid_request", {
      see: { error: { issues: [{ path: "query.status" }] } },
    }),
  ]),
  defineStory("S22: change requests of spaces that one may not see are neither listed nor counted", [
    ...stage,
    send("admin", "PATCH /v1/spaces/{first}", 200, { defaultLevel: null }),
    ask("read", list, 200, { see: has("e", "b") }),
    ask("read", `${list}?space={first}`, 200, { see: has() }),
    ask("read", `${list}?creator={edit}`, 200, { see: has("b") }),
    ask("guest", list, 200, { see: has() }),
    ask("admin", "DELETE /v1/spaces/{second}", 204),
    ask("admin", list, 200, { see: has("d", "c", "a") }),
    ask("read", list, 200, { see: has() }),
  ]),
];
