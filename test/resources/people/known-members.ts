// Members of requests and answers that tools of this interface send and read, as stories.

import { page, type Scene, type Story } from "../scenario";

const aSpace: Scene = {
  as: "create",
  ask: "POST /v1/orgs/{org}/spaces",
  send: { title: "Guide" },
  expect: 201,
  see: { emoji: "", icon: undefined, language: undefined, permissions: { installIntegration: true } },
  keep: { space: "id" },
};
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
  {
    title: "an organization without default content says nothing of it",
    scenes: [
      {
        as: "read",
        ask: "GET /v1/orgs/{org}",
        expect: 200,
        see: { defaultContent: undefined, permissions: { listInstallations: true } },
      },
      { as: "guest", ask: "GET /v1/orgs/{org}", expect: 200, see: { permissions: { listInstallations: false } } },
      { as: "admin", ask: "PATCH /v1/orgs/{org}", send: { defaultContent: null }, expect: 200 },
      { as: "read", ask: "GET /v1/orgs/{org}", expect: 200, see: { defaultContent: undefined } },
    ],
  },
  {
    title: "a space has an icon and a language, and gives them up again",
    scenes: [
      {
        as: "create",
        ask: "POST /v1/orgs/{org}/spaces",
        send: { title: "Guide", emoji: "", icon: "book", language: "fr" },
        expect: 201,
        see: { emoji: "", icon: "book", language: "fr" },
        keep: { space: "id" },
      },
      { as: "create", ask: "PATCH /v1/spaces/{space}", send: { emoji: "1f4d8", language: "pt-br" }, expect: 200 },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}",
        expect: 200,
        see: { emoji: "1f4d8", icon: "book", language: "pt-br", permissions: { installIntegration: false } },
      },
      {
        as: "create",
        ask: "PATCH /v1/spaces/{space}",
        send: { emoji: "", icon: null, language: null },
        expect: 200,
        see: { emoji: "", icon: undefined, language: undefined },
      },
      {
        as: "create",
        ask: "PATCH /v1/spaces/{space}",
        send: { language: "klingon" },
        expect: 400,
        see: { error: { issues: [{ path: "body.language" }] } },
      },
      {
        as: "create",
        ask: "POST /v1/orgs/{org}/spaces",
        send: { icon: "x".repeat(51) },
        expect: 400,
        see: { error: { issues: [{ path: "body.icon" }] } },
      },
    ],
  },
  {
    title: "the values that a template is made with become variables of the space",
    scenes: [
      {
        as: "create",
        ask: "POST /v1/orgs/{org}/spaces",
        send: { template: { id: "product-docs", params: { product: "Rocket", crew: 3 } } },
        expect: 201,
        keep: { space: "id" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content",
        expect: 200,
        see: { variables: { product: "Rocket", crew: 3, version: (it: unknown) => it !== undefined } },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content/template",
        send: { id: "blank", params: { crew: 4 } },
        expect: 204,
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content",
        expect: 200,
        see: { variables: { product: "Rocket", crew: 4 } },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content/template",
        send: { id: "blank", params: { "1st": "x" } },
        expect: 400,
        see: { error: { issues: [{ path: "body.params.1st" }] } },
      },
    ],
  },
  {
    title: "one role for everybody who is let in",
    scenes: [
      aSpace,
      {
        as: "create",
        ask: "POST /v1/spaces/{space}/permissions",
        send: { users: [{ id: "{guest}" }, { id: "{read}", role: "edit" }], role: "comment" },
        expect: 204,
      },
      {
        as: "create",
        ask: "GET /v1/spaces/{space}/permissions/users",
        expect: 200,
        see: {
          items: (items: { permission: string; user: { id: string } }[]) =>
            items
              .map((it) => it.permission)
              .sort()
              .join() === "comment,edit",
        },
      },
      {
        as: "create",
        ask: "POST /v1/spaces/{space}/permissions",
        send: { users: [{ id: "{guest}" }] },
        expect: 400,
        see: { error: { issues: [{ path: "body.users.0.role" }] } },
      },
      {
        as: "create",
        ask: "POST /v1/spaces/{space}/permissions",
        send: { users: [{ id: "{guest}" }], role: "admin" },
        expect: 403,
      },
      {
        as: "create",
        ask: "POST /v1/spaces/{space}/permissions",
        send: { users: [{ id: "{guest}" }], role: "owner" },
        expect: 400,
        see: { error: { issues: [{ path: "body.role" }] } },
      },
    ],
  },
  {
    title: "members are put into a team with the role that they have there",
    scenes: [
      {
        as: "admin",
        ask: "PUT /v1/orgs/{org}/teams",
        send: { title: "Writers", members: ["{read}"] },
        expect: 201,
        keep: { team: "id" },
      },
      {
        as: "admin",
        ask: "PUT /v1/orgs/{org}/teams/{team}/members",
        send: { memberships: [{ id: "{read}", role: "owner" }, { id: "{edit}" }] },
        expect: 204,
      },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/teams/{team}/members",
        expect: 200,
        see: {
          items: [
            { id: "{read}", teamRole: "owner" },
            { id: "{edit}", teamRole: "member" },
          ],
        },
      },
      {
        as: "admin",
        ask: "PUT /v1/orgs/{org}/teams/{team}/members",
        send: { memberships: [{ id: "{stranger}" }] },
        expect: 400,
        see: { error: { issues: [{ path: "body.memberships.0.id" }] } },
      },
      {
        as: "admin",
        ask: "PUT /v1/orgs/{org}/teams/{team}/members",
        send: { memberships: [{ id: "{edit}", role: "boss" }] },
        expect: 400,
        see: { error: { issues: [{ path: "body.memberships.0.role" }] } },
      },
    ],
  },
  {
    title: "the role of an invite link has another name",
    scenes: [
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/link-invites",
        send: { level: "edit" },
        expect: 201,
        see: { role: "edit", level: "edit" },
        keep: { link: "id" },
      },
      {
        as: "admin",
        ask: "PATCH /v1/orgs/{org}/link-invites/{link}",
        send: { level: null },
        expect: 200,
        see: { role: null, level: null },
      },
      {
        as: "admin",
        ask: "PATCH /v1/orgs/{org}/link-invites/{link}",
        send: { role: "read", level: "edit" },
        expect: 400,
        see: { error: { issues: [{ path: "body.level" }] } },
      },
      {
        as: "admin",
        ask: "PATCH /v1/orgs/{org}/link-invites/{link}",
        send: { role: "read", level: "read" },
        expect: 200,
        see: { role: "read" },
      },
    ],
  },
  {
    title: "a review may bring a comment, and asking for reviewers may rename the change request",
    scenes: [
      aSpace,
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/change-requests",
        send: { subject: "Old" },
        expect: 201,
        keep: { cr: "id" },
      },
      {
        as: "edit",
        ask: `POST ${inCr}/requested-reviewers`,
        send: { users: ["{review}", "{create}"], subject: "New" },
        expect: 200,
        see: {
          users: [
            { object: "user", id: "{review}" },
            { object: "user", id: "{create}" },
          ],
        },
      },
      { as: "read", ask: `GET ${inCr}`, expect: 200, see: { subject: "New" } },
      {
        as: "edit",
        ask: `POST ${inCr}/requested-reviewers`,
        send: { users: ["{review}"], subject: "x".repeat(101) },
        expect: 400,
        see: { error: { issues: [{ path: "body.subject" }] } },
      },
      {
        as: "review",
        ask: `POST ${inCr}/reviews`,
        send: { status: "changes-requested", comment: { markdown: "Say *why*." } },
        expect: 201,
        see: { updatedAt: (it: string) => !Number.isNaN(Date.parse(it)), comment: { object: "comment" } },
        keep: { said: "id", comment: "comment.id" },
      },
      {
        as: "comment",
        ask: `GET ${inCr}/reviews`,
        expect: 200,
        see: {
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
        },
      },
      // Who may not read discussions does not read them in reviews either.
      { as: "read", ask: `GET ${inCr}/comments/{comment}`, expect: 404 },
      { as: "read", ask: `GET ${inCr}/reviews`, expect: 200, see: { items: [{ id: "{said}", comment: undefined }] } },
      {
        as: "comment",
        ask: `GET ${inCr}/comments/{comment}`,
        expect: 200,
        see: { body: { markdown: "Say *why*." }, postedBy: { id: "{review}" }, target: { changeRequest: "{cr}" } },
      },
      {
        as: "comment",
        ask: `GET ${inCr}/comments`,
        expect: 200,
        see: { count: 1, items: [{ target: { review: "{said}" } }] },
      },
      { as: "read", ask: `GET ${inCr}`, expect: 200, see: { comments: 1 } },
      {
        as: "review",
        ask: `POST ${inCr}/reviews`,
        send: { status: "approved" },
        expect: 201,
        see: { comment: undefined },
      },
      {
        as: "review",
        ask: `POST ${inCr}/reviews`,
        send: { status: "approved", comment: { document: { object: "document", nodes: "none" } } },
        expect: 400,
        see: { error: { issues: [{ path: (at: string) => at.startsWith("body.comment.document.") }] } },
      },
    ],
  },
  {
    title: "a comment names a cell of a table, and a reply resolves what it answers",
    scenes: [
      aSpace,
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content",
        send: { changes: [page("Page", "| A | B |\n| --- | --- |\n| 1 | 2 |\n")] },
        expect: 200,
        keep: { page: "changes.0.page.id" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}?format=document",
        expect: 200,
        keep: { table: "document.nodes.0.key" },
      },
      {
        as: "comment",
        ask: "POST /v1/spaces/{space}/comments",
        send: { body: { markdown: "?" }, page: "{page}", node: "{table}", tableCell: { record: "r1", column: "c2" } },
        expect: 200,
        see: { target: { tableCell: { record: "r1", column: "c2" } } },
        keep: { comment: "id" },
      },
      {
        as: "comment",
        ask: "POST /v1/spaces/{space}/comments",
        send: { body: { markdown: "?" }, page: "{page}", tableCell: { record: "r1" } },
        expect: 400,
        see: { error: { issues: [{ path: "body.tableCell" }] } },
      },
      {
        as: "comment",
        ask: "POST /v1/spaces/{space}/comments",
        send: { body: { markdown: "?" }, page: "{page}", node: "{table}", tableCell: { record: {} } },
        expect: 400,
        see: { error: { issues: [{ path: "body.tableCell.record" }] } },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/comments/{comment}/replies",
        send: { body: { markdown: "Done" }, resolved: true },
        expect: 403,
      },
      {
        as: "review",
        ask: "POST /v1/spaces/{space}/comments/{comment}/replies",
        send: { body: { markdown: "Done" }, resolved: true },
        expect: 200,
        keep: { reply: "id" },
      },
      {
        as: "comment",
        ask: "GET /v1/spaces/{space}/comments/{comment}",
        expect: 200,
        see: {
          status: "resolved",
          resolvedBy: { id: "{review}" },
          replies: 1,
          target: { tableCell: { record: "r1" } },
        },
      },
      {
        as: "comment",
        ask: "PUT /v1/spaces/{space}/comments/{comment}/replies/{reply}",
        send: { resolved: false },
        expect: 200,
      },
      {
        as: "comment",
        ask: "GET /v1/spaces/{space}/comments/{comment}",
        expect: 200,
        see: { status: "open", resolvedBy: undefined },
      },
      {
        as: "edit",
        ask: "PUT /v1/spaces/{space}/comments/{comment}/replies/{reply}",
        send: { resolved: true },
        expect: 403,
      },
    ],
  },
  {
    title: "every page says what kind it is, and every document how it is laid out",
    scenes: [
      aSpace,
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content",
        send: {
          changes: [
            { operation: "insert_group", title: "Group" },
            page("Plain", "[Wide](wide.md)"),
            page("Wide", "", { layout: { width: "wide", outline: false } }),
            page("Stated", "---\nlayout:\n  cover:\n    visible: false\n    size: full\n---\n\nText"),
            { operation: "insert_link", title: "Link", target: { kind: "url", url: "https://example.com" } },
          ],
        },
        expect: 200,
        keep: { wide: "changes.2.page.id", revision: "revision" },
      },
      ...["content", "content/pages", "revisions/{revision}", "revisions/{revision}/pages"].map(
        (at): Scene => ({
          as: "read",
          ask: `GET /v1/spaces/{space}/${at}`,
          expect: 200,
          see: {
            pages: [
              { kind: "group", layout: undefined },
              { kind: "sheet", layout: plain },
              { kind: "sheet", layout: { ...plain, width: "wide", outline: false } },
              { kind: "sheet", layout: { ...plain, cover: false, coverSize: "full" } },
              { kind: "link", layout: undefined },
            ],
          },
        }),
      ),
      ...["page/{wide}", "path/wide"].map(
        (at): Scene => ({
          as: "read",
          ask: `GET /v1/spaces/{space}/content/${at}`,
          expect: 200,
          see: { kind: "sheet", layout: { ...plain, width: "wide", outline: false } },
        }),
      ),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{wide}/backlinks",
        expect: 200,
        see: { items: [{ page: { kind: "sheet", layout: plain } }] },
      },
    ],
  },
  {
    title: "a layout that is sent back as it was read changes no text",
    scenes: [
      aSpace,
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content",
        send: {
          changes: [page("Stated", "---\nlayout:\n  width: default\n  outline:\n    visible: false\n---\n\nText")],
        },
        expect: 200,
        keep: { stated: "changes.0.page.id" },
      },
      ...(
        [
          [{ ...plain, outline: false }, "---\nlayout:\n  width: default\n  outline:\n    visible: false\n---\n\nText"],
          [plain, "---\nlayout:\n  width: default\n  outline:\n    visible: true\n---\n\nText"],
          [{ ...plain, width: "wide" }, "---\nlayout:\n  width: wide\n  outline:\n    visible: true\n---\n\nText"],
          [{ pagination: false }, "---\nlayout:\n  pagination:\n    visible: false\n---\n\nText"],
        ] as const
      ).flatMap(([layout, markdown]): Scene[] => [
        {
          as: "edit",
          ask: "POST /v1/spaces/{space}/content",
          send: { changes: [{ operation: "update_page", page: "{stated}", layout }] },
          expect: 200,
        },
        { as: "read", ask: "GET /v1/spaces/{space}/content/page/{stated}", expect: 200, see: { markdown } },
      ]),
    ],
  },
  {
    title: "a merged revision names the change request, also as the one that the space shows",
    scenes: [
      aSpace,
      { as: "edit", ask: "POST /v1/spaces/{space}/change-requests", expect: 201, keep: { cr: "id" } },
      { as: "edit", ask: `POST ${inCr}/content`, send: { changes: [page("Page")] }, expect: 200 },
      { as: "review", ask: `POST ${inCr}/merge`, expect: 200, keep: { merged: "revision" } },
      ...["content", "revisions/{merged}"].map(
        (at): Scene => ({
          as: "read",
          ask: `GET /v1/spaces/{space}/${at}`,
          expect: 200,
          see: {
            id: "{merged}",
            type: "merge",
            mergedFrom: { object: "change-request", id: "{cr}", status: "merged" },
          },
        }),
      ),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions",
        expect: 200,
        see: {
          items: [{ mergedFrom: { id: "{cr}", revisionMerged: "{merged}" } }, { type: "edits", mergedFrom: undefined }],
        },
      },
    ],
  },
];
