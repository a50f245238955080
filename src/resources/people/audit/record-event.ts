// Records audit events of things that are no operation: a sign-in, or a change by a company's directory. An event in the
// directory concerns every organization of its user, so a job copies it into the log of each.

import { type AuditEntry, type AuditRow, formatAuditRow } from "../../../audit/event";
import { SETTLED_MS } from "../../../audit/log";
import { defineJob, enqueueJob, type JobContext } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import { DIRECTORY, getOrganizationPartition, type PartitionRef } from "../../../storage/ids";
import type { Secrets } from "../../../storage/secrets";
import type { Store } from "../../../storage/store";
import type { Transaction } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { memberships } from "../members/records";

export function recordAuditEvent(
  jobContext: JobContext,
  tx: Transaction,
  { partition }: Pick<PartitionRef, "partition">,
  event: AuditEntry,
): void {
  jobContext.audit.record(tx, partition, event);
}

/** Adds an event about a user to a transaction on the directory. Each organization of the user gets it as well. */
export function recordUserAuditEvent(jobContext: JobContext, tx: Transaction, user: string, event: AuditEntry): void {
  const origin = jobContext.audit.record(tx, DIRECTORY, event);
  const directory = { partition: DIRECTORY, code: "" };
  enqueueJob(jobContext, directory, tx, carryUserAuditEvent, { user, ...origin, row: formatAuditRow(event) });
}

const loadAuditReader = loadLazily(() => import("../../../audit/read"));

/** Copies an event of the directory into the logs of a user's organizations. Events never change. */
export const carryUserAuditEvent = defineJob<{ user: string; time: number; chance: string; row: AuditRow }>(
  "carry-audit-event",
  async ({ store, audit }, { user, row, ...origin }, mayGoOn) => {
    const directory = await store.read(DIRECTORY);
    const isOld = store.now().getTime() - origin.time >= SETTLED_MS;
    const rows = iterateRows((slice) => memberships.list(directory, "ofUser", { under: [user], ...slice }));
    for await (const { record } of rows) {
      const partition = getOrganizationPartition(record.organization);
      // A job that runs again may find its event in the chain.
      if (isOld && (await (await loadAuditReader()).isEventSealed(await store.read(partition), partition, origin)))
        continue;
      await store.write(partition, (tx) => audit.recordRepeated(tx, partition, row, origin));
      await mayGoOn?.();
    }
  },
);

export async function resignAuditLog(store: Store, partition: string, secrets: Secrets): Promise<void> {
  const { resealAuditLog } = await import("../../../audit/seal");
  return resealAuditLog(store, partition, secrets);
}
