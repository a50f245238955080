// Ready-made conditions from the schema of a site's visitors. Each holds for a visitor who has the claim that it names.

import type { Claim, ClaimsSchema, ScalarClaim } from "./schema";

/** A condition, and what it asks in words. */
export interface TemplateCondition {
  readonly description: string;
  readonly condition: string;
}

/** A condition for each claim of a schema, and for each value that a claim can have. */
export function templateConditions(schema: ClaimsSchema): TemplateCondition[] {
  return Object.entries(schema.properties).flatMap(([name, claim]) => conditionsOf("visitor.claims", [name], claim));
}

function conditionsOf(above: string, names: readonly string[], claim: Claim): TemplateCondition[] {
  const name = names.at(-1)!;
  const place = above + member(name);
  const words = claim.description || names.join(" ");
  if (claim.type === "object")
    return Object.entries(claim.properties).flatMap(([inner, it]) => conditionsOf(place, [...names, inner], it));
  const values = valuesOf(claim.type === "array" ? claim.items : claim);
  if (values)
    return values.map((value) => ({
      description: `${words}: ${value}`,
      condition: claim.type === "array" ? `${place}.includes(${text(value)})` : `${place} === ${text(value)}`,
    }));
  return [{ description: words, condition: claim.type === "boolean" ? place : `${text(name)} in ${above}` }];
}

function valuesOf(claim: ScalarClaim): readonly string[] | undefined {
  return claim.type === "string" ? claim.enum : undefined;
}

function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${text(name)}]`;
}

function text(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
}
