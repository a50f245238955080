// The published profile: everything that a renderer needs to know about a site, in one answer, for one visitor.

import { defineOperation } from "../../../operation/operation";
import { publishedLooks } from "../look/customization";
import { wordsFor } from "../look/words";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { served } from "../served-by-integrations";
import { itemViews } from "../structure/item-views";
import { readStructure, siteSpacesIn } from "../structure/structure";
import { siteView } from "../views";
import { PublishedContentSite } from "./published-schema";
import { sourcesIn } from "./visitor-content";

export const getPublishedSite = defineOperation("GET /orgs/:organizationId/sites/:siteId/published", {
  summary: "Get everything that a renderer needs of a published site, as a visitor sees it",
  target: publishedSite,
  right: "view",
  allowsVisitors: true,
  query: visitorQuery,
  returns: PublishedContentSite,
  cache: "unless-elsewhere",
  async handle(context) {
    // Only these parts are passed on. The clock is not among them, so the answer may be kept.
    const { tx, actor, organization, site, me, visitor, urls } = context;
    const ports = { cache: context.ports.cache };
    const viewing = { tx, actor, organization, site, me, visitor, urls, ports };
    const structure = await readStructure(tx, site, ports);
    const items = await itemViews(viewing, structure);
    const siteSpaces = siteSpacesIn(items.visible);
    return {
      object: "published-content-site" as const,
      site: wordsFor(await siteView(viewing, site, visitor.shareKey, siteSpaces.length), visitor.claims),
      structure: await items.structure(),
      customizations: await publishedLooks({ ...viewing, ...sourcesIn(context), structure }, items.visible, (look) =>
        wordsFor(look, visitor.claims),
      ),
      scripts: await served.implementation.scripts(
        context,
        site,
        siteSpaces.map(({ space }) => space),
      ),
    };
  },
});
