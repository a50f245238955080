// Checks visitors against the schema of a site. Claims that it does not name are dropped; a claim of the wrong type
// refuses all of them. The result is made of new plain objects, so nothing of the input can be reached through it.

import { type Claim, type ClaimsSchema, type ObjectClaim, REGISTERED, UNSIGNED } from "./schema";

/** What is known of a visitor, as conditions see it. */
export type Claims = Readonly<Record<string, unknown>>;

/** Claims that somebody signed; undefined when one has the wrong type. */
export function signedClaims(schema: ClaimsSchema, given: Claims): Claims | undefined {
  const named = Object.entries(schema.properties).filter(([name]) => name !== UNSIGNED && !REGISTERED.has(name));
  return fitting({ ...schema, properties: Object.fromEntries(named) }, given);
}

/** What visitors say about themselves. A value of the wrong type is ignored, because anybody can send it. */
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
