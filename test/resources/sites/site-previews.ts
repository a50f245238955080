// Previews of a site as stories: who may make one, of what, and what it says.

import { ask, create, defineStory, page, refuse, type Scene, type Story, send } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites/{site}";

/** A site that is not published, with a space on it, and a change request of that space. */
const stage: Scene[] = [
  makeSpace("guide", "Guide"),
  ask("admin", "POST /v1/spaces/{guide}/content", 200, {
    send: { changes: [page("Welcome", "Hello.")] },
    keep: { before: "revision" },
  }),
  create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", spaces: ["{guide}"] }),
  ask("admin", `GET ${at}/site-spaces`, 200, { keep: { item: (body) => body.items[0].id } }),
  create("edit", "POST /v1/spaces/{guide}/change-requests", "change", { subject: "Anew" }),
  ask("edit", "POST /v1/spaces/{guide}/change-requests/{change}/content", 200, {
    send: { changes: [page("Draft", "Not yet.")] },
    keep: { proposed: "revision" },
  }),
];

const preview = `POST ${at}/preview`;
const ofChange = { siteSpaceId: "{item}", changeRequestId: "{change}" };

const refused = (body: object, path: string, as: Scene["as"] = "admin"): Scene => refuse(as, preview, path, body);

export const stories: Story[] = [
  defineStory("an editor previews a change request or a revision on a site that is not published", [
    ...stage,
    ask("create", preview, 200, {
      send: ofChange,
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
    }),
    ask(null, "POST /v1/urls/published", 200, {
      send: { url: "http://localhost:3000/sites/{org}/docs?preview={token}" },
      see: { type: "content", changeRequest: "{change}", revision: "{proposed}", space: "{guide}" },
    }),
    ask("create", preview, 200, {
      send: { siteSpaceId: "{item}", revisionId: "{before}" },
      see: { changeRequest: undefined, revision: "{before}" },
    }),
    ask("admin", `POST ${at}/publish`, 200),
    ask(null, "POST /v1/urls/published", 200, {
      send: { url: "http://localhost:3000/sites/{org}/docs?preview=1" },
      see: { changeRequest: undefined, revision: undefined },
    }),
  ]),
  defineStory("an editor gets a URL that shows what visitors will see, also before the site is published", [
    ...stage,
    ask("edit", `GET ${at}/publishing/preview`, "403 forbidden"),
    ask("rival", `GET ${at}/publishing/preview`, "404 organization_not_found"),
    ask(null, `GET ${at}/publishing/preview`, "401 unauthorized"),
    refuse("create", `GET ${at}/publishing/preview?siteSpace=ssp_none`, "query.siteSpace"),
    refuse("create", `GET ${at}/publishing/preview?claims=x`, "query.claims"),
    ask("create", `GET ${at}/publishing/preview`, 200, {
      see: { url: (url: string) => /^http:\/\/localhost:3000\/sites\/org_[^/]+\/docs\?preview=/.test(url) },
      keep: { preview: "url" },
    }),
    ask(null, "POST /v1/urls/published", 200, {
      send: { url: "{preview}" },
      see: { type: "content", space: "{guide}", revision: "{before}", changeRequest: undefined, pagePath: "welcome" },
    }),
    ask("create", `GET ${at}/publishing/preview?siteSpace={item}`, 200),
    makeSpace("closed", "Closed"),
    send("admin", "PATCH /v1/spaces/{closed}", 200, { defaultLevel: null }),
    create("admin", `POST ${at}/site-spaces`, "closedItem", { spaceId: "{closed}" }),
    refuse("create", `GET ${at}/publishing/preview?siteSpace={closedItem}`, "query.siteSpace"),
    create("create", "POST /v1/orgs/{org}/sites", "empty", { title: "Empty" }),
    refuse("create", "GET /v1/orgs/{org}/sites/{empty}/publishing/preview", "query.siteSpace"),
    // Ten minutes later the URL shows nothing that is not published.
    ask(null, "POST /v1/urls/published", "404 published_url_not_found", {
      send: { url: "{preview}" },
      after: 11 * 60 * 1000,
    }),
  ]),
  defineStory("a preview is refused to those who do not edit the site, and of what is not there", [
    ...stage,
    send("edit", preview, "403 forbidden", ofChange),
    send("rival", preview, "404 organization_not_found", ofChange),
    send(null, preview, "401 unauthorized", ofChange),
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
    send("admin", preview, "412 change_request_archived", ofChange),
    send("admin", "PATCH /v1/spaces/{guide}/change-requests/{change}", 200, { status: "open" }),
    ask("admin", "POST /v1/spaces/{guide}/change-requests/{change}/merge", 200),
    send("admin", preview, "412 already_merged", ofChange),
  ]),
];
