// The sections of a site.

import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { omitUndefined } from "../../../utils/objects";
import { visibleSite } from "../rules";
import { SiteSection, visitorQuery } from "../schema";
import { addSection, removeSection, replaceItem } from "./edit-structure";
import { requireNeighbour, siteSection, siteWithStructure } from "./item-rules";
import { NewSiteSection, SiteSectionChanges, SiteSectionMove } from "./item-schema";
import { paginateItems, presentItemsForCaller } from "./list-items";
import { moveItem } from "./moves";
import { getPublishableSpace } from "./publishable-spaces";
import { saveAndPresentItem } from "./save-changes";
import { getSections, isSiteSpace, saveStructure } from "./structure";

export const listSiteSections = defineOperation("GET /orgs/:organizationId/sites/:siteId/sections", {
  summary: "List sections",
  target: visibleSite,
  right: "view",
  query: visitorQuery,
  list: SiteSection,
  async handle(context) {
    const views = await presentItemsForCaller(context, context.query);
    return paginateItems(context.pageRequest, views.visible, getSections(views.visible), views.presentSections);
  },
});

export const createSiteSection = defineOperation("POST /orgs/:organizationId/sites/:siteId/sections", {
  summary: "Create a section",
  target: siteWithStructure,
  right: "edit",
  body: NewSiteSection,
  returns: SiteSection,
  status: 201,
  async handle(context) {
    const { body, site, structure, newId } = context;
    const space = await getPublishableSpace(context, body.spaceId, "body.spaceId");
    const added = {
      site: site.id,
      id: newId("siteSection"),
      title: body.title ?? space.title,
      icon: body.icon ?? null,
    };
    const first = { site: site.id, id: newId("siteSpace"), space: space.id, title: space.title };
    return saveAndPresentItem(context, addSection(structure, added, first), added.id, "presentSections");
  },
});

export const updateSiteSection = defineOperation("PATCH /orgs/:organizationId/sites/:siteId/sections/:siteSectionId", {
  summary: "Update a section",
  target: siteSection,
  right: "edit",
  body: SiteSectionChanges,
  returns: SiteSection,
  async handle(context) {
    const { structure, section } = context;
    const { defaultSiteSpace, ...changes } = context.body;
    let { defaultItem } = section;
    if (defaultSiteSpace !== undefined) {
      const item = structure.get(defaultSiteSpace);
      if (!isSiteSpace(item) || item.parent !== section.id)
        throw createValidationError("body.defaultSiteSpace", "Site-space not found in this section");
      defaultItem = item.id;
    }
    const changed = { ...section, ...omitUndefined(changes), defaultItem };
    return saveAndPresentItem(context, replaceItem(structure, changed), section.id, "presentSections");
  },
});

export const deleteSiteSection = defineOperation("DELETE /orgs/:organizationId/sites/:siteId/sections/:siteSectionId", {
  summary: "Delete a section",
  target: siteSection,
  right: "edit",
  async handle({ tx, site, structure, ports, section }) {
    await saveStructure(tx, site, structure, removeSection(structure, section), ports);
  },
});

export const moveSiteSection = defineOperation(
  "POST /orgs/:organizationId/sites/:siteId/sections/:siteSectionId/move",
  {
    summary: "Move a section",
    isDeprecated: true,
    target: siteSection,
    right: "edit",
    body: SiteSectionMove,
    returns: SiteSection,
    async handle(context) {
      const { structure, section, body } = context;
      const [before, after] = [body.position.before, body.position.after].map(
        (it) => it && { type: it.type, id: it.siteSection },
      );
      const moved = moveItem(structure, section, requireNeighbour(structure, { before, after }));
      return saveAndPresentItem(context, moved, section.id, "presentSections");
    },
  },
);
