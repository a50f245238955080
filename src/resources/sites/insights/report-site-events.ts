// Events of visitors, sent in batches by whoever renders a site or by the visitors themselves. Who may see the site may
// report what happened there. An event about something that the caller does not see is not counted, and nothing in the
// answer tells whether it exists.

import type * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import { isRoleAtLeast } from "../../../operation/roles";
import { omitUndefined } from "../../../utils/objects";
import { revisions } from "../../content/revisions/records";
import { findVisibleSpace } from "../audience/visible-alone";
import { createVisiblePages } from "../reading/visible-pages";
import { getVisitorContent, type VisitorContentContext } from "../reading/visitor-content";
import { type SiteSpaceRecord, siteItems } from "../records";
import type { SiteViewerContext } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure } from "../structure/structure";
import { countedVisibleSite, type OrganizationReaderContext } from "./counted-targets";
import { MAX_EVENTS, type SiteEvent, SiteEvents } from "./event-schema";
import { type ReportedView, recordEvents, type VisitorEvent } from "./record-events";
import { anonymizeQuery, getVisitorTraits } from "./visitor-traits";

type SentEvent = v.InferOutput<typeof SiteEvent>;

const MAX_BYTES = 256 * 1024;

export const reportSiteEvents = defineOperation("POST /orgs/:organizationId/sites/:siteId/insights/events", {
  summary: "Report what visitors of a site did",
  description: `At most ${MAX_EVENTS} events: views, searches, feedback and others. They are counted by day, and stored in no other way: nothing that names a person is kept. An event about a page that the caller does not see is not counted. The text of a search is counted in small letters; one that is longer than 80 characters, or that has an e-mail address or a long number in it, is counted without its text. Views are told to the integrations that may hear of them.`,
  target: countedVisibleSite,
  right: "view",
  allowsVisitors: true,
  query: visitorQuery,
  body: SiteEvents,
  maxBodyBytes: MAX_BYTES,
  async handle(context) {
    const { body, me, visitor, organizationTx: home } = context;
    const isEditor = visitor === undefined && isRoleAtLeast(me?.role ?? null, "create");
    const find = createPlaceFinder({ ...context, tx: home, objects: context.objects.at(home) });
    const recorded: VisitorEvent[] = [];
    for (const event of body.events) {
      const place = await find(event.location ?? {});
      if (place) recorded.push(createVisitorEvent(event, place, isEditor));
    }
    await recordEvents(context, recorded, isEditor);
  },
});

/** Where an event happened. Null: not said. */
interface EventPlace {
  readonly siteSpace: SiteSpaceRecord | null;
  readonly page: string | null;
}

function createVisitorEvent(event: SentEvent, { siteSpace, page }: EventPlace, isEditor: boolean): VisitorEvent {
  const { type, location = {}, session = {}, feedback, query } = event;
  const counted = {
    type,
    siteSpace: siteSpace?.id ?? null,
    page,
    rating: feedback?.rating,
    query: query === undefined ? undefined : anonymizeQuery(query),
    ...getVisitorTraits({ ...session, url: location.url }),
  };
  if (type !== "page_view" || location.url === undefined) return { counted };
  // A visitor sends cookies and names in any case. Only a renderer knows the address that a visitor came from.
  const { ip: _, ...said } = session;
  return { counted, view: viewOf(location.url, isEditor ? session : said, siteSpace?.space, page) };
}

function viewOf(
  url: string,
  {
    visitorId,
    sessionId,
    userAgent = "",
    cookies = {},
    ip = "",
    language,
    referrer,
  }: NonNullable<SentEvent["session"]>,
  spaceId: string | undefined,
  pageId: string | null,
): ReportedView {
  return {
    visitor: {
      anonymousId: visitorId ?? sessionId ?? "",
      cookies,
      userAgent,
      ip,
      ...omitUndefined({ language: language ? language : undefined }),
    },
    url,
    referrer: referrer ?? "",
    ...omitUndefined({ spaceId, pageId: pageId === null ? undefined : pageId }),
  };
}

type Finding = SiteViewerContext &
  OrganizationReaderContext &
  VisitorContentContext & { readonly actor: { readonly user: { readonly id: string } } };

/** Finds the places of events as the caller sees them; undefined for one that the caller does not see. */
function createPlaceFinder(
  context: Finding,
): (location: NonNullable<SentEvent["location"]>) => Promise<EventPlace | undefined> {
  let structure: Promise<Structure> | undefined;
  const seen = new Map<string, Promise<{ item: SiteSpaceRecord; hasPage: HasPage } | undefined>>();

  async function look(id: { siteSpace: string } | { space: string }) {
    const { tx, site } = context;
    const item =
      "siteSpace" in id
        ? await siteItems.get(tx, site.id, id.siteSpace)
        : await siteItems.find(tx, "space", site.id, id.space);
    if (item?.type !== "site-space") return undefined;
    structure ??= readStructure(tx, site);
    const space = await findVisibleSpace(context, await structure, item);
    const revision = space && (await revisions.get(tx, space.id, space.revision));
    return revision && { item, hasPage: pagesIn(context, getVisitorContent(context, revision).view) };
  }

  return async ({ siteSpace, space, page }) => {
    const id = siteSpace ? { siteSpace } : space ? { space } : undefined;
    if (!id) return { siteSpace: null, page: null };
    const name = JSON.stringify(id);
    const looking = seen.get(name) ?? look(id);
    seen.set(name, looking);
    const found = await looking;
    if (!found || (space && found.item.space !== space)) return undefined;
    if (page && !(await found.hasPage(page))) return undefined;
    return { siteSpace: found.item, page: page ?? null };
  };
}

type HasPage = (page: string) => Promise<boolean>;

/** Whether a space has a page that the caller sees. Members who see the space see all of it. */
function pagesIn({ visitor }: SiteViewerContext, view: ReturnType<typeof getVisitorContent>["view"]): HasPage {
  if (!visitor) return async (page) => (await view.getPage(page)) !== undefined;
  const sight = createVisiblePages(view, visitor.claims);
  return async (page) => (await (await sight).getAncestry(page)) !== undefined;
}
