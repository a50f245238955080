// The structure of a site as a whole.

import { defineOperation } from "../../../operation/operation";
import { site } from "../rules";
import { SiteStructure } from "../schema";
import { requireItem, requireNeighbour, siteWithStructure } from "./item-rules";
import { SiteStructureSort } from "./item-schema";
import { presentItemsForCaller } from "./list-items";
import { moveItem } from "./moves";
import { saveAndPresent } from "./save-changes";

export const getSiteStructure = defineOperation("GET /orgs/:organizationId/sites/:siteId/structure", {
  summary: "Get the structure of a site",
  target: site,
  right: "view",
  returns: SiteStructure,
  handle: async (context) =>
    (await presentItemsForCaller(Object.assign(context, { visitor: undefined }))).presentStructure(),
});

export const sortSiteStructure = defineOperation("PATCH /orgs/:organizationId/sites/:siteId/structure/sort", {
  summary: "Reorder the structure of a site",
  target: siteWithStructure,
  right: "edit",
  body: SiteStructureSort,
  returns: SiteStructure,
  async handle(context) {
    const { structure, body } = context;
    const item = requireItem(structure, body.item, "body.item");
    const moved = moveItem(structure, item, requireNeighbour(structure, body.position));
    return (await saveAndPresent(context, moved)).presentStructure();
  },
});
