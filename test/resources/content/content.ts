// The content of spaces as stories.

import { HOUR } from "../../support/setting";
import { ask, defineStory, get, list, page, refuse, type Scene, type Story, send } from "../scenario";

const space: Scene = ask("create", "POST /v1/orgs/{org}/spaces", 201, {
  send: { title: "Guide" },
  see: { revision: (id: string) => id.startsWith("rev_") },
  keep: { space: "id", first: "revision" },
});

/** A batch of changes, as somebody. */
const change = (changes: object[], rest: Partial<Scene> = {}): Scene =>
  ask("edit", "POST /v1/spaces/{space}/content", 200, { send: { changes }, ...rest });

const refused = (at: string, message?: string) => ({
  expect: 400,
  reason: "invalid_request",
  see: { error: { issues: [{ path: `body.changes.${at}`, ...(message ? { message } : {}) }] } },
});

const linked = (ref: object, text: string) => ({
  object: "inline",
  type: "link",
  isVoid: false,
  data: { ref },
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }],
});

export const stories: Story[] = [
  defineStory("pages are written, read and listed", [
    space,
    get("read", "/v1/spaces/{space}/content", {
      object: "revision",
      id: "{first}",
      parents: [],
      pages: [],
      files: [],
      reusableContents: [],
      variables: {},
    }),
    change(
      [
        page("Getting started", "Welcome.\n", { ref: "start", emoji: "1f44b", description: "Begin here" }),
        page("Install", "Run it.\n", { into: "start" }),
        page("Home", "---\ndescription: From the text\n---\n# The real title\n\nHello.\n", { at: 0 }),
      ],
      {
        see: {
          revision: (id: string) => id.startsWith("rev_"),
          changes: [
            { object: "created_page", ref: "start", page: { object: "page" } },
            { object: "created_page" },
            { object: "created_page" },
          ],
        },
        keep: {
          start: "changes.0.page.id",
          install: "changes.1.page.id",
          home: "changes.2.page.id",
          second: "revision",
        },
      },
    ),
    get("read", "/v1/spaces/{space}", { revision: "{second}" }),
    ask("read", "GET /v1/spaces/{space}/content/pages", 200, {
      see: {
        pages: [
          { id: "{home}", title: "The real title", slug: "the-real-title", description: "From the text", pages: [] },
          {
            id: "{start}",
            type: "document",
            title: "Getting started",
            path: "getting-started",
            emoji: "1f44b",
            pages: [{ id: "{install}", path: "getting-started/install" }],
          },
        ],
      },
      seeHeaders: { etag: '"{second}"' },
    }),
    ask("read", "GET /v1/spaces/{space}/content/pages", 304, { headers: { "if-none-match": '"{second}"' } }),
    get("read", "/v1/spaces/{space}/content/page/{home}", {
      markdown: "---\ndescription: From the text\n---\n# The real title\n\nHello.\n",
      path: "the-real-title",
    }),
    get("read", "/v1/spaces/{space}/content/page/{home}?format=document", {
      markdown: undefined,
      document: { object: "document", nodes: [{ object: "block", type: "paragraph" }] },
    }),
    get("read", "/v1/spaces/{space}/content/path/getting-started/install", { id: "{install}", markdown: "Run it.\n" }),
    get("read", "/v1/spaces/{space}/content?metadata=false&computed=false", {
      id: "{second}",
      parents: ["{first}"],
      type: "edits",
      pages: [{}, { pages: [{}] }],
    }),
    ask("read", "GET /v1/spaces/{space}/content?computed=yes", "400 invalid_request"),
    ask("guest", "GET /v1/spaces/{space}/content/pages", "404 space_not_found"),
    ask("read", "GET /v1/spaces/{space}/content/page/pag_nowhere", "404 page_not_found"),
    ask("read", "GET /v1/spaces/{space}/content/path/nowhere/at/all", "404 page_not_found"),
    refuse("read", "GET /v1/spaces/{space}/content/page/{home}?format=html", "query.format"),
  ]),
  defineStory("a batch is made wholly or not at all, and names what is wrong with it", [
    space,
    change([page("One"), { operation: "delete_page", page: "pag_none" }], refused("1.page", "Page not found")),
    get("read", "/v1/spaces/{space}", { revision: "{first}" }),
    change([], refused("", undefined) && { expect: 400, see: { error: { issues: [{ path: "body.changes" }] } } }),
    change([{ operation: "explode" }], {
      expect: 400,
      see: { error: { issues: [{ path: "body.changes.0.operation" }] } },
    }),
    change([page("A", "", { color: "red" })], refused("0.color", "Unknown field.")),
    change([page("A", "", { ref: "x" }), page("B", "", { ref: "x" })], refused("1.ref")),
    change([page("A", "", { into: "nothing" })], refused("0.into", "Page not found")),
    change([page("A", "", { slug: "../up" })], refused("0.slug")),
    change([page("A", "", { condition: "visitor.claims.(" })], refused("0.condition")),
    change([{ operation: "insert_page", title: "A" }], refused("0.document")),
    change(
      [{ operation: "insert_page", title: "A", document: { markdown: "a", document: {} } }],
      refused("0.document"),
    ),
    change(
      [
        {
          operation: "insert_page",
          document: { document: { object: "document", data: {}, nodes: [{ object: "no" }] } },
        },
      ],
      { expect: 400, reason: "invalid_request" },
    ),
    change([page("A")], { as: "comment", expect: 403, reason: "forbidden" }),
    change([page("A")], { as: "read", expect: 403, reason: "forbidden" }),
    change([page("A")], { as: "guest", expect: 404, reason: "space_not_found" }),
    change([page("A")], { as: null, expect: 401 }),
    send("create", "PATCH /v1/spaces/{space}", 200, { editMode: "locked" }),
    change([page("A")], { expect: 412, reason: "space_locked" }),
    send("edit", "POST /v1/spaces/{space}/content/template", "412 space_locked", { id: "blank" }),
  ]),
  defineStory("a stale write is refused and told the active revision", [
    space,
    change([page("One")], { headers: { "if-match": '"{first}"' }, keep: { second: "revision" } }),
    change([page("Two")], {
      headers: { "if-match": '"{first}"' },
      expect: 412,
      reason: "precondition_failed",
      seeHeaders: { etag: (tag) => tag?.startsWith('"rev_') === true },
    }),
    ask("read", "GET /v1/spaces/{space}/content", 200, { see: { id: "{second}" }, keep: { tag: "etag" } }),
    change([page("Two")], { headers: { "if-match": "{tag}" } }),
  ]),
  defineStory("slugs are unique among siblings, paths follow moves, and old paths lead on", [
    space,
    change([page("X", "", { slug: "Given" })], refused("0.slug")),
    change(
      [
        page("Guide", "", { ref: "guide" }),
        page("Guide"),
        page("Page", "", { into: "guide" }),
        page("Über uns & Co."),
        page("日本語"),
      ],
      { keep: { guide: "changes.0.page.id", other: "changes.1.page.id", page: "changes.2.page.id" } },
    ),
    get("read", "/v1/spaces/{space}/content/pages", {
      pages: [{ slug: "guide" }, { slug: "guide-1" }, { slug: "uber-uns-co" }, { slug: "日本語", path: "日本語" }],
    }),
    change([{ operation: "update_page", page: "{guide}", slug: "manual", title: "Manual" }]),
    get("read", "/v1/spaces/{space}/content/path/manual/page", { id: "{page}", path: "manual/page" }),
    get("read", "/v1/spaces/{space}/content/path/guide/page", { id: "{page}" }),
    change([{ operation: "move_page", page: "{page}", into: "{other}" }]),
    get("read", "/v1/spaces/{space}/content/path/guide/page", { id: "{page}", path: "guide-1/page" }),
    change([page("Guide")], { keep: { third: "changes.0.page.id" } }),
    get("read", "/v1/spaces/{space}/content/path/guide", { id: "{third}" }),
    change([{ operation: "move_page", page: "{other}", into: "{page}" }], refused("0.into")),
    change([{ operation: "move_page", page: "{other}", into: "{other}" }], refused("0.into")),
    change([{ operation: "update_page", page: "{page}", into: null, at: 0 }]),
    get("read", "/v1/spaces/{space}/content/pages", {
      pages: (pages: { id: string }[]) => pages.length === 6 && pages[0]!.id.startsWith("pag_"),
    }),
    get("read", "/v1/spaces/{space}/content/page/{page}", { path: "page" }),
    change([{ operation: "delete_page", page: "{other}" }], {
      see: { changes: [{ object: "deleted_page", page: "{other}" }] },
    }),
    ask("read", "GET /v1/spaces/{space}/content/page/{other}", "404 page_not_found"),
  ]),
  defineStory("groups stand at the top, links lead somewhere, and neither has a text", [
    space,
    change(
      [
        { operation: "insert_group", title: "Basics", ref: "group" },
        page("Inside", "", { into: "group", ref: "inside" }),
        {
          operation: "insert_link",
          title: "Elsewhere",
          target: { kind: "url", url: "https://example.com/" },
          ref: "link",
        },
        { operation: "insert_link", title: "Here", target: { kind: "page", page: "inside" }, into: "group" },
      ],
      { keep: { group: "changes.0.page.id", inside: "changes.1.page.id", link: "changes.2.page.id" } },
    ),
    get("read", "/v1/spaces/{space}/content/pages", {
      pages: [
        {
          type: "group",
          path: "basics",
          pages: [
            { type: "document", path: "basics/inside" },
            { type: "link", target: { kind: "page", page: "{inside}" } },
          ],
        },
        { type: "link", href: "https://example.com/", target: { kind: "url" } },
      ],
    }),
    change(
      [{ operation: "move_page", page: "{group}", into: "{inside}" }],
      refused("0.into", "Groups stand at the top only"),
    ),
    change([page("Below a link", "", { into: "{link}" })], refused("0.into")),
    change([{ operation: "update_page", page: "{link}", document: { markdown: "x" } }], refused("0.document")),
    change([{ operation: "insert_link", title: "X", target: { kind: "page", page: "pag_none" } }], refused("0.target")),
  ]),
  defineStory("a page's fields follow its text, and its text follows its fields", [
    space,
    change([page("Ignored", "---\nicon: bolt\nif: space.vars.beta\n---\n# Told\n\nText.\n", { hidden: true })], {
      keep: { page: "changes.0.page.id" },
    }),
    get("read", "/v1/spaces/{space}/content/page/{page}", {
      title: "Told",
      icon: "bolt",
      condition: "space.vars.beta",
      hidden: true,
    }),
    change([{ operation: "update_page", page: "{page}", title: "Changed", icon: null, condition: "", hidden: false }]),
    get("read", "/v1/spaces/{space}/content/page/{page}", {
      title: "Changed",
      slug: "told",
      icon: undefined,
      condition: undefined,
      hidden: undefined,
      markdown: (text: string) => text.includes("# Changed") && text.endsWith("Text.\n") && !text.includes("bolt"),
    }),
    change([
      {
        operation: "update_page",
        page: "{page}",
        layout: { width: "wide", outline: false },
        cover: { ref: { kind: "url", url: "https://example.com/a.png" }, yPos: 3 },
        variables: { product: "Octavo", major: 1, beta: true },
      },
    ]),
    get("read", "/v1/spaces/{space}/content/page/{page}", {
      layout: { width: "wide", outline: false },
      cover: { yPos: 3 },
      variables: { product: "Octavo", major: 1 },
    }),
    change([{ operation: "update_page", page: "{page}", layout: null, cover: null, variables: null }]),
    get("read", "/v1/spaces/{space}/content/page/{page}", {
      layout: { width: "default", outline: true },
      cover: undefined,
      variables: undefined,
    }),
  ]),
  defineStory("a document that is sent back leaves what it did not change as it was written", [
    space,
    change([page("Page", "Setext\n======\n\n* one\n+ two\n\nLast   words.\n")], {
      keep: { page: "changes.0.page.id" },
    }),
    change([
      {
        operation: "update_page",
        page: "{page}",
        document: {
          document: {
            object: "document",
            data: {},
            nodes: [
              {
                object: "block",
                type: "paragraph",
                nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Only this.", marks: [] }] }],
              },
            ],
          },
        },
      },
    ]),
    get("read", "/v1/spaces/{space}/content/page/{page}", {
      markdown: (text: string) => text.includes("Only this.") && !text.includes("Last"),
    }),
    change([{ operation: "revert_page", page: "{page}" }]),
    get("read", "/v1/spaces/{space}/content/page/{page}", {
      markdown: "Setext\n======\n\n* one\n+ two\n\nLast   words.\n",
    }),
    change([{ operation: "revert_page", page: "{page}", revision: "{first}" }], refused("0.page")),
    change([{ operation: "revert_page", page: "{page}", revision: "rev_none" }], refused("0.revision")),
  ]),
  defineStory("variables, conditions and reusable contents are put in where that is asked for", [
    space,
    change(
      [
        { operation: "set_variables", variables: { product: "Octavo", beta: true, major: 2 } },
        {
          operation: "insert_reusable_content",
          title: "Warning",
          document: { markdown: 'Mind <code class="expression">space.vars.product</code>.\n' },
          ref: "warning",
        },
        page(
          "Page",
          'Welcome to <code class="expression">space.vars.product</code> <code class="expression">page.vars.x</code>.\n\n{% if space.vars.beta %}\nBeta.\n{% endif %}\n\n{% if visitor.claims.staff %}\nSecret.\n{% endif %}\n\n{% include "/reusable-contents/warning" %}\n',
          { variables: { x: "<b>" } },
        ),
      ],
      { keep: { reusable: "changes.0.reusableContent", page: "changes.1.page.id" } },
    ),
    get("read", "/v1/spaces/{space}/content/page/{page}?evaluated=true", {
      markdown: (text: string) =>
        text.includes("Welcome to Octavo") &&
        text.includes("Beta.") &&
        !text.includes("Secret") &&
        !text.includes("<b>"),
    }),
    get("read", "/v1/spaces/{space}/content/page/{page}", { markdown: (text: string) => text.includes("Secret") }),
    get("read", "/v1/spaces/{space}/content/reusable-contents/{reusable}", {
      object: "reusable-content",
      title: "Warning",
      markdown: (text: string) => text.startsWith("Mind"),
    }),
    ask("read", "GET /v1/spaces/{space}/content/reusable-contents/reu_none", "404 reusable_content_not_found"),
    ask("read", "GET /v1/spaces/{space}/content", 200, {
      see: {
        variables: { product: "Octavo", beta: true, major: 2 },
        reusableContents: [{ id: "{reusable}", title: "Warning", document: (id: string) => id.startsWith("doc_") }],
      },
      keep: { written: "reusableContents.0.document" },
    }),
    get("read", "/v1/spaces/{space}/documents/{written}", {
      object: "document",
      nodes: (it: unknown[]) => it.length > 0,
    }),
    ask("read", "GET /v1/spaces/{space}", 200, { keep: { now: "revision" } }),
    get("read", "/v1/spaces/{space}/revisions/{now}/reusable-contents/{reusable}?format=document", {
      title: "Warning",
      document: { object: "document" },
    }),
    change([
      { operation: "set_variables", variables: { beta: null, product: "Folio" } },
      { operation: "update_reusable_content", reusableContent: "{reusable}", title: "Note" },
    ]),
    get("read", "/v1/spaces/{space}/content", { variables: { beta: undefined, product: "Folio" } }),
    change([{ operation: "delete_reusable_content", reusableContent: "{reusable}" }]),
    change([{ operation: "delete_reusable_content", reusableContent: "{reusable}" }], refused("0.reusableContent")),
    change(
      [{ operation: "set_variables", variables: JSON.parse('{"constructor":"x"}') }],
      refused("0.variables.constructor"),
    ),
    change([{ operation: "set_variables", variables: { "not a name": "x" } }], {
      expect: 400,
      reason: "invalid_request",
    }),
  ]),
  defineStory("links name headings as other tools do, and lead to the anchors that those have", [
    space,
    change(
      [
        page("Guide", "# The Guide\n\n## What's new?\n\n## Set up & run {#start}\n\n## Set up & run\n", {
          ref: "guide",
        }),
        page(
          "Links",
          "_One_ [a](guide.md#what-s-new) [b](guide.md#start) [c](guide.md#set-up-run)\n\n[d](guide.md#the-guide) _and_ [e](guide.md#what-s-new)\n\n[f](#links) [g](guide.md#new)\n",
          { ref: "links" },
        ),
      ],
      { keep: { guide: "changes.0.page.id", links: "changes.1.page.id" } },
    ),
    get("read", "/v1/spaces/{space}/content/page/{links}/links", {
      stats: { total: 7, broken: { total: 2 } },
      items: [
        { status: "ok", targetReference: { internalLocation: { anchor: "whats-new" } } },
        { status: "ok", targetReference: { internalLocation: { anchor: "set-up--run-start" } } },
        { status: "ok", targetReference: { internalLocation: { anchor: "set-up--run" } } },
        { status: "ok", targetReference: { page: { id: "{guide}" }, internalLocation: undefined } },
        { status: "broken", targetReference: { internalLocation: { anchor: "links" } } },
        { status: "broken", targetReference: { internalLocation: { anchor: "new" } } },
      ],
    }),
    get("read", "/v1/spaces/{space}/content/page/{links}?format=document", {
      document: {
        nodes: [
          {
            nodes: [
              {},
              { data: { ref: { kind: "anchor", anchor: "whats-new", page: "{guide}" } } },
              {},
              { data: { ref: { kind: "anchor", anchor: "set-up--run-start", page: "{guide}" } } },
              {},
              {},
            ],
          },
          { nodes: [{ data: { ref: { kind: "page", page: "{guide}" } } }, {}, {}] },
          {},
        ],
      },
    }),
    change([
      {
        operation: "update_page",
        page: "{links}",
        document: {
          document: {
            object: "document",
            data: {},
            nodes: [
              {
                object: "block",
                type: "paragraph",
                nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Two", marks: [] }] }],
              },
              {
                object: "block",
                type: "paragraph",
                nodes: [
                  linked({ kind: "page", page: "{guide}" }, "d"),
                  {
                    object: "text",
                    leaves: [
                      { object: "leaf", text: " ", marks: [] },
                      { object: "leaf", text: "and", marks: [{ object: "mark", type: "italic" }] },
                      { object: "leaf", text: " ", marks: [] },
                    ],
                  },
                  linked({ kind: "anchor", anchor: "whats-new", page: "{guide}" }, "e"),
                ],
              },
            ],
          },
        },
      },
    ]),
    get("read", "/v1/spaces/{space}/content/page/{links}", {
      markdown: (text: string) =>
        /^Two\n\n\[d\]\(\/pages\/\w+#the-guide\) _and_ \[e\]\(\/pages\/\w+#what-s-new\)\n$/.test(text),
    }),
  ]),
  defineStory("links are found with their blocks, followed backwards, and told when they lead nowhere", [
    space,
    change(
      [
        {
          operation: "insert_files",
          files: [
            {
              name: "logo.svg",
              contentType: "image/svg+xml",
              base64: btoa("<svg xmlns='http://www.w3.org/2000/svg'/>"),
              ref: "logo",
            },
          ],
        },
        page("Guide", "## Set up\n\n[Start](./start.md)\n", { ref: "guide" }),
        page(
          "Start",
          "[Guide](guide.md#set-up) [Gone](guide.md#gone) [Nowhere](nowhere.md) ![Logo](./logo)\n\n[Web](https://example.com/) [App](http://localhost:3000/o/x)\n",
          { ref: "start" },
        ),
      ],
      { keep: { logo: "insertedFiles.0.id", guide: "changes.0.page.id", start: "changes.1.page.id" } },
    ),
    get("read", "/v1/spaces/{space}/links", { count: 7, stats: { total: 7, broken: { total: 2, changeRequest: 0 } } }),
    get("read", "/v1/spaces/{space}/content/page/{start}/links", {
      count: 6,
      stats: { total: 6, broken: { total: 2 } },
      items: [
        {
          status: "ok",
          relation: "reference",
          scope: "same-space",
          targetReference: {
            kind: "page",
            page: { id: "{guide}" },
            internalLocation: { type: "anchor", anchor: "set-up" },
          },
          locationReferences: [{ kind: "page", page: { id: "{start}" }, internalLocation: { type: "node" } }],
        },
        { status: "broken", targetReference: { kind: "page" } },
        { status: "broken", scope: "same-space", targetReference: { kind: "url", url: "nowhere.md" } },
        {
          status: "ok",
          targetReference: {
            kind: "file",
            organization: { id: "{org}" },
            space: { id: "{space}" },
            file: { id: "{logo}" },
          },
          locationReferences: [{ kind: "page", organization: { id: "{org}" }, space: { id: "{space}" } }],
        },
        { status: "ok", scope: "external", targetReference: { kind: "url", url: "https://example.com/" } },
        { status: "in-app", relation: "reference", scope: "external" },
      ],
    }),
    list("read", "/v1/spaces/{space}/content/page/{guide}/backlinks", [
      { kind: "page", organization: { id: "{org}" }, space: { id: "{space}" }, page: { id: "{start}" } },
      { organization: { id: "{org}" }, space: { id: "{space}" } },
    ]),
    list("read", "/v1/spaces/{space}/content/files/{logo}/backlinks", [{ kind: "page", page: { id: "{start}" } }]),
    get("read", "/v1/spaces/{space}/links?limit=2", { count: 7, items: [{}, {}], next: {} }),
    change([page("Nowhere"), { operation: "update_page", page: "{guide}", slug: "handbook" }], {
      keep: { nowhere: "changes.0.page.id" },
    }),
    get("read", "/v1/spaces/{space}/content/page/{start}/links", {
      stats: { broken: { total: 1 } },
      items: [
        { status: "ok", targetReference: { page: { id: "{guide}", path: "handbook" } } },
        {},
        { status: "ok", targetReference: { kind: "page", page: { id: "{nowhere}" } } },
        {},
        {},
        {},
      ],
    }),
    list("read", "/v1/spaces/{space}/content/page/{nowhere}/backlinks", [{ page: { id: "{start}" } }]),
    change([{ operation: "delete_page", page: "{guide}" }]),
    get("read", "/v1/spaces/{space}/links", { stats: { total: 6, broken: { total: 2 } } }),
    ask("read", "GET /v1/spaces/{space}/content/page/{guide}/links", "404 page_not_found"),
    ask("read", "GET /v1/spaces/{space}/content/page/{guide}/backlinks", "404 page_not_found"),
    ask("read", "GET /v1/spaces/{space}/content/files/fil_none/backlinks", "404 file_not_found"),
    ask("rival", "GET /v1/spaces/{space}/links", "404 space_not_found"),
  ]),
  defineStory("files are typed by their bytes, listed, and taken away", [
    space,
    change(
      [
        {
          operation: "insert_files",
          files: [
            {
              name: "../pixel.png",
              contentType: "text/html",
              base64:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
            },
            { name: "note.txt", contentType: "image/png", base64: btoa("Just a note"), ref: "note" },
          ],
        },
      ],
      {
        see: { insertedFiles: [{ object: "file" }, { ref: "note" }] },
        keep: { pixel: "insertedFiles.0.id", note: "insertedFiles.1.id" },
      },
    ),
    get("read", "/v1/spaces/{space}/content/files/{pixel}", {
      object: "file",
      name: (name: string) => !name.includes("/"),
      contentType: "image/png",
      dimensions: { width: 1, height: 1 },
      downloadURL: (url: string) => url.startsWith("http://localhost:3000/v1/downloads/"),
    }),
    ask("read", "GET /v1/spaces/{space}/content/files/{note}", 200, {
      keep: { download: ({ downloadURL }) => downloadURL.split("/").at(-1) },
    }),
    ask(null, "GET /v1/downloads/{download}", 200, {
      see: "Just a note",
      seeHeaders: {
        "content-type": (type) => type?.startsWith("text/plain") === true,
        "content-length": "11",
        "x-content-type-options": "nosniff",
        "content-security-policy": (policy) => policy?.includes("sandbox") === true,
        "content-disposition": (how) => how?.startsWith("attachment") === true,
      },
    }),
    ask(null, "GET /v1/downloads/{download}x", "404 file_not_found"),
    ask(null, "GET /v1/downloads/{download}", "404 file_not_found", { after: 2 * HOUR }),
    get("read", "/v1/spaces/{space}/content/files/{note}?metadata=false", {
      contentType: (type: string) => type.startsWith("text/plain"),
      size: 11,
      dimensions: undefined,
    }),
    get("read", "/v1/spaces/{space}/content/files?limit=1", { count: 2, items: [{}], next: {} }),
    ask("read", "GET /v1/spaces/{space}/content/files/fil_none", "404 file_not_found"),
    ask("guest", "GET /v1/spaces/{space}/content/files", "404 space_not_found"),
    change(
      [{ operation: "insert_files", files: [{ name: "a", contentType: "text/plain", base64: "!!" }] }],
      refused("0.files.0.base64"),
    ),
    change([{ operation: "insert_files", files: [{ name: "a" }] }], refused("0.files.0")),
    change([{ operation: "insert_files", files: [{ name: "a", base64: "YQ==" }] }], refused("0.files.0")),
    change([{ operation: "insert_files", files: [{ name: "a", url: "https://example.com/a.png" }] }], {
      expect: 412,
      reason: "no_outbound_fetch",
    }),
    change([{ operation: "delete_files", files: ["{note}"] }]),
    ask("read", "GET /v1/spaces/{space}/content/files/{note}", "404 file_not_found"),
    change([{ operation: "delete_files", files: ["{note}"] }], refused("0.files.0")),
    ask(null, "GET /v1/downloads/bm90aGluZw.x", "404 file_not_found"),
  ]),
  defineStory("a space's history shows what it held and what each revision changed", [
    space,
    change([page("One", "First.\n", { ref: "one" }), page("Two", "", { into: "one" })], {
      keep: { second: "revision", one: "changes.0.page.id", two: "changes.1.page.id" },
    }),
    change(
      [
        { operation: "update_page", page: "{one}", document: { markdown: "Changed.\n" } },
        { operation: "move_page", page: "{two}", into: null },
        page("Three"),
        { operation: "set_variables", variables: { a: "b" } },
      ],
      { keep: { third: "revision" } },
    ),
    list("read", "/v1/spaces/{space}/revisions", [
      { id: "{third}", number: 3, createdBy: "{edit}" },
      { id: "{second}" },
      { id: "{first}" },
    ]),
    get("read", "/v1/spaces/{space}/revisions?limit=1", { items: [{}], next: {} }),
    get("read", "/v1/spaces/{space}/revisions/{second}", {
      id: "{second}",
      pages: [{ id: "{one}", pages: [{ id: "{two}" }] }],
    }),
    get("read", "/v1/spaces/{space}/revisions/{second}/pages", {
      pages: [{ id: "{one}", pages: [{ path: "one/two" }] }],
    }),
    get("read", "/v1/spaces/{space}/revisions/{second}/page/{one}", { markdown: "First.\n" }),
    get("read", "/v1/spaces/{space}/revisions/{second}/path/one/two?format=document", { id: "{two}" }),
    get("read", "/v1/spaces/{space}/revisions/{second}/files", { count: 0 }),
    get("read", "/v1/spaces/{space}/revisions/{third}/changes", {
      counts: { page_created: 1, page_edited: 1, page_moved: 1, page_deleted: 0, variable_created: 1 },
      more: 0,
    }),
    get("read", "/v1/spaces/{space}/revisions/{first}/changes", { changes: [] }),
    ask("read", "GET /v1/spaces/{space}/revisions/{second}/reusable-contents/reu_x", "404 reusable_content_not_found"),
    ...["", "/pages", "/files", "/changes", "/page/{one}", "/path/one"].map(
      (tail): Scene => ask("read", `GET /v1/spaces/{space}/revisions/rev_none${tail}`, "404 revision_not_found"),
    ),
    ask("rival", "GET /v1/spaces/{space}/revisions", "404 space_not_found"),
  ]),
  defineStory("a space is made from a template, or gets its pages later", [
    list("read", "/v1/templates", [{ id: "api-reference" }, { id: "blank" }, {}, {}]),
    get("read", "/v1/templates?limit=3", { items: [{}, {}, {}], next: {} }),
    ask(null, "GET /v1/templates", 401),
    ask("create", "POST /v1/orgs/{org}/spaces", 201, {
      send: { title: "Docs", template: { id: "product-docs" } },
      keep: { space: "id", made: "revision" },
    }),
    get("read", "/v1/spaces/{space}/content/pages", { pages: (pages: unknown[]) => pages.length > 1 }),
    get("read", "/v1/spaces/{space}/links", { stats: { broken: { total: 0 } } }),
    refuse("create", "POST /v1/orgs/{org}/spaces", "body.template.id", { template: { id: "nothing" } }),
    send("edit", "POST /v1/spaces/{space}/content/template", 204, { id: "knowledge-base" }),
    list("read", "/v1/spaces/{space}/revisions", [{}, { id: "{made}" }]),
    refuse("edit", "POST /v1/spaces/{space}/content/template", "body.id", { id: "nothing" }),
    send("comment", "POST /v1/spaces/{space}/content/template", 403, { id: "blank" }),
  ]),
  defineStory("a copy of a space holds what the original held, and goes its own way", [
    space,
    change([page("One", "Text.\n")], { keep: { page: "changes.0.page.id" } }),
    ask("create", "POST /v1/spaces/{space}/duplicate", 201, { keep: { copy: "id" } }),
    change([{ operation: "update_page", page: "{page}", document: { markdown: "Changed.\n" } }]),
    get("read", "/v1/spaces/{copy}/content/page/{page}", { markdown: "Text.\n" }),
    get("read", "/v1/spaces/{copy}/revisions", { count: 1 }),
  ]),
  defineStory("pages are found by their words, in a space and in an organization", [
    space,
    change(
      [
        page("Install", "Intro.\n\n## Requirements\n\nYou need a quokka and patience.\n"),
        page("Quokka", "About animals.\n"),
        page("Other", "Nothing of the kind.\n"),
      ],
      { keep: { install: "changes.0.page.id", quokka: "changes.1.page.id" } },
    ),
    list("read", "/v1/spaces/{space}/search?query=quokka", [
      { id: "{quokka}", title: "Quokka" },
      {
        id: "{install}",
        sections: [
          {
            id: "requirements",
            title: "Requirements",
            path: "install#requirements",
            body: "You need a quokka and patience.",
          },
        ],
      },
    ]),
    get("read", "/v1/spaces/{space}/search?query=quoka", { count: 2 }),
    get("read", "/v1/spaces/{space}/search?query=quokka&limit=1", { items: [{}], next: {} }),
    refuse("read", "GET /v1/spaces/{space}/search", "query.query"),
    ask("guest", "GET /v1/spaces/{space}/search?query=quokka", "404 space_not_found"),
    list("read", "/v1/orgs/{org}/search?query=quokka", [
      { id: "{space}", title: "Guide", pages: [{ id: "{quokka}" }, { id: "{install}" }] },
    ]),
    get("guest", "/v1/orgs/{org}/search?query=quokka", { count: 0 }),
    send("create", "PATCH /v1/spaces/{space}", 200, { defaultLevel: null }),
    list("read", "/v1/orgs/{org}/search?query=quokka", []),
    ask("admin", "DELETE /v1/spaces/{space}", 204),
    get("admin", "/v1/orgs/{org}/search?query=quokka", { count: 0 }),
  ]),
];
