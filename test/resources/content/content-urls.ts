// What URLs lead to, as stories: those of the application and those of published sites.

import { ask, defineStory, page, type Scene, type Story, send } from "../scenario";

const at = (url: string) => `GET /v1/urls/content?url=${url}`;

const stage: Scene[] = [
  ask("admin", "GET /v1/orgs/{org}", 200, { keep: { orgUrl: "urls.app" } }),
  ask("admin", "POST /v1/orgs/{org}/collections", 201, {
    send: { title: "Guides" },
    keep: { collection: "id", collectionUrl: "urls.app" },
  }),
  ask("admin", "POST /v1/orgs/{org}/spaces", 201, {
    send: { title: "Guide", parent: "{collection}" },
    keep: { space: "id", spaceUrl: "urls.app" },
  }),
  ask("admin", "POST /v1/spaces/{space}/content", 200, {
    send: {
      changes: [
        page("Große Übersicht", "Text."),
        { operation: "insert_files", files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("Hello") }] },
      ],
    },
    keep: { page: (body) => body.changes[0].page.id, file: (body) => body.insertedFiles[0].id, revision: "revision" },
  }),
  ask("admin", "GET /v1/spaces/{space}/content/page/{page}", 200, { keep: { pageUrl: "urls.app", path: "path" } }),
  ask("admin", "POST /v1/spaces/{space}/change-requests", 201, {
    send: { subject: "More" },
    keep: { change: "id", changeUrl: "urls.app" },
  }),
  ask("admin", "GET /v1/spaces/{space}/revisions/{revision}", 200, { keep: { revisionUrl: "urls.app" } }),
];

/** Every URL of the application that the stage has. */
const urls = ["orgUrl", "collectionUrl", "spaceUrl", "pageUrl", "changeUrl", "revisionUrl"] as const;
const origin = encodeURIComponent("http://localhost:3000");

export const stories: Story[] = [
  defineStory("a URL of the application leads to the thing that gave it", [
    ...stage,
    ask("read", at("{orgUrl}"), 200, {
      see: { object: "content-url", type: "organization", organization: "{org}", space: undefined },
    }),
    ask("read", at("{collectionUrl}"), 200, {
      see: { type: "collection", organization: "{org}", collection: "{collection}" },
    }),
    ask("read", at("{spaceUrl}"), 200, {
      see: {
        type: "space",
        organization: "{org}",
        space: "{space}",
        page: undefined,
        urls: { location: "http://localhost:3000/v1/spaces/{space}" },
      },
    }),
    ask("read", `${at("{pageUrl}")}%3Fa%3Db%23part`, 200, {
      see: {
        type: "page",
        space: "{space}",
        page: "{page}",
        urls: { location: "http://localhost:3000/v1/spaces/{space}/content/page/{page}" },
      },
    }),
    ask("read", at("{changeUrl}"), 200, {
      see: { type: "change-request", space: "{space}", changeRequest: "{change}", page: undefined },
    }),
    ask("read", `${at("{changeUrl}")}%2F{path}`, 200, {
      see: { type: "page", space: "{space}", changeRequest: "{change}", page: "{page}" },
    }),
    ask("read", at("{revisionUrl}"), 200, { see: { type: "revision", space: "{space}", revision: "{revision}" } }),
    ask("read", `${at("{spaceUrl}")}%2F~%2Ffiles%2F{file}`, 200, {
      see: { type: "file", space: "{space}", file: "{file}" },
    }),
  ]),
  defineStory("S30: a URL that leads nowhere, and one to something hidden, get the same answer", [
    ...stage,
    ...urls.map((name): Scene => ask("stranger", at(`{${name}}`), "404 url_not_found")),
    send("admin", "PATCH /v1/collections/{collection}", 200, { defaultLevel: null }),
    ...urls.slice(1).map((name): Scene => ask("read", at(`{${name}}`), "404 url_not_found")),
    ask("read", at("{orgUrl}"), 200),
    ...[
      ...[
        "%2Fnowhere",
        "%2F~%2Fchanges%2F99",
        "%2F~%2Ffiles%2Fnone",
        "%2F~%2Frevisions%2Fnone",
        "%2F~",
        "%2F~%2Fx%2Fy",
      ],
      "%2F~%2Ffiles%2F{file}%2Fmore",
    ].map((more): Scene => ask("admin", `${at("{spaceUrl}")}${more}`, "404 url_not_found")),
    ...[
      "",
      "%2Fo",
      "%2Fo%2F{org}%2Fx%2Fy",
      "%2Fo%2F{org}%2Fs",
      "%2Fo%2F{org}%2Fs%2Fnone",
      "%2Fother",
      "%2Fo%2F%2525",
    ].map((path): Scene => ask("admin", at(origin + path), "404 url_not_found")),
    ask("admin", at(encodeURIComponent("https://elsewhere.example/o/x")), "404 url_not_found"),
    ask("admin", "GET /v1/urls/content", "400 invalid_request"),
    ask("admin", at("ftp%3A%2F%2Fa.example"), "400 invalid_request"),
    ask("admin", "DELETE /v1/spaces/{space}", 204),
    ask("admin", at("{spaceUrl}"), "404 url_not_found"),
  ]),
  defineStory("a URL of a site leads to the space and the page behind it, by the rights on the space", [
    ...stage,
    ask("admin", "POST /v1/orgs/{org}/sites", 201, {
      send: { title: "Docs", visibility: "public", spaces: ["{space}"] },
      keep: { site: "id", siteAppUrl: "urls.app" },
    }),
    ask("read", at("{siteAppUrl}"), 200, { see: { type: "site", site: "{site}" } }),
    ask("admin", "POST /v1/orgs/{org}/sites/{site}/publish", 200, { keep: { siteUrl: "urls.published" } }),
    ask("admin", "GET /v1/orgs/{org}/sites/{site}/site-spaces", 200, {
      keep: { siteSpace: (body) => body.items[0].id },
    }),
    ask("read", at("{siteUrl}"), 200, {
      see: { type: "space", site: "{site}", siteSpace: "{siteSpace}", space: "{space}" },
    }),
    ask("read", `${at("{siteUrl}")}%2F{path}`, 200, {
      see: { type: "page", site: "{site}", siteSpace: "{siteSpace}", space: "{space}", page: "{page}" },
    }),
    ask("read", `${at("{siteUrl}")}%2Fnowhere`, "404 url_not_found"),
    ask("stranger", at("{siteUrl}"), "404 url_not_found"),
    send("admin", "PATCH /v1/collections/{collection}", 200, { defaultLevel: null }),
    ask("read", `${at("{siteUrl}")}%2F{path}`, "404 url_not_found"),
    ask("read", at("{siteUrl}"), 200, { see: { type: "site", site: "{site}", space: undefined } }),
  ]),
];
