// Saves revisions on the branch of a change request.

import type { CallContext } from "../../../operation/operation";
import { OutdatedError } from "../../../operation/outdated-error";
import { addStagedObjects } from "../../../storage/objects";
import type { PreparedRevision } from "../revisions/apply-changes";
import { createNextRevision, type RevisionRecord, revisions } from "../revisions/records";
import { addConflictsToCommit, type StagedConflicts } from "./conflicts";
import { type ChangeRequestRecord, changeRequests, countEdit } from "./records";
import type { ChangeRequestContext } from "./rules";

interface SaveChangeRequestContext extends ChangeRequestContext, Pick<CallContext, "now" | "tx"> {
  readonly actor: { readonly user: { readonly id: string } };
  readonly newId: (kind: "revision") => string;
}

/**
 * Saves a prepared revision as the current one of a change request, with its remaining conflicts. Throws an `OutdatedError` if
 * another revision is current now.
 */
export async function saveChangeRequestRevision(
  { tx, changeRequest, revision, actor, now, newId }: SaveChangeRequestContext,
  prepared: PreparedRevision,
  conflicts: StagedConflicts,
  more: Pick<RevisionRecord, "imported"> = {},
): Promise<{ readonly next: RevisionRecord; readonly changed: ChangeRequestRecord }> {
  if (changeRequest.revision !== prepared.base) throw new OutdatedError();
  await addStagedObjects(tx, prepared.staged);
  const origin = { root: prepared.root, user: actor.user.id, now };
  const next = createNextRevision(newId("revision"), revision, origin, {
    changeRequest: changeRequest.id,
    ...(await addConflictsToCommit(tx, conflicts)),
    ...more,
  });
  await revisions.put(tx, next);
  const changed: ChangeRequestRecord = {
    ...countEdit(changeRequest, actor.user.id, now),
    revision: next.id,
    updatedAt: now.toISOString(),
    conflicts: conflicts.count,
  };
  await changeRequests.put(tx, changed);
  return { next, changed };
}
