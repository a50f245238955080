// Counts of events: numbers that only grow, by site, dimension, day and month. A request adds to them in one commit
// without any check, so two at once lose nothing and never wait for each other. They live in a partition of their own
// beside the organization's, because a commit there would end every answer that is kept.
//
// The key is [site, dimension, unit, period, type, ...values], the value is the number of events. The number under
// [site, dimension, unit, period] is that of its rows. A dimension has so many rows a day and a month; what comes after
// them is counted under `OTHER`, so nobody can make the storage grow without end.

import { getPartitionRef, parsePartitionCode } from "../../../storage/ids";
import { decodeKey, encodeKey, type KeyPart } from "../../../storage/key";
import type { Entry, Key } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { forEachEntry } from "../../../storage/transaction-budget";
import { pauseUntilNextTurn } from "../../../utils/concurrency/event-loop";
import type { EventType, Rating, Time } from "./event-schema";
import type { VisitorTraits } from "./visitor-traits";

/** What stands for all values beyond the number that is kept. */
export const OTHER = "(other)";

/** The most rows of each dimension, a day and a month. Devices and browsers are few by themselves. */
const MAX_ROWS = {
  /** [siteSpace, page] */
  page: { day: 5000, month: 20_000 },
  /** [rating, siteSpace, page] */
  rating: { day: 2000, month: 10_000 },
  device: { day: 200, month: 200 },
  browser: { day: 200, month: 200 },
  language: { day: 200, month: 500 },
  referrer: { day: 1000, month: 5000 },
  query: { day: 1000, month: 5000 },
} as const satisfies Record<string, Readonly<Record<Time, number>>>;
export type Dimension = keyof typeof MAX_ROWS;

/** A text that was searched for less often is not shown. */
export const MIN_QUERY_COUNT = 3;

/** How many views a day visitors themselves can have told to integrations. */
export const MAX_REPORTED_VIEWS = 20_000;

const TOLD = "told";
const ALL_DIMENSIONS: readonly string[] = [...Object.keys(MAX_ROWS), TOLD];

const PREFIX = "insights-";

/** The partition of an organization's counts; undefined when the id is not one. */
export function findInsightsPartition(organization: string): string | undefined {
  const code = parsePartitionCode("organization", organization);
  return code === undefined ? undefined : PREFIX + code;
}

const createCountKey = (...tuple: readonly KeyPart[]) => encodeKey("insight", ...tuple);

/** The day of a moment, in UTC. */
export function formatDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

const formatMonth = (day: string) => day.slice(0, 7);

/** An event as it is counted. Null: not said. */
export interface CountedEvent extends VisitorTraits {
  readonly type: EventType;
  readonly siteSpace: string | null;
  readonly page: string | null;
  readonly rating: Rating | undefined;
  /** Undefined for an event that is no search. */
  readonly query: string | null | undefined;
}

/** A number to add to. */
interface CountIncrement {
  readonly dimension: Dimension;
  readonly unit: Time;
  /** What is before the type: of all rows of the dimension and the period. */
  readonly head: readonly KeyPart[];
  readonly type: EventType;
  readonly values: readonly (string | null)[];
  amount: number;
}

/** Adds events to the counts of a site. */
export async function countEvents(
  tx: Transaction,
  site: string,
  day: string,
  events: readonly CountedEvent[],
): Promise<void> {
  const tallies = [...collectIncrements(site, day, events)];
  const heads = [...new Set(tallies.map(([, { head }]) => createCountKey(...head)))];
  const known = await tx.unchecked.getMany([...tallies.map(([at]) => at), ...heads]);
  const rows = new Map(heads.map((head, i) => [head, (known[tallies.length + i] as number | undefined) ?? 0]));
  for (const [i, [at, { dimension, unit, head, type, values, amount }]] of tallies.entries()) {
    const under = createCountKey(...head);
    const isNew = known[i] === undefined;
    if (isNew && rows.get(under)! >= MAX_ROWS[dimension][unit]) {
      tx.add(createCountKey(...head, type, ...values.map(() => OTHER)), amount);
      continue;
    }
    if (isNew) {
      rows.set(under, rows.get(under)! + 1);
      tx.add(under, 1);
    }
    tx.add(at, amount);
  }
}

/** The numbers that events add to. Events that are alike add to the same ones. */
function collectIncrements(site: string, day: string, events: readonly CountedEvent[]): Map<Key, CountIncrement> {
  const tallies = new Map<Key, CountIncrement>();
  for (const event of events)
    for (const [dimension, values] of listDimensionValues(event))
      for (const [unit, period] of [["day", day] as const, ["month", formatMonth(day)] as const]) {
        const head = [site, dimension, unit, period];
        const at = createCountKey(...head, event.type, ...values);
        const tally = tallies.get(at) ?? { dimension, unit, head, type: event.type, values, amount: 0 };
        tally.amount++;
        tallies.set(at, tally);
      }
  return tallies;
}

function* listDimensionValues(event: CountedEvent): Generator<[Dimension, readonly (string | null)[]]> {
  const { siteSpace, page, rating, query, device, browser, language, referrer } = event;
  yield ["page", [siteSpace, page]];
  if (rating !== undefined) yield ["rating", [rating, siteSpace, page]];
  if (query !== undefined) yield ["query", [query]];
  yield ["device", [device]];
  yield ["browser", [browser]];
  yield ["language", [language]];
  yield ["referrer", [referrer]];
}

/** How many views of a site visitors have had told on a day. */
export async function getReportedViews(tx: Reader, site: string, day: string): Promise<number> {
  return ((await tx.unchecked.get(createCountKey(site, TOLD, "day", day))) as number | undefined) ?? 0;
}

export function addReportedViews(tx: Transaction, site: string, day: string, views: number): void {
  tx.add(createCountKey(site, TOLD, "day", day), views);
}

/** A number of events. */
export interface EventCount {
  readonly period: string;
  readonly type: EventType;
  readonly values: readonly (string | null)[];
  readonly count: number;
}

/** Periods of one unit, both included. */
export interface PeriodRange {
  readonly unit: Time;
  readonly from: string;
  readonly to: string;
}

/** Rows that are read together. */
const ROWS_PER_READ = 1000;

/** The counts of a dimension, in the order of their periods. */
export async function* listCounts(
  tx: Reader,
  site: string,
  dimension: Dimension,
  { unit, from, to }: PeriodRange,
): AsyncGenerator<EventCount> {
  const under = createCountKey(site, dimension, unit);
  const before = `${createCountKey(site, dimension, unit, to)}\xff`;
  let after = createCountKey(site, dimension, unit, from);
  for (;;) {
    const entries = await tx.unchecked.list({ under, after, before, limit: ROWS_PER_READ });
    for (const entry of entries) {
      const count = countIn(entry);
      if (count) yield count;
    }
    if (entries.length < ROWS_PER_READ) return;
    after = entries.at(-1)!.key;
    await pauseUntilNextTurn();
  }
}

/** A row; undefined for the number of rows. */
function countIn({ key: at, value }: Entry): EventCount | undefined {
  const [, , , , period, type, ...values] = decodeKey(at);
  if (type === undefined) return undefined;
  return {
    period: period as string,
    type: type as EventType,
    values: values as (string | null)[],
    count: value as number,
  };
}

/** Deletes the counts of a site, as many as one commit takes; true: there are more. */
export async function dropCounts(store: Store, organization: string, site: string): Promise<boolean> {
  return store.write(PREFIX + getPartitionRef(organization).code, (tx) =>
    forEachEntry(tx, { under: createCountKey(site) }, async (entry) => tx.delete(entry.key)),
  );
}

/** How long counts are kept. */
const RETENTION_MONTHS = 13;
/** The most commits of one `maintain()` in a partition. */
const MAX_COMMITS = 20;
const LAST_CLEANUP_KEY = encodeKey("insights-forgotten");

/** Deletes counts whose time is over, once a day and in bounded steps. Gives how many there were. */
export async function deleteOldCounts(store: Store, partition: string): Promise<number> {
  if (!partition.startsWith(PREFIX)) return 0;
  const today = formatDay(store.now());
  const view = await store.read(partition);
  if ((await view.get(LAST_CLEANUP_KEY)) === today) return 0;
  const oldest = subtractMonths(today, RETENTION_MONTHS);
  let gone = 0;
  let commits = 0;
  for await (const range of listRangesBefore(view, oldest)) {
    for (let isMore = true; isMore; ) {
      if (commits++ === MAX_COMMITS) return gone;
      let deleted = 0;
      isMore = await store.write(partition, async (tx) => {
        deleted = 0;
        return forEachEntry(tx, range, async (entry) => {
          tx.delete(entry.key);
          deleted++;
        });
      });
      gone += deleted;
    }
  }
  await store.write(partition, async (tx) => tx.put(LAST_CLEANUP_KEY, today));
  return gone;
}

/** The ranges that have counts from before a day. */
async function* listRangesBefore(view: Reader, day: string): AsyncGenerator<{ under: Key; before: Key }> {
  for await (const site of listCountedSites(view))
    for (const dimension of ALL_DIMENSIONS)
      for (const [unit, period] of [["day", day] as const, ["month", formatMonth(day)] as const]) {
        const range = {
          under: createCountKey(site, dimension, unit),
          before: createCountKey(site, dimension, unit, period),
        };
        if ((await view.list({ ...range, limit: 1 })).length > 0) yield range;
      }
}

/** The sites that have counts. */
async function* listCountedSites(view: Reader): AsyncGenerator<string> {
  let after: Key | undefined;
  for (;;) {
    const [first] = await view.list({ under: createCountKey(), after, limit: 1 });
    if (!first) return;
    const site = decodeKey(first.key)[1] as string;
    yield site;
    after = `${createCountKey(site)}\xff`;
  }
}

/** The same day so many months ago, or the first day after it that exists. */
export function subtractMonths(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return formatDay(new Date(Date.UTC(year, month - 1 - months, date)));
}
