// Page views: the renderer of a site reports what a visitor looked at, and integrations with the scope for views get
// the event. The renderer acts for the visitor, so it must be an editor of the site. A view that no integration would
// get is not stored.

import * as v from "valibot";
import { invalid } from "../../../errors";
import { operation, type Scope, type Target } from "../../../operation/operation";
import { Id, recordOf, text, WebUrl } from "../../../shapes";
import type { OutgoingEvent } from "../../../work/events";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { viewOf } from "../addresses/targets";
import { spaceSeenOn } from "../audience/visible-alone";
import { type SiteSpaceRecord, siteItems } from "../records";
import { type AtSite, publishedSite, site } from "../rules";
import { served } from "../served-by-integrations";
import { readStructure } from "../structure/structure";
import { sightOf } from "./sight";

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

/** A site for those who render it: editors, and renderers with the token of a visitor. */
const viewedSite: Target<AtSite & { readonly isEditor: boolean }, "report"> = {
  partition: site.partition,
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
  absent: "site_not_found",
  rights: { view: () => true, report: ({ isEditor, visitor }) => isEditor || visitor !== undefined },
};

export const reportSiteView = operation("POST /orgs/:organizationId/sites/:siteId/views", {
  summary: "Tell integrations that a visitor looked at a page of a site",
  description:
    "For whoever renders the site. `site_view`, and with `spaceId` also `space_view`, go to the installations that may hear of views.",
  on: viewedSite,
  right: "report",
  forVisitors: true,
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

type Reporting = AtSite & Parameters<typeof viewOf>[0] & Pick<Scope, "actor">;

/**
 * The space must be on the site, and the page in the space; a visitor must see both. They may be deleted right after
 * the view.
 */
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
  const space = item?.type === "site-space" ? await spaceOf(context, item) : undefined;
  if (!space) throw invalid("body.spaceId", "The site has no such space");
  if (pageId === undefined) return;
  const view = await viewOf({ ...context, tx, objects: context.objects.at(tx) }, space);
  const { visitor } = context;
  const isThere =
    view && (visitor ? await (await sightOf(view, visitor.claims)).wayTo(pageId) : await view.page(pageId));
  if (!isThere) throw invalid("body.pageId", "The space has no such page");
}

async function spaceOf(context: Reporting, item: SiteSpaceRecord): Promise<SpaceRecord | undefined> {
  const tx = context.tx.unchecked;
  if (context.visitor) return spaceSeenOn({ ...context, tx }, await readStructure(tx, context.site), item);
  const space = await nodes.get(tx, item.space);
  return space?.type === "space" ? space : undefined;
}
