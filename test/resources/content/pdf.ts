// Content as PDF, as stories.

import { HOUR } from "../../support/setting";
import { ask, create, defineStory, get, refuse, type Scene, type Story, send } from "../scenario";

const space: Scene = create("create", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide / Österreich" });
const write: Scene = ask("edit", "POST /v1/spaces/{space}/content", 200, {
  send: {
    changes: [
      { operation: "insert_page", title: "Start", ref: "start", document: { markdown: "First.\n" } },
      { operation: "insert_page", title: "Install", into: "start", document: { markdown: "Then.\n" } },
    ],
  },
  keep: { start: "changes.0.page.id", install: "changes.1.page.id" },
});
const keepPdf: Scene["keep"] = { pdf: ({ url }) => url.split("/").at(-1) };
const isPdf: Scene["see"] = (bytes: string) => bytes.startsWith("%PDF-1.7") && bytes.trimEnd().endsWith("%%EOF");
const gone: Scene = ask(null, "GET /v1/pdfs/{pdf}", "404 file_not_found");

export const stories: Story[] = [
  defineStory("a space is read as PDF, at a URL that is signed and ends", [
    space,
    write,
    ask("read", "GET /v1/spaces/{space}/pdf", 200, {
      see: { url: (url: string) => url.startsWith("http://localhost:3000/v1/pdfs/") },
      keep: keepPdf,
    }),
    ask(null, "GET /v1/pdfs/{pdf}", 200, {
      see: isPdf,
      keep: { tag: "etag" },
      seeHeaders: {
        "content-type": "application/pdf",
        "content-disposition":
          "attachment; filename=\"Guide - _sterreich.pdf\"; filename*=UTF-8''Guide%20-%20%C3%96sterreich.pdf",
        "cache-control": "private, no-cache",
        "x-content-type-options": "nosniff",
        "content-security-policy": (policy) => policy?.includes("sandbox") === true,
        "content-length": (length) => Number(length) > 1000,
        etag: (tag) => /^"rev_[^"]+-all-below~[^"]+"$/.test(tag ?? ""),
      },
    }),
    ask(null, "GET /v1/pdfs/{pdf}", 304, { headers: { "if-none-match": "{tag}" } }),
    get("rival", "/v1/pdfs/{pdf}", isPdf),
    ask(null, "GET /v1/pdfs/{pdf}x", "404 file_not_found"),
    ask(null, "GET /v1/pdfs/bm90aGluZw.x", "404 file_not_found"),
    ask(null, "GET /v1/downloads/{pdf}", "404 file_not_found"),
    { ...gone, after: 2 * HOUR },
    { ...gone, headers: { "if-none-match": "{tag}" } },
    ask("guest", "GET /v1/spaces/{space}/pdf", "404 space_not_found"),
  ]),
  defineStory("a page is read as PDF, with the pages below it or alone", [
    space,
    write,
    ask("read", "GET /v1/spaces/{space}/pdf?page={start}", 200, { keep: keepPdf }),
    ask(null, "GET /v1/pdfs/{pdf}", 200, {
      see: isPdf,
      seeHeaders: { "content-disposition": (name) => name?.includes('filename="Start.pdf"') === true },
    }),
    ask("read", "GET /v1/spaces/{space}/pdf?page={install}&only=true", 200, { keep: keepPdf }),
    get(null, "/v1/pdfs/{pdf}", isPdf),
    get("read", "/v1/spaces/{space}/pdf?only=false"),
    refuse("read", "GET /v1/spaces/{space}/pdf?only=true", "query.page"),
    refuse("read", "GET /v1/spaces/{space}/pdf?only=perhaps", "query.only"),
    ask("read", "GET /v1/spaces/{space}/pdf?page=pag_none", "404 page_not_found"),
    ask("read", "GET /v1/spaces/{space}/pdf?page=__proto__", "404 page_not_found"),
  ]),
  defineStory("a change request is read as PDF, and its space does not show what it proposes", [
    space,
    write,
    create("edit", "POST /v1/spaces/{space}/change-requests", "cr", { subject: "More" }),
    ask("edit", "POST /v1/spaces/{space}/change-requests/{cr}/content?compat=false", 200, {
      send: { changes: [{ operation: "insert_page", title: "New", document: { markdown: "New.\n" } }] },
      keep: { fresh: "changes.0.page.id" },
    }),
    ask("read", "GET /v1/spaces/{space}/change-requests/{cr}/pdf", 200, { keep: keepPdf }),
    get(null, "/v1/pdfs/{pdf}", isPdf),
    get("read", "/v1/spaces/{space}/change-requests/1/pdf?page={fresh}&only=true"),
    ask("read", "GET /v1/spaces/{space}/pdf?page={fresh}", "404 page_not_found"),
    refuse("read", "GET /v1/spaces/{space}/change-requests/{cr}/pdf?only=true", "query.page"),
    ask("read", "GET /v1/spaces/{space}/change-requests/9/pdf", "404 change_request_not_found"),
    { ...space, keep: { other: "id" } },
    ask("read", "GET /v1/spaces/{other}/change-requests/{cr}/pdf", "404 change_request_not_found"),
    ask("edit", "POST /v1/spaces/{space}/change-requests/{cr}/merge", 403),
    ask("review", "POST /v1/spaces/{space}/change-requests/{cr}/merge", 200),
    get(null, "/v1/pdfs/{pdf}", isPdf),
  ]),
  defineStory("a PDF's URL ends with its space, and with the right of the person who asked for it", [
    space,
    write,
    ask("read", "GET /v1/spaces/{space}/pdf", 200, { keep: keepPdf }),
    send("create", "PATCH /v1/spaces/{space}", 200, { defaultLevel: null }),
    gone,
    ask("read", "GET /v1/pdfs/{pdf}", "404 file_not_found"),
    ask("admin", "GET /v1/pdfs/{pdf}", "404 file_not_found"),
    send("admin", "PATCH /v1/spaces/{space}", 200, { defaultLevel: "read" }),
    get(null, "/v1/pdfs/{pdf}", isPdf),
    ask("admin", "DELETE /v1/orgs/{org}/members/{read}", 204),
    gone,
    ask("comment", "GET /v1/spaces/{space}/pdf", 200, { keep: keepPdf }),
    get(null, "/v1/pdfs/{pdf}", isPdf),
    ask("admin", "DELETE /v1/spaces/{space}", 204),
    gone,
    ask("admin", "POST /v1/spaces/{space}/restore", 200),
    get(null, "/v1/pdfs/{pdf}", isPdf),
  ]),
];
