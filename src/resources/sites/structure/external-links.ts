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
  summary: "Add an external link at the end of the navigation of a site, or of a group of sections",
  description: "The site must have sections. Visitors see the link unless it is a draft or its condition isn't met.",
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
  summary: "Change an external link",
  description:
    "Null removes a description, an icon or a condition. `parent` moves the link to the end of a group, or, if it is null, to the end of the navigation.",
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
  description: "A deleted link can be deleted again without an error.",
  target: siteExternalLink,
  right: "edit",
  async handle({ tx, site, structure, ports, link }) {
    await saveStructure(tx, site, structure, applyItemChanges(structure, { without: [link] }), ports);
  },
});
