// Previews of a site as stories: who may make one, of what, and what it says.

import { page, type Scene, type Story } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites/{site}";

/** A site that is not published, with a space on it, and a change request of that space. */
const stage: Scene[] = [
  makeSpace("guide", "Guide"),
  {
    as: "admin",
    ask: "POST /v1/spaces/{guide}/content",
    send: { changes: [page("Welcome", "Hello.")] },
    expect: 200,
    keep: { before: "revision" },
  },
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/sites",
    send: { title: "Docs", spaces: ["{guide}"] },
    expect: 201,
    keep: { site: "id" },
  },
  { as: "admin", ask: `GET ${at}/site-spaces`, expect: 200, keep: { item: (body) => body.items[0].id } },
  {
    as: "edit",
    ask: "POST /v1/spaces/{guide}/change-requests",
    send: { subject: "Anew" },
    expect: 201,
    keep: { change: "id" },
  },
  {
    as: "edit",
    ask: "POST /v1/spaces/{guide}/change-requests/{change}/content",
    send: { changes: [page("Draft", "Not yet.")] },
    expect: 200,
    keep: { proposed: "revision" },
  },
];

const preview = (send: object): Pick<Scene, "ask" | "send"> => ({ ask: `POST ${at}/preview`, send });
const ofChange = preview({ siteSpaceId: "{item}", changeRequestId: "{change}" });

const refused = (send: object, path: string, as: Scene["as"] = "admin"): Scene => ({
  as,
  ...preview(send),
  expect: 400,
  see: { error: { issues: [{ path }] } },
});

export const stories: Story[] = [
  {
    title: "an editor previews a change request or a revision on a site that is not published",
    scenes: [
      ...stage,
      {
        as: "create",
        ...ofChange,
        expect: 200,
        see: {
          object: "site-preview",
          organization: "{org}",
          site: "{site}",
          siteSpace: "{item}",
          space: "{guide}",
          changeRequest: "{change}",
          revision: "{proposed}",
          pagePath: "welcome",
          siteBasePath: "/sites/{org}/docs/",
          basePath: "/sites/{org}/docs/",
          pathname: "/",
          complete: true,
          shareKey: undefined,
          canonicalUrl: "http://localhost:3000/sites/{org}/docs",
          urls: {
            published: "http://localhost:3000/sites/{org}/docs",
            preview: (url: string) => url.includes("/docs?preview="),
          },
        },
        keep: { token: "apiToken" },
      },
      {
        as: null,
        ask: "POST /v1/urls/published",
        send: { url: "http://localhost:3000/sites/{org}/docs?preview={token}" },
        expect: 200,
        see: { type: "content", changeRequest: "{change}", revision: "{proposed}", space: "{guide}" },
      },
      {
        as: "create",
        ...preview({ siteSpaceId: "{item}", revisionId: "{before}" }),
        expect: 200,
        see: { changeRequest: undefined, revision: "{before}" },
      },
      { as: "admin", ask: `POST ${at}/publish`, expect: 200 },
      {
        as: null,
        ask: "POST /v1/urls/published",
        send: { url: "http://localhost:3000/sites/{org}/docs?preview=1" },
        expect: 200,
        see: { changeRequest: undefined, revision: undefined },
      },
    ],
  },
  {
    title: "a preview is refused to those who do not edit the site, and of what is not there",
    scenes: [
      ...stage,
      { as: "edit", ...ofChange, expect: 403, reason: "forbidden" },
      { as: "rival", ...ofChange, expect: 404, reason: "organization_not_found" },
      { as: null, ...ofChange, expect: 401, reason: "unauthorized" },
      refused({ siteSpaceId: "{item}" }, "body"),
      refused({ siteSpaceId: "{item}", changeRequestId: "{change}", revisionId: "{before}" }, "body"),
      refused({ siteSpaceId: "ssp_none", changeRequestId: "{change}" }, "body.siteSpaceId"),
      refused({ siteSpaceId: "{item}", changeRequestId: "chr_none" }, "body.changeRequestId"),
      refused({ siteSpaceId: "{item}", revisionId: "rev_none" }, "body.revisionId"),
      makeSpace("other", "Other"),
      {
        as: "admin",
        ask: "POST /v1/spaces/{other}/change-requests",
        send: { subject: "Elsewhere" },
        expect: 201,
        keep: { elsewhere: "id", otherRevision: "revision" },
      },
      refused({ siteSpaceId: "{item}", changeRequestId: "{elsewhere}" }, "body.changeRequestId"),
      refused({ siteSpaceId: "{item}", revisionId: "{otherRevision}" }, "body.revisionId"),
      { as: "admin", ask: "PATCH /v1/spaces/{guide}", send: { defaultLevel: null }, expect: 200 },
      refused({ siteSpaceId: "{item}", changeRequestId: "{change}" }, "body.siteSpaceId", "create"),
      {
        as: "admin",
        ask: "PATCH /v1/spaces/{guide}/change-requests/{change}",
        send: { status: "archived" },
        expect: 200,
      },
      { as: "admin", ...ofChange, expect: 412, reason: "change_request_archived" },
      { as: "admin", ask: "PATCH /v1/spaces/{guide}/change-requests/{change}", send: { status: "open" }, expect: 200 },
      { as: "admin", ask: "POST /v1/spaces/{guide}/change-requests/{change}/merge", expect: 200 },
      { as: "admin", ...ofChange, expect: 412, reason: "already_merged" },
    ],
  },
];
