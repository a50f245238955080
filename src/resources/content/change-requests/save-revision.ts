// Saves a revision on the line of a change request.

import { OutdatedError } from "../../../operation/outdated-error";
import { nameAll } from "../../../storage/objects";
import type { Transaction } from "../../../storage/transaction";
import type { PreparedRevision } from "../revisions/apply-changes";
import { createNextRevision, type RevisionRecord, revisions } from "../revisions/records";
import { conflictsOf, type Keeping, nameConflicts, type StagedConflicts, stageConflicts } from "./conflicts";
import { type ChangeRequestRecord, changeRequests, contributedBy } from "./records";
import type { InChangeRequest } from "./rules";

interface Saving extends InChangeRequest {
  readonly tx: Transaction;
  readonly now: Date;
  readonly actor: { readonly user: { readonly id: string } };
  readonly newId: (kind: "revision") => string;
}

/** The open conflicts of a change request, for a revision that settles none of them. */
export async function keptConflicts(context: Keeping & Pick<InChangeRequest, "revision">): Promise<StagedConflicts> {
  return stageConflicts(context, await conflictsOf(context, context.revision));
}

/** Saves a computed revision as the current one of a change request, with its remaining conflicts. */
export async function saveInChangeRequest(
  { tx, changeRequest, revision, actor, now, newId }: Saving,
  prepared: PreparedRevision,
  left: StagedConflicts,
  more: Pick<RevisionRecord, "imported"> = {},
): Promise<{ readonly next: RevisionRecord; readonly changed: ChangeRequestRecord }> {
  if (changeRequest.revision !== prepared.base) throw new OutdatedError();
  await nameAll(tx, prepared.staged);
  const by = { root: prepared.root, user: actor.user.id, now };
  const next = createNextRevision(newId("revision"), revision, by, {
    changeRequest: changeRequest.id,
    ...(await nameConflicts(tx, left)),
    ...more,
  });
  await revisions.put(tx, next);
  const changed: ChangeRequestRecord = {
    ...contributedBy(changeRequest, actor.user.id),
    revision: next.id,
    updatedAt: now.toISOString(),
    conflicts: left.count,
  };
  await changeRequests.put(tx, changed);
  return { next, changed };
}
