// Content as PDF, as stories.

import { HOUR } from "../../support/setting";
import type { Scene, Story } from "../scenario";

const space: Scene = {
  as: "create",
  ask: "POST /v1/orgs/{org}/spaces",
  send: { title: "Guide / Österreich" },
  expect: 201,
  keep: { space: "id" },
};
const write: Scene = {
  as: "edit",
  ask: "POST /v1/spaces/{space}/content",
  send: {
    changes: [
      { operation: "insert_page", title: "Start", ref: "start", document: { markdown: "First.\n" } },
      { operation: "insert_page", title: "Install", into: "start", document: { markdown: "Then.\n" } },
    ],
  },
  expect: 200,
  keep: { start: "changes.0.page.id", install: "changes.1.page.id" },
};
const keepPdf: Scene["keep"] = { pdf: ({ url }) => url.split("/").at(-1) };
const isPdf: Scene["see"] = (bytes: string) => bytes.startsWith("%PDF-1.7") && bytes.trimEnd().endsWith("%%EOF");
const gone: Scene = { as: null, ask: "GET /v1/pdfs/{pdf}", expect: 404, reason: "file_not_found" };

export const stories: Story[] = [
  {
    title: "a space is read as PDF, at a URL that is signed and ends",
    scenes: [
      space,
      write,
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/pdf",
        expect: 200,
        see: { url: (url: string) => url.startsWith("http://localhost:3000/v1/pdfs/") },
        keep: keepPdf,
      },
      {
        as: null,
        ask: "GET /v1/pdfs/{pdf}",
        expect: 200,
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
      },
      { as: null, ask: "GET /v1/pdfs/{pdf}", headers: { "if-none-match": "{tag}" }, expect: 304 },
      { as: "rival", ask: "GET /v1/pdfs/{pdf}", expect: 200, see: isPdf },
      { as: null, ask: "GET /v1/pdfs/{pdf}x", expect: 404, reason: "file_not_found" },
      { as: null, ask: "GET /v1/pdfs/bm90aGluZw.x", expect: 404, reason: "file_not_found" },
      { as: null, ask: "GET /v1/downloads/{pdf}", expect: 404, reason: "file_not_found" },
      { ...gone, after: 2 * HOUR },
      { ...gone, headers: { "if-none-match": "{tag}" } },
      { as: "rival", ask: "GET /v1/spaces/{space}/pdf", expect: 404, reason: "space_not_found" },
      { as: "guest", ask: "GET /v1/spaces/{space}/pdf", expect: 404, reason: "space_not_found" },
    ],
  },
  {
    title: "a page is read as PDF, with the pages below it or alone",
    scenes: [
      space,
      write,
      { as: "read", ask: "GET /v1/spaces/{space}/pdf?page={start}", expect: 200, keep: keepPdf },
      {
        as: null,
        ask: "GET /v1/pdfs/{pdf}",
        expect: 200,
        see: isPdf,
        seeHeaders: { "content-disposition": (name) => name?.includes('filename="Start.pdf"') === true },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/pdf?page={install}&only=true", expect: 200, keep: keepPdf },
      { as: null, ask: "GET /v1/pdfs/{pdf}", expect: 200, see: isPdf },
      { as: "read", ask: "GET /v1/spaces/{space}/pdf?only=false", expect: 200 },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/pdf?only=true",
        expect: 400,
        see: { error: { issues: [{ path: "query.page" }] } },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/pdf?only=perhaps",
        expect: 400,
        see: { error: { issues: [{ path: "query.only" }] } },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/pdf?page=pag_none", expect: 404, reason: "page_not_found" },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/pdf?page=__proto__",
        expect: 404,
        reason: "page_not_found",
      },
    ],
  },
  {
    title: "a change request is read as PDF, and its space does not show what it proposes",
    scenes: [
      space,
      write,
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/change-requests",
        send: { subject: "More" },
        expect: 201,
        keep: { cr: "id" },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/change-requests/{cr}/content?compat=false",
        send: { changes: [{ operation: "insert_page", title: "New", document: { markdown: "New.\n" } }] },
        expect: 200,
        keep: { fresh: "changes.0.page.id" },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/change-requests/{cr}/pdf", expect: 200, keep: keepPdf },
      { as: null, ask: "GET /v1/pdfs/{pdf}", expect: 200, see: isPdf },
      { as: "read", ask: "GET /v1/spaces/{space}/change-requests/1/pdf?page={fresh}&only=true", expect: 200 },
      { as: "read", ask: "GET /v1/spaces/{space}/pdf?page={fresh}", expect: 404, reason: "page_not_found" },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/change-requests/{cr}/pdf?only=true",
        expect: 400,
        see: { error: { issues: [{ path: "query.page" }] } },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/change-requests/9/pdf",
        expect: 404,
        reason: "change_request_not_found",
      },
      { as: "rival", ask: "GET /v1/spaces/{space}/change-requests/{cr}/pdf", expect: 404, reason: "space_not_found" },
      { ...space, keep: { other: "id" } },
      {
        as: "read",
        ask: "GET /v1/spaces/{other}/change-requests/{cr}/pdf",
        expect: 404,
        reason: "change_request_not_found",
      },
      { as: "edit", ask: "POST /v1/spaces/{space}/change-requests/{cr}/merge", expect: 403 },
      { as: "review", ask: "POST /v1/spaces/{space}/change-requests/{cr}/merge", expect: 200 },
      { as: null, ask: "GET /v1/pdfs/{pdf}", expect: 200, see: isPdf },
    ],
  },
  {
    title: "a PDF's URL ends with its space, and with the right of the person who asked for it",
    scenes: [
      space,
      write,
      { as: "read", ask: "GET /v1/spaces/{space}/pdf", expect: 200, keep: keepPdf },
      { as: "create", ask: "PATCH /v1/spaces/{space}", send: { defaultLevel: null }, expect: 200 },
      gone,
      { as: "read", ask: "GET /v1/pdfs/{pdf}", expect: 404, reason: "file_not_found" },
      { as: "admin", ask: "GET /v1/pdfs/{pdf}", expect: 404, reason: "file_not_found" },
      { as: "admin", ask: "PATCH /v1/spaces/{space}", send: { defaultLevel: "read" }, expect: 200 },
      { as: null, ask: "GET /v1/pdfs/{pdf}", expect: 200, see: isPdf },
      { as: "admin", ask: "DELETE /v1/orgs/{org}/members/{read}", expect: 204 },
      gone,
      { as: "comment", ask: "GET /v1/spaces/{space}/pdf", expect: 200, keep: keepPdf },
      { as: null, ask: "GET /v1/pdfs/{pdf}", expect: 200, see: isPdf },
      { as: "admin", ask: "DELETE /v1/spaces/{space}", expect: 204 },
      gone,
      { as: "admin", ask: "POST /v1/spaces/{space}/restore", expect: 200 },
      { as: null, ask: "GET /v1/pdfs/{pdf}", expect: 200, see: isPdf },
    ],
  },
];
