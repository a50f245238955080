// Comments as stories: the same on a space and on a change request.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";

const page = {
  operation: "insert_page",
  title: "Page",
  document: { markdown: "## Heading\n\nA paragraph.\n\nAnother.\n" },
};

const ground: Scene[] = [
  create("create", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
  ask("edit", "POST /v1/spaces/{space}/content", 200, {
    send: { changes: [page] },
    keep: { page: "changes.0.page.id" },
  }),
  ask("edit", "POST /v1/spaces/{space}/change-requests", 201, { keep: { cr: "id" } }),
  ask("read", "GET /v1/spaces/{space}/content/page/{page}?format=document", 200, {
    keep: { block: "document.nodes.1.key" },
  }),
];

const discussion = (name: string, at: string, counted: Scene): Story =>
  defineStory(`comments on ${name} are posted, answered, reacted to, resolved and deleted`, [
    ...ground,
    ask("comment", `POST ${at}/comments`, 200, {
      send: { body: { markdown: "What of *this*?" }, page: "{page}", node: "{block}" },
      see: {
        object: "comment",
        postedBy: { id: "{comment}" },
        body: { markdown: "What of *this*?" },
        status: "open",
        replies: 0,
        reactions: [],
        target: {
          space: "{space}",
          page: { id: "{page}", title: "Page", path: "page", outdated: false },
          node: { id: "{block}", preview: "A paragraph." },
        },
        permissions: { view: true, edit: true, reply: true, delete: true },
      },
      keep: { first: "id" },
    }),
    ask("edit", `POST ${at}/comments`, 200, {
      send: { body: { markdown: "Fine." } },
      see: { target: { page: undefined, node: undefined } },
      keep: { second: "id" },
      after: 1000,
    }),
    counted,
    list("comment", `${at}/comments`, [
      { id: "{second}", permissions: { edit: false, delete: false } },
      { id: "{first}" },
    ]),
    get("comment", `${at}/comments?order=asc&limit=1`, { count: 2, items: [{ id: "{first}" }], next: {} }),
    list("comment", `${at}/comments?targetPage={page}`, [{ id: "{first}" }]),
    list("comment", `${at}/comments?authors={edit}`, [{ id: "{second}" }]),
    get("comment", `${at}/comments?authors={edit}&authors={comment}`, { count: 2 }),
    get("comment", `${at}/comments?status=resolved`, { count: 0 }),
    ask("comment", `GET ${at}/comments?status=odd`, 400),
    ask("read", `GET ${at}/comments`, "403 forbidden"),
    ask("read", `GET ${at}/comments/{first}`, "404 comment_not_found"),
    send("read", `POST ${at}/comments`, 403, { body: { markdown: "x" } }),
    ask("rival", `GET ${at}/comments`, 404),
    get("comment", `${at}/comments/{first}?format=document`, {
      body: { document: { object: "document" }, markdown: undefined },
    }),
    ask("comment", `GET ${at}/comments/com_none`, "404 comment_not_found"),
    refuse("comment", `POST ${at}/comments`, "body.page", { body: {}, page: "pag_none" }),
    refuse("comment", `POST ${at}/comments`, "body.node", { body: {}, page: "{page}", node: "nothing" }),
    send("comment", `POST ${at}/comments`, 400, { body: {}, node: "x" }),
    refuse("comment", `POST ${at}/comments`, "body.body", { page: "{page}" }),
    send("comment", `POST ${at}/comments`, 400, {
      body: { document: { object: "document", data: {}, nodes: [{ object: "block", type: 7 }] } },
    }),
    ask("edit", `PUT ${at}/comments/{first}`, 200, {
      send: { addedReactions: ["1f44d", "2764"] },
      see: { reactions: [{ emoji: "1f44d", count: 1, users: [{ user: { id: "{edit}" } }] }, { emoji: "2764" }] },
    }),
    ask("comment", `PUT ${at}/comments/{first}`, 200, {
      send: { addedReactions: ["1f44d", "1f44d"], body: { markdown: "Edited." } },
      see: {
        reactions: [{ count: 2 }, { count: 1 }],
        body: { markdown: "Edited." },
        editedAt: (it: unknown) => it !== undefined,
      },
    }),
    ask("edit", `PUT ${at}/comments/{first}`, 200, {
      send: { removedReactions: ["2764", "1f600"] },
      see: { reactions: [{ emoji: "1f44d", count: 2 }] },
    }),
    send("edit", `PUT ${at}/comments/{first}`, "403 forbidden", { body: { markdown: "Mine now" } }),
    send("edit", `PUT ${at}/comments/{first}`, "403 forbidden", { resolved: true }),
    ask("review", `PUT ${at}/comments/{first}`, 200, {
      send: { resolved: true },
      see: { status: "resolved", resolvedBy: { id: "{review}" }, resolvedAt: (it: unknown) => it !== undefined },
    }),
    list("comment", `${at}/comments?status=open`, [{ id: "{second}" }]),
    ask("comment", `PUT ${at}/comments/{first}`, 200, {
      send: { resolved: false },
      see: { status: "open", resolvedBy: undefined, resolvedAt: undefined },
    }),
    ask("create", `POST ${at}/comments/{first}/replies`, 200, {
      send: { body: { markdown: "Because." } },
      see: { object: "comment-reply", body: { markdown: "Because." }, postedBy: { id: "{create}" } },
      keep: { reply: "id" },
    }),
    send("read", `POST ${at}/comments/{first}/replies`, 404, { body: { markdown: "x" } }),
    list("comment", `${at}/comments/{first}/replies`, [{ id: "{reply}" }]),
    ask("comment", `GET ${at}/comments/com_none/replies`, "404 comment_not_found"),
    get("comment", `${at}/comments/{first}`, { replies: 1 }),
    get("comment", `${at}/comments/{first}/replies/{reply}?format=document`, {
      body: { document: {} },
      permissions: { edit: false },
    }),
    ask("comment", `GET ${at}/comments/{first}/replies/rep_none`, "404 comment_reply_not_found"),
    ask("create", `PUT ${at}/comments/{first}/replies/{reply}`, 200, {
      send: { body: { markdown: "Because of that." }, addedReactions: ["1f389"] },
      see: { body: { markdown: "Because of that." }, reactions: [{ emoji: "1f389", count: 1 }] },
    }),
    send("comment", `PUT ${at}/comments/{first}/replies/{reply}`, 403, { body: {} }),
    get("comment", `${at}/commenters`, {
      count: 3,
      items: (items: { object: string }[]) => items.every((it) => it.object === "member"),
    }),
    ask("read", `GET ${at}/commenters`, 403),
    ask("comment", `DELETE ${at}/comments/{first}/replies/{reply}`, 403),
    ask("create", `DELETE ${at}/comments/{first}/replies/{reply}`, 204),
    ask("create", `DELETE ${at}/comments/{first}/replies/{reply}`, 204),
    ask("comment", `DELETE ${at}/comments/{second}`, 403),
    ask("edit", `DELETE ${at}/comments/{second}`, 204),
    ask("edit", `DELETE ${at}/comments/{second}`, 204),
    get("comment", `${at}/comments`, { count: 1 }),
    get("comment", `${at}/commenters`, { count: 1 }),
  ]);

export const stories: Story[] = [
  discussion("a space", "/v1/spaces/{space}", get("read", "/v1/spaces/{space}", { comments: 2 })),
  discussion(
    "a change request",
    "/v1/spaces/{space}/change-requests/{cr}",
    get("read", "/v1/spaces/{space}/change-requests/{cr}", { comments: 2 }),
  ),
  defineStory("a comment follows its block, and says when the block is gone", [
    ...ground,
    ask("comment", "POST /v1/spaces/{space}/comments", 200, {
      send: { body: { markdown: "?" }, page: "{page}", node: "{block}" },
      keep: { comment1: "id" },
    }),
    send("edit", "POST /v1/spaces/{space}/content", 200, {
      changes: [
        {
          operation: "update_page",
          page: "{page}",
          document: { markdown: "Before.\n\n## Heading\n\nA paragraph.\n\nAnother one.\n" },
        },
      ],
    }),
    get("comment", "/v1/spaces/{space}/comments/{comment1}", { target: { page: { outdated: false } } }),
    send("edit", "POST /v1/spaces/{space}/content", 200, {
      changes: [{ operation: "update_page", page: "{page}", document: { markdown: "Nothing.\n" } }],
    }),
    get("comment", "/v1/spaces/{space}/comments/{comment1}", {
      target: { page: { title: "Page", outdated: true }, node: { preview: "A paragraph." } },
    }),
    send("edit", "POST /v1/spaces/{space}/content", 200, { changes: [{ operation: "delete_page", page: "{page}" }] }),
    get("comment", "/v1/spaces/{space}/comments/{comment1}", {
      target: { page: { id: "{page}", title: undefined, outdated: true } },
    }),
  ]),
];
