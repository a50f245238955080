// Counts of insights, made ready to be drawn: days without an event are filled in, and scales end at round numbers.

import type { InsightsRow } from "../../../../generated/resources";

export interface Point {
  /** A day, or a month. */
  readonly at: string;
  readonly value: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The last so many days of UTC, this one included. */
export function lastDays(days: number, now = new Date()): { readonly from: string; readonly to: string } {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: day(now.getTime() - (days - 1) * DAY_MS), to: day(now.getTime()) };
}

/** A point for every day of the range, or for every month of it. */
export function pointsOf(
  rows: readonly InsightsRow[],
  type: string,
  by: "day" | "month",
  { from, to }: { readonly from: string; readonly to: string },
): readonly Point[] {
  const known = new Map(rows.map((row) => [row[by] ?? "", row.counts[type] ?? 0]));
  return (by === "day" ? daysOf(from, to) : monthsOf(from, to)).map((at) => ({ at, value: known.get(at) ?? 0 }));
}

function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

function monthsOf(from: string, to: string): string[] {
  const months: string[] = [];
  let [year = 0, month = 0] = from.split("-").map(Number) as [number, number];
  for (let at = from.slice(0, 7); at <= to.slice(0, 7); ) {
    months.push(at);
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
    at = `${year}-${String(month).padStart(2, "0")}`;
  }
  return months;
}

/** The end of a scale: a round number that is not below the largest. */
export function roundTop(largest: number): number {
  if (largest <= 4) return 4;
  const ten = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 4, 5, 8, 10].map((step) => step * ten).find((top) => top >= largest)!;
}

/** Rows by their number, the largest first; those without a name come last. */
export function largest(
  rows: readonly InsightsRow[],
  type: string,
  nameOf: (row: InsightsRow) => string | undefined,
): readonly { readonly name: string | undefined; readonly row: InsightsRow; readonly value: number }[] {
  return rows
    .map((row) => ({ name: nameOf(row), row, value: row.counts[type] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined) || b.value - a.value);
}
