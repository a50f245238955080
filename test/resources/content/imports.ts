// Imports as stories: every source, what is skipped, and what is refused.

import { ask, create, defineStory, get, type Scene, type Story, send } from "../scenario";
import { web } from "./imports-web";

const space: Scene = ask("create", "POST /v1/orgs/{org}/spaces", 201, {
  send: { title: "Guide" },
  keep: { space: "id", first: "revision" },
});

const from = (source: string, url: string, rest: Partial<Scene> = {}): Scene =>
  ask("edit", "POST /v1/spaces/{space}/content/import", 201, {
    send: { url, source },
    keep: { revision: "revision" },
    ...rest,
  });

const brings = (importedResources: number, totalResources = importedResources) => ({
  importedResources,
  totalResources,
  revision: (id: string) => id.startsWith("rev_"),
});

const refused = (reason: string, expect: number, see: object = {}): Partial<Scene> => ({
  expect,
  reason,
  see,
  keep: {},
});

const atUrl = (message?: string | ((text: string) => boolean)) => ({
  error: { issues: [{ path: "body.url", ...(message ? { message } : {}) }] },
});

/** The pages of a space, by title, those below in brackets. */
const pages = (...titles: (string | [string, string[]])[]): Scene =>
  get("read", "/v1/spaces/{space}/content/pages", {
    pages: titles.map((it) =>
      typeof it === "string" ? { title: it } : { title: it[0], pages: it[1].map((title) => ({ title })) },
    ),
  });

const files = (count: number): Scene => get("read", "/v1/spaces/{space}/content/files", { count });

const text = (path: string, isRight: (markdown: string) => boolean): Scene =>
  get("read", `/v1/spaces/{space}/content/path/${encodeURIComponent(path)}`, { markdown: isRight });

const report = (see: object): Scene =>
  get("read", "/v1/spaces/{space}/revisions/{revision}/import", {
    object: "import-report",
    revision: "{revision}",
    ...see,
  });

/** Imports into the page that was kept. */
const into = (source: string, what: object, rest: Partial<Scene> = {}): Scene =>
  ask("edit", "POST /v1/spaces/{space}/content/page/{page}/import", 201, {
    send: { source, ...what },
    keep: { revision: "revision" },
    ...rest,
  });

const markdown = (isRight: (markdown: string) => boolean): Scene =>
  get("read", "/v1/spaces/{space}/content/page/{page}", { markdown: isRight });

const at = (path: string) => ({ error: { issues: [{ path }] } });

const options = { fetch: web };

export const stories: Story[] = [
  defineStory(
    "a website is imported with its pages, links and images; what was left out is in the report",
    { options },
    [
      space,
      from("website", "https://site.example/docs/", { see: brings(3, 5) }),
      get("read", "/v1/spaces/{space}", { revision: "{revision}" }),
      pages("Home", "Install"),
      files(1),
      text("home", (it) => it.includes("/files/fil_") && it.includes("/pages/pag_")),
      report({
        source: "website",
        url: "https://site.example/docs/",
        ...brings(3, 5),
        revision: "{revision}",
        skipped: (it: { resource: string; reason: string }[]) =>
          JSON.stringify(it.map(({ resource }) => resource).sort()) ===
            JSON.stringify(["https://site.example/docs/closed", "https://site.example/docs/missing"]) &&
          it.some(({ reason }) => reason.includes("robots.txt")) &&
          it.some(({ reason }) => reason.includes("404")),
      }),
      ask("guest", "GET /v1/spaces/{space}/revisions/{revision}/import", "404 space_not_found"),
      ask("read", "GET /v1/spaces/{space}/revisions/{first}/import", "404 import_report_not_found"),
      ask("read", "GET /v1/spaces/{space}/revisions/rev_none/import", "404 revision_not_found"),
    ],
  ),
  defineStory("one page is imported, and the report keeps no query of a URL", { options }, [
    space,
    from("html", "https://site.example/one.html?key=s3cret", { see: brings(1, 2) }),
    pages("One page"),
    report({
      url: "https://site.example/one.html?…",
      skipped: [{ resource: "https://site.example/gone.png?…", reason: (it: string) => !it.includes("s3cret") }],
    }),
  ]),
  defineStory("a Markdown file is imported with the images beside it", { options }, [
    space,
    from("markdown", "https://files.example/guide.md", { see: brings(2, 3) }),
    pages("The guide"),
    files(1),
    report({ skipped: [{ resource: "pictures/b.png" }] }),
  ]),
  defineStory("a Word document is imported", { options }, [
    space,
    from("docx", "https://files.example/report.docx", { see: brings(2) }),
    pages("Annual report"),
    files(1),
    report({ source: "docx", skipped: [] }),
  ]),
  defineStory(
    "an archive is imported with its links and what its pages name; one that would lead out of itself is not",
    { options },
    [
      space,
      from("zip", "https://files.example/book.zip", { see: brings(3, 4) }),
      pages("Welcome", "First"),
      files(1),
      report({ skipped: [{ resource: "unused.bin", reason: "No page refers to it." }] }),
      from("zip", "https://files.example/slip.zip", {
        ...refused(
          "import_failed",
          422,
          atUrl((it) => it.includes("is outside the archive")),
        ),
      }),
    ],
  ),
  defineStory("the export of a Confluence space is imported", { options }, [
    space,
    from("confluence", "https://files.example/space.xml.zip", { see: brings(1) }),
    pages("Team space"),
  ]),
  defineStory("an export of Notion is imported", { options }, [
    space,
    from("notion", "https://files.example/notion.zip", { see: brings(2) }),
    pages(["Handbook", ["First"]]),
  ]),
  defineStory("a document of Google Docs is imported", { options }, [
    space,
    from("google-docs", "https://docs.google.com/document/d/1AbCdEfGhIjKlMnOp/edit", { see: brings(1) }),
    pages("The plan"),
  ]),
  defineStory("an import adds to what is there, under a revision that it was told of or none", { options }, [
    space,
    from("markdown", "https://files.example/plain.md", {
      headers: { "if-match": '"{first}"' },
      keep: { second: "revision" },
    }),
    from("markdown", "https://files.example/plain.md", {
      headers: { "if-match": '"{first}"' },
      ...refused("precondition_failed", 412),
      seeHeaders: { etag: (it) => it !== null },
    }),
    from("markdown", "https://files.example/plain.md", { headers: { "if-match": '"{second}"' } }),
    pages("Plain", "Plain"),
    text("plain-1", (it) => it.includes("Just a text.")),
    get("read", "/v1/spaces/{space}/revisions/{second}/import", brings(1)),
  ]),
  defineStory("an import that is repeated with its key is made once", { options }, [
    space,
    from("markdown", "https://files.example/plain.md", { headers: { "idempotency-key": "once" } }),
    from("markdown", "https://files.example/plain.md", {
      headers: { "idempotency-key": "once" },
      keep: {},
      see: { revision: "{revision}" },
      seeHeaders: { "idempotent-replayed": (it) => it !== null },
    }),
    pages("Plain"),
  ]),
  defineStory("imports that cannot be are refused, and change nothing", { options }, [
    space,
    from("markdown", "https://files.example/plain.md", { as: "comment", ...refused("forbidden", 403) }),
    from("markdown", "https://files.example/plain.md", { as: "guest", ...refused("space_not_found", 404) }),
    from(
      "markdown",
      "https://files.example/none.md",
      refused(
        "import_failed",
        422,
        atUrl((it) => it.includes("404")),
      ),
    ),
    from("website", "https://site.example/empty", refused("import_failed", 422, atUrl())),
    from("html", "https://site.example/empty", refused("import_failed", 422, atUrl())),
    from("docx", "https://files.example/plain.md", refused("import_failed", 422, atUrl())),
    from("zip", "https://files.example/notes.zip", refused("import_failed", 422, atUrl())),
    from("confluence", "https://files.example/book.zip", refused("import_failed", 422, atUrl())),
    from("notion", "https://files.example/plain.md", refused("import_failed", 422, atUrl())),
    from("google-docs", "https://files.example/plain.md", refused("import_failed", 422, atUrl())),
    from("github-wiki", "https://files.example/plain.md", refused("import_failed", 422, atUrl())),
    from("markdown", "file:///etc/passwd", refused("invalid_request", 400, atUrl())),
    from("markdown", "plain.md", refused("invalid_request", 400, atUrl())),
    from("markdown", `https://files.example/${"a".repeat(2048)}`, refused("invalid_request", 400, atUrl())),
    from("markdown", "https://ada:pa55@files.example/plain.md", refused("invalid_request", 400, atUrl())),
    from("gopher", "https://files.example/plain.md", {
      ...refused("invalid_request", 400, { error: { issues: [{ path: "body.source" }] } }),
    }),
    from("markdown", "https://files.example/plain.md", {
      send: { source: "markdown" },
      ...refused("invalid_request", 400, atUrl("This field is required.")),
    }),
    get("read", "/v1/spaces/{space}", { revision: "{first}" }),
    send("admin", "PATCH /v1/spaces/{space}", 200, { editMode: "locked" }),
    from("markdown", "https://files.example/plain.md", refused("space_locked", 412)),
  ]),
  defineStory("a server that reaches no other host imports nothing", [
    space,
    from("markdown", "https://files.example/plain.md", refused("no_outbound_fetch", 412)),
    pages(),
  ]),
  defineStory(
    "an import that takes too long brings what it found, or nothing at all",
    { options: { fetch: web, imports: { maxSeconds: 0.4 } } },
    [
      space,
      from("website", "https://site.example/stuck/", { see: brings(1, 2) }),
      pages("Stuck"),
      report({
        skipped: [{ resource: "https://site.example/stuck/never", reason: "The import had reached its time limit." }],
      }),
      from(
        "website",
        "https://slow.example/",
        refused(
          "import_failed",
          422,
          atUrl((it) => it.includes("time")),
        ),
      ),
      from(
        "markdown",
        "https://slow.example/",
        refused(
          "import_failed",
          422,
          atUrl((it) => it.includes("time")),
        ),
      ),
    ],
  ),
  defineStory(
    "an import takes no more pages than it may, and says so",
    { options: { fetch: web, imports: { maxPages: 1 } } },
    [
      space,
      from("zip", "https://files.example/book.zip", { see: brings(2, 4) }),
      pages("Welcome"),
      report({
        skipped: (it: { resource: string; reason: string }[]) =>
          it.some(({ resource, reason }) => resource === "first.md" && reason.includes("at most 1 pages")),
      }),
    ],
  ),
  defineStory(
    "no more bytes are taken than an import may have",
    { options: { fetch: web, imports: { maxBytes: 20 } } },
    [
      space,
      from(
        "zip",
        "https://files.example/book.zip",
        refused(
          "import_failed",
          422,
          atUrl((it) => it.includes("20 bytes")),
        ),
      ),
      from("html", "https://site.example/one.html?key=s3cret", refused("import_failed", 422, atUrl())),
    ],
  ),
  defineStory(
    "more imports than there may be at once are told to come again",
    { options: { fetch: web, imports: { maxAtOnce: 0 } } },
    [
      space,
      from("markdown", "https://files.example/plain.md", {
        ...refused("imports_busy", 503),
        seeHeaders: { "retry-after": "30" },
      }),
    ],
  ),
  defineStory("an import goes into a change request, and comes into the space by its merge", { options }, [
    space,
    create("edit", "POST /v1/spaces/{space}/change-requests", "cr", { subject: "Import" }),
    ask("edit", "POST /v1/spaces/{space}/change-requests/{cr}/content/import", 201, {
      send: { url: "https://files.example/guide.md", source: "markdown" },
      see: brings(2, 3),
      keep: { revision: "revision" },
    }),
    get("read", "/v1/spaces/{space}/change-requests/{cr}/content/pages", { pages: [{ title: "The guide" }] }),
    get("read", "/v1/spaces/{space}/change-requests/{cr}", { revision: "{revision}" }),
    report({ ...brings(2, 3), revision: "{revision}" }),
    pages(),
    send("comment", "POST /v1/spaces/{space}/change-requests/{cr}/content/import", "403 forbidden", {
      url: "https://files.example/guide.md",
      source: "markdown",
    }),
    send("edit", "POST /v1/spaces/{space}/change-requests/{cr}/content/import", "422 import_failed", {
      url: "https://files.example/none.md",
      source: "markdown",
    }),
    ask("admin", "POST /v1/spaces/{space}/change-requests/{cr}/merge", 200),
    pages("The guide"),
    send("edit", "POST /v1/spaces/{space}/change-requests/{cr}/content/import", "412 already_merged", {
      url: "https://files.example/guide.md",
      source: "markdown",
    }),
  ]),
  defineStory(
    "a text or a source is imported into a page: behind its own text, with further pages below it",
    { options },
    [
      space,
      ask("edit", "POST /v1/spaces/{space}/content", 200, {
        send: {
          changes: [
            {
              operation: "insert_page",
              document: { markdown: "---\nicon: x\n---\n\n# Page\n\nOurs[^1].\n\n[^1]: Our note.\n" },
            },
            { operation: "insert_group", title: "Group" },
          ],
        },
        keep: { page: "changes.0.page.id", group: "changes.1.page.id" },
      }),
      into("markdown", { text: "---\ndescription: no\n---\n\n# Theirs\n\nAdded.\n" }, { see: brings(1) }),
      markdown((it) => it === "---\nicon: x\n---\n\n# Page\n\nOurs[^1].\n\n[^1]: Our note.\n\nAdded.\n"),
      get("read", "/v1/spaces/{space}/revisions/{revision}/import", {
        source: "markdown",
        url: undefined,
        skipped: [],
        ...brings(1),
      }),
      into("markdown", { text: "Noted[^1].\n\n[^1]: Their note.\n" }),
      markdown((it) => it.includes("Ours[^1]") && it.includes("Noted[^2]") && it.includes("[^2]: Their note.")),
      into("html", { text: "<h1>T</h1><p>From <b>HTML</b></p><script>bad()</script>" }),
      markdown((it) => it.includes("From **HTML**") && !it.includes("bad()")),
      into("markdown", { url: "https://files.example/guide.md" }, { see: brings(2, 3) }),
      markdown((it) => it.includes("/files/fil_") && it.startsWith("---\nicon: x\n---\n\n# Page\n")),
      files(1),
      report({ url: "https://files.example/guide.md", skipped: [{ resource: "pictures/b.png" }] }),
      into("website", { url: "https://site.example/docs/" }, { see: brings(3, 5) }),
      pages(["Page", ["Install"]], "Group"),
      markdown((it) => it.includes("/pages/pag_")),
      into(
        "markdown",
        { text: "a", url: "https://files.example/guide.md" },
        refused("invalid_request", 400, at("body.text")),
      ),
      into("docx", { text: "a" }, refused("invalid_request", 400, at("body.source"))),
      into("markdown", {}, refused("invalid_request", 400, at("body.url"))),
      into("markdown", { text: " \n" }, refused("import_failed", 422, at("body.text"))),
      into("markdown", { text: "x".repeat(1024 * 1024) }, refused("import_failed", 422, at("body"))),
      into("markdown", { text: "a", more: 1 }, refused("invalid_request", 400, at("body.more"))),
      {
        ...into("markdown", { text: "a" }, refused("page_not_found", 404)),
        ask: "POST /v1/spaces/{space}/content/page/pag_none/import",
      },
      {
        ...into("markdown", { text: "a" }, refused("invalid_request", 400, at("params.pageId"))),
        ask: "POST /v1/spaces/{space}/content/page/{group}/import",
      },
      { ...into("markdown", { text: "a" }, refused("forbidden", 403)), as: "comment" },
    ],
  ),
  defineStory(
    "a text is imported into a page of a change request, and the space has it when that is merged",
    { options },
    [
      space,
      ask("edit", "POST /v1/spaces/{space}/content", 200, {
        send: { changes: [{ operation: "insert_page", title: "Page", document: {} }] },
        keep: { page: "changes.0.page.id" },
      }),
      create("edit", "POST /v1/spaces/{space}/change-requests", "cr", { subject: "Import" }),
      {
        ...into("markdown", { text: "Added.\n" }, { see: brings(1) }),
        ask: "POST /v1/spaces/{space}/change-requests/{cr}/content/page/{page}/import",
      },
      report({ ...brings(1), revision: "{revision}" }),
      markdown((it) => it === ""),
      {
        ...into("markdown", { text: "a" }, refused("page_not_found", 404)),
        ask: "POST /v1/spaces/{space}/change-requests/{cr}/content/page/pag_none/import",
      },
      ask("admin", "POST /v1/spaces/{space}/change-requests/{cr}/merge", 200),
      markdown((it) => it === "Added.\n"),
    ],
  ),
];
