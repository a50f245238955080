// Events of visitors, sent in batches by whoever renders a site or by the visitors themselves. Who may see the site may
// report what happened there. An event about something that the caller does not see is not counted, and nothing in the
// answer tells whether it exists.

import type * as v from "valibot";
import { defineOperation } from "../../../operation/operation";
import { isRoleAtLeast } from "../../../operation/roles";
import { omitUndefined } from "../../../utils/objects";
import { revisions } from "../../content/revisions/records";
import { spaceSeenOn } from "../audience/visible-alone";
import { sightOf } from "../reading/sight";
import { type ReadingContent, visitorContent } from "../reading/visitor-content";
import { type SiteSpaceRecord, siteItems } from "../records";
import type { AtSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure } from "../structure/structure";
import { type AtHome, countedVisibleSite } from "./counted-site";
import { MAX_EVENTS, type SiteEvent, SiteEvents } from "./event-schema";
import { type Recorded, recordEvents, type View } from "./record-events";
import { countedQuery, traitsOf } from "./visitor-traits";

type Sent = v.InferOutput<typeof SiteEvent>;

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
    const { body, me, visitor, home } = context;
    const isEditor = visitor === undefined && isRoleAtLeast(me?.role ?? null, "create");
    const find = finder({ ...context, tx: home, objects: context.objects.at(home) });
    const recorded: Recorded[] = [];
    for (const event of body.events) {
      const place = await find(event.location ?? {});
      if (place) recorded.push(recordedOf(event, place, isEditor));
    }
    await recordEvents(context, recorded, isEditor);
  },
});

/** Where an event happened. Null: not said. */
interface Place {
  readonly siteSpace: SiteSpaceRecord | null;
  readonly page: string | null;
}

function recordedOf(event: Sent, { siteSpace, page }: Place, isEditor: boolean): Recorded {
  const { type, location = {}, session = {}, feedback, query } = event;
  const counted = {
    type,
    siteSpace: siteSpace?.id ?? null,
    page,
    rating: feedback?.rating,
    query: query === undefined ? undefined : countedQuery(query),
    ...traitsOf({ ...session, url: location.url }),
  };
  if (type !== "page_view" || location.url === undefined) return { counted };
  // A visitor sends cookies and names in any case. Only a renderer knows the address that a visitor came from.
  const { ip: _, ...said } = session;
  return { counted, view: viewOf(location.url, isEditor ? session : said, siteSpace?.space, page) };
}

function viewOf(
  url: string,
  { visitorId, sessionId, userAgent = "", cookies = {}, ip = "", language, referrer }: NonNullable<Sent["session"]>,
  spaceId: string | undefined,
  pageId: string | null,
): View {
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

type Finding = AtSite & AtHome & ReadingContent & { readonly actor: { readonly user: { readonly id: string } } };

/** Finds the places of events as the caller sees them; undefined for one that the caller does not see. */
function finder(context: Finding): (location: NonNullable<Sent["location"]>) => Promise<Place | undefined> {
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
    const space = await spaceSeenOn(context, await structure, item);
    const revision = space && (await revisions.get(tx, space.id, space.revision));
    return revision && { item, hasPage: pagesIn(context, visitorContent(context, revision).view) };
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
function pagesIn({ visitor }: AtSite, view: ReturnType<typeof visitorContent>["view"]): HasPage {
  if (!visitor) return async (page) => (await view.getPage(page)) !== undefined;
  const sight = sightOf(view, visitor.claims);
  return async (page) => (await (await sight).wayTo(page)) !== undefined;
}
