// Tokens of an organization's directory on the wire.

import * as v from "valibot";
import { Id, namedObject, Timestamp, textSchema, UrlString } from "../../../operation/common-schemas";

export const ScimToken = namedObject("ScimToken", {
  object: v.literal("scim-token"),
  id: Id,
  label: v.string(),
  createdAt: Timestamp,
  /** Only in the answer that creates the token. */
  token: v.optional(v.string()),
  urls: v.object({ location: UrlString }),
});

export const NewScimToken = v.strictObject({ label: textSchema(1, 50) });
