// The filter of the audit log. Days are in the time zone of the user.

export interface AuditFilterFields {
  readonly actor: string;
  readonly action: string;
  readonly thing: string;
  /** The days as a date field of the browser formats them: 2026-03-01. */
  readonly from: string;
  readonly until: string;
}

export const noFilter: AuditFilterFields = { actor: "", action: "", thing: "", from: "", until: "" };

/** Converts a filter to a query without its empty fields. The last day is included. */
export function toAuditQuery({ actor, action, thing, from, until }: AuditFilterFields): Record<string, string> {
  const [start, end] = [from, until].map((day) => {
    // A day is typed digit by digit, so it may be incomplete.
    const date = new Date(`${day}T00:00:00`);
    return day === "" || Number.isNaN(date.getTime()) ? undefined : date;
  });
  if (end) end.setDate(end.getDate() + 1);
  const query = { actor, action, thing: thing.trim(), from: start?.toISOString(), until: end?.toISOString() };
  return Object.fromEntries(Object.entries(query).filter((it): it is [string, string] => Boolean(it[1])));
}
