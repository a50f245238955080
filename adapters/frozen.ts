// Parses stored JSON into values that can be returned many times: parsed once, and frozen at every level.

import type { Json } from "../src/storage/storage";

/** Parses a JSON text and freezes the value at every level. It does not recurse, because a value may be nested more deeply than the stack. */
export function parseFrozen(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (typeof value !== "object" || value === null) return value;
  const pending: object[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const member of Object.values(next)) if (typeof member === "object" && member !== null) pending.push(member);
    Object.freeze(next);
  }
  return value;
}
