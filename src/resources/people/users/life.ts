// The life of an account: it is disabled, enabled again, erased. Erasing takes the name and the address away; the id
// stays, and with it what the user wrote. Most processes never do it, so this is loaded when it is first needed.

import type { AuditEntry } from "../../../audit/event";
import { createError } from "../../../errors";
import { enqueueJob, type JobContext } from "../../../jobs/jobs";
import { iterateRows } from "../../../operation/pagination";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { sessions } from "../sessions/records";
import { FORMER_NAME, type UserRecord, users } from "./records";
import { digestOfEmail, isLastAdmin, spreadUser, walkMemberships } from "./spread";

/** What the host can make of an account. */
export type Standing = "disabled" | "enabled" | "erased";

const place = { partition: DIRECTORY, code: "" };

/** Changes an account for the host. */
export async function changeStanding(work: JobContext, id: string, to: Standing): Promise<void> {
  const { store } = work;
  if (to === "erased") await checkNowhereLastAdmin(await store.read(DIRECTORY), (home) => store.read(home), id);
  await store.write(DIRECTORY, async (tx) => {
    const user = await users.get(tx, id);
    if (!user || user.erasedAt !== undefined) throw createError("user_not_found");
    if (to === "erased") return erase(work, tx, user, { type: "host" });
    if ((user.disabledAt !== undefined) === (to === "disabled")) return;
    const { disabledAt: _, ...rest } = user;
    const now = store.now().toISOString();
    await users.put(tx, to === "disabled" ? { ...rest, disabledAt: now } : rest);
    await sessions.drain(tx, "ofUser", [id]);
    // Each organization has the event from the job that shuts the member out there.
    work.audit.record(tx, DIRECTORY, {
      action: to === "disabled" ? "userDisabled" : "userEnabled",
      actor: { type: "host" },
      things: [{ type: "user", id }],
    });
    enqueueJob(work, place, tx, spreadUser, { user: id });
  });
}

/** Takes the name and the address of a user away. Their tokens are refused from this commit on. */
export async function erase(
  work: JobContext,
  tx: Transaction,
  user: UserRecord,
  by: AuditEntry["actor"],
): Promise<void> {
  const { id, createdAt, email } = user;
  const erasedAt = work.store.now().toISOString();
  await sessions.drain(tx, "ofUser", [id]);
  await users.put(tx, { id, displayName: FORMER_NAME, email: "", createdAt, erasedAt });
  work.audit.record(tx, DIRECTORY, { action: "userErased", actor: by, things: [{ type: "user", id }] });
  enqueueJob(work, place, tx, spreadUser, { user: id, email: digestOfEmail(email) });
}

/** Refuses what would leave an organization without an admin, and says which ones. */
export async function checkNowhereLastAdmin(
  directory: Reader,
  peek: (partition: string) => Promise<Reader>,
  user: string,
): Promise<void> {
  const left: string[] = [];
  for await (const { record } of iterateRows(walkMemberships(directory, user)))
    if (await isLastAdmin(await peek(getOrganizationPartition(record.organization)), user))
      left.push(record.organization);
  if (left.length > 0) throw createError("last_admin", { organizations: left });
}
