// Disables, enables and erases accounts. Erasing deletes the name and the address; the id stays, and with it what the user
// wrote. Most processes never do it, so this module is loaded when it is first needed.

import type { AuditEntry } from "../../../audit/event";
import { createError } from "../../../errors";
import { enqueueJob, type JobContext } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { memberships } from "../members/records";
import { sessions } from "../sessions/records";
import { FORMER_USER_NAME, type UserRecord, users } from "./records";
import { hashEmail, isLastAdmin, spreadAccountChange } from "./spread-account-change";

/** The states to which the host can set an account. */
export type AccountStanding = "disabled" | "enabled" | "erased";

const directoryPlace = { partition: DIRECTORY, code: "" };

/** Disables, enables or erases an account for the host. */
export async function changeAccountStanding(
  jobContext: JobContext,
  id: string,
  standing: AccountStanding,
): Promise<void> {
  const { store } = jobContext;
  if (standing === "erased")
    await checkNotLastAdminAnywhere(await store.read(DIRECTORY), (partition) => store.read(partition), id);
  await store.write(DIRECTORY, async (tx) => {
    const user = await users.get(tx, id);
    if (!user || user.erasedAt !== undefined) throw createError("user_not_found");
    if (standing === "erased") return eraseUser(jobContext, tx, user, { type: "host" });
    if ((user.disabledAt !== undefined) === (standing === "disabled")) return;
    const { disabledAt: _, ...rest } = user;
    const now = store.now().toISOString();
    await users.put(tx, standing === "disabled" ? { ...rest, disabledAt: now } : rest);
    await sessions.drain(tx, "ofUser", [id]);
    // The job that suspends the member in each organization records the event there.
    jobContext.audit.record(tx, DIRECTORY, {
      action: standing === "disabled" ? "userDisabled" : "userEnabled",
      actor: { type: "host" },
      things: [{ type: "user", id }],
    });
    enqueueJob(jobContext, directoryPlace, tx, spreadAccountChange, { user: id });
  });
}

/** Erases the name and the address of a user. Their tokens are refused from this commit on. */
export async function eraseUser(
  jobContext: JobContext,
  tx: Transaction,
  user: UserRecord,
  by: AuditEntry["actor"],
): Promise<void> {
  const { id, createdAt, email } = user;
  const erasedAt = jobContext.store.now().toISOString();
  await sessions.drain(tx, "ofUser", [id]);
  await users.put(tx, { id, displayName: FORMER_USER_NAME, email: "", createdAt, erasedAt });
  jobContext.audit.record(tx, DIRECTORY, { action: "userErased", actor: by, things: [{ type: "user", id }] });
  enqueueJob(jobContext, directoryPlace, tx, spreadAccountChange, { user: id, email: hashEmail(email) });
}

/** Throws if organizations would be left without an admin, and names them. */
export async function checkNotLastAdminAnywhere(
  directory: Reader,
  peek: (partition: string) => Promise<Reader>,
  user: string,
): Promise<void> {
  const organizationIds: string[] = [];
  for await (const { record } of iterateRows((slice) =>
    memberships.list(directory, "ofUser", { under: [user], ...slice }),
  ))
    if (await isLastAdmin(await peek(getOrganizationPartition(record.organization)), user))
      organizationIds.push(record.organization);
  if (organizationIds.length > 0) throw createError("last_admin", { organizations: organizationIds });
}
