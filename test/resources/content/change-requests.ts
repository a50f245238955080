// Change requests as stories.

import { ask, defineStory, get, list, page, refuse, type Scene, type Story, send } from "../scenario";

const space: Scene = ask("create", "POST /v1/orgs/{org}/spaces", 201, {
  send: { title: "Guide", editMode: "locked" },
  keep: { space: "id", first: "revision" },
});
const unlock: Scene = send("create", "PATCH /v1/spaces/{space}", 200, { editMode: "live" });

const propose = (name = "cr", rest: Partial<Scene> = {}): Scene =>
  ask("edit", "POST /v1/spaces/{space}/change-requests", 201, {
    send: { subject: "More pages" },
    keep: { [name]: "id" },
    ...rest,
  });

const write = (changes: object[], rest: Partial<Scene> = {}): Scene =>
  ask("edit", "POST /v1/spaces/{space}/change-requests/{cr}/content?compat=false", 200, { send: { changes }, ...rest });

const at = "/v1/spaces/{space}/change-requests/{cr}";

export const stories: Story[] = [
  defineStory("a change request is made, numbered, listed, renamed, opened and archived", [
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
    get("read", "/v1/spaces/{space}/change-requests", { count: 0 }),
    list("read", "/v1/spaces/{space}/change-requests?status=draft", [{ number: 2 }, { number: 1 }]),
    list("read", "/v1/spaces/{space}/change-requests?status=draft&contributor={edit}", [{ id: "{cr}" }]),
    ask("read", "GET /v1/spaces/{space}/change-requests?status=no", 400),
    ask("edit", `PATCH ${at}`, 200, {
      send: { status: "open", subject: "Better" },
      see: { status: "open", subject: "Better" },
    }),
    get("read", "/v1/spaces/{space}/change-requests/1", { id: "{cr}" }),
    ask("read", "GET /v1/spaces/{space}/change-requests/3", "404 change_request_not_found"),
    get("read", "/v1/spaces/{space}", { changeRequests: 2, changeRequestsOpen: 1, changeRequestsDraft: 1 }),
    send("edit", `PATCH ${at}`, "412 merged_by_merging", { status: "merged" }),
    send("comment", `PATCH ${at}`, "403 forbidden", { subject: "X" }),
    ask("edit", `PATCH ${at}`, 200, { send: { status: "archived" }, see: { status: "archived" } }),
    write([page("A")], { expect: 412, reason: "change_request_archived" }),
    ask("review", `POST ${at}/merge`, "412 change_request_archived"),
    ask("edit", `POST ${at}/update`, "412 change_request_archived"),
    ask("edit", `PATCH ${at}`, 200, { send: { status: "open" }, see: { status: "open" } }),
    ask("comment", "POST /v1/spaces/{space}/change-requests", "403 forbidden"),
    ask("guest", `GET ${at}`, "404 space_not_found"),
  ]),
  defineStory("links that a change request breaks are told apart from those that were broken before", [
    space,
    send("create", "PATCH /v1/spaces/{space}", 200, { editMode: "live" }),
    ask("edit", "POST /v1/spaces/{space}/content", 200, {
      send: {
        changes: [
          { operation: "insert_page", title: "Target", document: { markdown: "Here.\n" } },
          { operation: "insert_page", title: "Source", document: { markdown: "[a](target.md) [b](absent.md)\n" } },
        ],
      },
      keep: { target: "changes.0.page.id", source: "changes.1.page.id" },
    }),
    get("read", "/v1/spaces/{space}/links", { stats: { total: 2, broken: { total: 1, changeRequest: 0 } } }),
    propose(),
    get("read", `${at}/links`, { stats: { broken: { total: 1, changeRequest: 0 } } }),
    write([{ operation: "delete_page", page: "{target}" }]),
    get("read", `${at}/links`, { stats: { total: 2, broken: { total: 2, changeRequest: 1 } } }),
    get("read", `${at}/content/page/{source}/links`, { stats: { total: 2, broken: { total: 2, changeRequest: 1 } } }),
  ]),
  defineStory("changes are written in a change request, read there, and not in the space until it is merged", [
    space,
    propose(),
    write([page("New", "Hello [there](https://example.com/).\n")], {
      see: { changeRequest: { id: "{cr}" }, changes: [{ object: "created_page" }] },
      keep: { page: "changes.0.page.id", written: "changeRequest.revision" },
    }),
    ask("edit", `POST ${at}/content`, 200, {
      send: {
        changes: [
          {
            operation: "insert_files",
            files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("a"), ref: "a" }],
          },
          { operation: "insert_reusable_content", title: "Note", document: { markdown: "n" } },
        ],
      },
      see: { object: "change-request", changes: undefined },
    }),
    ask("read", `GET ${at}/content`, 200, {
      see: {
        pages: [{ id: "{page}", path: "new" }],
        files: [{ name: "a.txt" }],
        reusableContents: [{ title: "Note" }],
      },
      keep: { file: "files.0.id", reusable: "reusableContents.0.id" },
    }),
    get("read", `${at}/content/pages`, { pages: [{ id: "{page}" }] }),
    get("read", `${at}/content/page/{page}`, { title: "New" }),
    get("read", `${at}/content/path/new?format=document`, { id: "{page}" }),
    get("read", `${at}/content/files`, { count: 1 }),
    get("read", `${at}/content/files/{file}`, { name: "a.txt" }),
    get("read", `${at}/content/files/{file}/backlinks`, { count: 0 }),
    get("read", `${at}/content/reusable-contents/{reusable}`, { title: "Note" }),
    get("read", `${at}/content/page/{page}/links`, { count: 1 }),
    get("read", `${at}/content/page/{page}/backlinks`, { count: 0 }),
    get("read", `${at}/links`, { count: 1, stats: { total: 1 } }),
    get("read", `${at}/changes`, { counts: { page_created: 1, file_created: 1, reusable_content_created: 1 } }),
    get("read", "/v1/spaces/{space}/content/pages", { pages: [] }),
    ask("edit", `POST ${at}/merge`, "403 forbidden"),
    ask("review", `POST ${at}/merge`, 200, { see: { result: "merge" }, keep: { merged: "revision" } }),
    get("read", "/v1/spaces/{space}", { revision: "{merged}", changeRequestsOpen: 0 }),
    get("read", at, { status: "merged", revisionMerged: "{merged}", outdated: false }),
    get("read", "/v1/spaces/{space}/content/page/{page}", { title: "New" }),
    list("read", "/v1/spaces/{space}/revisions", [{ id: "{merged}", type: "merge" }, { id: "{first}" }]),
    ask("review", `POST ${at}/merge`, "412 already_merged"),
    write([page("Late")], { expect: 412, reason: "already_merged" }),
    send("edit", `PATCH ${at}`, "412 already_merged", { status: "open" }),
    ...["content", "content/pages", "content/page/{page}", "content/path/new", "content/files", "changes", "links"].map(
      (tail): Scene => ask("read", `GET /v1/spaces/{space}/change-requests/99/${tail}`, "404 change_request_not_found"),
    ),
    ...[
      ["content/files/fil_none", "file_not_found"],
      ["content/files/fil_none/backlinks", "file_not_found"],
      ["content/page/pag_none/links", "page_not_found"],
      ["content/page/pag_none/backlinks", "page_not_found"],
      ["content/reusable-contents/reu_none", "reusable_content_not_found"],
    ].map(([tail, reason]): Scene => ask("read", `GET ${at}/${tail}`, 404, { reason: reason! })),
    write([{ operation: "delete_page", page: "pag_none" }], { expect: 412 }),
  ]),
  defineStory(
    "two change requests that touch different things both get in; the later one is out of date until it is updated",
    [
      space,
      unlock,
      ask("edit", "POST /v1/spaces/{space}/content", 200, {
        send: { changes: [page("One", "First line.\n\nSecond line.\n"), page("Two", "Two.\n")] },
        keep: { one: "changes.0.page.id", two: "changes.1.page.id" },
      }),
      propose(),
      propose("other"),
      write([
        { operation: "update_page", page: "{one}", document: { markdown: "First line, changed.\n\nSecond line.\n" } },
      ]),
      write(
        [{ operation: "update_page", page: "{one}", document: { markdown: "First line.\n\nSecond line, changed.\n" } }],
        { ask: "POST /v1/spaces/{space}/change-requests/{other}/content" },
      ),
      ask("review", `POST ${at}/merge`, 200, { see: { result: "merge" } }),
      get("read", "/v1/spaces/{space}/change-requests/{other}", { outdated: true, revisionMergedAncestor: undefined }),
      ask("edit", "POST /v1/spaces/{space}/change-requests/{other}/update", 200, {
        see: { result: "update", conflicts: undefined },
        keep: { updated: "revision" },
      }),
      ask("edit", "POST /v1/spaces/{space}/change-requests/{other}/update", 200, {
        see: { result: "update", revision: "{updated}" },
      }),
      get("read", "/v1/spaces/{space}/change-requests/{other}", {
        outdated: false,
        revisionMergedAncestor: (id: string) => id.startsWith("rev_"),
      }),
      ask("review", "POST /v1/spaces/{space}/change-requests/{other}/merge", 200, { see: { result: "merge" } }),
      get("read", "/v1/spaces/{space}/content/page/{one}", {
        markdown: "First line, changed.\n\nSecond line, changed.\n",
      }),
    ],
  ),
  defineStory("a conflict merges nothing, names both sides, and is settled by writing in the page again", [
    space,
    unlock,
    ask("edit", "POST /v1/spaces/{space}/content", 200, {
      send: { changes: [page("One", "The line.\n")] },
      keep: { one: "changes.0.page.id" },
    }),
    propose(),
    write([{ operation: "update_page", page: "{one}", document: { markdown: "The line of theirs.\n" } }]),
    ask("edit", "POST /v1/spaces/{space}/content", 200, {
      send: { changes: [{ operation: "update_page", page: "{one}", document: { markdown: "The line of ours.\n" } }] },
      keep: { primary: "revision" },
    }),
    ask("review", `POST ${at}/merge`, 200, {
      see: { result: "conflicts", revision: "{primary}", conflicts: [{ kind: "text", page: "{one}" }] },
    }),
    get("read", "/v1/spaces/{space}/content/page/{one}", { markdown: "The line of ours.\n" }),
    ask("edit", `POST ${at}/update`, 200, {
      see: { result: "conflicts", conflicts: [{ kind: "text", page: "{one}" }] },
    }),
    get("read", at, { conflicts: 1, outdated: false }),
    ask("review", `POST ${at}/merge`, 200, { see: { result: "conflicts" } }),
    ask("edit", `POST ${at}/update`, 200, { see: { result: "conflicts", conflicts: [{}] } }),
    write([{ operation: "update_page", page: "{one}", document: { markdown: "The line of both.\n" } }], {
      see: { changeRequest: { conflicts: 0 } },
    }),
    ask("review", `POST ${at}/merge`, 200, { see: { result: "merge" } }),
    get("read", "/v1/spaces/{space}/content/page/{one}", { markdown: "The line of both.\n" }),
  ]),
  defineStory("those who edit a change request are listed with the number of their edits, the latest first", [
    space,
    propose(),
    // Whoever only opened it has not edited it.
    list("read", `/v1/spaces/{space}/change-requests/{cr}/contributors`, []),
    write([page("A")]),
    write([page("B")], { after: 1000 }),
    write([page("C")], { as: "review", after: 1000 }),
    list("read", `${at}/contributors`, [
      { user: { object: "user", id: "{review}" }, actionType: "edit", count: 1 },
      { user: { id: "{edit}" }, actionType: "edit", count: 2 },
    ]),
    get("read", `${at}/contributors?limit=1`, { count: 2, items: [{ user: { id: "{review}" } }] }),
    write([page("D")], { after: 1000 }),
    write([{ operation: "delete_page", page: "pag_none" }], { expect: 400 }),
    list("read", "/v1/spaces/{space}/change-requests/1/contributors", [
      { user: { id: "{edit}" }, count: 3 },
      { user: { id: "{review}" }, count: 1 },
    ]),
    ask("review", `POST ${at}/merge`, 200),
    get("read", `${at}/contributors`, { count: 2 }),
    ask("read", "GET /v1/spaces/{space}/change-requests/9/contributors", "404 change_request_not_found"),
    send("admin", "PATCH /v1/spaces/{space}", 200, { defaultLevel: null }),
    ask("read", `GET ${at}/contributors`, "404 space_not_found"),
    ask("rival", `GET ${at}/contributors`, "404 space_not_found"),
  ]),
  defineStory("people are asked for reviews, and give them", [
    space,
    propose(),
    send("edit", `POST ${at}/requested-reviewers`, 200, { users: ["{review}", "{create}"] }),
    list("read", `${at}/requested-reviewers`, [{ object: "change-request-requested-reviewer" }, {}]),
    refuse("edit", `POST ${at}/requested-reviewers`, "body.users.0", { users: ["{read}"] }),
    ask("review", `POST ${at}/reviews`, 201, {
      send: { status: "changes-requested" },
      see: { object: "change-request-review", reviewer: { id: "{review}" }, revision: "{first}", outdated: false },
      keep: { one: "id" },
    }),
    get("read", `${at}/reviews/{one}`, { id: "{one}", status: "changes-requested", outdated: false }),
    ask("read", `GET ${at}/reviews/rvw_none`, "404 review_not_found"),
    ask("read", "GET /v1/spaces/{space}/change-requests/chr_none/reviews/{one}", "404 change_request_not_found"),
    propose("other"),
    ask("read", "GET /v1/spaces/{space}/change-requests/{other}/reviews/{one}", "404 review_not_found"),
    ask("rival", `GET ${at}/reviews/{one}`, "404 space_not_found"),
    send("edit", `POST ${at}/reviews`, "403 forbidden", { status: "approved" }),
    send("review", `POST ${at}/reviews`, 400, { status: "fine" }),
    write([page("A")]),
    list("read", `${at}/reviews`, [{ status: "changes-requested", outdated: true }]),
    get("read", `${at}/reviews/{one}`, { outdated: true }),
    list("read", `${at}/requested-reviewers`, [{ user: { id: "{create}" } }]),
    ask("edit", `DELETE ${at}/requested-reviewers/{create}`, 204),
    ask("edit", `DELETE ${at}/requested-reviewers/{create}`, 204),
    ask("comment", `DELETE ${at}/requested-reviewers/{create}`, 403),
    get("read", `${at}/requested-reviewers`, { count: 0 }),
    ask("rival", `GET ${at}/reviews`, 404),
    ask("rival", `GET ${at}/requested-reviewers`, 404),
  ]),
];
