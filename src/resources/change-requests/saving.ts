// Saving a revision on the line of a change request.

import { Outdated } from "../../kernel/outdated";
import { nameAll } from "../../store/objects";
import type { Transaction } from "../../store/transaction";
import type { WorkedOut } from "../revisions/apply";
import { nextRevision, type RevisionRecord, revisions } from "../revisions/records";
import { type ChangeRequestRecord, changeRequests, contributedBy } from "./records";
import type { InChangeRequest } from "./rules";

interface Saving extends InChangeRequest {
  readonly tx: Transaction;
  readonly now: Date;
  readonly actor: { readonly user: { readonly id: string } };
  readonly newId: (kind: "revision") => string;
}

/** Saves what was worked out as the revision that a change request is at. `touched` are the pages that were written in. */
export async function saveInChangeRequest(
  { tx, changeRequest, revision, actor, now, newId }: Saving,
  prepared: WorkedOut,
  { touched, ...more }: Pick<RevisionRecord, "imported"> & { readonly touched: ReadonlySet<string> },
): Promise<{ readonly next: RevisionRecord; readonly changed: ChangeRequestRecord }> {
  if (changeRequest.revision !== prepared.base) throw new Outdated();
  await nameAll(tx, prepared.staged);
  const by = { root: prepared.root, user: actor.user.id, now };
  const next = nextRevision(newId("revision"), revision, by, { changeRequest: changeRequest.id, ...more });
  await revisions.put(tx, next);
  const changed: ChangeRequestRecord = {
    ...contributedBy(changeRequest, actor.user.id),
    revision: next.id,
    updatedAt: now.toISOString(),
    // Whoever writes in a page has looked at it.
    conflicts: changeRequest.conflicts.filter(({ page }) => page === undefined || !touched.has(page)),
  };
  await changeRequests.put(tx, changed);
  return { next, changed };
}
