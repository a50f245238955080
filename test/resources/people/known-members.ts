// Members of requests and answers that tools of this interface send and read, as stories.

import { ask, create, defineStory, get, list, page, refuse, type Scene, type Story, send } from "../scenario";

const aSpace: Scene = ask("create", "POST /v1/orgs/{org}/spaces", 201, {
  send: { title: "Guide" },
  see: { emoji: "", icon: undefined, language: undefined, permissions: { installIntegration: true } },
  keep: { space: "id" },
});
const inCr = "/v1/spaces/{space}/change-requests/{cr}";

const plain = {
  width: "default",
  cover: true,
  coverSize: "hero",
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
};

export const stories: Story[] = [
  defineStory("an organization without default content says nothing of it", [
    get("read", "/v1/orgs/{org}", { defaultContent: undefined, permissions: { listInstallations: true } }),
    get("guest", "/v1/orgs/{org}", { permissions: { listInstallations: false } }),
    send("admin", "PATCH /v1/orgs/{org}", 200, { defaultContent: null }),
    get("read", "/v1/orgs/{org}", { defaultContent: undefined }),
  ]),
  defineStory("a space has an icon and a language, and gives them up again", [
    ask("create", "POST /v1/orgs/{org}/spaces", 201, {
      send: { title: "Guide", emoji: "", icon: "book", language: "fr" },
      see: { emoji: "", icon: "book", language: "fr" },
      keep: { space: "id" },
    }),
    send("create", "PATCH /v1/spaces/{space}", 200, { emoji: "1f4d8", language: "pt-br" }),
    get("read", "/v1/spaces/{space}", {
      emoji: "1f4d8",
      icon: "book",
      language: "pt-br",
      permissions: { installIntegration: false },
    }),
    ask("create", "PATCH /v1/spaces/{space}", 200, {
      send: { emoji: "", icon: null, language: null },
      see: { emoji: "", icon: undefined, language: undefined },
    }),
    refuse("create", "PATCH /v1/spaces/{space}", "body.language", { language: "klingon" }),
    refuse("create", "POST /v1/orgs/{org}/spaces", "body.icon", { icon: "x".repeat(51) }),
  ]),
  defineStory("the values that a template is made with become variables of the space", [
    create("create", "POST /v1/orgs/{org}/spaces", "space", {
      template: { id: "product-docs", params: { product: "Rocket", crew: 3 } },
    }),
    get("read", "/v1/spaces/{space}/content", {
      variables: { product: "Rocket", crew: 3, version: (it: unknown) => it !== undefined },
    }),
    send("edit", "POST /v1/spaces/{space}/content/template", 204, { id: "blank", params: { crew: 4 } }),
    get("read", "/v1/spaces/{space}/content", { variables: { product: "Rocket", crew: 4 } }),
    refuse("edit", "POST /v1/spaces/{space}/content/template", "body.params.1st", {
      id: "blank",
      params: { "1st": "x" },
    }),
  ]),
  defineStory("one role for everybody who is let in", [
    aSpace,
    send("create", "POST /v1/spaces/{space}/permissions", 204, {
      users: [{ id: "{guest}" }, { id: "{read}", role: "edit" }],
      role: "comment",
    }),
    get("create", "/v1/spaces/{space}/permissions/users", {
      items: (items: { permission: string; user: { id: string } }[]) =>
        items
          .map((it) => it.permission)
          .sort()
          .join() === "comment,edit",
    }),
    refuse("create", "POST /v1/spaces/{space}/permissions", "body.users.0.role", { users: [{ id: "{guest}" }] }),
    send("create", "POST /v1/spaces/{space}/permissions", 403, { users: [{ id: "{guest}" }], role: "admin" }),
    refuse("create", "POST /v1/spaces/{space}/permissions", "body.role", { users: [{ id: "{guest}" }], role: "owner" }),
  ]),
  defineStory("members are put into a team with the role that they have there", [
    create("admin", "PUT /v1/orgs/{org}/teams", "team", { title: "Writers", members: ["{read}"] }),
    send("admin", "PUT /v1/orgs/{org}/teams/{team}/members", 204, {
      memberships: [{ id: "{read}", role: "owner" }, { id: "{edit}" }],
    }),
    get("admin", "/v1/orgs/{org}/teams/{team}/members", {
      items: [
        { id: "{read}", teamRole: "owner" },
        { id: "{edit}", teamRole: "member" },
      ],
    }),
    refuse("admin", "PUT /v1/orgs/{org}/teams/{team}/members", "body.memberships.0.id", {
      memberships: [{ id: "{stranger}" }],
    }),
    refuse("admin", "PUT /v1/orgs/{org}/teams/{team}/members", "body.memberships.0.role", {
      memberships: [{ id: "{edit}", role: "boss" }],
    }),
  ]),
  defineStory("the role of an invite link has another name", [
    ask("admin", "POST /v1/orgs/{org}/link-invites", 201, {
      send: { level: "edit" },
      see: { role: "edit", level: "edit" },
      keep: { link: "id" },
    }),
    ask("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", 200, {
      send: { level: null },
      see: { role: null, level: null },
    }),
    refuse("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", "body.level", { role: "read", level: "edit" }),
    ask("admin", "PATCH /v1/orgs/{org}/link-invites/{link}", 200, {
      send: { role: "read", level: "read" },
      see: { role: "read" },
    }),
  ]),
  defineStory("a review may bring a comment, and asking for reviewers may rename the change request", [
    aSpace,
    create("edit", "POST /v1/spaces/{space}/change-requests", "cr", { subject: "Old" }),
    ask("edit", `POST ${inCr}/requested-reviewers`, 200, {
      send: { users: ["{review}", "{create}"], subject: "New" },
      see: {
        users: [
          { object: "user", id: "{review}" },
          { object: "user", id: "{create}" },
        ],
      },
    }),
    get("read", inCr, { subject: "New" }),
    refuse("edit", `POST ${inCr}/requested-reviewers`, "body.subject", {
      users: ["{review}"],
      subject: "x".repeat(101),
    }),
    ask("review", `POST ${inCr}/reviews`, 201, {
      send: { status: "changes-requested", comment: { markdown: "Say *why*." } },
      see: { updatedAt: (it: string) => !Number.isNaN(Date.parse(it)), comment: { object: "comment" } },
      keep: { said: "id", comment: "comment.id" },
    }),
    get("comment", `${inCr}/reviews`, {
      items: [
        {
          comment: {
            id: "{comment}",
            body: { markdown: "Say *why*." },
            postedBy: { id: "{review}" },
            target: { review: "{said}" },
            permissions: { view: true, edit: false },
          },
        },
      ],
    }),
    // Who may not read discussions does not read them in reviews either.
    ask("read", `GET ${inCr}/comments/{comment}`, 404),
    get("read", `${inCr}/reviews`, { items: [{ id: "{said}", comment: undefined }] }),
    get("comment", `${inCr}/comments/{comment}`, {
      body: { markdown: "Say *why*." },
      postedBy: { id: "{review}" },
      target: { changeRequest: "{cr}" },
    }),
    list("comment", `${inCr}/comments`, [{ target: { review: "{said}" } }]),
    get("read", inCr, { comments: 1 }),
    ask("review", `POST ${inCr}/reviews`, 201, { send: { status: "approved" }, see: { comment: undefined } }),
    refuse("review", `POST ${inCr}/reviews`, (at: string) => at.startsWith("body.comment.document."), {
      status: "approved",
      comment: { document: { object: "document", nodes: "none" } },
    }),
  ]),
  defineStory("a comment names a cell of a table, and a reply resolves what it answers", [
    aSpace,
    ask("edit", "POST /v1/spaces/{space}/content", 200, {
      send: { changes: [page("Page", "| A | B |\n| --- | --- |\n| 1 | 2 |\n")] },
      keep: { page: "changes.0.page.id" },
    }),
    ask("read", "GET /v1/spaces/{space}/content/page/{page}?format=document", 200, {
      keep: { table: "document.nodes.0.key" },
    }),
    ask("comment", "POST /v1/spaces/{space}/comments", 200, {
      send: { body: { markdown: "?" }, page: "{page}", node: "{table}", tableCell: { record: "r1", column: "c2" } },
      see: { target: { tableCell: { record: "r1", column: "c2" } } },
      keep: { comment: "id" },
    }),
    refuse("comment", "POST /v1/spaces/{space}/comments", "body.tableCell", {
      body: { markdown: "?" },
      page: "{page}",
      tableCell: { record: "r1" },
    }),
    refuse("comment", "POST /v1/spaces/{space}/comments", "body.tableCell.record", {
      body: { markdown: "?" },
      page: "{page}",
      node: "{table}",
      tableCell: { record: {} },
    }),
    send("edit", "POST /v1/spaces/{space}/comments/{comment}/replies", 403, {
      body: { markdown: "Done" },
      resolved: true,
    }),
    ask("review", "POST /v1/spaces/{space}/comments/{comment}/replies", 200, {
      send: { body: { markdown: "Done" }, resolved: true },
      keep: { reply: "id" },
    }),
    get("comment", "/v1/spaces/{space}/comments/{comment}", {
      status: "resolved",
      resolvedBy: { id: "{review}" },
      replies: 1,
      target: { tableCell: { record: "r1" } },
    }),
    send("comment", "PUT /v1/spaces/{space}/comments/{comment}/replies/{reply}", 200, { resolved: false }),
    get("comment", "/v1/spaces/{space}/comments/{comment}", { status: "open", resolvedBy: undefined }),
    send("edit", "PUT /v1/spaces/{space}/comments/{comment}/replies/{reply}", 403, { resolved: true }),
  ]),
  defineStory("every page says what kind it is, and every document how it is laid out", [
    aSpace,
    ask("edit", "POST /v1/spaces/{space}/content", 200, {
      send: {
        changes: [
          { operation: "insert_group", title: "Group" },
          page("Plain", "[Wide](wide.md)"),
          page("Wide", "", { layout: { width: "wide", outline: false } }),
          page("Stated", "---\nlayout:\n  cover:\n    visible: false\n    size: full\n---\n\nText"),
          { operation: "insert_link", title: "Link", target: { kind: "url", url: "https://example.com" } },
        ],
      },
      keep: { wide: "changes.2.page.id", revision: "revision" },
    }),
    ...["content", "content/pages", "revisions/{revision}", "revisions/{revision}/pages"].map(
      (at): Scene =>
        get("read", `/v1/spaces/{space}/${at}`, {
          pages: [
            { kind: "group", layout: undefined },
            { kind: "sheet", layout: plain },
            { kind: "sheet", layout: { ...plain, width: "wide", outline: false } },
            { kind: "sheet", layout: { ...plain, cover: false, coverSize: "full" } },
            { kind: "link", layout: undefined },
          ],
        }),
    ),
    ...["page/{wide}", "path/wide"].map(
      (at): Scene =>
        get("read", `/v1/spaces/{space}/content/${at}`, {
          kind: "sheet",
          layout: { ...plain, width: "wide", outline: false },
        }),
    ),
    get("read", "/v1/spaces/{space}/content/page/{wide}/backlinks", {
      items: [{ page: { kind: "sheet", layout: plain } }],
    }),
  ]),
  defineStory("a layout that is sent back as it was read changes no text", [
    aSpace,
    ask("edit", "POST /v1/spaces/{space}/content", 200, {
      send: {
        changes: [page("Stated", "---\nlayout:\n  width: default\n  outline:\n    visible: false\n---\n\nText")],
      },
      keep: { stated: "changes.0.page.id" },
    }),
    ...(
      [
        [{ ...plain, outline: false }, "---\nlayout:\n  width: default\n  outline:\n    visible: false\n---\n\nText"],
        [plain, "---\nlayout:\n  width: default\n  outline:\n    visible: true\n---\n\nText"],
        [{ ...plain, width: "wide" }, "---\nlayout:\n  width: wide\n  outline:\n    visible: true\n---\n\nText"],
        [{ pagination: false }, "---\nlayout:\n  pagination:\n    visible: false\n---\n\nText"],
      ] as const
    ).flatMap(([layout, markdown]): Scene[] => [
      send("edit", "POST /v1/spaces/{space}/content", 200, {
        changes: [{ operation: "update_page", page: "{stated}", layout }],
      }),
      get("read", "/v1/spaces/{space}/content/page/{stated}", { markdown }),
    ]),
  ]),
  defineStory("a merged revision names the change request, also as the one that the space shows", [
    aSpace,
    ask("edit", "POST /v1/spaces/{space}/change-requests", 201, { keep: { cr: "id" } }),
    send("edit", `POST ${inCr}/content`, 200, { changes: [page("Page")] }),
    ask("review", `POST ${inCr}/merge`, 200, { keep: { merged: "revision" } }),
    ...["content", "revisions/{merged}"].map(
      (at): Scene =>
        get("read", `/v1/spaces/{space}/${at}`, {
          id: "{merged}",
          type: "merge",
          mergedFrom: { object: "change-request", id: "{cr}", status: "merged" },
        }),
    ),
    get("read", "/v1/spaces/{space}/revisions", {
      items: [{ mergedFrom: { id: "{cr}", revisionMerged: "{merged}" } }, { type: "edits", mergedFrom: undefined }],
    }),
  ]),
];
