// Lists only the scripts of a site, or of a space on published sites, for renderers that have the rest of the profile.

import * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import { isRoleAtLeast } from "../../../operation/roles";
import { space } from "../../library/spaces/rules";
import { Script } from "../../sites/reading/published-schema";
import { siteItems, sites } from "../../sites/records";
import { visibleSite } from "../../sites/rules";
import { visitorQuery } from "../../sites/schema";
import { getSiteRole } from "../../sites/site-role";
import { presentItemsForCaller } from "../../sites/structure/list-items";
import { getSiteSpaces } from "../../sites/structure/structure";
import { loadScripts } from "./published-scripts";

export const listSiteIntegrationScripts = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/integration-scripts",
  {
    summary: "List integration scripts of a site",
    target: visibleSite,
    right: "view",
    allowsVisitors: true,
    query: visitorQuery,
    returns: v.pipe(v.array(Script), v.title("SiteIntegrationScripts")),
    cache: false,
    async handle(context) {
      const { site, query } = context;
      const { listSiteScripts, presentScripts } = await loadScripts();
      const spaces = getSiteSpaces((await presentItemsForCaller(context, query)).visible).map(({ space }) => space);
      const scripts = site.published ? await listSiteScripts(context, site, spaces) : [];
      return presentScripts(context, site.id, scripts);
    },
  },
);

/** The limit of sites whose scripts are listed for a space. */
const MAX_SITES = 100;

export const listSpaceIntegrationScripts = defineOperation("GET /spaces/:spaceId/integration-scripts", {
  summary: "List integration scripts of a space",
  target: space,
  right: "view",
  allowsVisitors: true,
  returns: v.pipe(v.array(Script), v.title("SpaceIntegrationScripts")),
  cache: false,
  async handle(context) {
    const { tx, actor, me } = context;
    const { listSiteScripts, presentScripts } = await loadScripts();
    // A visitor reads the space on one site. Others get the scripts of the sites with the space on which they have a role.
    const shown = await siteItems.list(tx, "ofSpace", { under: [context.space.id], limit: MAX_SITES });
    const siteIds = actor.visit ? [actor.visit.site] : shown.map(({ record }) => record.site);
    const scripts: v.InferInput<typeof Script>[] = [];
    for (const id of siteIds) {
      const site = await sites.get(tx, id);
      if (!site?.published || (!actor.visit && !isRoleAtLeast(await getSiteRole(tx, me, id), "read"))) continue;
      scripts.push(...(await presentScripts(context, id, await listSiteScripts(context, site, [context.space.id]))));
    }
    return scripts;
  },
});
