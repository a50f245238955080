// Computed content as a story: a page of a book that an integration computes, from its installation to its end.

import { strToU8, zipSync } from "fflate";
import { ask, create, get, type Story, send } from "../scenario";

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
      send("admin", `POST ${almanac}`, 200, definition),
      create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Docs" }),
      send("admin", "POST /v1/spaces/{space}/content/import", 201, { url: "https://x.example/b.zip", source: "zip" }),
      ask("read", "GET /v1/spaces/{space}/content/pages", 200, {
        see: { pages: [{ path: "welcome" }, { path: "months", title: "Months", type: "computed", pages: [] }] },
        keep: { before: "etag" },
      }),
      create("admin", `POST ${almanac}/installations`, "installation", { organization: "{org}" }),
      ask("read", "GET /v1/spaces/{space}/content/path/months/may", "404 page_not_found"),
      send("create", `POST ${almanac}/installations/{installation}/spaces`, 201, { space: "{space}" }),
      ask("read", "GET /v1/spaces/{space}/content/pages", 200, {
        headers: { "if-none-match": "{before}" },
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
        keep: {
          may: (body) => body.pages[1].pages[0].id,
          seed: (body) => body.pages[1].pages[0].computedSeed,
        },
      }),
      ask("read", "GET /v1/spaces/{space}/content/files", 200, {
        see: { count: 1, items: [{ name: "moon.png", contentType: "image/png" }] },
        keep: { moon: (body) => body.items[0].id },
      }),
      get("read", "/v1/spaces/{space}/content/files/{moon}", { downloadURL: "https://sky.example/moon.png", size: 0 }),
      ask("read", "GET /v1/spaces/{space}/content/files/{moon}?computed=false", 404),
      get("read", "/v1/spaces/{space}/content/page/{may}", {
        title: "May",
        markdown: "May 2026 [Moon](/files/{moon})",
        path: "months/may",
      }),
      ask("read", "GET /v1/spaces/{space}/content/page/{may}?computed=false", 404),
      ask("edit", "POST /v1/spaces/{space}/content/computed/revision", 200, {
        send: { source: { type: "integration:almanac:months", props: { year: 2027 } }, seed: "next year" },
        see: {
          object: "revision",
          type: "computed",
          pages: [{ path: "may", type: "document" }, { path: "june" }],
          files: [{ name: "moon.png" }],
        },
        keep: { nextSeed: (body) => body.pages[1].computedSeed },
      }),
      // What a page or a computed revision says of itself leads to its document.
      ...(
        [
          ["{seed}", 2026, "May 2026 "],
          ["{nextSeed}", 2027, "June 2027 "],
        ] as const
      ).map(([seed, year, text]) =>
        ask("edit", "POST /v1/spaces/{space}/content/computed/document", 200, {
          send: { source: { type: "integration:almanac:months", dependencies: {}, props: { year } }, seed },
          see: { object: "document", nodes: [{ nodes: [{ leaves: [{ text }] }, { type: "link" }] }] },
        }),
      ),
      send("edit", "POST /v1/spaces/{space}/content/computed/document", "404 document_not_found", {
        source: { type: "integration:almanac:months", props: { year: 2026 } },
        seed: "{nextSeed}",
      }),
      ask("edit", "POST /v1/spaces/{space}/content/computed/document", 200, {
        send: { source: { type: "integration:almanac:months", props: { title: "July", year: 2027 } }, seed: "s" },
        see: { object: "document", nodes: [{ nodes: [{ leaves: [{ text: "July 2027 " }] }, { type: "link" }] }] },
      }),
      // Whoever may only read may not ask a source for what nobody has put on a page.
      ...["revision", "document"].flatMap((what): Story["scenes"] => {
        const route = `POST /v1/spaces/{space}/content/computed/${what}`;
        const body = { source: { type: "integration:almanac:years" }, seed: "s" };
        return [
          send("read", route, "403 forbidden", body),
          send("rival", route, "404 space_not_found", body),
          send("edit", route, "404 computed_source_not_found", body),
          send("edit", route, "400 invalid_request", { source: {}, seed: "s" }),
        ];
      }),
      ask("admin", `DELETE ${almanac}/installations/{installation}`, 204),
      ask("read", "GET /v1/spaces/{space}/content/page/{may}", "404 page_not_found"),
      ask("read", "GET /v1/spaces/{space}/content/files/{moon}", "404 file_not_found"),
    ],
  },
];
