// External links in the navigation of a site: beside its sections, or in a group of them.

import { defineOperation } from "../../../operation/operation";
import { omitUndefined } from "../../../utils/objects";
import { SiteExternalLink } from "../schema";
import { addExternalLink, applyItemChanges, checkSiblingLimit } from "./edit-structure";
import { requireGroup, siteExternalLink, siteWithStructure } from "./item-rules";
import { NewSiteExternalLink, SiteExternalLinkChanges } from "./item-schema";
import { createLastPosition } from "./positions";
import { saveAndPresentItem } from "./save-changes";
import { saveStructure } from "./structure";

const linkPath = "/orgs/:organizationId/sites/:siteId/external-links/:siteExternalLinkId";

export const createSiteExternalLink = defineOperation("POST /orgs/:organizationId/sites/:siteId/external-links", {
  summary: "Create an external link",
  target: siteWithStructure,
  right: "edit",
  body: NewSiteExternalLink,
  returns: SiteExternalLink,
  status: 201,
  async handle(context) {
    const { site, structure, newId } = context;
    const { parent = null, description = null, icon = null, condition = null, draft = false, ...body } = context.body;
    if (parent !== null) requireGroup(structure, parent, "body.parent");
    const id = newId("siteExternalLink");
    const added = { site: site.id, id, parent, description, icon, condition, draft, ...body };
    return saveAndPresentItem(context, addExternalLink(structure, added), id, "presentExternalLinks");
  },
});

export const updateSiteExternalLink = defineOperation(`PATCH ${linkPath}`, {
  summary: "Update an external link",
  target: siteExternalLink,
  right: "edit",
  body: SiteExternalLinkChanges,
  returns: SiteExternalLink,
  async handle(context) {
    const { structure, link, body } = context;
    const changed = { ...link, ...omitUndefined(body) };
    if (changed.parent !== link.parent) {
      const siblings = structure.getChildren(changed.parent);
      if (changed.parent !== null) {
        requireGroup(structure, changed.parent, "body.parent");
        checkSiblingLimit(siblings);
      }
      Object.assign(changed, { position: createLastPosition(siblings) });
    }
    return saveAndPresentItem(
      context,
      applyItemChanges(structure, { put: [changed] }),
      link.id,
      "presentExternalLinks",
    );
  },
});

export const deleteSiteExternalLink = defineOperation(`DELETE ${linkPath}`, {
  summary: "Delete an external link",
  target: siteExternalLink,
  right: "edit",
  async handle({ tx, site, structure, ports, link }) {
    await saveStructure(tx, site, structure, applyItemChanges(structure, { without: [link] }), ports);
  },
});
