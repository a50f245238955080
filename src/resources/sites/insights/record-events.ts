// The one way of all events: they are counted, and integrations hear of the views among them. What an editor reports as
// a view and what comes in a batch of events both end here.

import { placeOf } from "../../../store/ids";
import type { Json } from "../../../store/storage";
import type { Transaction } from "../../../store/transaction";
import type { OutgoingEvent } from "../../../work/events";
import { type Step, step } from "../../../work/jobs";
import { served } from "../served-by-integrations";
import type { AtHome } from "./counted-site";
import { addTold, type CountedEvent, countEvents, dayOf, MAX_TOLD, toldOn } from "./counts";

/** A view as integrations hear of it. */
export type View = Omit<Extract<OutgoingEvent, { type: "site_view" }>, "type" | "siteId"> & {
  readonly spaceId?: string;
};

/** An event, and what integrations hear of it if it is a view. */
export interface Recorded {
  readonly counted: CountedEvent;
  readonly view?: View;
}

/** What recording needs. */
interface Recording extends AtHome {
  readonly tx: Transaction;
  readonly site: { readonly id: string };
  readonly organization: { readonly id: string };
  readonly now: Date;
  readonly peek: Parameters<typeof served.filling.isHeard>[0]["peek"];
  readonly parts: { readonly hasListener: boolean };
  readonly later: <Payload extends Json>(step: Step<Payload>, payload: Payload) => string;
}

/** Counts events and tells of views. Views that a visitor reports are told up to a number a day. */
export async function recordEvents(context: Recording, events: readonly Recorded[], isEditor: boolean): Promise<void> {
  const { tx, site, now } = context;
  if (events.length === 0) return;
  const day = dayOf(now);
  await countEvents(
    tx,
    site.id,
    day,
    events.map(({ counted }) => counted),
  );
  const views = events.flatMap(({ view }) => (view ? [view] : []));
  const room = isEditor || views.length === 0 ? views.length : MAX_TOLD - (await toldOn(tx, site.id, day));
  const told = await tellOf(context, views.slice(0, Math.max(0, room)));
  if (!isEditor && told > 0) addTold(tx, site.id, day, told);
}

/** Has views told to those who hear of them; gives how many views that were. */
async function tellOf(context: Recording, views: readonly View[]): Promise<number> {
  const { organization, later } = context;
  const told: OutgoingEvent[][] = [];
  const isHeard = hearing(context);
  for (const view of views) {
    const heard: OutgoingEvent[] = [];
    for (const event of eventsOf(context.site.id, view)) if (await isHeard(event)) heard.push(event);
    if (heard.length > 0) told.push(heard);
  }
  for (const events of inJobs(told.flat()))
    later(tellViews, { organization: organization.id, events: events as unknown as Json[] });
  return told.length;
}

/** Whether anybody hears of an event. The receivers are decided at delivery; this only avoids events without any. */
function hearing({ home, peek, parts }: Recording): (event: OutgoingEvent) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (event) => {
    const { type, siteId, spaceId } = event as { type: string; siteId?: string; spaceId?: string };
    const about = `${type} ${siteId ?? spaceId}`;
    const heard = known.get(about) ?? (parts.hasListener ? Promise.resolve(true) : isHeard(event));
    known.set(about, heard);
    return heard;
  };
  function isHeard(event: OutgoingEvent): Promise<boolean> {
    return served.filling.isHeard({ tx: home, peek }, event);
  }
}

function eventsOf(siteId: string, { spaceId, ...view }: View): OutgoingEvent[] {
  const ofSite: OutgoingEvent = { type: "site_view", siteId, ...view };
  return spaceId === undefined ? [ofSite] : [ofSite, { type: "space_view", spaceId, ...view }];
}

/** The most bytes of the events in one job. */
const JOB_BYTES = 40 * 1024;

function inJobs(events: readonly OutgoingEvent[]): OutgoingEvent[][] {
  const jobs: OutgoingEvent[][] = [];
  let bytes = JOB_BYTES;
  for (const event of events) {
    const size = new TextEncoder().encode(JSON.stringify(event)).length;
    if (bytes + size > JOB_BYTES) {
      jobs.push([]);
      bytes = 0;
    }
    jobs.at(-1)!.push(event);
    bytes += size;
  }
  return jobs;
}

/**
 * Hands views to the outbox of their organization, which is in another partition than the counts. A view is stored
 * nowhere else, so the job holds it until then.
 */
export const tellViews = step<{ organization: string; events: Json[] }>(
  "tell-views",
  async (work, { organization, events }) => {
    const place = placeOf(organization);
    await work.store.write(place.partition, async (tx) => {
      for (const event of events) work.outbox.emit(place, tx, event as unknown as OutgoingEvent);
    });
  },
);
