// Stored JSON as values that can be handed out again and again: parsed once, frozen to the last member.

import type { Json } from "../src/storage/storage";

/** The frozen value of a JSON text. It walks with a list of its own, since a value may be nested deeper than the stack. */
export function parseFrozen(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (typeof value !== "object" || value === null) return value;
  const found: object[] = [value];
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    for (const member of Object.values(next)) if (typeof member === "object" && member !== null) found.push(member);
    Object.freeze(next);
  }
  return value;
}
