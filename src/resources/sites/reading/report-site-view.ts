// Page views: the renderer of a site reports what a visitor looked at, and integrations with the scope for views get
// the event. The renderer acts for the visitor, so it must be an editor of the site. A view that no integration would
// get is not stored.

import * as v from "valibot";
import { invalid } from "../../../errors";
import { operation } from "../../../operation/operation";
import { Id, recordOf, text, WebUrl } from "../../../shapes";
import type { OutgoingEvent } from "../../../work/events";
import { nodes } from "../../library/tree/records";
import { viewOf } from "../addresses/targets";
import { siteItems } from "../records";
import { type InSite, site } from "../rules";
import { served } from "../served-by-integrations";

const MAX_COOKIES = 100;
/** The most characters of all cookies, names and values. */
const MAX_COOKIE_TEXT = 8192;

const Cookies = v.pipe(
  recordOf(text(1, 256), text(0, 4096), MAX_COOKIES, `Expected at most ${MAX_COOKIES} cookies`),
  v.check(
    (cookies) => JSON.stringify(cookies).length <= MAX_COOKIE_TEXT,
    `Expected at most ${MAX_COOKIE_TEXT} characters altogether`,
  ),
  v.description("Told only to integrations that hold the scope for cookies. Default: none."),
);

const Address = v.pipe(
  v.string("Expected an address"),
  v.check((address) => v.IP_REGEX.test(address), "Expected an IPv4 or IPv6 address"),
);

const SiteView = v.strictObject({
  url: v.pipe(WebUrl, v.description("What the visitor looked at.")),
  referrer: v.optional(v.pipe(text(0, 2048), v.description("Where the visitor came from. Default: empty."))),
  spaceId: v.optional(v.pipe(Id, v.description("The space that the page is of; it is on the site."))),
  pageId: v.optional(v.pipe(Id, v.description("The page, which is in `spaceId`."))),
  visitor: v.strictObject({
    anonymousId: text(1, 256),
    cookies: v.optional(Cookies),
    userAgent: text(0, 1024),
    ip: v.optional(Address),
    language: v.optional(text(1, 64)),
  }),
});

export const reportSiteView = operation("POST /orgs/:organizationId/sites/:siteId/views", {
  summary: "Tell integrations that a visitor looked at a page of a site",
  description:
    "For whoever renders the site. `site_view`, and with `spaceId` also `space_view`, go to the installations that may hear of views.",
  on: site,
  right: "edit",
  body: SiteView,
  async handle(context) {
    const { tx, site, body, parts, peek, emit } = context;
    await checkPage(context, body);
    const { url, referrer = "", spaceId, pageId } = body;
    const { cookies = {}, ip = "", language, ...visitor } = body.visitor;
    const view = {
      visitor: { ...visitor, cookies, ip, ...(language === undefined ? {} : { language }) },
      url,
      referrer,
      ...(pageId === undefined ? {} : { pageId }),
    };
    const events: OutgoingEvent[] = [{ type: "site_view", siteId: site.id, ...view }];
    if (spaceId !== undefined) events.push({ type: "space_view", spaceId, ...view });
    // The receivers are decided at delivery. This check only avoids storing events without a receiver.
    const looking = { tx: tx.unchecked, peek };
    for (const event of events) if (parts.hasListener || (await served.filling.isHeard(looking, event))) emit(event);
  },
});

type Reporting = InSite & Parameters<typeof viewOf>[0];

/** The space must be on the site, and the page in the space. They may be deleted right after the view. */
async function checkPage(
  context: Reporting,
  { spaceId, pageId }: { readonly spaceId?: string | undefined; readonly pageId?: string | undefined },
): Promise<void> {
  if (spaceId === undefined) {
    if (pageId !== undefined) throw invalid("body.spaceId", "A page needs its space: set `spaceId`, too");
    return;
  }
  const tx = context.tx.unchecked;
  const item = await siteItems.find(tx, "space", context.site.id, spaceId);
  const space = item && (await nodes.get(tx, spaceId));
  if (space?.type !== "space") throw invalid("body.spaceId", "The site has no such space");
  if (pageId === undefined) return;
  const view = await viewOf({ ...context, tx, objects: context.objects.at(tx) }, space);
  if (!(await view?.page(pageId))) throw invalid("body.pageId", "The space has no such page");
}
