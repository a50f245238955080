// Jobs on the wire: those that wait, and those that failed too often and were parked.

import * as v from "valibot";
import { Id, namedObject, Progress, Timestamp } from "../../../operation/common-schemas";

export const JobStatus = v.picklist(["waiting", "parked"], "Expected waiting or parked");

export const Job = namedObject("Job", {
  object: v.literal("job"),
  id: Id,
  status: JobStatus,
  step: v.string(),
  attempts: v.number(),
  progress: v.optional(Progress),
  error: v.optional(v.string()),
  createdAt: Timestamp,
  dueAt: v.optional(Timestamp),
});
