// The outbox: events are written in the same commit as their cause, so a crash in between loses nothing. The process that made the
// commit delivers them at once. `maintain()` delivers those that were left behind or rejected. The events of an organization are
// delivered in the order of their commits, at least once. An event that is delivered again has the same id.

import { formatOrganizationId, generateId, type PartitionRef } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { declareSealed } from "../storage/sealed-storage";
import { type Entry, type Json, type Key, MAX_BATCH_ENTRIES } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import { isFull } from "../storage/transaction-budget";

/** An event without the members that every event has. */
export type OutgoingEvent =
  | {
      readonly type: "space_visibility_updated";
      readonly spaceId: string;
      readonly previousVisibility: string;
      readonly visibility: string;
    }
  | { readonly type: "space_content_updated"; readonly spaceId: string; readonly revisionId: string }
  | {
      readonly type: "space_gitsync_started";
      readonly spaceId: string;
      readonly direction: "import" | "export";
    }
  | {
      readonly type: "space_gitsync_completed";
      readonly spaceId: string;
      readonly direction: "import" | "export";
      readonly state: "success" | "failure";
      readonly revisionId?: string;
      readonly commitId?: string;
    }
  | {
      readonly type: "change_request_created" | "change_request_archived";
      readonly spaceId: string;
      readonly changeRequestId: string;
    }
  | {
      readonly type: "change_request_merged";
      readonly spaceId: string;
      readonly changeRequestId: string;
      readonly revisionId: string;
    }
  | {
      readonly type: "comment_posted" | "comment_resolved";
      readonly spaceId: string;
      readonly commentId: string;
      readonly changeRequestId?: string;
    }
  | { readonly type: "site_published" | "site_unpublished"; readonly siteId: string }
  | ({ readonly type: "site_view"; readonly siteId: string } & ViewDetails)
  | ({ readonly type: "space_view"; readonly spaceId: string } & ViewDetails)
  | (SetUpDetails & { readonly type: "installation_setup" })
  | (DeletionDetails & { readonly type: "installation_deleted" })
  | (SetUpDetails & { readonly type: "space_installation_setup"; readonly spaceId: string })
  | (SetUpDetails & { readonly type: "site_installation_setup"; readonly siteId: string })
  | (DeletionDetails & { readonly type: "space_installation_deleted"; readonly spaceId: string })
  | (DeletionDetails & { readonly type: "site_installation_deleted"; readonly siteId: string });

/** An installation that was placed somewhere, or configured there. */
type SetUpDetails = { readonly installationId: string; readonly status: string; readonly previous?: PreviousState };
/** An installation that was removed from somewhere. */
type DeletionDetails = { readonly installationId: string; readonly previous: PreviousState };

/** A page that a visitor viewed, as the renderer of the site reports it. */
type ViewDetails = {
  readonly visitor: {
    readonly anonymousId: string;
    readonly cookies: { readonly [name: string]: string };
    readonly userAgent: string;
    /** Empty if the renderer does not report it. */
    readonly ip: string;
    readonly language?: string;
  };
  readonly url: string;
  /** Empty if the visitor came from no other page. */
  readonly referrer: string;
  readonly pageId?: string;
};

/** The state of an installation before the event. */
type PreviousState = {
  readonly status?: string;
  readonly configuration?: { readonly [name: string]: Json };
};

/** An event as listeners get it. */
export type DocsEvent = OutgoingEvent & {
  readonly eventId: string;
  readonly organizationId: string;
  readonly createdAt: string;
};

/** The id of an event and the time at which it happened. */
export type EventIdentity = Pick<DocsEvent, "eventId" | "createdAt">;

/** Listens to events. An event that it rejects is delivered again later, before any newer one. */
export type Listener = (event: DocsEvent) => Promise<void> | void;

/** Stores events until they are delivered. */
export interface Outbox {
  /** Puts an event into the transaction. An event that was decided on earlier has an id and a time already. */
  emit(place: PartitionRef, tx: Transaction, event: OutgoingEvent, identity?: EventIdentity): void;
  /** Delivers the pending events of a partition, or deletes them if nobody listens. Returns how many are gone. */
  deliverPending(partition: string): Promise<number>;
}

const PENDING_PREFIX = encodeKey("event");
// The previous configuration of an installation is sealed.
declareSealed(PENDING_PREFIX, { sealed: [{ path: ["previous"] }] });

/** The most events that are read together. */
const MAX_BATCH_EVENTS = 400;
/** A request looks this often for events that were added while it delivered. */
const MAX_REQUEST_ROUNDS = 3;

/** The receivers of events inside this package. They get each event once, in the order of the commits. */
export interface InternalReceivers {
  /** Returns true if anything in a partition may listen to events. */
  hasReceivers(view: Reader): Promise<boolean>;
  /**
   * Records some of the receivers of an event, in the transaction that also stores the progress. Returns the place to continue after,
   * or undefined if all are recorded. Work that continues after the commit is passed to `addWork`.
   */
  deliver(
    tx: Transaction,
    event: DocsEvent,
    after: string | undefined,
    addWork: (work: Promise<unknown>) => void,
  ): Promise<string | undefined>;
}

export function createOutbox(
  store: Store,
  listener: Listener | undefined,
  onError: (error: unknown) => void,
  receivers?: InternalReceivers,
): Outbox {
  /** Partitions whose events this process is delivering. The value is true if more events have been added in the meantime. */
  const deliveringPartitions = new Map<string, boolean>();
  /** Partitions without a listener when last seen. `maintain()` delivers what is left if that changes elsewhere. */
  const silentPartitions = new Set<string>();
  /** The number of the next event of each transaction. Events of one commit are delivered in the order of their numbers. */
  const nextNumbers = new WeakMap<Transaction, number>();

  /**
   * Delivers the events of a partition, one call at a time. A listener may call the API; events of that call are delivered after the
   * present one. A request does not wait for all the events that others keep adding.
   */
  async function deliverInRounds(partition: string, maxRounds: number): Promise<number> {
    if (deliveringPartitions.has(partition)) {
      deliveringPartitions.set(partition, true);
      return 0;
    }
    let delivered = 0;
    let hasMore = false;
    const work: Promise<unknown>[] = [];
    try {
      for (let round = 0; round === 0 || (hasMore && round < maxRounds); round++) {
        hasMore = false;
        deliveringPartitions.set(partition, false);
        delivered += await deliverBatch(partition, work);
        hasMore = deliveringPartitions.get(partition) === true;
      }
    } finally {
      deliveringPartitions.delete(partition);
      if (hasMore) void deliverInRounds(partition, maxRounds).catch(onError);
      await Promise.all(work);
    }
    return delivered;
  }

  async function deliverBatch(partition: string, work: Promise<unknown>[]): Promise<number> {
    const view = await store.read(partition);
    const entries = await view.list({ under: PENDING_PREFIX, limit: MAX_BATCH_EVENTS });
    // Keys contain the time of a clock. The version says which commit came first.
    const events = entries.toSorted((a, b) => a.version - b.version);
    const hasReceivers = (await receivers?.hasReceivers(view)) === true || events.some(isAboutInstallation);
    if (hasReceivers) silentPartitions.delete(partition);
    else silentPartitions.add(partition);

    // The internal receivers come first, so a listener that rejects an event does not delay them.
    if (hasReceivers) await deliverToReceivers(partition, events, work);
    if (listener)
      for (const { key, value } of events) {
        const event = value as unknown as DocsEvent;
        await listener(event);
        await store.write(partition, async (tx) => {
          tx.delete(key);
          tx.delete(getHeardKey(event));
        });
      }
    if (!hasReceivers && !listener) return 0;
    if (events.length === MAX_BATCH_EVENTS) deliveringPartitions.set(partition, true);
    return events.length;
  }

  /** Delivers events to the internal receivers, in their order, in as few commits as possible. */
  async function deliverToReceivers(
    partition: string,
    events: readonly Entry[],
    work: Promise<unknown>[],
  ): Promise<void> {
    let done = 0;
    const deliverSome = async (tx: Transaction) => {
      let next = done;
      for (; next < events.length && (next === done || !isFull(tx)); next++) {
        const { key, value } = events[next]!;
        const event = value as unknown as DocsEvent;
        const isPresent = (await tx.get(key)) !== undefined;
        const heard = await tx.get(getHeardKey(event));
        if (!isPresent || heard === true) continue;

        // The event goes to as many receivers as the transaction has room for.
        const after = heard as string | undefined;
        const rest = await receivers!.deliver(tx, event, after, (promise) => void work.push(promise));
        if (rest !== undefined || listener) tx.put(getHeardKey(event), rest ?? true);
        else {
          tx.delete(key);
          tx.delete(getHeardKey(event));
        }
        if (rest !== undefined) break;
      }
      return next;
    };
    while (done < events.length) done = await store.write(partition, deliverSome);
  }

  /** Deletes the pending events of a partition in which nobody listens. */
  async function discardBatch(partition: string): Promise<number> {
    const view = await store.read(partition);
    const events = await view.list({ under: PENDING_PREFIX, limit: MAX_BATCH_EVENTS });
    if (events.length === 0) return 0;
    return store.write(partition, async (tx) => {
      // A listener may have been added since this process last looked.
      if ((await receivers?.hasReceivers(tx)) === true || events.some(isAboutInstallation)) return 0;
      let deleted = 0;
      for (; deleted < events.length && !isFull(tx); deleted++) tx.delete(events[deleted]!.key);
      return deleted;
    });
  }

  return {
    emit({ partition, code }, tx, event, identity) {
      const { eventId, createdAt } = identity ?? {
        eventId: generateId("event", code, store.random),
        createdAt: store.now().toISOString(),
      };
      const number = nextNumbers.get(tx) ?? tx.rank * MAX_BATCH_ENTRIES;
      nextNumbers.set(tx, number + 1);
      const docsEvent = { ...event, eventId, organizationId: formatOrganizationId(code), createdAt };
      tx.put(encodeKey("event", Date.parse(createdAt), number, eventId), docsEvent);

      const mayHaveReceivers =
        receivers !== undefined && (!silentPartitions.has(partition) || "installationId" in event);
      if (listener || mayHaveReceivers)
        tx.afterCommit(async () => void (await deliverInRounds(partition, MAX_REQUEST_ROUNDS).catch(onError)));
    },
    async deliverPending(partition) {
      if (!listener && !receivers) return discardBatch(partition);
      const delivered = await deliverInRounds(partition, Number.POSITIVE_INFINITY);
      return delivered > 0 || listener || !silentPartitions.has(partition) ? delivered : discardBatch(partition);
    },
  };
}

/**
 * Returns the key that stores the progress of the internal receivers of an event. `true` means that all of them have got it, and that
 * it waits only for the listener.
 */
function getHeardKey({ eventId }: DocsEvent): Key {
  return encodeKey("heard-event", eventId);
}

/** Returns true if an event is about one installation. That one gets it, even if it was the last listener. */
function isAboutInstallation({ value }: Entry): boolean {
  return "installationId" in (value as object);
}
