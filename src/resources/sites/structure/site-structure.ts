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
  summary: "Get the structure of a site: its sections in their groups, or the site-spaces at its root",
  target: site,
  right: "view",
  returns: SiteStructure,
  handle: async (context) =>
    (await presentItemsForCaller(Object.assign(context, { visitor: undefined }))).presentStructure(),
});

export const sortSiteStructure = defineOperation("PATCH /orgs/:organizationId/sites/:siteId/structure/sort", {
  summary: "Put a section, a group, an external link or a site-space beside another one",
  description:
    "It stands where its neighbour does: in the neighbour's group or section, or at the top. The last site-space of a section stays.",
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
