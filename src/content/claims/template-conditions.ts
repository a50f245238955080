// Creates ready-made conditions from the schema of a site's visitors. Each is met by visitors who have the claim that it names.

import type { Claim, ClaimsSchema } from "./schema";

/** A condition, and a description of the visitors who meet it. */
export interface TemplateCondition {
  readonly description: string;
  readonly condition: string;
}

/** Returns a condition for each claim of a schema, and for each value that a claim can have. */
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
