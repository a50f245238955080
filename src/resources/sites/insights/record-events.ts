// The one way of all events: they are counted, and integrations hear of the views among them. What an editor reports as
// a view and what comes in a batch of events both end here.

import { defineJob, type JobType } from "../../../jobs/jobs";
import type { EventIdentity, OutgoingEvent } from "../../../jobs/outbox";
import { getPartitionRef } from "../../../storage/ids";
import { encodeKey } from "../../../storage/key";
import type { Json } from "../../../storage/storage";
import type { Transaction } from "../../../storage/transaction";
import { siteIntegrations } from "../site-integrations";
import type { OrganizationReaderContext } from "./counted-targets";
import {
  addReportedViews,
  type CountedEvent,
  countEvents,
  formatDay,
  getReportedViews,
  MAX_REPORTED_VIEWS,
} from "./counts";

/** A view as integrations hear of it. */
export type ReportedView = Omit<Extract<OutgoingEvent, { type: "site_view" }>, "type" | "siteId"> & {
  readonly spaceId?: string;
};

/** An event, and what integrations hear of it if it is a view. */
export interface VisitorEvent {
  readonly counted: CountedEvent;
  readonly view?: ReportedView;
}

/** What recording needs. */
interface RecordEventsContext extends OrganizationReaderContext {
  readonly tx: Transaction;
  readonly site: { readonly id: string };
  readonly visitor?: { readonly preview?: object } | undefined;
  readonly organization: { readonly id: string };
  readonly now: Date;
  readonly peek: Parameters<typeof siteIntegrations.implementation.hasSubscriber>[0]["peek"];
  readonly ports: Parameters<typeof siteIntegrations.implementation.hasSubscriber>[0]["ports"] & {
    readonly hasListener: boolean;
  };
  readonly newId: (kind: "event") => string;
  readonly enqueueJob: <Payload extends Json>(step: JobType<Payload>, payload: Payload) => string;
}

/**
 * Counts events and tells of views. Views that a visitor reports are told up to a number a day. What happens in a
 * preview is no visit, and is not counted.
 */
export async function recordEvents(
  context: RecordEventsContext,
  events: readonly VisitorEvent[],
  isEditor: boolean,
): Promise<void> {
  const { tx, site, now, visitor } = context;
  if (events.length === 0 || visitor?.preview) return;
  const day = formatDay(now);
  await countEvents(
    tx,
    site.id,
    day,
    events.map(({ counted }) => counted),
  );
  const views = events.flatMap(({ view }) => (view ? [view] : []));
  const room =
    isEditor || views.length === 0 ? views.length : MAX_REPORTED_VIEWS - (await getReportedViews(tx, site.id, day));
  const told = await tellOf(context, views.slice(0, Math.max(0, room)));
  if (!isEditor && told > 0) addReportedViews(tx, site.id, day, told);
}

/** Has views told to those who hear of them; gives how many views that were. */
async function tellOf(context: RecordEventsContext, views: readonly ReportedView[]): Promise<number> {
  const { organization, enqueueJob, newId, now } = context;
  const createdAt = now.toISOString();
  const told: OutboxEvent[][] = [];
  const isHeard = createSubscriberCheck(context);
  for (const view of views) {
    const heard: OutboxEvent[] = [];
    for (const event of eventsOf(context.site.id, view))
      if (await isHeard(event)) heard.push({ event, known: { eventId: newId("event"), createdAt } });
    if (heard.length > 0) told.push(heard);
  }
  for (const events of splitIntoJobs(told.flat())) enqueueJob(deliverViews, { organization: organization.id, events });
  return told.length;
}

/** An event that a job tells. Its id is decided with the counts, so a job that runs twice tells the same event. */
type OutboxEvent = { readonly event: Json; readonly known: EventIdentity };

/** Whether anybody hears of an event. The receivers are decided at delivery; this only avoids events without any. */
function createSubscriberCheck({
  organizationTx: home,
  peek,
  ports,
  organization,
}: RecordEventsContext): (event: OutgoingEvent) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async (event) => {
    if (ports.hasListener) return true;
    const { type, siteId, spaceId } = event as { type: string; siteId?: string; spaceId?: string };
    const about = `${type} ${siteId ?? spaceId}`;
    const heard =
      known.get(about) ?? siteIntegrations.implementation.hasSubscriber({ tx: home, peek, ports, organization }, event);
    known.set(about, heard);
    return heard;
  };
}

function eventsOf(siteId: string, { spaceId, ...view }: ReportedView): OutgoingEvent[] {
  const ofSite: OutgoingEvent = { type: "site_view", siteId, ...view };
  return spaceId === undefined ? [ofSite] : [ofSite, { type: "space_view", spaceId, ...view }];
}

/** The most bytes of the events in one job. */
const MAX_JOB_BYTES = 40 * 1024;

function splitIntoJobs(events: readonly OutboxEvent[]): OutboxEvent[][] {
  const jobs: OutboxEvent[][] = [];
  let bytes = MAX_JOB_BYTES;
  for (const event of events) {
    const size = new TextEncoder().encode(JSON.stringify(event)).length;
    if (bytes + size > MAX_JOB_BYTES) {
      jobs.push([]);
      bytes = 0;
    }
    jobs.at(-1)!.push(event);
    bytes += size;
  }
  return jobs;
}

/** Jobs that handed their views over, by the time of the views. */
const createHandoverKey = (time: number, ...id: readonly string[]) => encodeKey("told-views", time, ...id);
/** How long it is known that a job handed its views over. Jobs are given up after two hours. */
const HANDOVER_TTL_MS = 24 * 60 * 60 * 1000;

/**
 * Hands views to the outbox of their organization, which is in another partition than the counts. A view is stored
 * nowhere else, so the job holds it until then. A job that runs twice hands them over once.
 */
export const deliverViews = defineJob<{ organization: string; events: OutboxEvent[] }>(
  "tell-views",
  async (work, { organization, events }) => {
    const place = getPartitionRef(organization);
    const { eventId, createdAt } = events[0]!.known;
    const at = createHandoverKey(Date.parse(createdAt), eventId);
    await work.store.write(place.partition, async (tx) => {
      if ((await tx.get(at)) !== undefined) return;
      tx.put(at, true);
      const before = createHandoverKey(work.store.now().getTime() - HANDOVER_TTL_MS);
      for (const old of await tx.unchecked.list({ under: encodeKey("told-views"), before, limit: 2 }))
        tx.delete(old.key);
      for (const { event, known } of events) work.outbox.emit(place, tx, event as unknown as OutgoingEvent, known);
    });
  },
  { isResumed: true },
);
