// Finds the content behind a URL of the application or of a published site. The caller's own rights decide, not those of the
// site's audience. Absent, hidden and foreign URLs get the same response.

import * as v from "valibot";
import { Id, namedObject, UrlString, WebUrl } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { self } from "../../people/users/rules";

const loadResolver = loadLazily(() => import("./resolve-content-url"));

const kinds = ["organization", "collection", "space", "page", "change-request", "revision", "file", "site"] as const;

const ContentUrl = namedObject("ContentUrl", {
  object: v.literal("content-url"),
  type: v.picklist(kinds),
  organization: Id,
  collection: v.optional(Id),
  site: v.optional(Id),
  siteSpace: v.optional(Id),
  space: v.optional(Id),
  changeRequest: v.optional(Id),
  revision: v.optional(Id),
  page: v.optional(Id),
  file: v.optional(Id),
  urls: v.object({ location: UrlString }),
});

export const getContentByUrl = defineOperation("GET /urls/content", {
  summary: "Get content by URL",
  target: { ...self, notFoundReason: "url_not_found" },
  right: "view",
  query: { url: WebUrl },
  returns: ContentUrl,
  cache: false,
  handle: callLazily(loadResolver, (resolver) => resolver.resolveContentUrl),
});
