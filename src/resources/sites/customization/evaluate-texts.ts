// Evaluates texts of a site, such as the titles of its sections, for one visitor.

import type { Claims } from "../../../content/claims";
import { mayHaveConditions, resolveConditions } from "../../../content/evaluate/conditions";

/** Returns a value with all texts evaluated for the claims of a visitor. Most values have no conditions and are returned unchanged. */
export function evaluateTexts<Value>(value: Value, claims: Claims): Value {
  return hasConditions(value) ? evaluateValue(value, claims) : value;
}

function hasConditions(value: unknown): boolean {
  if (typeof value === "string") return mayHaveConditions(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasConditions);
}

function evaluateValue<Value>(value: Value, claims: Claims): Value {
  if (typeof value === "string") return resolveConditions(value, { visitor: { claims } }) as Value;
  if (Array.isArray(value)) return value.map((item) => evaluateValue(item, claims)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, evaluateValue(member, claims)]),
  ) as Value;
}
