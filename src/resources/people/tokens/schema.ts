// API tokens on the wire.

import * as v from "valibot";
import { Id, listSchema, namedObject, Timestamp, textSchema } from "../../../operation/common-schemas";

export const Token = namedObject("Token", {
  object: v.literal("token"),
  id: Id,
  label: v.string(),
  scopes: v.nullable(v.array(v.string())),
  createdAt: Timestamp,
  expiresAt: v.nullable(Timestamp),
  /** Only in the answer that creates the token. */
  token: v.optional(v.string()),
  urls: v.object({ location: v.string() }),
});

export const NewToken = v.strictObject({
  label: textSchema(1, 50),
  scopes: v.optional(v.nullable(listSchema(v.string(), 100, "Expected at most 100 scopes"))),
  expiresAt: v.optional(v.nullable(v.pipe(v.string(), v.isoTimestamp("Expected an ISO 8601 date-time")))),
});
