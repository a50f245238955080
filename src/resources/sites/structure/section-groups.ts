// Groups of sections: headings over them, which are not part of any URL.

import { createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { omitUndefined } from "../../../utils/objects";
import { site } from "../rules";
import { SiteSectionGroup } from "../schema";
import { addGroup, replaceItem } from "./edit-structure";
import { groupedSection, requireNeighbour, requireSection, siteSectionGroup, siteWithStructure } from "./item-rules";
import { GroupedSection, NewSiteSectionGroup, SiteSectionGroupChanges, SiteSectionGroupMove } from "./item-schema";
import { paginateItems, presentItemsForCaller } from "./list-items";
import { moveItem, moveSectionIntoGroup, moveSectionOutOfGroup, removeGroup } from "./moves";
import { saveAndPresentItem } from "./save-changes";
import { isSectionGroup, saveStructure } from "./structure";

const groupPath = "/orgs/:organizationId/sites/:siteId/section-groups/:siteSectionGroupId";

export const listSiteSectionGroups = defineOperation("GET /orgs/:organizationId/sites/:siteId/section-groups", {
  summary: "List section groups",
  target: site,
  right: "view",
  list: SiteSectionGroup,
  async handle(context) {
    const views = await presentItemsForCaller(Object.assign(context, { visitor: undefined }));
    return paginateItems(
      context.pageRequest,
      views.visible,
      views.visible.getChildren(null).filter(isSectionGroup),
      views.presentGroups,
    );
  },
});

export const createSiteSectionGroup = defineOperation("POST /orgs/:organizationId/sites/:siteId/section-groups", {
  summary: "Create a section group",
  target: siteWithStructure,
  right: "edit",
  body: NewSiteSectionGroup,
  returns: SiteSectionGroup,
  status: 201,
  async handle(context) {
    const { body, site, structure, newId } = context;
    const named = body.sections ?? [];
    const sections = named.map((id, i) => {
      if (named.indexOf(id) < i) throw createValidationError(`body.sections.${i}`, "Duplicate section");
      return requireSection(structure, id, `body.sections.${i}`);
    });
    const added = { site: site.id, id: newId("siteSectionGroup"), title: body.title, icon: body.icon ?? null };
    return saveAndPresentItem(context, addGroup(structure, added, sections), added.id, "presentGroups");
  },
});

export const updateSiteSectionGroup = defineOperation(`PATCH ${groupPath}`, {
  summary: "Update a section group",
  target: siteSectionGroup,
  right: "edit",
  body: SiteSectionGroupChanges,
  returns: SiteSectionGroup,
  async handle(context) {
    const { structure, group, body } = context;
    return saveAndPresentItem(
      context,
      replaceItem(structure, { ...group, ...omitUndefined(body) }),
      group.id,
      "presentGroups",
    );
  },
});

export const deleteSiteSectionGroup = defineOperation(`DELETE ${groupPath}`, {
  summary: "Delete a section group",
  target: siteSectionGroup,
  right: "edit",
  async handle({ tx, site, structure, ports, group }) {
    await saveStructure(tx, site, structure, removeGroup(structure, group), ports);
  },
});

export const addSectionToGroup = defineOperation(`POST ${groupPath}/sections`, {
  summary: "Add a section to a section group",
  target: siteSectionGroup,
  right: "edit",
  body: GroupedSection,
  returns: SiteSectionGroup,
  status: 201,
  async handle(context) {
    const { structure, group, body } = context;
    const section = requireSection(structure, body.sectionId, "body.sectionId");
    return saveAndPresentItem(context, moveSectionIntoGroup(structure, section, group), group.id, "presentGroups");
  },
});

export const removeSectionFromGroup = defineOperation(`DELETE ${groupPath}/sections/:siteSectionId`, {
  summary: "Remove a section from a section group",
  target: groupedSection,
  right: "edit",
  async handle({ tx, site, structure, ports, group, section }) {
    await saveStructure(tx, site, structure, moveSectionOutOfGroup(structure, section, group), ports);
  },
});

export const moveSiteSectionGroup = defineOperation(`POST ${groupPath}/move`, {
  summary: "Move a section group",
  target: siteSectionGroup,
  right: "edit",
  body: SiteSectionGroupMove,
  returns: SiteSectionGroup,
  async handle(context) {
    const { structure, group, body } = context;
    return saveAndPresentItem(
      context,
      moveItem(structure, group, requireNeighbour(structure, body.position)),
      group.id,
      "presentGroups",
    );
  },
});
