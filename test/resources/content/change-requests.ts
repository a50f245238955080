// Change requests as stories.

import { page, type Scene, type Story } from "../scenario";

const space: Scene = {
  as: "create",
  ask: "POST /v1/orgs/{org}/spaces",
  send: { title: "Guide", editMode: "locked" },
  expect: 201,
  keep: { space: "id", first: "revision" },
};
const unlock: Scene = { as: "create", ask: "PATCH /v1/spaces/{space}", send: { editMode: "live" }, expect: 200 };

const propose = (name = "cr", rest: Partial<Scene> = {}): Scene => ({
  as: "edit",
  ask: "POST /v1/spaces/{space}/change-requests",
  send: { subject: "More pages" },
  expect: 201,
  keep: { [name]: "id" },
  ...rest,
});

const write = (changes: object[], rest: Partial<Scene> = {}): Scene => ({
  as: "edit",
  ask: "POST /v1/spaces/{space}/change-requests/{cr}/content?compat=false",
  send: { changes },
  expect: 200,
  ...rest,
});

const at = "/v1/spaces/{space}/change-requests/{cr}";

export const stories: Story[] = [
  {
    title: "a change request is made, numbered, listed, renamed, opened and archived",
    scenes: [
      space,
      propose("cr", {
        see: {
          object: "change-request",
          number: 1,
          status: "draft",
          subject: "More pages",
          createdBy: { id: "{edit}" },
          revision: "{first}",
          revisionInitial: "{first}",
          outdated: false,
          comments: 0,
          conflicts: 0,
        },
        seeHeaders: { location: (url) => url?.includes("/change-requests/chr_") === true },
      }),
      propose("second", { as: "review", send: undefined as never, see: { number: 2, subject: "" } }),
      { as: "read", ask: "GET /v1/spaces/{space}/change-requests", expect: 200, see: { count: 0 } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/change-requests?status=draft",
        expect: 200,
        see: { count: 2, items: [{ number: 2 }, { number: 1 }] },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/change-requests?status=draft&contributor={edit}",
        expect: 200,
        see: { count: 1, items: [{ id: "{cr}" }] },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/change-requests?status=no", expect: 400 },
      {
        as: "edit",
        ask: `PATCH ${at}`,
        send: { status: "open", subject: "Better" },
        expect: 200,
        see: { status: "open", subject: "Better" },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/change-requests/1", expect: 200, see: { id: "{cr}" } },
      { as: "read", ask: "GET /v1/spaces/{space}/change-requests/3", expect: 404, reason: "change_request_not_found" },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}",
        expect: 200,
        see: { changeRequests: 2, changeRequestsOpen: 1, changeRequestsDraft: 1 },
      },
      { as: "edit", ask: `PATCH ${at}`, send: { status: "merged" }, expect: 412, reason: "merged_by_merging" },
      { as: "comment", ask: `PATCH ${at}`, send: { subject: "X" }, expect: 403, reason: "forbidden" },
      { as: "edit", ask: `PATCH ${at}`, send: { status: "archived" }, expect: 200, see: { status: "archived" } },
      write([page("A")], { expect: 412, reason: "change_request_archived" }),
      { as: "review", ask: `POST ${at}/merge`, expect: 412, reason: "change_request_archived" },
      { as: "edit", ask: `POST ${at}/update`, expect: 412, reason: "change_request_archived" },
      { as: "edit", ask: `PATCH ${at}`, send: { status: "open" }, expect: 200, see: { status: "open" } },
      { as: "comment", ask: "POST /v1/spaces/{space}/change-requests", expect: 403, reason: "forbidden" },
      { as: "rival", ask: "GET /v1/spaces/{space}/change-requests", expect: 404, reason: "space_not_found" },
      { as: "guest", ask: `GET ${at}`, expect: 404, reason: "space_not_found" },
    ],
  },
  {
    title: "links that a change request breaks are told apart from those that were broken before",
    scenes: [
      space,
      { as: "create", ask: "PATCH /v1/spaces/{space}", send: { editMode: "live" }, expect: 200 },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content",
        send: {
          changes: [
            { operation: "insert_page", title: "Target", document: { markdown: "Here.\n" } },
            { operation: "insert_page", title: "Source", document: { markdown: "[a](target.md) [b](absent.md)\n" } },
          ],
        },
        expect: 200,
        keep: { target: "changes.0.page.id", source: "changes.1.page.id" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/links",
        expect: 200,
        see: { stats: { total: 2, broken: { total: 1, changeRequest: 0 } } },
      },
      propose(),
      { as: "read", ask: `GET ${at}/links`, expect: 200, see: { stats: { broken: { total: 1, changeRequest: 0 } } } },
      write([{ operation: "delete_page", page: "{target}" }]),
      {
        as: "read",
        ask: `GET ${at}/links`,
        expect: 200,
        see: { stats: { total: 2, broken: { total: 2, changeRequest: 1 } } },
      },
      {
        as: "read",
        ask: `GET ${at}/content/page/{source}/links`,
        expect: 200,
        see: { stats: { total: 2, broken: { total: 2, changeRequest: 1 } } },
      },
    ],
  },
  {
    title: "changes are written in a change request, read there, and not in the space until it is merged",
    scenes: [
      space,
      propose(),
      write([page("New", "Hello [there](https://example.com/).\n")], {
        see: { changeRequest: { id: "{cr}" }, changes: [{ object: "created_page" }] },
        keep: { page: "changes.0.page.id", written: "changeRequest.revision" },
      }),
      {
        as: "edit",
        ask: `POST ${at}/content`,
        send: {
          changes: [
            {
              operation: "insert_files",
              files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("a"), ref: "a" }],
            },
            { operation: "insert_reusable_content", title: "Note", document: { markdown: "n" } },
          ],
        },
        expect: 200,
        see: { object: "change-request", changes: undefined },
      },
      {
        as: "read",
        ask: `GET ${at}/content`,
        expect: 200,
        see: {
          pages: [{ id: "{page}", path: "new" }],
          files: [{ name: "a.txt" }],
          reusableContents: [{ title: "Note" }],
        },
        keep: { file: "files.0.id", reusable: "reusableContents.0.id" },
      },
      { as: "read", ask: `GET ${at}/content/pages`, expect: 200, see: { pages: [{ id: "{page}" }] } },
      { as: "read", ask: `GET ${at}/content/page/{page}`, expect: 200, see: { title: "New" } },
      { as: "read", ask: `GET ${at}/content/path/new?format=document`, expect: 200, see: { id: "{page}" } },
      { as: "read", ask: `GET ${at}/content/files`, expect: 200, see: { count: 1 } },
      { as: "read", ask: `GET ${at}/content/files/{file}`, expect: 200, see: { name: "a.txt" } },
      { as: "read", ask: `GET ${at}/content/files/{file}/backlinks`, expect: 200, see: { count: 0 } },
      { as: "read", ask: `GET ${at}/content/reusable-contents/{reusable}`, expect: 200, see: { title: "Note" } },
      { as: "read", ask: `GET ${at}/content/page/{page}/links`, expect: 200, see: { count: 1 } },
      { as: "read", ask: `GET ${at}/content/page/{page}/backlinks`, expect: 200, see: { count: 0 } },
      { as: "read", ask: `GET ${at}/links`, expect: 200, see: { count: 1, stats: { total: 1 } } },
      {
        as: "read",
        ask: `GET ${at}/changes`,
        expect: 200,
        see: { counts: { page_created: 1, file_created: 1, reusable_content_created: 1 } },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/pages", expect: 200, see: { pages: [] } },
      { as: "edit", ask: `POST ${at}/merge`, expect: 403, reason: "forbidden" },
      { as: "review", ask: `POST ${at}/merge`, expect: 200, see: { result: "merge" }, keep: { merged: "revision" } },
      { as: "read", ask: "GET /v1/spaces/{space}", expect: 200, see: { revision: "{merged}", changeRequestsOpen: 0 } },
      {
        as: "read",
        ask: `GET ${at}`,
        expect: 200,
        see: { status: "merged", revisionMerged: "{merged}", outdated: false },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/page/{page}", expect: 200, see: { title: "New" } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions",
        expect: 200,
        see: { count: 2, items: [{ id: "{merged}", type: "merge" }, { id: "{first}" }] },
      },
      { as: "review", ask: `POST ${at}/merge`, expect: 412, reason: "already_merged" },
      write([page("Late")], { expect: 412, reason: "already_merged" }),
      { as: "edit", ask: `PATCH ${at}`, send: { status: "open" }, expect: 412, reason: "already_merged" },
      ...[
        "content",
        "content/pages",
        "content/page/{page}",
        "content/path/new",
        "content/files",
        "changes",
        "links",
      ].map(
        (tail): Scene => ({
          as: "read",
          ask: `GET /v1/spaces/{space}/change-requests/99/${tail}`,
          expect: 404,
          reason: "change_request_not_found",
        }),
      ),
      ...[
        ["content/files/fil_none", "file_not_found"],
        ["content/files/fil_none/backlinks", "file_not_found"],
        ["content/page/pag_none/links", "page_not_found"],
        ["content/page/pag_none/backlinks", "page_not_found"],
        ["content/reusable-contents/reu_none", "reusable_content_not_found"],
      ].map(([tail, reason]): Scene => ({ as: "read", ask: `GET ${at}/${tail}`, expect: 404, reason: reason! })),
      write([{ operation: "delete_page", page: "pag_none" }], { expect: 412 }),
    ],
  },
  {
    title:
      "two change requests that touch different things both get in; the later one is out of date until it is updated",
    scenes: [
      space,
      unlock,
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content",
        send: { changes: [page("One", "First line.\n\nSecond line.\n"), page("Two", "Two.\n")] },
        expect: 200,
        keep: { one: "changes.0.page.id", two: "changes.1.page.id" },
      },
      propose(),
      propose("other"),
      write([
        { operation: "update_page", page: "{one}", document: { markdown: "First line, changed.\n\nSecond line.\n" } },
      ]),
      write(
        [{ operation: "update_page", page: "{one}", document: { markdown: "First line.\n\nSecond line, changed.\n" } }],
        {
          ask: "POST /v1/spaces/{space}/change-requests/{other}/content",
        },
      ),
      { as: "review", ask: `POST ${at}/merge`, expect: 200, see: { result: "merge" } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/change-requests/{other}",
        expect: 200,
        see: { outdated: true, revisionMergedAncestor: undefined },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/change-requests/{other}/update",
        expect: 200,
        see: { result: "update", conflicts: undefined },
        keep: { updated: "revision" },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/change-requests/{other}/update",
        expect: 200,
        see: { result: "update", revision: "{updated}" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/change-requests/{other}",
        expect: 200,
        see: { outdated: false, revisionMergedAncestor: (id: string) => id.startsWith("rev_") },
      },
      {
        as: "review",
        ask: "POST /v1/spaces/{space}/change-requests/{other}/merge",
        expect: 200,
        see: { result: "merge" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{one}",
        expect: 200,
        see: { markdown: "First line, changed.\n\nSecond line, changed.\n" },
      },
    ],
  },
  {
    title: "a conflict merges nothing, names both sides, and is settled by writing in the page again",
    scenes: [
      space,
      unlock,
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content",
        send: { changes: [page("One", "The line.\n")] },
        expect: 200,
        keep: { one: "changes.0.page.id" },
      },
      propose(),
      write([{ operation: "update_page", page: "{one}", document: { markdown: "The line of theirs.\n" } }]),
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content",
        send: { changes: [{ operation: "update_page", page: "{one}", document: { markdown: "The line of ours.\n" } }] },
        expect: 200,
        keep: { primary: "revision" },
      },
      {
        as: "review",
        ask: `POST ${at}/merge`,
        expect: 200,
        see: { result: "conflicts", revision: "{primary}", conflicts: [{ kind: "text", page: "{one}" }] },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{one}",
        expect: 200,
        see: { markdown: "The line of ours.\n" },
      },
      {
        as: "edit",
        ask: `POST ${at}/update`,
        expect: 200,
        see: { result: "conflicts", conflicts: [{ kind: "text", page: "{one}" }] },
      },
      { as: "read", ask: `GET ${at}`, expect: 200, see: { conflicts: 1, outdated: false } },
      { as: "review", ask: `POST ${at}/merge`, expect: 200, see: { result: "conflicts" } },
      { as: "edit", ask: `POST ${at}/update`, expect: 200, see: { result: "conflicts", conflicts: [{}] } },
      write([{ operation: "update_page", page: "{one}", document: { markdown: "The line of both.\n" } }], {
        see: { changeRequest: { conflicts: 0 } },
      }),
      { as: "review", ask: `POST ${at}/merge`, expect: 200, see: { result: "merge" } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{one}",
        expect: 200,
        see: { markdown: "The line of both.\n" },
      },
    ],
  },
  {
    title: "people are asked for reviews, and give them",
    scenes: [
      space,
      propose(),
      { as: "edit", ask: `POST ${at}/requested-reviewers`, send: { users: ["{review}", "{create}"] }, expect: 200 },
      {
        as: "read",
        ask: `GET ${at}/requested-reviewers`,
        expect: 200,
        see: { count: 2, items: [{ object: "change-request-requested-reviewer" }, {}] },
      },
      {
        as: "edit",
        ask: `POST ${at}/requested-reviewers`,
        send: { users: ["{read}"] },
        expect: 400,
        see: { error: { issues: [{ path: "body.users.0" }] } },
      },
      {
        as: "review",
        ask: `POST ${at}/reviews`,
        send: { status: "changes-requested" },
        expect: 201,
        see: { object: "change-request-review", reviewer: { id: "{review}" }, revision: "{first}", outdated: false },
      },
      { as: "edit", ask: `POST ${at}/reviews`, send: { status: "approved" }, expect: 403, reason: "forbidden" },
      { as: "review", ask: `POST ${at}/reviews`, send: { status: "fine" }, expect: 400 },
      write([page("A")]),
      {
        as: "read",
        ask: `GET ${at}/reviews`,
        expect: 200,
        see: { count: 1, items: [{ status: "changes-requested", outdated: true }] },
      },
      {
        as: "read",
        ask: `GET ${at}/requested-reviewers`,
        expect: 200,
        see: { count: 1, items: [{ user: { id: "{create}" } }] },
      },
      { as: "edit", ask: `DELETE ${at}/requested-reviewers/{create}`, expect: 204 },
      { as: "edit", ask: `DELETE ${at}/requested-reviewers/{create}`, expect: 204 },
      { as: "comment", ask: `DELETE ${at}/requested-reviewers/{create}`, expect: 403 },
      { as: "read", ask: `GET ${at}/requested-reviewers`, expect: 200, see: { count: 0 } },
      { as: "rival", ask: `GET ${at}/reviews`, expect: 404 },
      { as: "rival", ask: `GET ${at}/requested-reviewers`, expect: 404 },
    ],
  },
];
