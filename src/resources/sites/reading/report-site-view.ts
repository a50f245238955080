// Page views: the renderer of a site reports what a visitor looked at. The renderer acts for the visitor, so it must be
// an editor of the site. A view is recorded as every other event of visitors.

import * as v from "valibot";
import { invalid } from "../../../errors";
import { operation } from "../../../operation/operation";
import { Id, text, WebUrl } from "../../../shapes";
import { nodes } from "../../library/tree/records";
import { viewOf } from "../addresses/targets";
import { countedSite } from "../insights/counted-site";
import { Cookies, IpAddress } from "../insights/event-schema";
import { recordEvents } from "../insights/record-events";
import { traitsOf } from "../insights/visitor-traits";
import { type SiteSpaceRecord, siteItems } from "../records";
import type { InSite } from "../rules";

const SiteView = v.strictObject({
  url: v.pipe(WebUrl, v.description("What the visitor looked at.")),
  referrer: v.optional(v.pipe(text(0, 2048), v.description("Where the visitor came from. Default: empty."))),
  spaceId: v.optional(v.pipe(Id, v.description("The space that the page is of; it is on the site."))),
  pageId: v.optional(v.pipe(Id, v.description("The page, which is in `spaceId`."))),
  visitor: v.strictObject({
    anonymousId: text(1, 256),
    cookies: v.optional(Cookies),
    userAgent: text(0, 1024),
    ip: v.optional(IpAddress),
    language: v.optional(text(1, 64)),
  }),
});

export const reportSiteView = operation("POST /orgs/:organizationId/sites/:siteId/views", {
  summary: "Tell integrations that a visitor looked at a page of a site",
  description:
    "For whoever renders the site. `site_view`, and with `spaceId` also `space_view`, go to the installations that may hear of views. The view is counted as the event `page_view`.",
  on: countedSite,
  right: "edit",
  body: SiteView,
  async handle(context) {
    const { home, body } = context;
    const item = await siteSpaceOf({ ...context, tx: home, objects: context.objects.at(home) }, body);
    const { url, referrer = "", spaceId, pageId } = body;
    const { cookies = {}, ip = "", language, ...visitor } = body.visitor;
    const view = {
      visitor: { ...visitor, cookies, ip, ...(language === undefined ? {} : { language }) },
      url,
      referrer,
      ...(spaceId === undefined ? {} : { spaceId }),
      ...(pageId === undefined ? {} : { pageId }),
    };
    const counted = {
      type: "page_view" as const,
      siteSpace: item?.id ?? null,
      page: pageId ?? null,
      rating: undefined,
      query: undefined,
      ...traitsOf({ url, referrer, language, userAgent: visitor.userAgent }),
    };
    await recordEvents(context, [{ counted, view }], true);
  },
});

type Reporting = InSite & Parameters<typeof viewOf>[0];

/** The space must be on the site, and the page in the space. They may be deleted right after the view. */
async function siteSpaceOf(
  context: Reporting,
  { spaceId, pageId }: { readonly spaceId?: string | undefined; readonly pageId?: string | undefined },
): Promise<SiteSpaceRecord | undefined> {
  if (spaceId === undefined) {
    if (pageId !== undefined) throw invalid("body.spaceId", "A page needs its space: set `spaceId`, too");
    return undefined;
  }
  const item = await siteItems.find(context.tx, "space", context.site.id, spaceId);
  const space = item && (await nodes.get(context.tx, spaceId));
  if (space?.type !== "space") throw invalid("body.spaceId", "The site has no such space");
  if (pageId !== undefined && !(await (await viewOf(context, space))?.page(pageId)))
    throw invalid("body.pageId", "The space has no such page");
  return item as SiteSpaceRecord;
}
