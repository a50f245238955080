// The spaces on a site.

import * as v from "valibot";
import { createError } from "../../../errors";
import { BooleanParam } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { omitUndefined } from "../../../utils/objects";
import { duplicateSpaceRecord } from "../../library/spaces/records";
import { canPublishSpace, loadViewer } from "../../library/tree/rules";
import type { SectionRecord, SiteSpaceRecord } from "../records";
import { visibleSite } from "../rules";
import { SiteSpace, visitorQuery } from "../schema";
import { addSection, addSiteSpace, removeSiteSpace, replaceItem } from "./edit-structure";
import { requireNeighbour, requireSection, siteSpace, siteSpaceWithSpace, siteWithStructure } from "./item-rules";
import { NewSiteSpace, SiteSpaceChanges, SiteSpaceMove } from "./item-schema";
import { paginateItems, presentItemsForCaller } from "./list-items";
import { moveItem } from "./moves";
import { getPublishableSpace } from "./publishable-spaces";
import { saveAndPresentItem } from "./save-changes";
import {
  getChildSiteSpaces,
  getSiteSpaces,
  isDefaultItem,
  isSection,
  type Structure,
  saveStructure,
} from "./structure";

export const listSiteSpaces = defineOperation("GET /orgs/:organizationId/sites/:siteId/site-spaces", {
  summary: "List site-spaces",
  target: visibleSite,
  right: "view",
  query: { ...visitorQuery, default: v.optional(BooleanParam) },
  list: SiteSpace,
  async handle(context) {
    const { query, pageRequest } = context;
    const views = await presentItemsForCaller(context, query);
    const wanted = getSiteSpaces(views.visible).filter(
      (item) => query.default === undefined || isDefaultItem(views.visible, item) === query.default,
    );
    return paginateItems(pageRequest, views.visible, wanted, views.presentSiteSpaces);
  },
});

export const createSiteSpace = defineOperation("POST /orgs/:organizationId/sites/:siteId/site-spaces", {
  summary: "Add a space to a site",
  target: siteWithStructure,
  right: "edit",
  body: NewSiteSpace,
  returns: SiteSpace,
  status: 201,
  async handle(context) {
    const { body, site, structure, newId } = context;
    const space = await getPublishableSpace(context, body.spaceId, "body.spaceId");
    const section =
      body.sectionId === undefined ? null : requireSection(structure, body.sectionId, "body.sectionId").id;
    const added = { site: site.id, id: newId("siteSpace"), space: space.id, title: space.title };
    return saveAndPresentItem(context, addSiteSpace(structure, added, section), added.id, "presentSiteSpaces");
  },
});

export const duplicateSiteSpace = defineOperation(
  "POST /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/duplicate",
  {
    summary: "Duplicate a site-space",
    target: siteSpaceWithSpace,
    right: "edit",
    returns: SiteSpace,
    status: 201,
    async handle(context) {
      const { tx, site, structure, siteSpace, spaceContext, actor, newId } = context;
      if (!canPublishSpace(await loadViewer(tx, actor.user.id), spaceContext.path)) throw createError("forbidden");
      const copy = await duplicateSpaceRecord(context, spaceContext);
      const added = { site: site.id, id: newId("siteSpace"), space: copy.id, title: copy.title };

      const section = siteSpace.parent === null ? undefined : structure.get(siteSpace.parent);
      let after: Structure;
      if (isSection(section) && getChildSiteSpaces(structure, section.id).length === 1) {
        const { title, icon, description, condition } = section;
        const id = newId("siteSection");
        after = addSection(structure, { site: site.id, id, title, icon }, added);
        after = replaceItem(after, { ...(after.get(id) as SectionRecord), description, condition });
        after = moveItem(after, after.get(id)!, { side: "after", neighbour: section });
      } else {
        after = addSiteSpace(structure, added, siteSpace.parent);
        after = moveItem(after, after.get(added.id)!, { side: "after", neighbour: siteSpace });
      }
      const record = after.get(added.id) as SiteSpaceRecord;
      after = replaceItem(after, { ...record, condition: siteSpace.condition });
      return saveAndPresentItem(context, after, added.id, "presentSiteSpaces");
    },
  },
);

export const updateSiteSpace = defineOperation("PATCH /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId", {
  summary: "Update a site-space",
  target: siteSpace,
  right: "edit",
  body: SiteSpaceChanges,
  returns: SiteSpace,
  async handle(context) {
    const { structure, siteSpace } = context;
    const { spaceId, ...changes } = context.body;
    const space =
      spaceId === undefined ? siteSpace.space : (await getPublishableSpace(context, spaceId, "body.spaceId")).id;
    const changed = { ...siteSpace, ...omitUndefined(changes), space };
    return saveAndPresentItem(context, replaceItem(structure, changed), siteSpace.id, "presentSiteSpaces");
  },
});

export const deleteSiteSpace = defineOperation("DELETE /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId", {
  summary: "Remove a space from a site",
  target: siteSpace,
  right: "edit",
  async handle({ tx, site, structure, ports, siteSpace }) {
    await saveStructure(tx, site, structure, removeSiteSpace(structure, siteSpace), ports);
  },
});

export const moveSiteSpace = defineOperation("POST /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/move", {
  summary: "Move a site-space",
  isDeprecated: true,
  target: siteSpace,
  right: "edit",
  body: SiteSpaceMove,
  returns: SiteSpace,
  async handle(context) {
    const { structure, siteSpace, body } = context;
    const [before, after] = [body.position.before, body.position.after].map(
      (it) => it && { type: it.type, id: it.siteSpace },
    );
    const moved = moveItem(structure, siteSpace, requireNeighbour(structure, { before, after }));
    return saveAndPresentItem(context, moved, siteSpace.id, "presentSiteSpaces");
  },
});
