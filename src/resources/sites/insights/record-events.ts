// Records events: counts them, and reports the views among them to integrations. Views that an editor reports and batches of events are
// both recorded here.

import { defineJob, type JobType } from "../../../jobs/jobs";
import type { EventIdentity, OutgoingEvent } from "../../../jobs/outbox";
import { getPartitionRef } from "../../../storage/ids";
import { encodeKey } from "../../../storage/key";
import type { Json } from "../../../storage/storage";
import type { Transaction } from "../../../storage/transaction";
import { getJsonSize } from "../../../utils/bytes";
import { siteIntegrations } from "../site-integrations";
import type { OrganizationReaderContext } from "./counted-targets";
import { type CountedEvent, countEvents, createCountKey, formatDay, MAX_REPORTED_VIEWS, REPORTED } from "./counts";

export type ReportedView = Omit<Extract<OutgoingEvent, { type: "site_view" }>, "type" | "siteId"> & {
  readonly spaceId?: string;
};

/** An event, and its report to integrations if it is a view. */
export interface VisitorEvent {
  readonly counted: CountedEvent;
  readonly view?: ReportedView;
}

/** The site, and the ports that report views to integrations. */
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

/** Counts events and reports views, up to a daily limit for visitors. Events in a preview don't count. */
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
  const reportedKey = createCountKey(site.id, REPORTED, "day", day);
  let limit = views.length;
  if (!isEditor && views.length > 0)
    limit = MAX_REPORTED_VIEWS - (((await tx.unchecked.get(reportedKey)) as number | undefined) ?? 0);
  const reportedViews = await reportViews(context, views.slice(0, Math.max(0, limit)));
  if (!isEditor && reportedViews > 0) tx.add(reportedKey, reportedViews);
}

/** Reports views to their subscribers. Returns the number of views that have any. */
async function reportViews(context: RecordEventsContext, views: readonly ReportedView[]): Promise<number> {
  const { organization, organizationTx, peek, ports, enqueueJob, newId, now } = context;
  const createdAt = now.toISOString();

  // The receivers are determined at delivery. This check only avoids events without any.
  const subscriberChecks = new Map<string, Promise<boolean>>();
  const hasSubscriber = async (event: OutgoingEvent): Promise<boolean> => {
    if (ports.hasListener) return true;
    const { type, siteId, spaceId } = event as { type: string; siteId?: string; spaceId?: string };
    const name = `${type} ${siteId ?? spaceId}`;
    const check =
      subscriberChecks.get(name) ??
      siteIntegrations.implementation.hasSubscriber({ tx: organizationTx, peek, ports, organization }, event);
    subscriberChecks.set(name, check);
    return check;
  };

  const events: OutboxEvent[] = [];
  let reportedViews = 0;
  for (const { spaceId, ...view } of views) {
    const viewEvents: OutgoingEvent[] = [{ type: "site_view", siteId: context.site.id, ...view }];
    if (spaceId !== undefined) viewEvents.push({ type: "space_view", spaceId, ...view });
    const before = events.length;
    for (const event of viewEvents)
      if (await hasSubscriber(event)) events.push({ event, known: { eventId: newId("event"), createdAt } });
    if (events.length > before) reportedViews++;
  }

  const eventsByJob: OutboxEvent[][] = [];
  let bytes = MAX_JOB_BYTES;
  for (const event of events) {
    const size = getJsonSize(event);
    if (bytes + size > MAX_JOB_BYTES) {
      eventsByJob.push([]);
      bytes = 0;
    }
    eventsByJob.at(-1)!.push(event);
    bytes += size;
  }
  for (const jobEvents of eventsByJob) enqueueJob(deliverViews, { organization: organization.id, events: jobEvents });
  return reportedViews;
}

/** An event that a job delivers. Its id is stored with the counts, so that a job that runs twice delivers the same event. */
type OutboxEvent = { readonly event: Json; readonly known: EventIdentity };

const MAX_JOB_BYTES = 40 * 1024;

/** The keys of jobs that have delivered their views begin with this and the time of the views. */
const HANDOVERS_PREFIX = encodeKey("told-views");
/** The time for which delivered jobs are remembered. A job is abandoned after two hours. */
const HANDOVER_TTL_MS = 24 * 60 * 60 * 1000;

/**
 * Delivers views to the outbox of their organization, which is in another partition than the counts. The job holds the views until then,
 * because they aren't stored anywhere else. A job that runs twice delivers them once.
 */
export const deliverViews = defineJob<{ organization: string; events: OutboxEvent[] }>(
  "tell-views",
  async ({ store, outbox }, { organization, events }) => {
    const place = getPartitionRef(organization);
    const { eventId, createdAt } = events[0]!.known;
    const key = HANDOVERS_PREFIX + encodeKey(Date.parse(createdAt), eventId);
    await store.write(place.partition, async (tx) => {
      if ((await tx.get(key)) !== undefined) return;
      tx.put(key, true);
      const before = HANDOVERS_PREFIX + encodeKey(store.now().getTime() - HANDOVER_TTL_MS);
      for (const old of await tx.unchecked.list({ under: HANDOVERS_PREFIX, before, limit: 2 })) tx.delete(old.key);
      for (const { event, known } of events) outbox.emit(place, tx, event as unknown as OutgoingEvent, known);
    });
  },
  { isResumed: true },
);
