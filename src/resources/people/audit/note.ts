// Notes something in the audit log that is no operation: a sign-in, what a company's directory says of its people. What
// happens in the directory concerns every organization of its user, so a job carries it into the log of each.

import { type AuditEntry, type AuditRow, formatAuditRow } from "../../../audit/event";
import { SETTLED_MS } from "../../../audit/log";
import { defineJob, enqueueJob, type JobContext } from "../../../jobs/jobs";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import { DIRECTORY, getOrganizationPartition, type Place } from "../../../storage/ids";
import type { Secrets } from "../../../storage/secrets";
import type { Store } from "../../../storage/store";
import type { Transaction } from "../../../storage/transaction";
import { loadLazily } from "../../../utils/lazy";
import { type MembershipRecord, memberships } from "../members/records";

/** Puts an event into a transaction on an organization's partition. */
export function audit(
  work: JobContext,
  tx: Transaction,
  { partition }: Pick<Place, "partition">,
  happening: AuditEntry,
): void {
  work.audit.record(tx, partition, happening);
}

/** Puts an event into a transaction on the directory. `user` is whom it concerns: each organization of theirs gets it. */
export function auditUser(work: JobContext, tx: Transaction, user: string, happening: AuditEntry): void {
  const origin = work.audit.record(tx, DIRECTORY, happening);
  enqueueJob(work, { partition: DIRECTORY, code: "" }, tx, carryEvent, {
    user,
    ...origin,
    row: formatAuditRow(happening),
  });
}

const reading = loadLazily(() => import("../../../audit/read"));

/** Carries an event of the directory into the logs of a user's organizations. Its payload is what happened, and that does
 * not change any more. */
export const carryEvent = defineJob<{ user: string; time: number; chance: string; row: AuditRow }>(
  "carry-audit-event",
  async ({ store, audit }, { user, row, ...origin }, mayGoOn) => {
    const directory = await store.read(DIRECTORY);
    const walk: ReadRows<MembershipRecord> = (slice) =>
      memberships.list(directory, "ofUser", { under: [user], ...slice });
    const isOld = store.now().getTime() - origin.time >= SETTLED_MS;
    for await (const { record } of iterateRows(walk)) {
      const partition = getOrganizationPartition(record.organization);
      // A job that runs again may find its event in the chain.
      if (isOld && (await (await reading()).isEventSealed(await store.read(partition), partition, origin))) continue;
      await store.write(partition, (tx) => audit.recordRepeated(tx, partition, row, origin));
      await mayGoOn?.();
    }
  },
);

/** Signs the log of a partition with the current secret. */
export async function resignAudit(store: Store, partition: string, secrets: Secrets): Promise<void> {
  const { resealAuditLog } = await import("../../../audit/seal");
  return resealAuditLog(store, partition, secrets);
}
