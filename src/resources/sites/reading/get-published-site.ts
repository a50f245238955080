// Returns everything that a renderer needs to know about a published site, in one response, for one visitor.

import { defineOperation } from "../../../operation/operation";
import { presentCustomizations } from "../customization/customization";
import { evaluateTexts } from "../customization/evaluate-texts";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { siteIntegrations } from "../site-integrations";
import { createItemPresenter } from "../structure/item-views";
import { getSiteSpaces, readStructure } from "../structure/structure";
import { presentSite } from "../views";
import { PublishedContentSite } from "./published-schema";
import { pickSourceContext } from "./visible-pages";

export const getPublishedSite = defineOperation("GET /orgs/:organizationId/sites/:siteId/published", {
  summary: "Get a published site",
  target: publishedSite,
  right: "view",
  allowsVisitors: true,
  query: visitorQuery,
  returns: PublishedContentSite,
  cache: "unless-elsewhere",
  async handle(context) {
    // Only these members are passed on. Without the clock among them, the response may be cached.
    const { tx, actor, organization, site, me, visitor, urls } = context;
    const ports = { cache: context.ports.cache };
    const viewing = { tx, actor, organization, site, me, visitor, urls, ports };
    const structure = await readStructure(tx, site, ports);
    const items = await createItemPresenter(viewing, structure);
    const siteSpaces = getSiteSpaces(items.visible);
    return {
      object: "published-content-site" as const,
      site: evaluateTexts(await presentSite(viewing, site, visitor.shareKey, siteSpaces.length), visitor.claims),
      structure: await items.presentStructure(),
      customizations: await presentCustomizations(
        { ...viewing, ...pickSourceContext(context), structure },
        items.visible,
        (customization) => evaluateTexts(customization, visitor.claims),
      ),
      scripts: await siteIntegrations.implementation.listScripts(
        context,
        site,
        siteSpaces.map(({ space }) => space),
      ),
    };
  },
});
