// The counts of events, by site, dimension, day and month. They only grow. A request adds to them in one commit without any check, so that
// two simultaneous ones lose nothing and never wait for each other. They are in a partition of their own beside that of the
// organization, because a commit there would invalidate all cached responses.
//
// The key is [site, dimension, unit, period, type, ...values], the value is the number of events. The value of
// [site, dimension, unit, period] is the number of its rows. Each dimension has a limit of rows for a day and a month; further values
// are counted as `OTHER`, so that nobody can make the storage grow without limit.

import { getPartitionRef, parsePartitionCode } from "../../../storage/ids";
import { decodeKey, encodeKey, type KeyPart } from "../../../storage/key";
import type { Key } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import type { Reader, Transaction } from "../../../storage/transaction";
import { forEachEntry } from "../../../storage/transaction-budget";
import { pauseUntilNextTurn } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import type { EventType, Rating, Time } from "./event-schema";
import type { VisitorTraits } from "./visitor-traits";

/** The value that replaces all values beyond the limit of rows. */
export const OTHER = "(other)";

/** The limits of rows of each dimension for a day and a month. There are only few devices and browsers anyway. */
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

/** The number of searches from which on a text is shown. */
export const MIN_QUERY_COUNT = 3;

/** The limit of views of a site that visitors can report to integrations on a day. */
export const MAX_REPORTED_VIEWS = 20_000;

/** The dimension of the views that visitors have reported to integrations. */
export const REPORTED = "told";
const ALL_DIMENSIONS: readonly string[] = [...Object.keys(MAX_ROWS), REPORTED];

const PREFIX = "insights-";

export function findInsightsPartition(organization: string): string | undefined {
  const code = parsePartitionCode("organization", organization);
  return code === undefined ? undefined : PREFIX + code;
}

export const createCountKey = (...tuple: readonly KeyPart[]) => encodeKey("insight", ...tuple);

/** Returns the day of a time, in UTC. */
export function formatDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** An event as it is counted. Null means unknown. */
export interface CountedEvent extends VisitorTraits {
  readonly type: EventType;
  readonly siteSpace: string | null;
  readonly page: string | null;
  readonly rating: Rating | undefined;
  /** Undefined if the event isn't a search. */
  readonly query: string | null | undefined;
}

interface CountIncrement {
  readonly dimension: Dimension;
  readonly unit: Time;
  /** The part of the key before the type, which all rows of the dimension and the period share. */
  readonly prefix: readonly KeyPart[];
  readonly type: EventType;
  readonly values: readonly (string | null)[];
  amount: number;
}

export async function countEvents(
  tx: Transaction,
  site: string,
  day: string,
  events: readonly CountedEvent[],
): Promise<void> {
  // Equal events increment the same counts.
  const incrementsByKey = new Map<Key, CountIncrement>();
  for (const event of events) {
    const { siteSpace, page, rating, query, device, browser, language, referrer } = event;
    const valuesByDimension = omitUndefined({
      page: [siteSpace, page],
      rating: rating === undefined ? undefined : [rating, siteSpace, page],
      query: query === undefined ? undefined : [query],
      device: [device],
      browser: [browser],
      language: [language],
      referrer: [referrer],
    });
    for (const [dimension, values] of Object.entries(valuesByDimension) as [Dimension, (string | null)[]][])
      for (const [unit, period] of [["day", day] as const, ["month", day.slice(0, 7)] as const]) {
        const prefix = [site, dimension, unit, period];
        const key = createCountKey(...prefix, event.type, ...values);
        const increment = incrementsByKey.get(key) ?? { dimension, unit, prefix, type: event.type, values, amount: 0 };
        increment.amount++;
        incrementsByKey.set(key, increment);
      }
  }

  const increments = [...incrementsByKey];
  const rowCountKeys = [...new Set(increments.map(([, { prefix }]) => createCountKey(...prefix)))];
  const stored = await tx.unchecked.getMany([...increments.map(([key]) => key), ...rowCountKeys]);
  const rowCounts = new Map(
    rowCountKeys.map((key, i) => [key, (stored[increments.length + i] as number | undefined) ?? 0]),
  );
  for (const [i, [key, { dimension, unit, prefix, type, values, amount }]] of increments.entries()) {
    const rowCountKey = createCountKey(...prefix);
    const isNew = stored[i] === undefined;
    if (isNew && rowCounts.get(rowCountKey)! >= MAX_ROWS[dimension][unit]) {
      tx.add(createCountKey(...prefix, type, ...values.map(() => OTHER)), amount);
      continue;
    }
    if (isNew) {
      rowCounts.set(rowCountKey, rowCounts.get(rowCountKey)! + 1);
      tx.add(rowCountKey, 1);
    }
    tx.add(key, amount);
  }
}

/** The number of events of a row. */
export interface EventCount {
  readonly period: string;
  readonly type: EventType;
  readonly values: readonly (string | null)[];
  readonly count: number;
}

/** A range of periods of one unit. Both ends are included. */
export interface PeriodRange {
  readonly unit: Time;
  readonly from: string;
  readonly to: string;
}

const ROWS_PER_READ = 1000;

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
    for (const { key, value } of entries) {
      const [, , , , period, type, ...values] = decodeKey(key);
      // Without a type, the entry is the number of rows.
      if (type === undefined) continue;
      yield {
        period: period as string,
        type: type as EventType,
        values: values as (string | null)[],
        count: value as number,
      };
    }
    if (entries.length < ROWS_PER_READ) return;
    after = entries.at(-1)!.key;
    await pauseUntilNextTurn();
  }
}

/** Deletes the counts of a site, as many as fit into a commit. Returns true if there are more. */
export async function dropCounts(store: Store, organization: string, site: string): Promise<boolean> {
  return store.write(PREFIX + getPartitionRef(organization).code, (tx) =>
    forEachEntry(tx, { under: createCountKey(site) }, async (entry) => tx.delete(entry.key)),
  );
}

/** The age at which counts are deleted. */
const RETENTION_MONTHS = 13;
/** The limit of commits of one `maintain()` in a partition. */
const MAX_COMMITS = 20;
const LAST_CLEANUP_KEY = encodeKey("insights-forgotten");

/** Deletes old counts, once a day and in bounded steps. Returns their number. */
export async function deleteOldCounts(store: Store, partition: string): Promise<number> {
  if (!partition.startsWith(PREFIX)) return 0;
  const today = formatDay(store.now());
  const view = await store.read(partition);
  if ((await view.get(LAST_CLEANUP_KEY)) === today) return 0;
  const oldest = subtractMonths(today, RETENTION_MONTHS);
  let deletedCounts = 0;
  let commits = 0;
  for await (const range of listRangesBefore(view, oldest)) {
    for (let isMore = true; isMore; ) {
      if (commits++ === MAX_COMMITS) return deletedCounts;
      let deleted = 0;
      isMore = await store.write(partition, async (tx) => {
        deleted = 0;
        return forEachEntry(tx, range, async (entry) => {
          tx.delete(entry.key);
          deleted++;
        });
      });
      deletedCounts += deleted;
    }
  }
  await store.write(partition, async (tx) => tx.put(LAST_CLEANUP_KEY, today));
  return deletedCounts;
}

async function* listRangesBefore(view: Reader, day: string): AsyncGenerator<{ under: Key; before: Key }> {
  for (let after: Key | undefined; ; ) {
    const [first] = await view.list({ under: createCountKey(), after, limit: 1 });
    if (!first) return;
    const site = decodeKey(first.key)[1] as string;
    after = `${createCountKey(site)}\xff`;
    for (const dimension of ALL_DIMENSIONS)
      for (const [unit, period] of [["day", day] as const, ["month", day.slice(0, 7)] as const]) {
        const range = {
          under: createCountKey(site, dimension, unit),
          before: createCountKey(site, dimension, unit, period),
        };
        if ((await view.list({ ...range, limit: 1 })).length > 0) yield range;
      }
  }
}

/** Returns the same day some months ago, or the first day after it that exists. */
export function subtractMonths(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return formatDay(new Date(Date.UTC(year, month - 1 - months, date)));
}
