// Previews of a site as stories: who may make one, of what, and what it says.

import { ask, defineStory, page, type Scene, type Story, send } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites/{site}";

/** A site that is not published, with a space on it, and a change request of that space. */
const stage: Scene[] = [
  makeSpace("guide", "Guide"),
  ask("admin", "POST /v1/spaces/{guide}/content", 200, {
    send: { changes: [page("Welcome", "Hello.")] },
    keep: { before: "revision" },
  }),
  ask("admin", "POST /v1/orgs/{org}/sites", 201, {
    send: { title: "Docs", spaces: ["{guide}"] },
    keep: { site: "id" },
  }),
  ask("admin", `GET ${at}/site-spaces`, 200, { keep: { item: (body) => body.items[0].id } }),
  ask("edit", "POST /v1/spaces/{guide}/change-requests", 201, {
    send: { subject: "Anew" },
    keep: { change: "id" },
  }),
  ask("edit", "POST /v1/spaces/{guide}/change-requests/{change}/content", 200, {
    send: { changes: [page("Draft", "Not yet.")] },
    keep: { proposed: "revision" },
  }),
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
  defineStory("an editor previews a change request or a revision on a site that is not published", [
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
    ask(null, "POST /v1/urls/published", 200, {
      send: { url: "http://localhost:3000/sites/{org}/docs?preview={token}" },
      see: { type: "content", changeRequest: "{change}", revision: "{proposed}", space: "{guide}" },
    }),
    {
      as: "create",
      ...preview({ siteSpaceId: "{item}", revisionId: "{before}" }),
      expect: 200,
      see: { changeRequest: undefined, revision: "{before}" },
    },
    ask("admin", `POST ${at}/publish`, 200),
    ask(null, "POST /v1/urls/published", 200, {
      send: { url: "http://localhost:3000/sites/{org}/docs?preview=1" },
      see: { changeRequest: undefined, revision: undefined },
    }),
  ]),
  defineStory("a preview is refused to those who do not edit the site, and of what is not there", [
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
    ask("admin", "POST /v1/spaces/{other}/change-requests", 201, {
      send: { subject: "Elsewhere" },
      keep: { elsewhere: "id", otherRevision: "revision" },
    }),
    refused({ siteSpaceId: "{item}", changeRequestId: "{elsewhere}" }, "body.changeRequestId"),
    refused({ siteSpaceId: "{item}", revisionId: "{otherRevision}" }, "body.revisionId"),
    send("admin", "PATCH /v1/spaces/{guide}", 200, { defaultLevel: null }),
    refused({ siteSpaceId: "{item}", changeRequestId: "{change}" }, "body.siteSpaceId", "create"),
    send("admin", "PATCH /v1/spaces/{guide}/change-requests/{change}", 200, { status: "archived" }),
    { as: "admin", ...ofChange, expect: 412, reason: "change_request_archived" },
    send("admin", "PATCH /v1/spaces/{guide}/change-requests/{change}", 200, { status: "open" }),
    ask("admin", "POST /v1/spaces/{guide}/change-requests/{change}/merge", 200),
    { as: "admin", ...ofChange, expect: 412, reason: "already_merged" },
  ]),
];
