// Parses the domains that a user typed.

/** Splits domains at lines, spaces or commas, and drops a leading @. */
export function parseDomains(typed: string): string[] {
  return typed
    .split(/[\s,;]+/)
    .map((it) => it.replace(/^@/, "").toLowerCase())
    .filter((it) => it !== "");
}
