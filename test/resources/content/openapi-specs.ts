// Stories of OpenAPI specifications.

import { webOf } from "../../openapi/specifications/web";
import { BOOKS_2, BOOKS_30, BOOKS_31, CIRCLE } from "../../openapi/specifications/written";
import type { Story } from "../scenario";

const url = "https://specs.example/api/openapi.yaml";
const at = "/v1/orgs/{org}/openapi";
const books = `${at}/books`;

const web = webOf({
  ...CIRCLE,
  "https://specs.example/broken.yaml": "openapi: [",
  "https://specs.example/slow.yaml": null,
}).fetch;

export const stories: readonly Story[] = [
  {
    title: "a specification that is given as a text is processed, and read whole or as it came",
    scenes: [
      { as: "create", ask: `GET ${at}`, expect: 200, see: { count: 0, items: [] } },
      {
        as: "create",
        ask: `POST ${at}`,
        send: { slug: "books", source: { text: BOOKS_31 } },
        expect: 201,
        see: {
          object: "openapi-spec",
          slug: "books",
          processingState: "pending",
          visibility: "private",
          permissions: { view: true, edit: true },
        },
        seeHeaders: { location: (it) => it?.endsWith("/openapi/books") === true },
        keep: { id: "id" },
      },
      {
        as: "read",
        ask: `GET ${books}`,
        expect: 200,
        see: {
          id: "{id}",
          processingState: "complete",
          lastProcessedAt: (it: string) => it.startsWith("2026-03-01"),
          permissions: { view: true, edit: false },
        },
        keep: { version: "lastVersion" },
      },
      { as: "read", ask: `GET ${at}`, expect: 200, see: { count: 1, items: [{ slug: "books" }] } },
      {
        as: "read",
        ask: `GET ${books}/versions`,
        expect: 200,
        see: { count: 1, items: [{ object: "openapi-spec-version", id: "{version}" }] },
      },
      { as: "read", ask: `GET ${books}/versions/latest`, expect: 200, see: { id: "{version}" } },
      {
        as: "read",
        ask: `GET ${books}/versions/{version}`,
        expect: 200,
        see: { url: (it: string) => it.endsWith("/content/raw") },
      },
      {
        as: "read",
        ask: `GET ${books}/versions/latest/content`,
        expect: 200,
        see: {
          filesystem: {
            "openapi.yaml": {
              isEntrypoint: true,
              filename: "openapi.yaml",
              specification: { info: { title: "Lending library" } },
            },
          },
        },
      },
      {
        as: "read",
        ask: `GET ${books}/versions/{version}/content`,
        expect: 200,
        see: { filesystem: { "openapi.yaml": { specification: { openapi: "3.1.0" } } } },
      },
      {
        as: "read",
        ask: `GET ${books}/versions/latest/content/raw`,
        expect: 200,
        see: BOOKS_31,
        seeHeaders: {
          "content-type": "application/yaml; charset=utf-8",
          "x-content-type-options": "nosniff",
          "cache-control": "private, no-cache",
        },
        keep: { tag: "etag" },
      },
      {
        as: "read",
        ask: `GET ${books}/versions/{version}/content/raw`,
        expect: 304,
        headers: { "if-none-match": "{tag}" },
      },
      { as: "read", ask: `GET ${books}/versions/{version}/content/raw`, expect: 200, see: BOOKS_31 },
      { as: "read", ask: `GET ${books}/versions/oav_none`, expect: 404, reason: "openapi_spec_version_not_found" },
      { as: "read", ask: `GET ${books}/versions/oav_none/content`, expect: 404 },
      { as: "read", ask: `GET ${books}/versions/oav_none/content/raw`, expect: 404 },
      { as: "read", ask: `GET ${at}/none/versions`, expect: 404, reason: "openapi_spec_not_found" },
      { as: "read", ask: `GET ${at}/none/versions/latest`, expect: 404, reason: "openapi_spec_not_found" },
      { as: "read", ask: `GET ${at}/none/versions/latest/content`, expect: 404 },
      { as: "read", ask: `GET ${at}/none/versions/latest/content/raw`, expect: 404 },
    ],
  },
  {
    title: "what is refused names the field, and the slug is one of its organization's",
    scenes: [
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
      ].map(([send, path]) => ({
        as: "create" as const,
        ask: `POST ${at}`,
        send,
        expect: 400,
        see: { error: { issues: [{ path }] } },
      })),
      {
        as: "create",
        ask: `PUT ${at}/No_slug`,
        send: { source: { text: "x" } },
        expect: 400,
        see: { error: { issues: [{ path: "params.specSlug" }] } },
      },
      {
        as: "create",
        ask: `POST ${at}`,
        send: { slug: "a", source: { url } },
        expect: 412,
        reason: "no_outbound_fetch",
      },
      { as: "create", ask: `POST ${at}`, send: { slug: "books", source: { text: BOOKS_2 } }, expect: 201 },
      {
        as: "admin",
        ask: `POST ${at}`,
        send: { slug: "books", source: { text: BOOKS_2 } },
        expect: 409,
        reason: "slug_taken",
      },
      {
        as: "rival",
        ask: "POST /v1/orgs/{otherOrg}/openapi",
        send: { slug: "books", source: { text: BOOKS_2 } },
        expect: 201,
      },
      { as: "edit", ask: `PUT ${books}`, send: { source: { text: BOOKS_2 } }, expect: 403 },
      { as: "edit", ask: `PATCH ${books}`, send: { visibility: "public" }, expect: 403 },
      { as: "create", ask: `PATCH ${books}`, send: { visibility: "open" }, expect: 400 },
      { as: "edit", ask: `DELETE ${books}`, expect: 403 },
      { as: "guest", ask: `GET ${at}`, expect: 403 },
      { as: "guest", ask: `GET ${books}`, expect: 404, reason: "openapi_spec_not_found" },
    ],
  },
  {
    title: "another source gives a version only when its content differs, and an error goes with the next good run",
    scenes: [
      { as: "create", ask: `PUT ${books}`, send: { source: { text: BOOKS_2 } }, expect: 200, keep: { id: "id" } },
      { as: "create", ask: `PUT ${books}`, send: { source: { text: BOOKS_2 } }, expect: 200, see: { id: "{id}" } },
      { as: "create", ask: `GET ${books}/versions`, expect: 200, see: { count: 1 } },
      { as: "create", ask: `PUT ${books}`, send: { source: { text: BOOKS_30 } }, expect: 200 },
      {
        as: "create",
        ask: `GET ${books}`,
        expect: 200,
        keep: { second: "lastVersion" },
        see: (it: object) => !("lastProcessErrorCode" in it),
      },
      { as: "create", ask: `PUT ${books}`, send: { source: { text: "nonsense" } }, expect: 200 },
      {
        as: "create",
        ask: `GET ${books}`,
        expect: 200,
        see: { processingState: "complete", lastVersion: "{second}", lastProcessErrorCode: "PARSE_ERROR" },
      },
      { as: "create", ask: `PUT ${books}`, send: { source: { text: BOOKS_2 } }, expect: 200 },
      { as: "create", ask: `GET ${books}`, expect: 200, see: (it: object) => !("lastProcessErrorCode" in it) },
      {
        as: "create",
        ask: `GET ${books}/versions?limit=2`,
        expect: 200,
        see: { count: 3, items: (it: { id: string }[]) => it.length === 2 },
      },
      {
        as: "create",
        ask: `GET ${books}/versions/{second}/content/raw`,
        expect: 200,
        see: (it: object) => JSON.stringify(it) === BOOKS_30,
      },
    ],
  },
  {
    title: "a specification is fetched with everything that it refers to, and says why it could not be",
    options: { fetch: web },
    scenes: [
      {
        as: "create",
        ask: `POST ${at}`,
        send: { slug: "circle", source: { url } },
        expect: 201,
        see: { sourceURL: url },
      },
      {
        as: "read",
        ask: `GET ${at}/circle/versions/latest/content`,
        expect: 200,
        see: { url, filesystem: (it: object) => Object.keys(it).length === 5 },
      },
      ...(
        [
          ["broken", "PARSE_ERROR"],
          ["slow", "FETCH_TIMEOUT"],
          ["none", "FETCH_ERROR"],
        ] as const
      ).flatMap(([slug, code]) => [
        {
          as: "create" as const,
          ask: `PUT ${at}/${slug}`,
          send: { source: { url: `https://specs.example/${slug}.yaml` } },
          expect: 200,
        },
        {
          as: "read" as const,
          ask: `GET ${at}/${slug}`,
          expect: 200,
          see: { processingState: "complete", lastProcessErrorCode: code },
        },
        { as: "read" as const, ask: `GET ${at}/${slug}/versions/latest`, expect: 404 },
      ]),
    ],
  },
  {
    title: "a public specification is read by anyone with the link, a private one by nobody else",
    scenes: [
      { as: "create", ask: `PUT ${books}`, send: { source: { text: BOOKS_30 } }, expect: 200, keep: { id: "id" } },
      { as: null, ask: "GET /v1/public/openapi/{id}", expect: 404, reason: "openapi_spec_not_found" },
      {
        as: "create",
        ask: `PATCH ${books}`,
        send: { visibility: "public" },
        expect: 200,
        see: { visibility: "public", urls: { published: (it: string) => it.includes("/v1/public/openapi/oas_") } },
      },
      {
        as: null,
        ask: "GET /v1/public/openapi/{id}",
        expect: 200,
        see: (it: object) => JSON.stringify(it) === BOOKS_30,
        seeHeaders: {
          "content-type": "application/json; charset=utf-8",
          "access-control-allow-origin": "*",
          "x-content-type-options": "nosniff",
        },
      },
      {
        as: "stranger",
        ask: "GET /v1/public/openapi/{id}/content",
        expect: 200,
        see: { url: (it: string) => it.endsWith("{id}") || it.includes("/public/openapi/") },
      },
      {
        as: "create",
        ask: `PATCH ${books}`,
        send: { visibility: "private" },
        expect: 200,
        see: { urls: (it: object) => !("published" in it) },
      },
      { as: "admin", ask: "GET /v1/public/openapi/{id}", expect: 404, reason: "openapi_spec_not_found" },
      { as: null, ask: "GET /v1/public/openapi/{id}/content", expect: 404, reason: "openapi_spec_not_found" },
      { as: null, ask: "GET /v1/public/openapi/oas_none", expect: 404, reason: "openapi_spec_not_found" },
    ],
  },
  {
    title: "a specification that is deleted is gone with its versions, and its slug is free",
    scenes: [
      { as: "create", ask: `PUT ${books}`, send: { source: { text: BOOKS_30 } }, expect: 200, keep: { id: "id" } },
      { as: "create", ask: `PATCH ${books}`, send: { visibility: "public" }, expect: 200 },
      { as: "create", ask: `DELETE ${books}`, expect: 204 },
      { as: "create", ask: `DELETE ${books}`, expect: 204 },
      { as: "create", ask: `GET ${books}`, expect: 404, reason: "openapi_spec_not_found" },
      { as: null, ask: "GET /v1/public/openapi/{id}", expect: 404 },
      {
        as: "create",
        ask: `POST ${at}`,
        send: { slug: "books", source: { text: BOOKS_2 } },
        expect: 201,
        see: { id: (it: string) => it.startsWith("oas_") },
      },
      { as: "create", ask: `GET ${books}/versions`, expect: 200, see: { count: 1 } },
    ],
  },
];
