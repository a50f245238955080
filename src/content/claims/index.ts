// What a site may know of its visitors, and what conditions it makes possible.

export { type TemplateCondition, templateConditions } from "./conditions";
export { type ClaimsSchema, wrongInSchema } from "./schema";
export { type Claims, signedClaims, unsignedClaims } from "./visitors";
