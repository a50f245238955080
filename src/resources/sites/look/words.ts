// Texts about a site, such as the titles of its sections, evaluated for one visitor.

import type { Claims } from "../../../content/claims";
import { decidedWords } from "../../../content/evaluate/conditions";

/** A value with all texts evaluated for a visitor with these claims. */
export function wordsFor<Value>(value: Value, claims: Claims): Value {
  if (typeof value === "string") return decidedWords(value, { visitor: { claims } }) as Value;
  if (Array.isArray(value)) return value.map((item) => wordsFor(item, claims)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, wordsFor(member, claims)])) as Value;
}
