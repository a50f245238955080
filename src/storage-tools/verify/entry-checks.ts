// The entries that are no records of a set, by the first part of their keys, with what their values must be. An entry that is
// not in this table is told as unknown; a test compares the table with the keys that the code makes.

import type { Json } from "../../storage/storage";

type Check = (value: Json) => boolean;

const isNumber: Check = (value) => typeof value === "number";
const isText: Check = (value) => typeof value === "string";
const isTrue: Check = (value) => value === true;
const has =
  (...members: readonly string[]): Check =>
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && members.every((it) => it in value);

export const entryChecks: Readonly<Record<string, Check>> = {
  // The directory.
  secret: has("check", "older", "since"),
  ready: () => true,
  claimed: has("partition"),
  // Objects; their bytes are checked on their own.
  object: has("size"),
  use: isTrue,
  upload: has("since"),
  swept: isNumber,
  claim: has("attempt", "since", "held"),
  // What happens after the answer.
  job: has("step", "payload", "attempts"),
  "parked-job": has("step", "payload", "attempts"),
  "jobs-changed": isTrue,
  event: has("eventId", "createdAt"),
  progress: has("work", "params", "status", "at"),
  "heard-event": (value) => isTrue(value) || isText(value),
  "told-views": isTrue,
  // Answers that are kept for a repeated request: the head, and the parts of the text.
  idempotent: (value) => isText(value) || has("request", "until", "parts")(value),
  "idempotent-until": has("head", "parts"),
  // The audit log; its chain is checked on its own.
  audit: isText,
  "audit-total": isNumber,
  "audit-head": has("start", "end", "mac"),
  "audit-segment": has("sequence", "before", "lines"),
  "audit-summary": has("sequence", "before", "count"),
  // Counters.
  "computed-state": isNumber,
  // How far a piece of maintenance is.
  maintenance: has("after", "until", "size", "isOpen"),
  insight: isNumber,
  "insights-forgotten": isText,
};
