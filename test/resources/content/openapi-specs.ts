// Stories of OpenAPI specifications.

import { webOf } from "../../openapi/specifications/web";
import { BOOKS_2, BOOKS_30, BOOKS_31, CIRCLE } from "../../openapi/specifications/written";
import { ask, defineStory, get, list, refuse, type Story, send } from "../scenario";

const url = "https://specs.example/api/openapi.yaml";
const at = "/v1/orgs/{org}/openapi";
const books = `${at}/books`;

const web = webOf({
  ...CIRCLE,
  "https://specs.example/broken.yaml": "openapi: [",
  "https://specs.example/slow.yaml": null,
}).fetch;

export const stories: readonly Story[] = [
  defineStory("a specification that is given as a text is processed, and read whole or as it came", [
    list("create", at, []),
    ask("create", `POST ${at}`, 201, {
      send: { slug: "books", source: { text: BOOKS_31 } },
      see: {
        object: "openapi-spec",
        slug: "books",
        processingState: "pending",
        visibility: "private",
        permissions: { view: true, edit: true },
      },
      seeHeaders: { location: (it) => it?.endsWith("/openapi/books") === true },
      keep: { id: "id" },
    }),
    ask("read", `GET ${books}`, 200, {
      see: {
        id: "{id}",
        processingState: "complete",
        lastProcessedAt: (it: string) => it.startsWith("2026-03-01"),
        permissions: { view: true, edit: false },
      },
      keep: { version: "lastVersion" },
    }),
    list("read", at, [{ slug: "books" }]),
    list("read", `${books}/versions`, [{ object: "openapi-spec-version", id: "{version}" }]),
    get("read", `${books}/versions/latest`, { id: "{version}" }),
    get("read", `${books}/versions/{version}`, { url: (it: string) => it.endsWith("/content/raw") }),
    get("read", `${books}/versions/latest/content`, {
      filesystem: {
        "openapi.yaml": {
          isEntrypoint: true,
          filename: "openapi.yaml",
          specification: { info: { title: "Lending library" } },
        },
      },
    }),
    get("read", `${books}/versions/{version}/content`, {
      filesystem: { "openapi.yaml": { specification: { openapi: "3.1.0" } } },
    }),
    ask("read", `GET ${books}/versions/latest/content/raw`, 200, {
      see: BOOKS_31,
      seeHeaders: {
        "content-type": "application/yaml; charset=utf-8",
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-cache",
      },
      keep: { tag: "etag" },
    }),
    ask("read", `GET ${books}/versions/{version}/content/raw`, 304, { headers: { "if-none-match": "{tag}" } }),
    get("read", `${books}/versions/{version}/content/raw`, BOOKS_31),
    ask("read", `GET ${books}/versions/oav_none`, "404 openapi_spec_version_not_found"),
    ask("read", `GET ${books}/versions/oav_none/content`, 404),
    ask("read", `GET ${books}/versions/oav_none/content/raw`, 404),
    ask("read", `GET ${at}/none/versions`, "404 openapi_spec_not_found"),
    ask("read", `GET ${at}/none/versions/latest`, "404 openapi_spec_not_found"),
    ask("read", `GET ${at}/none/versions/latest/content`, 404),
    ask("read", `GET ${at}/none/versions/latest/content/raw`, 404),
  ]),
  defineStory("what is refused names the field, and the slug is one of its organization's", [
    ...[
      [{ slug: "Books", source: { text: "x" } }, "body.slug"],
      [{ slug: "a--b", source: { text: "x" } }, "body.slug"],
      [{ slug: "a".repeat(101), source: { text: "x" } }, "body.slug"],
      [{ slug: "a" }, "body.source"],
      [{ slug: "a", source: {} }, "body.source"],
      [{ slug: "a", source: { url, text: "x" } }, "body.source"],
      [{ slug: "a", source: { url: "file:///etc/passwd" } }, "body.source.url"],
      [{ slug: "a", source: { url: "https://me:secret@x.example/" } }, "body.source.url"],
      [{ slug: "a", source: { text: "x" }, id: "oas_mine" }, "body.id"],
    ].map(([send, path]) => refuse("create" as const, `POST ${at}`, path, send)),
    refuse("create", `PUT ${at}/No_slug`, "params.specSlug", { source: { text: "x" } }),
    send("create", `POST ${at}`, "412 no_outbound_fetch", { slug: "a", source: { url } }),
    send("create", `POST ${at}`, 201, { slug: "books", source: { text: BOOKS_2 } }),
    send("admin", `POST ${at}`, "409 slug_taken", { slug: "books", source: { text: BOOKS_2 } }),
    send("rival", "POST /v1/orgs/{otherOrg}/openapi", 201, { slug: "books", source: { text: BOOKS_2 } }),
    send("create", `PATCH ${books}`, 400, { visibility: "open" }),
    ask("edit", `DELETE ${books}`, 403),
    ask("guest", `GET ${at}`, 403),
  ]),
  defineStory(
    "another source gives a version only when its content differs, and an error goes with the next good run",
    [
      ask("create", `PUT ${books}`, 200, { send: { source: { text: BOOKS_2 } }, keep: { id: "id" } }),
      ask("create", `PUT ${books}`, 200, { send: { source: { text: BOOKS_2 } }, see: { id: "{id}" } }),
      get("create", `${books}/versions`, { count: 1 }),
      send("create", `PUT ${books}`, 200, { source: { text: BOOKS_30 } }),
      ask("create", `GET ${books}`, 200, {
        keep: { second: "lastVersion" },
        see: (it: object) => !("lastProcessErrorCode" in it),
      }),
      send("create", `PUT ${books}`, 200, { source: { text: "nonsense" } }),
      get("create", books, {
        processingState: "complete",
        lastVersion: "{second}",
        lastProcessErrorCode: "PARSE_ERROR",
      }),
      send("create", `PUT ${books}`, 200, { source: { text: BOOKS_2 } }),
      get("create", books, (it: object) => !("lastProcessErrorCode" in it)),
      get("create", `${books}/versions?limit=2`, { count: 3, items: (it: { id: string }[]) => it.length === 2 }),
      get("create", `${books}/versions/{second}/content/raw`, (it: object) => JSON.stringify(it) === BOOKS_30),
    ],
  ),
  defineStory(
    "a specification is fetched with everything that it refers to, and says why it could not be",
    { options: { fetch: web } },
    [
      ask("create", `POST ${at}`, 201, { send: { slug: "circle", source: { url } }, see: { sourceURL: url } }),
      get("read", `${at}/circle/versions/latest/content`, {
        url,
        filesystem: (it: object) => Object.keys(it).length === 5,
      }),
      ...(
        [
          ["broken", "PARSE_ERROR"],
          ["slow", "FETCH_TIMEOUT"],
          ["none", "FETCH_ERROR"],
        ] as const
      ).flatMap(([slug, code]) => [
        send("create" as const, `PUT ${at}/${slug}`, 200, { source: { url: `https://specs.example/${slug}.yaml` } }),
        get("read" as const, `${at}/${slug}`, { processingState: "complete", lastProcessErrorCode: code }),
        ask("read" as const, `GET ${at}/${slug}/versions/latest`, 404),
      ]),
    ],
  ),
  defineStory("a public specification is read by anyone with the link, a private one by nobody else", [
    ask("create", `PUT ${books}`, 200, { send: { source: { text: BOOKS_30 } }, keep: { id: "id" } }),
    ask(null, "GET /v1/public/openapi/{id}", "404 openapi_spec_not_found"),
    ask("create", `PATCH ${books}`, 200, {
      send: { visibility: "public" },
      see: { visibility: "public", urls: { published: (it: string) => it.includes("/v1/public/openapi/oas_") } },
    }),
    ask(null, "GET /v1/public/openapi/{id}", 200, {
      see: (it: object) => JSON.stringify(it) === BOOKS_30,
      seeHeaders: {
        "content-type": "application/json; charset=utf-8",
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
      },
    }),
    get("stranger", "/v1/public/openapi/{id}/content", {
      url: (it: string) => it.endsWith("{id}") || it.includes("/public/openapi/"),
    }),
    ask("create", `PATCH ${books}`, 200, {
      send: { visibility: "private" },
      see: { urls: (it: object) => !("published" in it) },
    }),
    ask("admin", "GET /v1/public/openapi/{id}", "404 openapi_spec_not_found"),
    ask(null, "GET /v1/public/openapi/{id}/content", "404 openapi_spec_not_found"),
    ask(null, "GET /v1/public/openapi/oas_none", "404 openapi_spec_not_found"),
  ]),
  defineStory("a specification that is deleted is gone with its versions, and its slug is free", [
    ask("create", `PUT ${books}`, 200, { send: { source: { text: BOOKS_30 } }, keep: { id: "id" } }),
    send("create", `PATCH ${books}`, 200, { visibility: "public" }),
    ask("create", `DELETE ${books}`, 204),
    ask("create", `DELETE ${books}`, 204),
    ask("create", `GET ${books}`, "404 openapi_spec_not_found"),
    ask(null, "GET /v1/public/openapi/{id}", 404),
    ask("create", `POST ${at}`, 201, {
      send: { slug: "books", source: { text: BOOKS_2 } },
      see: { id: (it: string) => it.startsWith("oas_") },
    }),
    get("create", `${books}/versions`, { count: 1 }),
  ]),
];
