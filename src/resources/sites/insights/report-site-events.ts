// The operation that reports events of visitors, in batches from the renderer of a site or from the visitors themselves. Everybody who may
// see the site may report events. An event about content that the caller can't see isn't counted, and the response doesn't reveal
// whether the content exists.

import type * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import { isRoleAtLeast } from "../../../operation/roles";
import { omitUndefined } from "../../../utils/objects";
import { revisions } from "../../content/revisions/records";
import { findVisibleSpace } from "../audience/visible-items";
import { createVisiblePages, getVisitorContent, type VisitorContentContext } from "../reading/visible-pages";
import { type SiteSpaceRecord, siteItems } from "../records";
import type { SiteViewerContext } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure } from "../structure/structure";
import { countedVisibleSite, type OrganizationReaderContext } from "./counted-targets";
import { type SiteEvent, SiteEvents } from "./event-schema";
import { type ReportedView, recordEvents, type VisitorEvent } from "./record-events";
import { anonymizeQuery, getVisitorTraits } from "./visitor-traits";

const MAX_BYTES = 256 * 1024;

export const reportSiteEvents = defineOperation("POST /orgs/:organizationId/sites/:siteId/insights/events", {
  summary: "Report site events",
  target: countedVisibleSite,
  right: "view",
  allowsVisitors: true,
  query: visitorQuery,
  body: SiteEvents,
  maxBodyBytes: MAX_BYTES,
  async handle(context) {
    const { body, me, visitor, organizationTx: home } = context;
    const isEditor = visitor === undefined && isRoleAtLeast(me?.role ?? null, "create");
    const findPlace = createPlaceFinder({ ...context, tx: home, objects: context.objects.at(home) });
    const events: VisitorEvent[] = [];
    for (const event of body.events) {
      const { type, location = {}, session = {}, feedback, query } = event;
      const place = await findPlace(location);
      if (!place) continue;
      const { siteSpace, page } = place;
      const counted = {
        type,
        siteSpace: siteSpace?.id ?? null,
        page,
        rating: feedback?.rating,
        query: query === undefined ? undefined : anonymizeQuery(query),
        ...getVisitorTraits({ ...session, url: location.url }),
      };
      if (type !== "page_view" || location.url === undefined) {
        events.push({ counted });
        continue;
      }
      const { visitorId, sessionId, userAgent = "", cookies = {}, ip = "", language, referrer } = session;
      const view: ReportedView = {
        visitor: {
          anonymousId: visitorId ?? sessionId ?? "",
          cookies,
          userAgent,
          // Only a renderer knows the address of a visitor, so the address that a visitor reports is ignored.
          ip: isEditor ? ip : "",
          ...omitUndefined({ language: language || undefined }),
        },
        url: location.url,
        referrer: referrer ?? "",
        ...omitUndefined({ spaceId: siteSpace?.space, pageId: page ?? undefined }),
      };
      events.push({ counted, view });
    }
    await recordEvents(context, events, isEditor);
  },
});

/** The place of an event. Null means unknown. */
interface EventPlace {
  readonly siteSpace: SiteSpaceRecord | null;
  readonly page: string | null;
}

type PlaceFinderContext = SiteViewerContext &
  OrganizationReaderContext &
  VisitorContentContext & { readonly actor: { readonly user: { readonly id: string } } };

/** Returns a function that finds the place of an event, or returns undefined if the caller can't see it. */
function createPlaceFinder(
  context: PlaceFinderContext,
): (location: NonNullable<v.InferOutput<typeof SiteEvent>["location"]>) => Promise<EventPlace | undefined> {
  let structure: Promise<Structure> | undefined;
  const lookups = new Map<string, ReturnType<typeof findVisibleSiteSpace>>();

  async function findVisibleSiteSpace(id: { siteSpace: string } | { space: string }) {
    const { tx, site, visitor } = context;
    const item =
      "siteSpace" in id
        ? await siteItems.get(tx, site.id, id.siteSpace)
        : await siteItems.find(tx, "space", site.id, id.space);
    if (item?.type !== "site-space") return undefined;
    structure ??= readStructure(tx, site);
    const space = await findVisibleSpace(context, await structure, item);
    const revision = space && (await revisions.get(tx, space.id, space.revision));
    if (!revision) return undefined;
    const { view } = getVisitorContent(context, revision);
    // Members who see the space see all of its pages.
    const visiblePages = visitor && createVisiblePages(view, visitor.claims);
    const hasPage = async (page: string): Promise<boolean> =>
      (visiblePages ? await (await visiblePages).getAncestry(page) : await view.getPage(page)) !== undefined;
    return { item, hasPage };
  }

  return async ({ siteSpace, space, page }) => {
    const id = siteSpace ? { siteSpace } : space ? { space } : undefined;
    if (!id) return { siteSpace: null, page: null };
    const name = JSON.stringify(id);
    const lookup = lookups.get(name) ?? findVisibleSiteSpace(id);
    lookups.set(name, lookup);
    const found = await lookup;
    if (!found || (space && found.item.space !== space)) return undefined;
    if (page && !(await found.hasPage(page))) return undefined;
    return { siteSpace: found.item, page: page ?? null };
  };
}
