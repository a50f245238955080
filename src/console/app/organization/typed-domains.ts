// Domains as people type them.

/** Separated by lines, spaces or commas; an @ before one is passed over. */
export function domainsIn(typed: string): string[] {
  return typed
    .split(/[\s,;]+/)
    .map((it) => it.replace(/^@/, "").toLowerCase())
    .filter((it) => it !== "");
}
