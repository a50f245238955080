// The operation that searches a whole site, as one visitor sees it.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { loadLazily } from "../../../utils/lazy";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import type { SiteSearchScope } from "./find-site-pages";
import { type SearchScope, SiteSearchQuery, SiteSearchSpace } from "./published-schema";

const loadFindSitePages = loadLazily(() => import("./find-site-pages"));

/** Maximum number of pages in a result. */
const MAX_RESULTS = 20;

export const searchSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/search", {
  summary: "Search a site",
  target: publishedSite,
  right: "view",
  allowsVisitors: true,
  query: visitorQuery,
  body: SiteSearchQuery,
  list: SiteSearchSpace,
  isReadOnly: true,
  async handle(context) {
    const { body } = context;
    const { after = 0, limit } = context.pageRequest;
    const window = { offset: Number(after), limit };
    const { searchSitePages } = await loadFindSitePages();
    const found = await searchSitePages(context, body.query, parseSearchScope(body), MAX_RESULTS, window);
    const end = window.offset + limit;
    const items = [...found.items];
    if (found.isLasting) stableResults.add(items);
    return { items, lastPosition: end < found.count ? String(end) : undefined, count: found.count };
  },
});

/** Returns which site-spaces a scope names: all of them, the defaults or none, and further ones by the ids in `field`. */
export function getScopeSpaces(scope: v.InferOutput<typeof SearchScope>): SiteSearchScope {
  if (scope.mode === "all") return { base: "all" };
  if (scope.mode === "specific") return { base: "none", ids: scope.siteSpaceIds, field: "body.scope.siteSpaceIds" };
  const { includedSiteSpaces: ids = [], currentSiteSpace: current } = scope;
  return { base: "defaults", ids, field: "body.scope.includedSiteSpaces", current };
}

/** The results of `searchSite` that stay valid until something is written in the organization. */
export const stableResults = new WeakSet<object>();

/** Reads the scope of a query, in its present form or in the older one, which has a mode and the ids beside it. */
function parseSearchScope({
  scope,
  mode,
  siteSpaceId,
  siteSpaceIds,
}: v.InferOutput<typeof SiteSearchQuery>): SiteSearchScope {
  if (scope) {
    for (const [name, value] of Object.entries({ mode, siteSpaceId, siteSpaceIds }))
      if (value !== undefined) throw createValidationError(`body.${name}`, "Can't be combined with `scope`");
    return getScopeSpaces(scope);
  }
  if (mode !== "current" && siteSpaceId !== undefined)
    throw createValidationError("body.siteSpaceId", "Only allowed with the mode `current`");
  if (mode !== "specific" && siteSpaceIds !== undefined)
    throw createValidationError("body.siteSpaceIds", "Only allowed with the mode `specific`");
  if (mode === "current") {
    if (siteSpaceId === undefined) throw createValidationError("body.siteSpaceId", "Required for the mode `current`");
    return { base: "none", ids: [siteSpaceId], field: "body.siteSpaceId" };
  }
  if (mode !== "specific") return { base: "all" };
  if (siteSpaceIds === undefined) throw createValidationError("body.siteSpaceIds", "Required for the mode `specific`");
  return { base: "none", ids: siteSpaceIds, field: "body.siteSpaceIds" };
}
