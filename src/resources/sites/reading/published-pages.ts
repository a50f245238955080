// Operations that read the pages of a published site as one visitor sees them. A page that a condition hides is not in the
// tree, has no URL, and appears in no text.

import * as v from "valibot";
import { createError } from "../../../errors";
import { BooleanParam, Id } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { revisions } from "../../content/revisions/records";
import { formatQuery } from "../../content/revisions/schema";
import { findVisibleSpace } from "../audience/visible-items";
import { siteItems } from "../records";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import type { PublishedSiteSpaceContext } from "./page-views";
import { PublishedPage, PublishedPages } from "./published-schema";

const loadReader = loadLazily(() => import("./read-published-pages"));

const siteSpace: Target<PublishedSiteSpaceContext, "view"> = {
  ...publishedSite,
  async load(scope) {
    const siteContext = await publishedSite.load(scope);
    if (!siteContext) throw createError("site_not_found");
    const { tx, actor, params, ports } = scope;
    const item = await siteItems.get(tx, siteContext.site.id, params.siteSpaceId!);
    if (item?.type !== "site-space") return undefined;
    const structure = await readStructure(tx, siteContext.site, ports);
    const space = await findVisibleSpace({ ...siteContext, tx, actor }, structure, item);
    if (!space) return undefined;
    const revision = await revisions.get(tx, space.id, space.revision);
    return revision && { ...siteContext, structure, siteSpace: item, space, revision };
  },
  notFoundReason: "site_space_not_found",
  rights: { view: () => true },
};

export const listPublishedPages = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/pages",
  {
    summary: "List published pages",
    target: siteSpace,
    right: "view",
    allowsVisitors: true,
    query: {
      ...visitorQuery,
      along: v.optional(
        v.pipe(
          Id,
          v.description(
            "The ID of a page. Returns only its siblings, its ancestors with their siblings, its child pages, and the first " +
              "page of each group among them, without `hidden` pages. Defaults to all pages.",
          ),
        ),
      ),
      more: v.optional(
        v.pipe(
          BooleanParam,
          v.description(
            "With `along`: false omits `more` for collapsed pages, which is faster. Groups always have it. Defaults to true.",
          ),
        ),
      ),
    },
    returns: PublishedPages,
    cache: "unless-elsewhere",
    handle: callLazily(loadReader, (reader) => reader.readPublishedPages),
  },
);

export const getPublishedPage = defineOperation(
  "GET /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/page/:pageId",
  {
    summary: "Get a published page",
    target: siteSpace,
    right: "view",
    allowsVisitors: true,
    query: {
      ...visitorQuery,
      ...formatQuery,
      references: v.optional(
        v.pipe(
          BooleanParam,
          v.description("True includes the references in the document and the cover. Defaults to false."),
        ),
      ),
      pages: v.optional(v.pipe(BooleanParam, v.description("False excludes the child pages. Defaults to true."))),
    },
    returns: PublishedPage,
    cache: "unless-elsewhere",
    handle: callLazily(loadReader, (reader) => reader.readPublishedPage),
  },
);
