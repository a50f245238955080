// Texts about a site, such as the titles of its sections, evaluated for one visitor.

import type { Claims } from "../../../content/claims";
import { mayHaveConditions, resolveConditions } from "../../../content/evaluate/conditions";

/** A value with all texts evaluated for a visitor with these claims. Most values have no conditions and stay what they are. */
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
