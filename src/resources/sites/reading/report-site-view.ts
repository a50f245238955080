// Reports page views. The renderer of a site reports what a visitor looked at, either with the rights of an editor or with the
// token of the visitor. A view is recorded like any other event of visitors.

import * as v from "valibot";
import { createValidationError } from "../../../errors";
import { Id, textSchema, WebUrl } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { omitUndefined } from "../../../utils/objects";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { openSpaceView } from "../addresses/targets";
import { findVisibleSpace } from "../audience/visible-items";
import { defineCountedTarget } from "../insights/counted-targets";
import { Cookies, IpAddress } from "../insights/event-schema";
import { recordEvents } from "../insights/record-events";
import { getVisitorTraits } from "../insights/visitor-traits";
import { type SiteSpaceRecord, siteItems } from "../records";
import { publishedSite, type SiteViewerContext, site } from "../rules";
import { readStructure } from "../structure/structure";
import { createVisiblePages } from "./visible-pages";

const SiteView = v.strictObject({
  url: v.pipe(WebUrl, v.description("The URL that the visitor viewed.")),
  referrer: v.optional(v.pipe(textSchema(0, 2048), v.description("The referrer. Defaults to an empty string."))),
  spaceId: v.optional(v.pipe(Id, v.description("The ID of the space of the page. The space must be on the site."))),
  pageId: v.optional(v.pipe(Id, v.description("The ID of the page in `spaceId`."))),
  visitor: v.strictObject({
    anonymousId: textSchema(1, 256),
    cookies: v.optional(Cookies),
    userAgent: textSchema(0, 1024),
    ip: v.optional(IpAddress),
    language: v.optional(textSchema(1, 64)),
  }),
});

/** A site as a target for its renderers, which are editors or have the token of a visitor. */
const renderedSite: Target<SiteViewerContext & { readonly isEditor: boolean }, "report"> = {
  findPartition: site.findPartition,
  async load(scope) {
    if (scope.actor.visit) {
      const found = await publishedSite.load(scope);
      return found && { ...found, isEditor: false };
    }
    const found = await site.load(scope);
    return found && site.rights.view(found)
      ? { ...found, visitor: undefined, isEditor: site.rights.edit(found) }
      : undefined;
  },
  notFoundReason: "site_not_found",
  rights: { view: () => true, report: ({ isEditor, visitor }) => isEditor || visitor !== undefined },
};

export const reportSiteView = defineOperation("POST /orgs/:organizationId/sites/:siteId/views", {
  summary: "Report a page view",
  target: defineCountedTarget(renderedSite),
  right: "report",
  allowsVisitors: true,
  body: SiteView,
  async handle(context) {
    const { organizationTx: tx, site, visitor: siteVisitor, body } = context;
    const { url, referrer = "", spaceId, pageId } = body;
    let siteSpace: SiteSpaceRecord | undefined;
    if (spaceId === undefined) {
      if (pageId !== undefined) throw createValidationError("body.spaceId", "Required if `pageId` is set");
    } else {
      // The space must be on the site, the page in the space, and a visitor must see both. They may be deleted right after the view.
      const reportContext = { ...context, tx, objects: context.objects.at(tx) };
      const item = await siteItems.find(tx, "space", site.id, spaceId);
      siteSpace = item?.type === "site-space" ? item : undefined;
      let space: SpaceRecord | undefined;
      if (siteSpace && siteVisitor)
        space = await findVisibleSpace(reportContext, await readStructure(tx, site), siteSpace);
      else if (siteSpace) {
        const node = await nodes.get(tx, siteSpace.space);
        space = node?.type === "space" ? node : undefined;
      }
      if (!space) throw createValidationError("body.spaceId", "Space not found on this site");
      if (pageId !== undefined) {
        const content = await openSpaceView(reportContext, space);
        const visiblePages = content && siteVisitor && (await createVisiblePages(content, siteVisitor.claims));
        const page = await (visiblePages ? visiblePages.getAncestry(pageId) : content?.getPage(pageId));
        if (!page) throw createValidationError("body.pageId", "Page not found in this space");
      }
    }
    const { cookies = {}, ip = "", language, ...visitor } = body.visitor;
    const view = {
      visitor: { ...visitor, cookies, ip, ...omitUndefined({ language }) },
      url,
      referrer,
      ...omitUndefined({ spaceId, pageId }),
    };
    const event = {
      type: "page_view" as const,
      siteSpace: siteSpace?.id ?? null,
      page: pageId ?? null,
      rating: undefined,
      query: undefined,
      ...getVisitorTraits({ url, referrer, language, userAgent: visitor.userAgent }),
    };
    await recordEvents(context, [{ counted: event, view }], context.isEditor);
  },
});
