// The content of spaces as stories.

import { HOUR } from "../../support/setting";
import { page, type Scene, type Story } from "../scenario";

const space: Scene = {
  as: "create",
  ask: "POST /v1/orgs/{org}/spaces",
  send: { title: "Guide" },
  expect: 201,
  see: { revision: (id: string) => id.startsWith("rev_") },
  keep: { space: "id", first: "revision" },
};

/** A batch of changes, as somebody. */
const change = (changes: object[], rest: Partial<Scene> = {}): Scene => ({
  as: "edit",
  ask: "POST /v1/spaces/{space}/content",
  send: { changes },
  expect: 200,
  ...rest,
});

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
  {
    title: "pages are written, read and listed",
    scenes: [
      space,
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content",
        expect: 200,
        see: {
          object: "revision",
          id: "{first}",
          parents: [],
          pages: [],
          files: [],
          reusableContents: [],
          variables: {},
        },
      },
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
      { as: "read", ask: "GET /v1/spaces/{space}", expect: 200, see: { revision: "{second}" } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        expect: 200,
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
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        headers: { "if-none-match": '"{second}"' },
        expect: 304,
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{home}",
        expect: 200,
        see: { markdown: "---\ndescription: From the text\n---\n# The real title\n\nHello.\n", path: "the-real-title" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{home}?format=document",
        expect: 200,
        see: {
          markdown: undefined,
          document: { object: "document", nodes: [{ object: "block", type: "paragraph" }] },
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/path/getting-started/install",
        expect: 200,
        see: { id: "{install}", markdown: "Run it.\n" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content?metadata=false&computed=false",
        expect: 200,
        see: { id: "{second}", parents: ["{first}"], type: "edits", pages: [{}, { pages: [{}] }] },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content?computed=yes", expect: 400, reason: "invalid_request" },
      { as: "rival", ask: "GET /v1/spaces/{space}/content", expect: 404, reason: "space_not_found" },
      { as: "guest", ask: "GET /v1/spaces/{space}/content/pages", expect: 404, reason: "space_not_found" },
      { as: "read", ask: "GET /v1/spaces/{space}/content/page/pag_nowhere", expect: 404, reason: "page_not_found" },
      { as: "read", ask: "GET /v1/spaces/{space}/content/path/nowhere/at/all", expect: 404, reason: "page_not_found" },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{home}?format=html",
        expect: 400,
        see: { error: { issues: [{ path: "query.format" }] } },
      },
    ],
  },
  {
    title: "a batch is made wholly or not at all, and names what is wrong with it",
    scenes: [
      space,
      change([page("One"), { operation: "delete_page", page: "pag_none" }], refused("1.page", "Page not found")),
      { as: "read", ask: "GET /v1/spaces/{space}", expect: 200, see: { revision: "{first}" } },
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
      { as: "create", ask: "PATCH /v1/spaces/{space}", send: { editMode: "locked" }, expect: 200 },
      change([page("A")], { expect: 412, reason: "space_locked" }),
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content/template",
        send: { id: "blank" },
        expect: 412,
        reason: "space_locked",
      },
    ],
  },
  {
    title: "a stale write is refused and told the active revision",
    scenes: [
      space,
      change([page("One")], { headers: { "if-match": '"{first}"' }, keep: { second: "revision" } }),
      change([page("Two")], {
        headers: { "if-match": '"{first}"' },
        expect: 412,
        reason: "precondition_failed",
        seeHeaders: { etag: (tag) => tag?.startsWith('"rev_') === true },
      }),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content",
        expect: 200,
        see: { id: "{second}" },
        keep: { tag: "etag" },
      },
      change([page("Two")], { headers: { "if-match": "{tag}" } }),
    ],
  },
  {
    title: "slugs are unique among siblings, paths follow moves, and old paths lead on",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        expect: 200,
        see: {
          pages: [{ slug: "guide" }, { slug: "guide-1" }, { slug: "uber-uns-co" }, { slug: "日本語", path: "日本語" }],
        },
      },
      change([{ operation: "update_page", page: "{guide}", slug: "manual", title: "Manual" }]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/path/manual/page",
        expect: 200,
        see: { id: "{page}", path: "manual/page" },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/path/guide/page", expect: 200, see: { id: "{page}" } },
      change([{ operation: "move_page", page: "{page}", into: "{other}" }]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/path/guide/page",
        expect: 200,
        see: { id: "{page}", path: "guide-1/page" },
      },
      change([page("Guide")], { keep: { third: "changes.0.page.id" } }),
      { as: "read", ask: "GET /v1/spaces/{space}/content/path/guide", expect: 200, see: { id: "{third}" } },
      change([{ operation: "move_page", page: "{other}", into: "{page}" }], refused("0.into")),
      change([{ operation: "move_page", page: "{other}", into: "{other}" }], refused("0.into")),
      change([{ operation: "update_page", page: "{page}", into: null, at: 0 }]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        expect: 200,
        see: { pages: (pages: { id: string }[]) => pages.length === 6 && pages[0]!.id.startsWith("pag_") },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/page/{page}", expect: 200, see: { path: "page" } },
      change([{ operation: "delete_page", page: "{other}" }], {
        see: { changes: [{ object: "deleted_page", page: "{other}" }] },
      }),
      { as: "read", ask: "GET /v1/spaces/{space}/content/page/{other}", expect: 404, reason: "page_not_found" },
    ],
  },
  {
    title: "groups stand at the top, links lead somewhere, and neither has a text",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        expect: 200,
        see: {
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
        },
      },
      change(
        [{ operation: "move_page", page: "{group}", into: "{inside}" }],
        refused("0.into", "Groups stand at the top only"),
      ),
      change([page("Below a link", "", { into: "{link}" })], refused("0.into")),
      change([{ operation: "update_page", page: "{link}", document: { markdown: "x" } }], refused("0.document")),
      change(
        [{ operation: "insert_link", title: "X", target: { kind: "page", page: "pag_none" } }],
        refused("0.target"),
      ),
    ],
  },
  {
    title: "a page's fields follow its text, and its text follows its fields",
    scenes: [
      space,
      change([page("Ignored", "---\nicon: bolt\nif: space.vars.beta\n---\n# Told\n\nText.\n", { hidden: true })], {
        keep: { page: "changes.0.page.id" },
      }),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}",
        expect: 200,
        see: { title: "Told", icon: "bolt", condition: "space.vars.beta", hidden: true },
      },
      change([
        { operation: "update_page", page: "{page}", title: "Changed", icon: null, condition: "", hidden: false },
      ]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}",
        expect: 200,
        see: {
          title: "Changed",
          slug: "told",
          icon: undefined,
          condition: undefined,
          hidden: undefined,
          markdown: (text: string) => text.includes("# Changed") && text.endsWith("Text.\n") && !text.includes("bolt"),
        },
      },
      change([
        {
          operation: "update_page",
          page: "{page}",
          layout: { width: "wide", outline: false },
          cover: { ref: { kind: "url", url: "https://example.com/a.png" }, yPos: 3 },
          variables: { product: "Octavo", major: 1, beta: true },
        },
      ]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}",
        expect: 200,
        see: {
          layout: { width: "wide", outline: false },
          cover: { yPos: 3 },
          variables: { product: "Octavo", major: 1 },
        },
      },
      change([{ operation: "update_page", page: "{page}", layout: null, cover: null, variables: null }]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}",
        expect: 200,
        see: { layout: { width: "default", outline: true }, cover: undefined, variables: undefined },
      },
    ],
  },
  {
    title: "a document that is sent back leaves what it did not change as it was written",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}",
        expect: 200,
        see: { markdown: (text: string) => text.includes("Only this.") && !text.includes("Last") },
      },
      change([{ operation: "revert_page", page: "{page}" }]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}",
        expect: 200,
        see: { markdown: "Setext\n======\n\n* one\n+ two\n\nLast   words.\n" },
      },
      change([{ operation: "revert_page", page: "{page}", revision: "{first}" }], refused("0.page")),
      change([{ operation: "revert_page", page: "{page}", revision: "rev_none" }], refused("0.revision")),
    ],
  },
  {
    title: "variables, conditions and reusable contents are put in where that is asked for",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}?evaluated=true",
        expect: 200,
        see: {
          markdown: (text: string) =>
            text.includes("Welcome to Octavo") &&
            text.includes("Beta.") &&
            !text.includes("Secret") &&
            !text.includes("<b>"),
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{page}",
        expect: 200,
        see: { markdown: (text: string) => text.includes("Secret") },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/reusable-contents/{reusable}",
        expect: 200,
        see: { object: "reusable-content", title: "Warning", markdown: (text: string) => text.startsWith("Mind") },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/reusable-contents/reu_none",
        expect: 404,
        reason: "reusable_content_not_found",
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content",
        expect: 200,
        see: {
          variables: { product: "Octavo", beta: true, major: 2 },
          reusableContents: [{ id: "{reusable}", title: "Warning", document: (id: string) => id.startsWith("doc_") }],
        },
        keep: { written: "reusableContents.0.document" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/documents/{written}",
        expect: 200,
        see: { object: "document", nodes: (it: unknown[]) => it.length > 0 },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}",
        expect: 200,
        keep: { now: "revision" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions/{now}/reusable-contents/{reusable}?format=document",
        expect: 200,
        see: { title: "Warning", document: { object: "document" } },
      },
      change([
        { operation: "set_variables", variables: { beta: null, product: "Folio" } },
        { operation: "update_reusable_content", reusableContent: "{reusable}", title: "Note" },
      ]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content",
        expect: 200,
        see: { variables: { beta: undefined, product: "Folio" } },
      },
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
    ],
  },
  {
    title: "links name headings as other tools do, and lead to the anchors that those have",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{links}/links",
        expect: 200,
        see: {
          stats: { total: 7, broken: { total: 2 } },
          items: [
            { status: "ok", targetReference: { internalLocation: { anchor: "whats-new" } } },
            { status: "ok", targetReference: { internalLocation: { anchor: "set-up--run-start" } } },
            { status: "ok", targetReference: { internalLocation: { anchor: "set-up--run" } } },
            { status: "ok", targetReference: { page: { id: "{guide}" }, internalLocation: undefined } },
            { status: "broken", targetReference: { internalLocation: { anchor: "links" } } },
            { status: "broken", targetReference: { internalLocation: { anchor: "new" } } },
          ],
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{links}?format=document",
        expect: 200,
        see: {
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
        },
      },
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{links}",
        expect: 200,
        see: {
          markdown: (text: string) =>
            /^Two\n\n\[d\]\(\/pages\/\w+#the-guide\) _and_ \[e\]\(\/pages\/\w+#what-s-new\)\n$/.test(text),
        },
      },
    ],
  },
  {
    title: "links are found with their blocks, followed backwards, and told when they lead nowhere",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/links",
        expect: 200,
        see: { count: 7, stats: { total: 7, broken: { total: 2, changeRequest: 0 } } },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{start}/links",
        expect: 200,
        see: {
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
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{guide}/backlinks",
        expect: 200,
        see: {
          count: 2,
          items: [
            { kind: "page", organization: { id: "{org}" }, space: { id: "{space}" }, page: { id: "{start}" } },
            { organization: { id: "{org}" }, space: { id: "{space}" } },
          ],
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files/{logo}/backlinks",
        expect: 200,
        see: { count: 1, items: [{ kind: "page", page: { id: "{start}" } }] },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/links?limit=2",
        expect: 200,
        see: { count: 7, items: [{}, {}], next: {} },
      },
      change([page("Nowhere"), { operation: "update_page", page: "{guide}", slug: "handbook" }], {
        keep: { nowhere: "changes.0.page.id" },
      }),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{start}/links",
        expect: 200,
        see: {
          stats: { broken: { total: 1 } },
          items: [
            { status: "ok", targetReference: { page: { id: "{guide}", path: "handbook" } } },
            {},
            { status: "ok", targetReference: { kind: "page", page: { id: "{nowhere}" } } },
            {},
            {},
            {},
          ],
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{nowhere}/backlinks",
        expect: 200,
        see: { count: 1, items: [{ page: { id: "{start}" } }] },
      },
      change([{ operation: "delete_page", page: "{guide}" }]),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/links",
        expect: 200,
        see: { stats: { total: 6, broken: { total: 2 } } },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/page/{guide}/links", expect: 404, reason: "page_not_found" },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{guide}/backlinks",
        expect: 404,
        reason: "page_not_found",
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files/fil_none/backlinks",
        expect: 404,
        reason: "file_not_found",
      },
      { as: "rival", ask: "GET /v1/spaces/{space}/links", expect: 404, reason: "space_not_found" },
    ],
  },
  {
    title: "files are typed by their bytes, listed, and taken away",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files/{pixel}",
        expect: 200,
        see: {
          object: "file",
          name: (name: string) => !name.includes("/"),
          contentType: "image/png",
          dimensions: { width: 1, height: 1 },
          downloadURL: (url: string) => url.startsWith("http://localhost:3000/v1/downloads/"),
        },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files/{note}",
        expect: 200,
        keep: { download: ({ downloadURL }) => downloadURL.split("/").at(-1) },
      },
      {
        as: null,
        ask: "GET /v1/downloads/{download}",
        expect: 200,
        see: "Just a note",
        seeHeaders: {
          "content-type": (type) => type?.startsWith("text/plain") === true,
          "content-length": "11",
          "x-content-type-options": "nosniff",
          "content-security-policy": (policy) => policy?.includes("sandbox") === true,
          "content-disposition": (how) => how?.startsWith("attachment") === true,
        },
      },
      { as: null, ask: "GET /v1/downloads/{download}x", expect: 404, reason: "file_not_found" },
      { as: null, ask: "GET /v1/downloads/{download}", expect: 404, reason: "file_not_found", after: 2 * HOUR },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files/{note}?metadata=false",
        expect: 200,
        see: { contentType: (type: string) => type.startsWith("text/plain"), size: 11, dimensions: undefined },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files?limit=1",
        expect: 200,
        see: { count: 2, items: [{}], next: {} },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/files/fil_none", expect: 404, reason: "file_not_found" },
      { as: "guest", ask: "GET /v1/spaces/{space}/content/files", expect: 404, reason: "space_not_found" },
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
      { as: "read", ask: "GET /v1/spaces/{space}/content/files/{note}", expect: 404, reason: "file_not_found" },
      change([{ operation: "delete_files", files: ["{note}"] }], refused("0.files.0")),
      { as: null, ask: "GET /v1/downloads/bm90aGluZw.x", expect: 404, reason: "file_not_found" },
    ],
  },
  {
    title: "a space's history shows what it held and what each revision changed",
    scenes: [
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
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions",
        expect: 200,
        see: {
          count: 3,
          items: [{ id: "{third}", number: 3, createdBy: "{edit}" }, { id: "{second}" }, { id: "{first}" }],
        },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/revisions?limit=1", expect: 200, see: { items: [{}], next: {} } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions/{second}",
        expect: 200,
        see: { id: "{second}", pages: [{ id: "{one}", pages: [{ id: "{two}" }] }] },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions/{second}/pages",
        expect: 200,
        see: { pages: [{ id: "{one}", pages: [{ path: "one/two" }] }] },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions/{second}/page/{one}",
        expect: 200,
        see: { markdown: "First.\n" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions/{second}/path/one/two?format=document",
        expect: 200,
        see: { id: "{two}" },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/revisions/{second}/files", expect: 200, see: { count: 0 } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions/{third}/changes",
        expect: 200,
        see: {
          counts: { page_created: 1, page_edited: 1, page_moved: 1, page_deleted: 0, variable_created: 1 },
          more: false,
        },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/revisions/{first}/changes", expect: 200, see: { changes: [] } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions/{second}/reusable-contents/reu_x",
        expect: 404,
        reason: "reusable_content_not_found",
      },
      ...["", "/pages", "/files", "/changes", "/page/{one}", "/path/one"].map(
        (tail): Scene => ({
          as: "read",
          ask: `GET /v1/spaces/{space}/revisions/rev_none${tail}`,
          expect: 404,
          reason: "revision_not_found",
        }),
      ),
      { as: "rival", ask: "GET /v1/spaces/{space}/revisions", expect: 404, reason: "space_not_found" },
    ],
  },
  {
    title: "a space is made from a template, or gets its pages later",
    scenes: [
      {
        as: "read",
        ask: "GET /v1/templates",
        expect: 200,
        see: { count: 4, items: [{ id: "api-reference" }, { id: "blank" }, {}, {}] },
      },
      { as: "read", ask: "GET /v1/templates?limit=3", expect: 200, see: { items: [{}, {}, {}], next: {} } },
      { as: null, ask: "GET /v1/templates", expect: 401 },
      {
        as: "create",
        ask: "POST /v1/orgs/{org}/spaces",
        send: { title: "Docs", template: { id: "product-docs" } },
        expect: 201,
        keep: { space: "id", made: "revision" },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        expect: 200,
        see: { pages: (pages: unknown[]) => pages.length > 1 },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/links", expect: 200, see: { stats: { broken: { total: 0 } } } },
      {
        as: "create",
        ask: "POST /v1/orgs/{org}/spaces",
        send: { template: { id: "nothing" } },
        expect: 400,
        see: { error: { issues: [{ path: "body.template.id" }] } },
      },
      { as: "edit", ask: "POST /v1/spaces/{space}/content/template", send: { id: "knowledge-base" }, expect: 204 },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/revisions",
        expect: 200,
        see: { count: 2, items: [{}, { id: "{made}" }] },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content/template",
        send: { id: "nothing" },
        expect: 400,
        see: { error: { issues: [{ path: "body.id" }] } },
      },
      { as: "comment", ask: "POST /v1/spaces/{space}/content/template", send: { id: "blank" }, expect: 403 },
    ],
  },
  {
    title: "a copy of a space holds what the original held, and goes its own way",
    scenes: [
      space,
      change([page("One", "Text.\n")], { keep: { page: "changes.0.page.id" } }),
      { as: "create", ask: "POST /v1/spaces/{space}/duplicate", expect: 201, keep: { copy: "id" } },
      change([{ operation: "update_page", page: "{page}", document: { markdown: "Changed.\n" } }]),
      { as: "read", ask: "GET /v1/spaces/{copy}/content/page/{page}", expect: 200, see: { markdown: "Text.\n" } },
      { as: "read", ask: "GET /v1/spaces/{copy}/revisions", expect: 200, see: { count: 1 } },
    ],
  },
  {
    title: "pages are found by their words, in a space and in an organization",
    scenes: [
      space,
      change(
        [
          page("Install", "Intro.\n\n## Requirements\n\nYou need a quokka and patience.\n"),
          page("Quokka", "About animals.\n"),
          page("Other", "Nothing of the kind.\n"),
        ],
        { keep: { install: "changes.0.page.id", quokka: "changes.1.page.id" } },
      ),
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/search?query=quokka",
        expect: 200,
        see: {
          count: 2,
          items: [
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
          ],
        },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/search?query=quoka", expect: 200, see: { count: 2 } },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/search?query=quokka&limit=1",
        expect: 200,
        see: { items: [{}], next: {} },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/search",
        expect: 400,
        see: { error: { issues: [{ path: "query.query" }] } },
      },
      { as: "guest", ask: "GET /v1/spaces/{space}/search?query=quokka", expect: 404, reason: "space_not_found" },
      {
        as: "read",
        ask: "GET /v1/orgs/{org}/search?query=quokka",
        expect: 200,
        see: { count: 1, items: [{ id: "{space}", title: "Guide", pages: [{ id: "{quokka}" }, { id: "{install}" }] }] },
      },
      { as: "guest", ask: "GET /v1/orgs/{org}/search?query=quokka", expect: 200, see: { count: 0 } },
      { as: "rival", ask: "GET /v1/orgs/{org}/search?query=quokka", expect: 404, reason: "organization_not_found" },
      { as: "create", ask: "PATCH /v1/spaces/{space}", send: { defaultLevel: null }, expect: 200 },
      { as: "read", ask: "GET /v1/orgs/{org}/search?query=quokka", expect: 200, see: { count: 0, items: [] } },
      { as: "admin", ask: "DELETE /v1/spaces/{space}", expect: 204 },
      { as: "admin", ask: "GET /v1/orgs/{org}/search?query=quokka", expect: 200, see: { count: 0 } },
    ],
  },
];
