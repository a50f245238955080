// The claims of a site's visitors: their schema, and the conditions that it makes possible.

export { type Claims, filterSignedClaims, filterUnsignedClaims } from "./filter-claims";
export { type ClaimsSchema, findSchemaIssue } from "./schema";
export { createTemplateConditions, type TemplateCondition } from "./template-conditions";
