// Checks the values of entries that are not records of a set, by the first part of their keys. An entry that is not in this table is
// reported as unknown. A test compares the table with the keys that the code makes.

import type { Json } from "../../storage/storage";
import { isJsonObject } from "../../utils/objects";

type EntryCheck = (value: Json) => boolean;

const is = {
  number: (value: Json) => typeof value === "number",
  string: (value: Json) => typeof value === "string",
  true: (value: Json) => value === true,
};

function hasMembers(...members: readonly string[]): EntryCheck {
  return (value) => isJsonObject(value) && members.every((name) => name in value);
}

export const entryChecks: Readonly<Record<string, EntryCheck>> = {
  // The directory
  secret: hasMembers("check", "older", "since"),
  ready: () => true,
  claimed: hasMembers("partition"),
  // Objects, whose bytes are checked separately
  object: hasMembers("size"),
  use: is.true,
  upload: hasMembers("since"),
  swept: is.number,
  claim: hasMembers("attempt", "since", "held"),
  // Jobs and events
  job: hasMembers("step", "payload", "attempts"),
  "parked-job": hasMembers("step", "payload", "attempts"),
  "jobs-changed": is.true,
  event: hasMembers("eventId", "createdAt"),
  progress: hasMembers("work", "params", "status", "at"),
  "heard-event": (value) => is.true(value) || is.string(value),
  "told-views": is.true,
  // Results that are stored for a repeated request: the record, and the parts of the text
  idempotent: (value) => is.string(value) || hasMembers("request", "until", "parts")(value),
  "idempotent-until": hasMembers("head", "parts"),
  // The audit log, whose chain is checked separately
  audit: is.string,
  "audit-total": is.number,
  "audit-head": hasMembers("start", "end", "mac"),
  "audit-segment": hasMembers("sequence", "before", "lines"),
  "audit-summary": hasMembers("sequence", "before", "count"),
  // Counters
  "computed-state": is.number,
  starvation: is.number,
  // The progress of maintenance
  maintenance: hasMembers("after", "until", "size", "isOpen"),
  insight: is.number,
  "insights-forgotten": is.string,
};
