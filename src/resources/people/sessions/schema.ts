// Sessions on the wire.

import * as v from "valibot";
import { Id, namedObject, Timestamp } from "../../../operation/common-schemas";
import { signInMethods } from "./records";

export const Session = namedObject("Session", {
  object: v.literal("session"),
  id: Id,
  by: v.picklist(signInMethods),
  current: v.boolean(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  expiresAt: Timestamp,
  address: v.optional(v.string()),
  userAgent: v.optional(v.string()),
  urls: v.object({ location: v.string() }),
});
