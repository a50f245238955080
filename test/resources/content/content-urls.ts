// What URLs lead to, as stories: those of the application and those of published sites.

import { page, type Scene, type Story } from "../scenario";

const at = (url: string) => `GET /v1/urls/content?url=${url}`;
const isNowhere = { expect: 404, reason: "url_not_found" } as const;

const stage: Scene[] = [
  {
    as: "admin",
    ask: "GET /v1/orgs/{org}",
    expect: 200,
    keep: { orgUrl: "urls.app" },
  },
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/collections",
    send: { title: "Guides" },
    expect: 201,
    keep: { collection: "id", collectionUrl: "urls.app" },
  },
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/spaces",
    send: { title: "Guide", parent: "{collection}" },
    expect: 201,
    keep: { space: "id", spaceUrl: "urls.app" },
  },
  {
    as: "admin",
    ask: "POST /v1/spaces/{space}/content",
    send: {
      changes: [
        page("Große Übersicht", "Text."),
        { operation: "insert_files", files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("Hello") }] },
      ],
    },
    expect: 200,
    keep: {
      page: (body) => body.changes[0].page.id,
      file: (body) => body.insertedFiles[0].id,
      revision: "revision",
    },
  },
  {
    as: "admin",
    ask: "GET /v1/spaces/{space}/content/page/{page}",
    expect: 200,
    keep: { pageUrl: "urls.app", path: "path" },
  },
  {
    as: "admin",
    ask: "POST /v1/spaces/{space}/change-requests",
    send: { subject: "More" },
    expect: 201,
    keep: { change: "id", changeUrl: "urls.app" },
  },
  {
    as: "admin",
    ask: "GET /v1/spaces/{space}/revisions/{revision}",
    expect: 200,
    keep: { revisionUrl: "urls.app" },
  },
];

/** Every URL of the application that the stage has. */
const urls = ["orgUrl", "collectionUrl", "spaceUrl", "pageUrl", "changeUrl", "revisionUrl"] as const;
const origin = encodeURIComponent("http://localhost:3000");

export const stories: Story[] = [
  {
    title: "a URL of the application leads to the thing that gave it",
    scenes: [
      ...stage,
      {
        as: "read",
        ask: at("{orgUrl}"),
        expect: 200,
        see: { object: "content-url", type: "organization", organization: "{org}", space: undefined },
      },
      {
        as: "read",
        ask: at("{collectionUrl}"),
        expect: 200,
        see: { type: "collection", organization: "{org}", collection: "{collection}" },
      },
      {
        as: "read",
        ask: at("{spaceUrl}"),
        expect: 200,
        see: {
          type: "space",
          organization: "{org}",
          space: "{space}",
          page: undefined,
          urls: { location: "http://localhost:3000/v1/spaces/{space}" },
        },
      },
      {
        as: "read",
        ask: `${at("{pageUrl}")}%3Fa%3Db%23part`,
        expect: 200,
        see: {
          type: "page",
          space: "{space}",
          page: "{page}",
          urls: { location: "http://localhost:3000/v1/spaces/{space}/content/page/{page}" },
        },
      },
      {
        as: "read",
        ask: at("{changeUrl}"),
        expect: 200,
        see: { type: "change-request", space: "{space}", changeRequest: "{change}", page: undefined },
      },
      {
        as: "read",
        ask: `${at("{changeUrl}")}%2F{path}`,
        expect: 200,
        see: { type: "page", space: "{space}", changeRequest: "{change}", page: "{page}" },
      },
      {
        as: "read",
        ask: at("{revisionUrl}"),
        expect: 200,
        see: { type: "revision", space: "{space}", revision: "{revision}" },
      },
      {
        as: "read",
        ask: `${at("{spaceUrl}")}%2F~%2Ffiles%2F{file}`,
        expect: 200,
        see: { type: "file", space: "{space}", file: "{file}" },
      },
    ],
  },
  {
    title: "S30: a URL that leads nowhere, and one to something hidden, get the same answer",
    scenes: [
      ...stage,
      ...urls.map((name): Scene => ({ as: "stranger", ask: at(`{${name}}`), ...isNowhere })),
      { as: "admin", ask: "PATCH /v1/collections/{collection}", send: { defaultLevel: null }, expect: 200 },
      ...urls.slice(1).map((name): Scene => ({ as: "read", ask: at(`{${name}}`), ...isNowhere })),
      { as: "read", ask: at("{orgUrl}"), expect: 200 },
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
      ].map((more): Scene => ({ as: "admin", ask: `${at("{spaceUrl}")}${more}`, ...isNowhere })),
      ...[
        "",
        "%2Fo",
        "%2Fo%2F{org}%2Fx%2Fy",
        "%2Fo%2F{org}%2Fs",
        "%2Fo%2F{org}%2Fs%2Fnone",
        "%2Fother",
        "%2Fo%2F%2525",
      ].map((path): Scene => ({ as: "admin", ask: at(origin + path), ...isNowhere })),
      { as: "admin", ask: at(encodeURIComponent("https://elsewhere.example/o/x")), ...isNowhere },
      { as: null, ask: at("{orgUrl}"), expect: 401, reason: "unauthorized" },
      { as: "admin", ask: "GET /v1/urls/content", expect: 400, reason: "invalid_request" },
      { as: "admin", ask: at("ftp%3A%2F%2Fa.example"), expect: 400, reason: "invalid_request" },
      { as: "admin", ask: "DELETE /v1/spaces/{space}", expect: 204 },
      { as: "admin", ask: at("{spaceUrl}"), ...isNowhere },
    ],
  },
  {
    title: "a URL of a site leads to the space and the page behind it, by the rights on the space",
    scenes: [
      ...stage,
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/sites",
        send: { title: "Docs", visibility: "public", spaces: ["{space}"] },
        expect: 201,
        keep: { site: "id", siteAppUrl: "urls.app" },
      },
      { as: "read", ask: at("{siteAppUrl}"), expect: 200, see: { type: "site", site: "{site}" } },
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/sites/{site}/publish",
        expect: 200,
        keep: { siteUrl: "urls.published" },
      },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/sites/{site}/site-spaces",
        expect: 200,
        keep: { siteSpace: (body) => body.items[0].id },
      },
      {
        as: "read",
        ask: at("{siteUrl}"),
        expect: 200,
        see: { type: "space", site: "{site}", siteSpace: "{siteSpace}", space: "{space}" },
      },
      {
        as: "read",
        ask: `${at("{siteUrl}")}%2F{path}`,
        expect: 200,
        see: { type: "page", site: "{site}", siteSpace: "{siteSpace}", space: "{space}", page: "{page}" },
      },
      { as: "read", ask: `${at("{siteUrl}")}%2Fnowhere`, ...isNowhere },
      { as: "stranger", ask: at("{siteUrl}"), ...isNowhere },
      { as: "admin", ask: "PATCH /v1/collections/{collection}", send: { defaultLevel: null }, expect: 200 },
      { as: "read", ask: `${at("{siteUrl}")}%2F{path}`, ...isNowhere },
      { as: "read", ask: at("{siteUrl}"), expect: 200, see: { type: "site", site: "{site}", space: undefined } },
    ],
  },
];
