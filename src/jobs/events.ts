// The outbox: events, written in the same commit as their cause, so that a crash in between loses nothing. The process
// that made the commit tells its listener at once. `maintain()` tells what was left behind or refused. Events of an
// organization are told in the order of their commits, at least once. A repeated event has the same id.

import { formatOrganizationId, generateId, type Place } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { isFull } from "../storage/room";
import { sealUnder } from "../storage/sealed-storage";
import { type Entry, type Json, MAX_BATCH_ENTRIES } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";

/** What can happen. */
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
  | ({ readonly type: "site_view"; readonly siteId: string } & View)
  | ({ readonly type: "space_view"; readonly spaceId: string } & View)
  | (SetUp & { readonly type: "installation_setup" })
  | (Deleted & { readonly type: "installation_deleted" })
  | (SetUp & { readonly type: "space_installation_setup"; readonly spaceId: string })
  | (SetUp & { readonly type: "site_installation_setup"; readonly siteId: string })
  | (Deleted & { readonly type: "space_installation_deleted"; readonly spaceId: string })
  | (Deleted & { readonly type: "site_installation_deleted"; readonly siteId: string });

/** An installation that was placed somewhere, or configured there. */
type SetUp = { readonly installationId: string; readonly status: string; readonly previous?: Previous };
/** An installation that was removed from somewhere. */
type Deleted = { readonly installationId: string; readonly previous: Previous };

/** A page that a visitor viewed, as the renderer of the site reports it. */
type View = {
  readonly visitor: {
    readonly anonymousId: string;
    readonly cookies: { readonly [name: string]: string };
    readonly userAgent: string;
    /** Empty where the renderer does not report it. */
    readonly ip: string;
    readonly language?: string;
  };
  readonly url: string;
  /** Empty where the visitor came from no other page. */
  readonly referrer: string;
  readonly pageId?: string;
};

/** An installation as it was before. */
type Previous = {
  readonly status?: string;
  readonly configuration?: { readonly [name: string]: Json };
};

/** An event as listeners get it. */
export type DocsEvent = OutgoingEvent & {
  readonly eventId: string;
  readonly organizationId: string;
  readonly createdAt: string;
};

/** Which event it is, and when it happened. */
export type Occurrence = Pick<DocsEvent, "eventId" | "createdAt">;

/** Hears of events. An event that it rejects is told again later, before any newer one. */
export type Listener = (event: DocsEvent) => Promise<void> | void;

/** What events need to leave. */
export interface Outbox {
  /** Puts an event into the transaction. One that was decided on earlier has its id and its time already. */
  emit(place: Place, tx: Transaction, event: OutgoingEvent, known?: Occurrence): void;
  /** Tells what waits in a partition, or deletes it where nobody listens. Gives the number of events that are gone. */
  empty(partition: string): Promise<number>;
}

const waiting = encodeKey("event");
// The previous configuration of an installation is sealed.
sealUnder(waiting, [{ path: ["previous"] }]);
/** Stored with an event: how far its internal receivers have got it. `true`: all of them have, and it waits only for
 * the listener. */
const heardKey = ({ eventId }: DocsEvent) => encodeKey("heard-event", eventId);
/** Events that are read together. */
const PAGE = 400;
/** How often a request looks for more that came while it told. */
const ROUNDS = 3;

/** Internal receivers of events. Each event is handed to them once, in the order of the commits. */
export interface Hearing {
  /** Whether anybody in a partition may want to hear of something. */
  hears(view: Reader): Promise<boolean>;
  /** Records some of the receivers of an event, in the transaction that remembers how far it got. Gives the place to go
   * on after, or undefined when all are recorded. Work that goes on after the commit is handed to `running`. */
  hear(
    tx: Transaction,
    event: DocsEvent,
    after: string | undefined,
    running: (work: Promise<unknown>) => void,
  ): Promise<string | undefined>;
}

export function createOutbox(
  store: Store,
  listener: Listener | undefined,
  onError: (error: unknown) => void,
  hearing?: Hearing,
): Outbox {
  /** Partitions whose events this process is telling; true when more events have come meanwhile. */
  const telling = new Map<string, boolean>();
  /** Partitions in which nobody listened when this process looked last. If that changes elsewhere, `maintain()` tells
   * what was left. */
  const deaf = new Set<string>();
  /** How many events a transaction has so far. */
  const numbers = new WeakMap<Transaction, number>();

  /** The number of the next event of a transaction. Events of one commit are told in the order of their numbers. */
  function numberIn(tx: Transaction): number {
    const number = numbers.get(tx) ?? tx.rank * MAX_BATCH_ENTRIES;
    numbers.set(tx, number + 1);
    return number;
  }

  /** Only one call tells the events of a partition at a time. A listener may call the API; events of that call are told
   * after the present one. A request does not wait for all the events that others keep adding. */
  async function tell(partition: string, rounds: number): Promise<number> {
    if (telling.has(partition)) {
      telling.set(partition, true);
      return 0;
    }
    let told = 0;
    let isLeft = false;
    const running: Promise<unknown>[] = [];
    try {
      for (let round = 0; round === 0 || (isLeft && round < rounds); round++) {
        isLeft = false;
        telling.set(partition, false);
        told += await tellWaiting(partition, running);
        isLeft = telling.get(partition) === true;
      }
    } finally {
      telling.delete(partition);
      if (isLeft) void tell(partition, rounds).catch(onError);
      await Promise.all(running);
    }
    return told;
  }

  async function tellWaiting(partition: string, running: Promise<unknown>[]): Promise<number> {
    const view = await store.read(partition);
    const events = inOrder(await view.list({ under: waiting, limit: PAGE }));
    const isHeard = (await hearing?.hears(view)) === true || events.some(isDirect);
    if (isHeard) deaf.delete(partition);
    else deaf.add(partition);
    // A listener that refuses an event does not delay the internal receivers.
    if (isHeard) await hearAll(partition, events, running);
    if (listener) for (const entry of events) await tellOf(partition, entry);
    if (!isHeard && !listener) return 0;
    if (events.length === PAGE) telling.set(partition, true);
    return events.length;
  }

  /** Hands events to the internal receivers, in their order, in as few commits as they take. */
  async function hearAll(partition: string, events: readonly Entry[], running: Promise<unknown>[]): Promise<void> {
    let done = 0;
    const hearSome = async (tx: Transaction) => {
      let at = done;
      while (at < events.length && (at === done || !isFull(tx)) && (await hear(tx, events[at]!, running))) at++;
      return at;
    };
    while (done < events.length) done = await store.write(partition, hearSome);
  }

  /** Hands an event to the internal receivers, as many as the transaction has room for. Gives whether these are all. */
  async function hear(tx: Transaction, { key: at, value }: Entry, running: Promise<unknown>[]): Promise<boolean> {
    const event = value as unknown as DocsEvent;
    const isThere = (await tx.get(at)) !== undefined;
    const heard = await tx.get(heardKey(event));
    if (!isThere || heard === true) return true;
    const next = await hearing!.hear(tx, event, heard as string | undefined, (it) => void running.push(it));
    if (next !== undefined || listener) tx.put(heardKey(event), next ?? true);
    else {
      tx.delete(at);
      tx.delete(heardKey(event));
    }
    return next === undefined;
  }

  async function tellOf(partition: string, { key: at, value }: Entry): Promise<void> {
    const event = value as unknown as DocsEvent;
    await listener!(event);
    await store.write(partition, async (tx) => {
      tx.delete(at);
      tx.delete(heardKey(event));
    });
  }

  async function discard(partition: string): Promise<number> {
    const events = await (await store.read(partition)).list({ under: waiting, limit: PAGE });
    if (events.length === 0) return 0;
    return store.write(partition, async (tx) => {
      // A listener may have come since this process last looked.
      if ((await hearing?.hears(tx)) === true || events.some(isDirect)) return 0;
      let gone = 0;
      for (; gone < events.length && !isFull(tx); gone++) tx.delete(events[gone]!.key);
      return gone;
    });
  }

  return {
    emit({ partition, code }, tx, event, known) {
      const { eventId, createdAt } = known ?? {
        eventId: generateId("event", code, store.random),
        createdAt: store.now().toISOString(),
      };
      const told = { ...event, eventId, organizationId: formatOrganizationId(code), createdAt };
      tx.put(encodeKey("event", Date.parse(createdAt), numberIn(tx), eventId), told);
      const mayBeHeard = hearing !== undefined && (!deaf.has(partition) || "installationId" in event);
      if (listener || mayBeHeard) tx.afterCommit(async () => void (await tell(partition, ROUNDS).catch(onError)));
    },
    async empty(partition) {
      if (!listener && !hearing) return discard(partition);
      const told = await tell(partition, Number.POSITIVE_INFINITY);
      return told > 0 || listener || !deaf.has(partition) ? told : discard(partition);
    },
  };
}

/** Whether an event is about one installation. Then it is told to that one, even if it was the last listener. */
function isDirect({ value }: Entry): boolean {
  return "installationId" in (value as object);
}

/** Keys contain the time of a clock; the version says which commit came first. */
function inOrder(events: readonly Entry[]): Entry[] {
  return events.toSorted((a, b) => a.version - b.version);
}
