// Merges a change request into its space, and updates it from the space. Both are one three-way merge, seen from either
// side. The merge is computed before the transaction, which checks that neither side has changed since. After a
// conflict it is computed again on the new state.

import { loadMerge } from "../../../content/lazy";
import type { MergeConflict } from "../../../content/merge";
import { addConflicts } from "../../../content/merge/conflicts";
import type { MapRoot } from "../../../content/prolly-tree";
import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { OutdatedError } from "../../../operation/outdated-error";
import { nameAll, type Objects, type StagedSet, Staging } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { activateRevision } from "../revisions/activate-revision";
import { cacheNodes, createNextRevision, createNodeSource, type RevisionRecord, revisions } from "../revisions/records";
import { conflictsOf, nameConflicts, shown, stageConflicts } from "./conflicts";
import { baseOf, type ChangeRequestRecord, changeRequests, contributedBy } from "./records";
import { changeRequest, checkUnderWay, type InChangeRequest } from "./rules";
import { MergeOutcome, UpdateOutcome } from "./schema";

/** Both sides as they were when the merge was computed, and the result. */
interface Merged {
  readonly ours: string;
  readonly theirs: string;
  readonly root: MapRoot;
  readonly staged: StagedSet;
  /** The conflicts that were open before, and the new ones. */
  readonly conflicts: readonly MergeConflict[];
}

interface Merging extends InChangeRequest {
  readonly tx: Reader;
  readonly store: Store;
  readonly partition: string;
  readonly objects: Objects;
  readonly now: Date;
}

async function workOut(context: Merging, ours: RevisionRecord, theirs: RevisionRecord): Promise<Merged> {
  const { tx, store, partition, objects, changeRequest, now } = context;
  const base = await revisions.get(tx, changeRequest.space, baseOf(changeRequest));
  if (!base) throw createError("storage_damaged");
  const roots = { base: base.root, ours: ours.root, theirs: theirs.root };
  const staging = new Staging(store, partition, yieldToEventLoop);
  const tools = { readText: objects.text, now: now.toISOString(), runSteps, outlet: staging };
  const { mergeRevisions } = await loadMerge();
  const { draft, conflicts } = await mergeRevisions(createNodeSource(staging.over(objects)), roots, tools);
  const { root, objects: created, nodes: made } = await draft.finish();
  cacheNodes(objects, made);
  const all = addConflicts(await conflictsOf(context, context.revision), conflicts);
  const staged = await staging.finish(created);
  return { ours: ours.id, theirs: theirs.id, root, staged, conflicts: all };
}

async function activeRevision({ tx, space }: Pick<Merging, "tx" | "space">): Promise<RevisionRecord> {
  const active = await revisions.get(tx, space.id, space.revision);
  if (!active) throw createError("storage_damaged");
  return active;
}

export const mergeChangeRequest = defineOperation("POST /spaces/:spaceId/change-requests/:changeRequestId/merge", {
  summary: "Merge a change request into what its space shows",
  description:
    "With conflicts nothing is merged: bring the change request up to date, look at what it says of them, then merge.",
  target: changeRequest,
  right: "merge",
  returns: MergeOutcome,
  serializeBy: "spaceId",
  async prepare(context) {
    checkUnderWay(context.changeRequest);
    return workOut(context, await activeRevision(context), context.revision);
  },
  async handle(context) {
    const { tx, organization, space, changeRequest, revision, prepared, actor, now, newId, emit } = context;
    checkUnderWay(changeRequest);
    if (space.revision !== prepared.ours || revision.id !== prepared.theirs) throw new OutdatedError();
    if (prepared.conflicts.length > 0)
      return { revision: space.revision, result: "conflicts" as const, ...shown(prepared.conflicts) };
    await nameAll(tx, prepared.staged);
    const active = await activeRevision(context);
    const by = { root: prepared.root, user: actor.user.id, now };
    const next = createNextRevision(newId("revision"), active, by, {
      type: "merge",
      parents: [active.id, revision.id],
      mergedFrom: changeRequest.id,
    });
    const merged: ChangeRequestRecord = {
      ...changeRequest,
      status: "merged",
      revisionMerged: next.id,
      updatedAt: now.toISOString(),
    };
    await changeRequests.put(tx, merged);
    emit({ type: "change_request_merged", spaceId: space.id, changeRequestId: changeRequest.id, revisionId: next.id });
    await activateRevision(context, organization.id, space, next);
    return { revision: next.id, result: "merge" as const };
  },
});

export const updateFromSpace = defineOperation("POST /spaces/:spaceId/change-requests/:changeRequestId/update", {
  summary: "Bring a change request up to date with what its space shows",
  description:
    "With conflicts the change request keeps its own side, and remembers the other until what they are about has been written again. Of very many the first are listed; `conflicts` of the change request counts all.",
  target: changeRequest,
  right: "edit",
  returns: UpdateOutcome,
  serializeBy: "spaceId",
  async prepare(context) {
    checkUnderWay(context.changeRequest);
    const merged = await workOut(context, context.revision, await activeRevision(context));
    return { ...merged, left: await stageConflicts(context, merged.conflicts) };
  },
  async handle(context) {
    const { tx, space, changeRequest, revision, prepared, actor, now, newId } = context;
    checkUnderWay(changeRequest);
    if (revision.id !== prepared.ours || space.revision !== prepared.theirs) throw new OutdatedError();
    const { conflicts, left } = prepared;
    const result = conflicts.length > 0 ? ("conflicts" as const) : ("update" as const);
    if (baseOf(changeRequest) === space.revision) return { revision: revision.id, result, ...shown(conflicts) };
    await nameAll(tx, prepared.staged);
    const by = { root: prepared.root, user: actor.user.id, now };
    const next = createNextRevision(newId("revision"), revision, by, {
      type: "update",
      parents: [revision.id, space.revision],
      changeRequest: changeRequest.id,
      ...(await nameConflicts(tx, left)),
    });
    await revisions.put(tx, next);
    const updated: ChangeRequestRecord = {
      ...contributedBy(changeRequest, actor.user.id),
      revision: next.id,
      revisionMergedAncestor: space.revision,
      updatedAt: now.toISOString(),
      conflicts: conflicts.length,
    };
    await changeRequests.put(tx, updated);
    return { revision: next.id, result, ...shown(conflicts) };
  },
});
