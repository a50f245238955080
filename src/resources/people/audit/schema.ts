// The audit log on the wire.

import * as v from "valibot";
import { Id, namedObject, Timestamp } from "../../../operation/common-schemas";

const Thing = namedObject("AuditThing", { type: v.string(), id: v.string() });
const Party = namedObject("AuditParty", { type: v.string(), id: v.optional(v.string()) });

export const AuditEvent = namedObject("AuditEvent", {
  object: v.literal("audit-event"),
  id: Id,
  createdAt: Timestamp,
  action: v.string(),
  operation: v.optional(v.string()),
  status: v.number(),
  actor: Party,
  credential: v.optional(Party),
  from: v.optional(v.object({ address: v.optional(v.string()), userAgent: v.optional(v.string()) })),
  things: v.array(Thing),
  made: v.array(Thing),
  changes: v.array(
    v.pipe(
      v.object({
        field: v.string(),
        value: v.optional(v.nullable(v.union([v.string(), v.boolean()]))),
      }),
      v.title("AuditChange"),
    ),
  ),
  isChanged: v.optional(v.boolean()),
});

export const AuditAction = namedObject("AuditAction", { action: v.string() });

const Time = v.pipe(
  v.string(),
  v.isoTimestamp("Expected an ISO 8601 date-time"),
  v.transform((time) => Date.parse(time)),
);

/** The query parameters that select events. */
export const auditFilter = {
  actor: v.optional(Id),
  action: v.optional(v.pipe(v.string(), v.maxLength(64, "Expected at most 64 characters"))),
  thing: v.optional(Id),
  from: v.optional(Time),
  until: v.optional(Time),
};
