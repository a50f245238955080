// Prepares counts for plots: days without events are filled in, and scales end at round numbers.

import type { InsightsRow } from "../../../../generated/resources";

export interface Point {
  /** A day or a month, such as 2026-03-01 or 2026-03. */
  readonly at: string;
  readonly value: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the range of the last days in UTC, including today. */
export function getRecentDays(days: number, now = new Date()): { readonly from: string; readonly to: string } {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: day(now.getTime() - (days - 1) * DAY_MS), to: day(now.getTime()) };
}

/** Builds a point for every day or month of the range. */
export function buildTimeSeries(
  rows: readonly InsightsRow[],
  type: string,
  by: "day" | "month",
  { from, to }: { readonly from: string; readonly to: string },
): readonly Point[] {
  const known = new Map(rows.map((row) => [row[by] ?? "", row.counts[type] ?? 0]));
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  const steps = by === "day" ? days : months;
  return steps.map((at) => ({ at, value: known.get(at) ?? 0 }));
}

/** Rounds the largest value up to the end of a scale. */
export function roundTop(largest: number): number {
  if (largest <= 4) return 4;
  const ten = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 4, 5, 8, 10].map((step) => step * ten).find((top) => top >= largest)!;
}

/** Sorts rows by their counts, the largest first. Rows without a name come last. */
export function sortLargestFirst(
  rows: readonly InsightsRow[],
  type: string,
  getName: (row: InsightsRow) => string | undefined,
): readonly { readonly name: string | undefined; readonly row: InsightsRow; readonly value: number }[] {
  return rows
    .map((row) => ({ name: getName(row), row, value: row.counts[type] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined) || b.value - a.value);
}
