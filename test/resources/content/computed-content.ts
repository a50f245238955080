// Computed content as a story: a page of a book that an integration computes, from its installation to its end.

import { strToU8, zipSync } from "fflate";
import type { Story } from "../scenario";

const SUMMARY = `# Table of contents

* [Welcome](README.md)
* \`\`\`yaml
  type: integration:almanac:months
  props:
    year: 2026
  \`\`\`
`;
const book = zipSync({ "SUMMARY.md": strToU8(SUMMARY), "README.md": strToU8("# Welcome\n") });

const script = `export default { async fetch(request) {
  const event = JSON.parse((await request.formData()).get("event"));
  if (event.type === "content_compute_revision")
    return Response.json({
      pages: ["May", "June"].map((title) => ({ title, props: { title, ...event.props } })),
      files: [{ id: "moon", name: "moon.png", url: "https://sky.example/moon.png" }],
    });
  if (event.type === "content_compute_document")
    return Response.json({ document: { markdown: event.props.title + " " + event.props.year + " [Moon](/files/moon)" } });
  return new Response("", { status: 406 });
} }`;

const almanac = "/v1/integrations/almanac";
const definition = { script, contentSources: [{ id: "months", title: "Months" }] };

const isText = (it: unknown) => typeof it === "string" && it !== "";

export const stories: Story[] = [
  {
    title: "an integration computes pages of the spaces that it is on, for as long as it is",
    options: { fetch: (async () => new Response(book as BodyInit)) as typeof fetch },
    scenes: [
      { as: "admin", ask: `POST ${almanac}`, send: definition, expect: 200 },
      { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Docs" }, expect: 201, keep: { space: "id" } },
      {
        as: "admin",
        ask: "POST /v1/spaces/{space}/content/import",
        send: { url: "https://x.example/b.zip", source: "zip" },
        expect: 201,
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        expect: 200,
        see: { pages: [{ path: "welcome" }, { path: "months", title: "Months", type: "computed", pages: [] }] },
        keep: { before: "etag" },
      },
      {
        as: "admin",
        ask: `POST ${almanac}/installations`,
        send: { organization: "{org}" },
        expect: 201,
        keep: { installation: "id" },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/path/months/may", expect: 404, reason: "page_not_found" },
      {
        as: "create",
        ask: `POST ${almanac}/installations/{installation}/spaces`,
        send: { space: "{space}" },
        expect: 201,
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/pages",
        headers: { "if-none-match": "{before}" },
        expect: 200,
        see: {
          pages: [
            { path: "welcome", kind: "sheet", computed: undefined, computedSeed: undefined },
            {
              kind: "group",
              computed: { type: "integration:almanac:months" },
              computedSeed: isText,
              documentId: undefined,
              pages: [
                {
                  path: "months/may",
                  kind: "sheet",
                  layout: { width: "default", pagination: true },
                  computed: { type: "integration:almanac:months", dependencies: {}, props: {} },
                  computedSeed: isText,
                  documentId: isText,
                },
                { path: "months/june" },
              ],
            },
          ],
        },
        keep: { may: (body) => body.pages[1].pages[0].id },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files",
        expect: 200,
        see: { count: 1, items: [{ name: "moon.png", contentType: "image/png" }] },
        keep: { moon: (body) => body.items[0].id },
      },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/files/{moon}",
        expect: 200,
        see: { downloadURL: "https://sky.example/moon.png", size: 0 },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/files/{moon}?computed=false", expect: 404 },
      {
        as: "read",
        ask: "GET /v1/spaces/{space}/content/page/{may}",
        expect: 200,
        see: { title: "May", markdown: "May 2026 [Moon](/files/{moon})", path: "months/may" },
      },
      { as: "read", ask: "GET /v1/spaces/{space}/content/page/{may}?computed=false", expect: 404 },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content/computed/revision",
        send: { source: { type: "integration:almanac:months", props: { year: 2027 } }, seed: "next year" },
        expect: 200,
        see: {
          object: "revision",
          type: "computed",
          pages: [{ path: "may", type: "document" }, { path: "june" }],
          files: [{ name: "moon.png" }],
        },
      },
      {
        as: "edit",
        ask: "POST /v1/spaces/{space}/content/computed/document",
        send: { source: { type: "integration:almanac:months", props: { title: "July", year: 2027 } }, seed: "s" },
        expect: 200,
        see: { object: "document", nodes: [{ nodes: [{ leaves: [{ text: "July 2027 " }] }, { type: "link" }] }] },
      },
      // Whoever may only read may not ask a source for what nobody has put on a page.
      ...["revision", "document"].flatMap((what): Story["scenes"] => {
        const ask = `POST /v1/spaces/{space}/content/computed/${what}`;
        const send = { source: { type: "integration:almanac:years" }, seed: "s" };
        return [
          { as: "read", ask, send, expect: 403, reason: "forbidden" },
          { as: "rival", ask, send, expect: 404, reason: "space_not_found" },
          { as: "edit", ask, send, expect: 404, reason: "computed_source_not_found" },
          { as: "edit", ask, send: { source: {}, seed: "s" }, expect: 400, reason: "invalid_request" },
        ];
      }),
      { as: "stranger", ask: "GET /v1/spaces/{space}/content/page/{may}", expect: 404, reason: "space_not_found" },
      { as: "rival", ask: "GET /v1/spaces/{space}/content/pages", expect: 404, reason: "space_not_found" },
      { as: "admin", ask: `DELETE ${almanac}/installations/{installation}`, expect: 204 },
      { as: "read", ask: "GET /v1/spaces/{space}/content/page/{may}", expect: 404, reason: "page_not_found" },
      { as: "read", ask: "GET /v1/spaces/{space}/content/files/{moon}", expect: 404, reason: "file_not_found" },
    ],
  },
];
