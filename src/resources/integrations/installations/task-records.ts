// Tasks of installations that wait for their time. When it comes, a task becomes an event in the queue of its installation.

import { defineRecordSet } from "../../../storage/records";
import type { Json } from "../../../storage/storage";

export type TaskRecord = {
  readonly installation: string;
  /** Also the id of the event that it becomes. */
  readonly id: string;
  readonly task: { readonly [member: string]: Json };
  readonly createdAt: string;
  readonly scheduledFor: string;
};

export const tasks = defineRecordSet("integration-task", {
  key: (it: TaskRecord) => [it.installation, it.id],
  indexes: { ofInstallation: (it) => [it.installation, it.scheduledFor] },
  totals: { ofInstallation: (it) => [it.installation] },
});
