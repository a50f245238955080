// Checks the claims of visitors against the schema of a site. Claims that it does not name are dropped; a signed claim of the wrong type
// invalidates all of them. The result consists of new plain objects, so nothing of the input can be reached through it.

import { type Claim, type ClaimsSchema, type ObjectClaim, REGISTERED_CLAIMS, UNSIGNED_CLAIM } from "./schema";

/** The claims of a visitor, as conditions see them. */
export type Claims = Readonly<Record<string, unknown>>;

/** Returns the claims of a signed token, or undefined if one has the wrong type. */
export function filterSignedClaims(schema: ClaimsSchema, claims: Claims): Claims | undefined {
  const signed = Object.entries(schema.properties).filter(
    ([name]) => name !== UNSIGNED_CLAIM && !REGISTERED_CLAIMS.has(name),
  );
  return filterObject({ ...schema, properties: Object.fromEntries(signed) }, claims);
}

/** Returns the claims that visitors make about themselves. A value of the wrong type is ignored, because anyone can send it. */
export function filterUnsignedClaims(schema: ClaimsSchema, claims: Claims): Claims {
  const unsigned = schema.properties[UNSIGNED_CLAIM];
  if (unsigned?.type !== "object") return {};
  const filtered: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(unsigned.properties)) {
    const value = Object.hasOwn(claims, name) ? filterValue(claim, claims[name]) : undefined;
    if (value !== undefined) filtered[name] = value;
  }
  return filtered;
}

function filterObject({ properties }: ObjectClaim, claims: Claims): Claims | undefined {
  const filtered: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(properties)) {
    if (!Object.hasOwn(claims, name)) continue;
    const value = filterValue(claim, claims[name]);
    if (value === undefined) return undefined;
    filtered[name] = value;
  }
  return filtered;
}

/** Returns the value of a claim, or undefined if it has another type. */
function filterValue(claim: Claim, value: unknown): unknown {
  switch (claim.type) {
    case "object": {
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      return isObject ? filterObject(claim, value as Claims) : undefined;
    }
    case "array": {
      if (!Array.isArray(value)) return undefined;
      const items = value.map((item) => filterValue(claim.items, item));
      return items.includes(undefined) ? undefined : items;
    }
    case "string":
      return typeof value === "string" && (claim.enum?.includes(value) ?? true) ? value : undefined;
    default:
      return typeof value === claim.type ? value : undefined;
  }
}
