// The claims of a site's visitors: their schema, the claims that it accepts, and the conditions that it makes possible. Claims that a
// schema does not name are dropped. The filtered claims are new plain objects, so nothing of the input can be reached through them.

import { isJsonObject } from "../../utils/objects";
import { type Claim, type ClaimsSchema, type ObjectClaim, REGISTERED_CLAIMS, UNSIGNED_CLAIM } from "./schema";

export { type ClaimsSchema, findSchemaIssue } from "./schema";

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

function filterValue(claim: Claim, value: unknown): unknown {
  switch (claim.type) {
    case "object": {
      const isObject = isJsonObject(value);
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

/** A condition that is met by visitors who have a claim, and a description of the visitors who meet it. */
export interface TemplateCondition {
  readonly description: string;
  readonly condition: string;
}

export function createTemplateConditions(schema: ClaimsSchema): TemplateCondition[] {
  return Object.entries(schema.properties).flatMap(([name, claim]) =>
    listConditionsOfClaim("visitor.claims", [name], claim),
  );
}

function listConditionsOfClaim(parent: string, names: readonly string[], claim: Claim): TemplateCondition[] {
  const name = names.at(-1)!;
  const path = parent + (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoteText(name)}]`);
  if (claim.type === "object")
    return Object.entries(claim.properties).flatMap(([innerName, innerClaim]) =>
      listConditionsOfClaim(path, [...names, innerName], innerClaim),
    );

  const description = claim.description || names.join(" ");
  const scalar = claim.type === "array" ? claim.items : claim;
  if (scalar.type === "string" && scalar.enum)
    return scalar.enum.map((value) => ({
      description: `${description}: ${value}`,
      condition: claim.type === "array" ? `${path}.includes(${quoteText(value)})` : `${path} === ${quoteText(value)}`,
    }));
  return [{ description, condition: claim.type === "boolean" ? path : `${quoteText(name)} in ${parent}` }];
}

function quoteText(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}
