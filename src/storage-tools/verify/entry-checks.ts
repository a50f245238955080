// Checks the values of entries that are not records of a set, by the first part of their keys. An entry that is not in this table is
// reported as unknown. A test compares the table with the keys that the code makes.

import type { Json } from "../../storage/storage";
import { isJsonObject } from "../../utils/objects";

type EntryCheck = (value: Json) => boolean;

const isNumber: EntryCheck = (value) => typeof value === "number";
const isString: EntryCheck = (value) => typeof value === "string";
const isTrue: EntryCheck = (value) => value === true;

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
  use: isTrue,
  upload: hasMembers("since"),
  swept: isNumber,
  claim: hasMembers("attempt", "since", "held"),
  // Jobs and events
  job: hasMembers("step", "payload", "attempts"),
  "parked-job": hasMembers("step", "payload", "attempts"),
  "jobs-changed": isTrue,
  event: hasMembers("eventId", "createdAt"),
  progress: hasMembers("work", "params", "status", "at"),
  "heard-event": (value) => isTrue(value) || isString(value),
  "told-views": isTrue,
  // Results that are stored for a repeated request: the record, and the parts of the text
  idempotent: (value) => isString(value) || hasMembers("request", "until", "parts")(value),
  "idempotent-until": hasMembers("head", "parts"),
  // The audit log, whose chain is checked separately
  audit: isString,
  "audit-total": isNumber,
  "audit-head": hasMembers("start", "end", "mac"),
  "audit-segment": hasMembers("sequence", "before", "lines"),
  "audit-summary": hasMembers("sequence", "before", "count"),
  // Counters
  "computed-state": isNumber,
  starvation: isNumber,
  // The progress of maintenance
  maintenance: hasMembers("after", "until", "size", "isOpen"),
  insight: isNumber,
  "insights-forgotten": isString,
};
