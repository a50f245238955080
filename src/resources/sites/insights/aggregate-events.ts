// Aggregates the counts of events. A request is answered from one dimension, so it can only group and filter by values that are counted
// together.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import {
  type Dimension,
  type EventCount,
  formatDay,
  listCounts,
  MIN_QUERY_COUNT,
  OTHER,
  type PeriodRange,
} from "./counts";
import {
  type EventGroup,
  type EventsAggregate,
  type EventsAggregateRequest,
  type EventType,
  groups,
  type Time,
  times,
} from "./event-schema";

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 30;
const DEFAULT_LIMIT = 100;
/** The limit of counts that a request reads. */
const MAX_READ_COUNTS = 200_000;

/** Returns the rows and the total of a request. */
export async function aggregateEvents(
  tx: Reader,
  site: string,
  request: EventsAggregateRequest,
  now: Date,
): Promise<v.InferInput<typeof EventsAggregate>> {
  const { select = ["page_view"], groupBy = [], filters = {}, limit = DEFAULT_LIMIT } = request;
  const firstDefaultDay = new Date(now.getTime() - (DEFAULT_DAYS - 1) * DAY_MS);
  const range = request.range ?? { from: formatDay(firstDefaultDay), to: formatDay(now) };
  const selection: EventSelection = {
    types: new Set<EventType>(select),
    time: times.find((time) => groupBy.includes(time)),
    group: groups.find((group) => groupBy.includes(group)),
    filters: filters as EventFilters,
  };

  // The first dimension with all values that the request groups and filters by.
  const filtered = groups.filter((name) => selection.filters[name] !== undefined);
  const required = selection.group === undefined ? filtered : [selection.group, ...filtered];
  const dimension = (Object.keys(GROUPS_BY_DIMENSION) as Dimension[]).find((it) =>
    required.every((name) => GROUPS_BY_DIMENSION[it].includes(name)),
  );
  if (!dimension) {
    const names = required.map((name) => `\`${name}\``).join(" and ");
    throw createValidationError("body.filters", `${names} can't be combined. Remove one of them`);
  }

  const table = createEventTable(selection, dimension);
  let readCounts = 0;
  for (const periods of splitRange(range, selection.time))
    for await (const count of listCounts(tx, site, dimension, periods)) {
      if (++readCounts > MAX_READ_COUNTS)
        throw createValidationError(
          "body.range",
          "There are too many counts in this range: ask for fewer days, or group by month",
        );
      table.add(count);
    }
  const total = table.getTotal();
  const rows = table.listRows();
  return { object: "insights-aggregate", range, total, rows: rows.slice(0, limit), isCut: rows.length > limit };
}

type EventFilters = { readonly [group in EventGroup]?: string };

interface EventSelection {
  readonly types: ReadonlySet<EventType>;
  readonly time: Time | undefined;
  readonly group: EventGroup | undefined;
  readonly filters: EventFilters;
}

/** The names of the values of a dimension. */
const GROUPS_BY_DIMENSION: { readonly [dimension in Dimension]: readonly EventGroup[] } = {
  page: ["siteSpace", "page"],
  rating: ["rating", "siteSpace", "page"],
  device: ["device"],
  browser: ["browser"],
  language: ["language"],
  referrer: ["referrer"],
  query: ["query"],
};

interface EventRow {
  readonly time: string | undefined;
  readonly value: readonly (string | null)[];
  readonly counts: Map<EventType, number>;
}

/** Creates the table of a selection. Counts are added one by one. */
function createEventTable({ types, time, group, filters }: EventSelection, dimension: Dimension) {
  const names = GROUPS_BY_DIMENSION[dimension];
  // The row of a page also has its site-space.
  const columns = group === undefined ? [] : group === "page" ? (["siteSpace", "page"] as const) : [group];
  const columnIndexes = columns.map((name) => names.indexOf(name));
  const conditions = names.flatMap((name, index) =>
    filters[name] === undefined ? [] : [{ index, value: filters[name] }],
  );
  const rows = new Map<string, EventRow>();

  const getRow = (rowTime: string | undefined, value: readonly (string | null)[]): EventRow => {
    const name = JSON.stringify([rowTime, value]);
    const row = rows.get(name) ?? { time: rowTime, value, counts: new Map() };
    rows.set(name, row);
    return row;
  };
  const addCount = ({ counts }: EventRow, type: EventType, count: number) =>
    counts.set(type, (counts.get(type) ?? 0) + count);
  const sumCounts = ({ counts }: EventRow) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const presentCounts = ({ counts }: EventRow) =>
    Object.fromEntries([...types].map((type) => [type, counts.get(type) ?? 0]));

  return {
    add({ period, type, values, count }: EventCount): void {
      if (!types.has(type) || conditions.some(({ index, value }) => values[index] !== value)) return;
      const rowTime = time === "month" ? period.slice(0, 7) : time && period;
      const value = columnIndexes.map((index) => values[index] ?? null);
      addCount(getRow(rowTime, value), type, count);
    },

    getTotal() {
      const total: EventRow = { time: undefined, value: [], counts: new Map() };
      for (const row of rows.values()) for (const [type, count] of row.counts) addCount(total, type, count);
      return presentCounts(total);
    },

    /** Returns the rows by time, then by the number of events in descending order, then by value. */
    listRows() {
      // Rare search texts are counted in the row of their time that has no text.
      if (dimension === "query")
        for (const [name, row] of [...rows]) {
          const [query = null] = row.value;
          if (query === null || query === OTHER || sumCounts(row) >= MIN_QUERY_COUNT) continue;
          rows.delete(name);
          for (const [type, count] of row.counts) addCount(getRow(row.time, [null]), type, count);
        }
      if (rows.size === 0 && time === undefined && group === undefined) getRow(undefined, []);
      const sorted = [...rows.values()].sort((a, b) => {
        if (a.time !== b.time) return (a.time ?? "") < (b.time ?? "") ? -1 : 1;
        return sumCounts(b) - sumCounts(a) || (JSON.stringify(a.value) < JSON.stringify(b.value) ? -1 : 1);
      });
      return sorted.map((row) => ({
        ...omitUndefined({ day: time === "day" ? row.time : undefined }),
        ...omitUndefined({ month: time === "month" ? row.time : undefined }),
        ...Object.fromEntries(columns.flatMap((name, i) => (row.value[i] === null ? [] : [[name, row.value[i]]]))),
        counts: presentCounts(row),
      }));
    },
  };
}

const addDays = (day: string, days = 1) => formatDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

/** Splits a range into the periods to read: complete months, and the days at both ends. Rows of days are only read as days. */
export function splitRange({ from, to }: { from: string; to: string }, time: Time | undefined): PeriodRange[] {
  const [year, month] = from.split("-").map(Number) as [number, number];
  const nextMonth = formatDay(new Date(Date.UTC(year, month, 1))).slice(0, 7);
  const firstMonth = from.endsWith("-01") ? from.slice(0, 7) : nextMonth;
  // The first day after the last complete month.
  const rest = `${addDays(to).slice(0, 7)}-01`;
  if (time === "day" || `${firstMonth}-01` >= rest) return [{ unit: "day", from, to }];
  const ranges: PeriodRange[] = [{ unit: "month", from: firstMonth, to: addDays(rest, -1).slice(0, 7) }];
  if (from < `${firstMonth}-01`) ranges.unshift({ unit: "day", from, to: addDays(`${firstMonth}-01`, -1) });
  if (rest <= to) ranges.push({ unit: "day", from: rest, to });
  return ranges;
}
