// Answers questions about counts. A question is answered from one dimension: it groups and filters by what is counted
// together.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import type { Reader } from "../../../storage/transaction";
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
  type EventsAggregate,
  type EventsAggregateRequest,
  type EventType,
  type Group,
  groups,
  type Time,
  times,
} from "./event-schema";

const DEFAULT_DAYS = 30;
const DEFAULT_LIMIT = 100;
/** The most counts that one question reads. */
const MAX_READ = 200_000;

export async function aggregateEvents(
  tx: Reader,
  site: string,
  question: EventsAggregateRequest,
  now: Date,
): Promise<v.InferInput<typeof EventsAggregate>> {
  const { select = ["page_view"], groupBy = [], filters = {}, limit = DEFAULT_LIMIT } = question;
  const range = question.range ?? lastDays(now);
  const wanted: EventSelection = {
    types: new Set<EventType>(select),
    time: times.find((time) => groupBy.includes(time)),
    group: groups.find((group) => groupBy.includes(group)),
    filters: filters as Filters,
  };
  const dimension = dimensionOf(wanted);
  const table = createTable(wanted, dimension);
  await readInto(table, tx, site, dimension, splitRange(range, wanted.time));
  const total = table.total();
  const rows = table.rows();
  return { object: "insights-aggregate", range, total, rows: rows.slice(0, limit), isCut: rows.length > limit };
}

type Filters = { readonly [group in Group]?: string };

interface EventSelection {
  readonly types: ReadonlySet<EventType>;
  readonly time: Time | undefined;
  readonly group: Group | undefined;
  readonly filters: Filters;
}

/** The names of the values of a dimension. */
const GROUPS_BY_DIMENSION: { readonly [dimension in Dimension]: readonly Group[] } = {
  page: ["siteSpace", "page"],
  rating: ["rating", "siteSpace", "page"],
  device: ["device"],
  browser: ["browser"],
  language: ["language"],
  referrer: ["referrer"],
  query: ["query"],
};

/** The first dimension that has everything that is asked for. */
function dimensionOf({ group, filters }: EventSelection): Dimension {
  const filtered = groups.filter((name) => filters[name] !== undefined);
  const asked = group === undefined ? filtered : [group, ...filtered];
  const found = (Object.keys(GROUPS_BY_DIMENSION) as Dimension[]).find((it) =>
    asked.every((name) => GROUPS_BY_DIMENSION[it].includes(name)),
  );
  if (found) return found;
  const names = asked.map((name) => `\`${name}\``).join(" and ");
  throw createValidationError("body.filters", `${names} are not counted together: leave one of them out`);
}

async function readInto(
  table: Table,
  tx: Reader,
  site: string,
  dimension: Dimension,
  stretches: readonly PeriodRange[],
): Promise<void> {
  let read = 0;
  for (const stretch of stretches)
    for await (const count of listCounts(tx, site, dimension, stretch)) {
      if (++read > MAX_READ)
        throw createValidationError(
          "body.range",
          "There are too many counts in this range: ask for fewer days, or group by month",
        );
      table.add(count);
    }
}

interface EventRow {
  readonly time: string | undefined;
  readonly value: readonly (string | null)[];
  readonly counts: Map<EventType, number>;
}

type Table = ReturnType<typeof createTable>;

function createTable({ types, time, group, filters }: EventSelection, dimension: Dimension) {
  const names = GROUPS_BY_DIMENSION[dimension];
  /** A page is told with its site-space. */
  const shown = group === undefined ? [] : group === "page" ? (["siteSpace", "page"] as const) : [group];
  const places = shown.map((name) => names.indexOf(name));
  const checks = names.flatMap((name, at) => (filters[name] === undefined ? [] : [{ at, value: filters[name] }]));
  const rows = new Map<string, EventRow>();

  const rowOf = (at: string | undefined, value: readonly (string | null)[]): EventRow => {
    const name = JSON.stringify([at, value]);
    const row = rows.get(name) ?? { time: at, value, counts: new Map() };
    rows.set(name, row);
    return row;
  };
  const countsOf = (row: EventRow | undefined) =>
    Object.fromEntries([...types].map((type) => [type, row?.counts.get(type) ?? 0]));

  return {
    add({ period, type, values, count }: EventCount): void {
      if (!types.has(type) || checks.some(({ at, value }) => values[at] !== value)) return;
      const at = time === "month" ? period.slice(0, 7) : time && period;
      add(
        rowOf(
          at,
          places.map((place) => values[place] ?? null),
        ),
        type,
        count,
      );
    },
    total() {
      const sum: EventRow = { time: undefined, value: [], counts: new Map() };
      for (const row of rows.values()) for (const [type, count] of row.counts) add(sum, type, count);
      return countsOf(sum);
    },
    rows() {
      if (dimension === "query") hideRare(rows, rowOf);
      if (rows.size === 0 && time === undefined && group === undefined) rowOf(undefined, []);
      return [...rows.values()].sort(compareRows).map((row) => ({
        ...(time && { [time]: row.time }),
        ...Object.fromEntries(shown.flatMap((name, i) => (row.value[i] === null ? [] : [[name, row.value[i]]]))),
        counts: countsOf(row),
      }));
    },
  };
}

function add({ counts }: EventRow, type: EventType, count: number): void {
  counts.set(type, (counts.get(type) ?? 0) + count);
}

const sumCounts = ({ counts }: EventRow) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** By time, then the most events first, then by value. */
function compareRows(a: EventRow, b: EventRow): number {
  if (a.time !== b.time) return (a.time ?? "") < (b.time ?? "") ? -1 : 1;
  return sumCounts(b) - sumCounts(a) || (JSON.stringify(a.value) < JSON.stringify(b.value) ? -1 : 1);
}

/** Counts texts that are rare in the row of their time that has no text. */
function hideRare(
  rows: Map<string, EventRow>,
  rowOf: (at: string | undefined, value: readonly null[]) => EventRow,
): void {
  for (const [name, row] of [...rows]) {
    if (row.value.length === 0 || row.value[0] === null || row.value[0] === OTHER || sumCounts(row) >= MIN_QUERY_COUNT)
      continue;
    rows.delete(name);
    for (const [type, count] of row.counts) add(rowOf(row.time, [null]), type, count);
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

function lastDays(now: Date): { from: string; to: string } {
  return { from: formatDay(new Date(now.getTime() - (DEFAULT_DAYS - 1) * DAY_MS)), to: formatDay(now) };
}

const addDays = (day: string, days = 1) => formatDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

/** What is read for a range: whole months by their months, and days at both ends; days alone where rows are days. */
export function splitRange({ from, to }: { from: string; to: string }, time: Time | undefined): PeriodRange[] {
  const firstMonth = from.endsWith("-01") ? from.slice(0, 7) : monthAfter(from);
  const end = addDays(to);
  // The first day that is in no whole month.
  const rest = `${end.slice(0, 7)}-01`;
  if (time === "day" || `${firstMonth}-01` >= rest) return [{ unit: "day", from, to }];
  const stretches: PeriodRange[] = [{ unit: "month", from: firstMonth, to: addDays(rest, -1).slice(0, 7) }];
  if (from < `${firstMonth}-01`) stretches.unshift({ unit: "day", from, to: addDays(`${firstMonth}-01`, -1) });
  if (rest <= to) stretches.push({ unit: "day", from: rest, to });
  return stretches;
}

function monthAfter(day: string): string {
  const [year, month] = day.split("-").map(Number) as [number, number];
  return formatDay(new Date(Date.UTC(year, month, 1))).slice(0, 7);
}
