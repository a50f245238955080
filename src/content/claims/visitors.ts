// Visitors checked against the schema of a site: what it does not name is dropped, what is not of its type refuses the
// whole. The result is made of fresh plain objects, so nothing of what came in is reached through it.

import { type Claim, type ClaimsSchema, type ObjectClaim, REGISTERED, UNSIGNED } from "./schema";

/** What is known of a visitor, as conditions see it. */
export type Claims = Readonly<Record<string, unknown>>;

/** The claims that somebody vouches for; undefined when one is not of its type. */
export function signedClaims(schema: ClaimsSchema, given: Claims): Claims | undefined {
  const named = Object.entries(schema.properties).filter(([name]) => name !== UNSIGNED && !REGISTERED.has(name));
  return fitting({ ...schema, properties: Object.fromEntries(named) }, given);
}

/** What a visitor says of themselves; one that is not of its type is not heard, for it cost nothing to say. */
export function unsignedClaims(schema: ClaimsSchema, given: Claims): Claims {
  const unsigned = schema.properties[UNSIGNED];
  if (unsigned?.type !== "object") return {};
  const heard: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(unsigned.properties)) {
    const value = Object.hasOwn(given, name) ? asClaimed(claim, given[name]) : undefined;
    if (value !== undefined) heard[name] = value;
  }
  return heard;
}

function fitting({ properties }: ObjectClaim, given: Claims): Claims | undefined {
  const fit: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(properties)) {
    if (!Object.hasOwn(given, name)) continue;
    const value = asClaimed(claim, given[name]);
    if (value === undefined) return undefined;
    fit[name] = value;
  }
  return fit;
}

/** The value, if it is of the claim's type. */
function asClaimed(claim: Claim, value: unknown): unknown {
  switch (claim.type) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? fitting(claim, value as Claims)
        : undefined;
    case "array": {
      if (!Array.isArray(value)) return undefined;
      const items = value.map((item) => asClaimed(claim.items, item));
      return items.includes(undefined) ? undefined : items;
    }
    case "string":
      return typeof value === "string" && (claim.enum?.includes(value) ?? true) ? value : undefined;
    default:
      return typeof value === claim.type ? value : undefined;
  }
}
