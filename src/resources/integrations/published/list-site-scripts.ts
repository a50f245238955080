// Lists only the scripts of a site, for renderers that have the rest of its profile.

import { defineOperation } from "../../../operation/operation";
import { paginateRows } from "../../../operation/pagination";
import { encodeKey } from "../../../storage/key";
import { Script } from "../../sites/reading/published-schema";
import { visibleSite } from "../../sites/rules";
import { visitorQuery } from "../../sites/schema";
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
    list: Script,
    cache: false,
    async handle(context) {
      const { site, query, pageRequest } = context;
      const { listSiteScripts, presentScripts } = await loadScripts();
      const spaces = getSiteSpaces((await presentItemsForCaller(context, query)).visible).map(({ space }) => space);
      const scripts = site.published ? await listSiteScripts(context, site, spaces) : [];
      const rows = scripts.map((record, index) => ({ record, position: encodeKey(index) }));
      return paginateRows(pageRequest, rows, (records) => presentScripts(context, site.id, records));
    },
  },
);
