// Documents of pages and reusable contents as stories: by page, by id, in every state of the content.

import { ask, create, defineStory, page, type Scene, type Story, send } from "../scenario";

const read = (path: string, more: Partial<Scene> = {}): Scene =>
  ask("read", `GET /v1/spaces/{space}/${path}`, 200, { ...more });
const says = (text: string) => ({
  object: "document",
  nodes: [{ type: "paragraph", nodes: [{ leaves: [{ text }] }] }],
});
const change = (changes: object[], keep: NonNullable<Scene["keep"]> = {}): Scene =>
  ask("edit", "POST /v1/spaces/{space}/content", 200, { send: { changes }, keep });

export const stories: Story[] = [
  defineStory("a document is read alone, by its page and by its id, as every state of the content has it", [
    create("create", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
    change(
      [
        { operation: "insert_reusable_content", title: "Note", document: { markdown: "Mind the gap." } },
        { operation: "insert_files", files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("A") }] },
        page("Start", "First."),
        { operation: "insert_group", title: "Group" },
      ],
      {
        first: "revision",
        note: (body) => body.changes[0].reusableContent,
        file: (body) => body.insertedFiles[0].id,
        start: (body) => body.changes[1].page.id,
        group: (body) => body.changes[2].page.id,
      },
    ),
    read("content/page/{start}", { keep: { document: "documentId" } }),
    read("content/page/{start}/document", { see: says("First.") }),
    read("content/page/{start}/document?evaluated=true", { see: says("First.") }),
    read("content/page/{group}/document", { expect: 404, reason: "page_not_found" }),
    read("content/page/{start}/document", { as: "rival", expect: 404, reason: "space_not_found" }),
    read("content/reusable-contents/{note}/document", { see: says("Mind the gap.") }),
    read("content/reusable-contents/reu_none/document", { expect: 404, reason: "reusable_content_not_found" }),
    read("documents/{document}", { see: says("First.") }),
    read("documents/doc_none", { expect: 404, reason: "document_not_found" }),
    read("documents/{document}", { as: "rival", expect: 404, reason: "space_not_found" }),
    change([{ operation: "update_page", page: "{start}", document: { markdown: "Second." } }], { second: "revision" }),
    read("content/page/{start}/document", { see: says("Second.") }),
    // The id names the text that it was given for.
    read("documents/{document}", { see: says("First.") }),
    read("revisions/{first}/page/{start}/document", { see: says("First.") }),
    read("revisions/{second}/page/{start}/document", { see: says("Second.") }),
    read("revisions/rev_none/page/{start}/document", { expect: 404, reason: "revision_not_found" }),
    read("revisions/{first}/reusable-contents/{note}/document", { see: says("Mind the gap.") }),
    read("revisions/{first}/reusable-contents/reu_none/document", {
      expect: 404,
      reason: "reusable_content_not_found",
    }),
    read("revisions/{first}/files/{file}", { see: { object: "file", id: "{file}", name: "a.txt" } }),
    read("revisions/{first}/files/fil_none", { expect: 404, reason: "file_not_found" }),
    create("edit", "POST /v1/spaces/{space}/change-requests", "cr", { subject: "Third" }),
    send("edit", "POST /v1/spaces/{space}/change-requests/{cr}/content", 200, {
      changes: [{ operation: "update_page", page: "{start}", document: { markdown: "Third." } }],
    }),
    read("change-requests/{cr}/content/page/{start}/document", { see: says("Third.") }),
    read("change-requests/{cr}/content/page/pag_none/document", { expect: 404, reason: "page_not_found" }),
    read("change-requests/{cr}/content/reusable-contents/{note}/document", { see: says("Mind the gap.") }),
    read("change-requests/{cr}/content/reusable-contents/reu_none/document", {
      expect: 404,
      reason: "reusable_content_not_found",
    }),
    read("content/page/{start}/document", { see: says("Second.") }),
    ...["content", "change-requests/{cr}/content"].flatMap((where): Scene[] => [
      ask("read", `POST /v1/spaces/{space}/${where}/page/{start}/preview`, 200, {
        send: { markdown: "Not yet." },
        see: says("Not yet."),
      }),
      send("read", `POST /v1/spaces/{space}/${where}/page/pag_none/preview`, "404 page_not_found", {
        markdown: "Nowhere.",
      }),
    ]),
    read("content/page/{start}/document", { see: says("Second.") }),
  ]),
];
