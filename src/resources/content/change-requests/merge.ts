// Merges a change request into its space, and updates it from the space. Both are the same three-way merge, seen from either side.
// The merge is computed before the transaction, which checks that neither side has changed since. If one has, the merge is computed
// again on the new state.

import { loadMerge } from "../../../content/lazy";
import type { MergeConflict } from "../../../content/merge";
import { MAX_TEXT_CONFLICTS } from "../../../content/merge/conflicts";
import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { OutdatedError } from "../../../operation/outdated-error";
import type { TargetContext } from "../../../operation/target";
import { addStagedObjects, Staging } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { activateRevision } from "../revisions/activate-revision";
import { cacheNodes, createNextRevision, createNodeSource, type RevisionRecord, revisions } from "../revisions/records";
import {
  addConflictsToCommit,
  createConflictFields,
  dropOutdatedConflicts,
  loadConflicts,
  stageConflicts,
} from "./conflicts";
import { addContributor, type ChangeRequestRecord, changeRequests, getBaseRevisionId } from "./records";
import { type ChangeRequestContext, changeRequest, checkIsEditable } from "./rules";
import { MergeOutcome, UpdateOutcome } from "./schema";

/** The most characters of conflicts that are stored with their versions. Further conflicts only name their subject. */
const MAX_STORED_CHARACTERS = 2 * 1024 * 1024;

interface ChangeRequestMergeContext extends ChangeRequestContext, Pick<TargetContext, "tx" | "objects" | "now"> {
  readonly store: Store;
  readonly partition: string;
}

async function prepareMerge(context: ChangeRequestMergeContext, ours: RevisionRecord, theirs: RevisionRecord) {
  const { tx, store, partition, objects, changeRequest, revision, now } = context;
  const base = await revisions.get(tx, changeRequest.space, getBaseRevisionId(changeRequest));
  if (!base) throw createError("storage_damaged");
  const roots = { base: base.root, ours: ours.root, theirs: theirs.root };
  const staging = new Staging(store, partition, yieldToEventLoop);
  const tools = { readText: objects.text, now: now.toISOString(), runSteps, outlet: staging };
  const { mergeRevisions } = await loadMerge();
  const { draft, conflicts } = await mergeRevisions(createNodeSource(staging.overlay(objects)), roots, tools);
  const { root, objects: newObjects, nodes } = await draft.finish();
  cacheNodes(objects, nodes);
  // A merge into the space found the conflicts from its side.
  const found =
    ours.id === revision.id
      ? conflicts
      : conflicts.map(({ ours, theirs, ...subject }): MergeConflict => {
          return { ...subject, ...omitUndefined({ ours: theirs, theirs: ours }) };
        });

  // A new conflict about a part of a thing replaces an earlier one. All conflicts of a text are kept, up to a maximum beyond which
  // only the latest are.
  const conflictsByPart = new Map<string, MergeConflict[]>();
  const inSpace = ours.id === revision.id ? theirs : ours;
  const earlierConflicts = await dropOutdatedConflicts(context, await loadConflicts(context, revision), base, inSpace);
  for (const conflict of [...earlierConflicts, ...found]) {
    const { kind, page, file, reusableContent, variable, member } = conflict;
    const part = JSON.stringify([kind, page, file, reusableContent, variable, member]);
    const earlier = kind === "text" ? (conflictsByPart.get(part) ?? []) : [];
    conflictsByPart.set(part, [...earlier.slice(1 - MAX_TEXT_CONFLICTS), conflict]);
  }
  let charactersLeft = MAX_STORED_CHARACTERS;
  const allConflicts = [...conflictsByPart.values()].flatMap((ofPart): MergeConflict[] => {
    charactersLeft -= JSON.stringify(ofPart).length;
    if (charactersLeft >= 0) return ofPart;
    const { base: _, ours: __, theirs: ___, ...subject } = ofPart[0]!;
    return [subject];
  });
  const staged = await staging.finish(newObjects);
  return { ours: ours.id, theirs: theirs.id, root, staged, conflicts: allConflicts };
}

async function loadActiveRevision({
  tx,
  space,
}: Pick<ChangeRequestMergeContext, "tx" | "space">): Promise<RevisionRecord> {
  const revision = await revisions.get(tx, space.id, space.revision);
  if (!revision) throw createError("storage_damaged");
  return revision;
}

export const mergeChangeRequest = defineOperation("POST /spaces/:spaceId/change-requests/:changeRequestId/merge", {
  summary: "Merge a change request",
  target: changeRequest,
  right: "merge",
  returns: MergeOutcome,
  serializeBy: "spaceId",
  async prepare(context) {
    checkIsEditable(context.changeRequest);
    return prepareMerge(context, await loadActiveRevision(context), context.revision);
  },
  async handle(context) {
    const { tx, organization, space, changeRequest, revision, prepared, actor, now, newId, emit } = context;
    checkIsEditable(changeRequest);
    if (space.revision !== prepared.ours || revision.id !== prepared.theirs) throw new OutdatedError();
    if (prepared.conflicts.length > 0)
      return { revision: space.revision, result: "conflicts" as const, ...createConflictFields(prepared.conflicts) };
    await addStagedObjects(tx, prepared.staged);
    const active = await loadActiveRevision(context);
    const origin = { root: prepared.root, user: actor.user.id, now };
    const next = createNextRevision(newId("revision"), active, origin, {
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
  summary: "Update a change request from its space",
  target: changeRequest,
  right: "edit",
  returns: UpdateOutcome,
  serializeBy: "spaceId",
  async prepare(context) {
    checkIsEditable(context.changeRequest);
    const merge = await prepareMerge(context, context.revision, await loadActiveRevision(context));
    return { ...merge, stagedConflicts: await stageConflicts(context, merge.conflicts) };
  },
  async handle(context) {
    const { tx, space, changeRequest, revision, prepared, actor, now, newId } = context;
    checkIsEditable(changeRequest);
    if (revision.id !== prepared.ours || space.revision !== prepared.theirs) throw new OutdatedError();
    const { conflicts, stagedConflicts } = prepared;
    const result = conflicts.length > 0 ? ("conflicts" as const) : ("update" as const);
    if (getBaseRevisionId(changeRequest) === space.revision)
      return { revision: revision.id, result, ...createConflictFields(conflicts) };
    await addStagedObjects(tx, prepared.staged);
    const origin = { root: prepared.root, user: actor.user.id, now };
    const next = createNextRevision(newId("revision"), revision, origin, {
      type: "update",
      parents: [revision.id, space.revision],
      changeRequest: changeRequest.id,
      ...(await addConflictsToCommit(tx, stagedConflicts)),
    });
    await revisions.put(tx, next);
    const updated: ChangeRequestRecord = {
      ...addContributor(changeRequest, actor.user.id),
      revision: next.id,
      revisionMergedAncestor: space.revision,
      updatedAt: now.toISOString(),
      conflicts: conflicts.length,
    };
    await changeRequests.put(tx, updated);
    return { revision: next.id, result, ...createConflictFields(conflicts) };
  },
});
