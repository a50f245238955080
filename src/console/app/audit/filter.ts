// What the audit log is asked for. Days are those of the person who looks.

export interface AuditFilter {
  readonly actor: string;
  readonly action: string;
  readonly thing: string;
  /** Days as a field of the browser has them: 2026-03-01. */
  readonly from: string;
  readonly until: string;
}

export const noFilter: AuditFilter = { actor: "", action: "", thing: "", from: "", until: "" };

/** The query of a filter. What is left empty is not asked for. The last day belongs to it. */
export function filterOf({ actor, action, thing, from, until }: AuditFilter): Record<string, string> {
  const start = dayOf(from);
  const end = dayOf(until);
  if (end) end.setDate(end.getDate() + 1);
  const query = { actor, action, thing: thing.trim(), from: start?.toISOString(), until: end?.toISOString() };
  return Object.fromEntries(Object.entries(query).filter((it): it is [string, string] => Boolean(it[1])));
}

/** A day is typed figure by figure: until it is whole there is none. */
function dayOf(day: string): Date | undefined {
  const date = new Date(`${day}T00:00:00`);
  return day === "" || Number.isNaN(date.getTime()) ? undefined : date;
}
