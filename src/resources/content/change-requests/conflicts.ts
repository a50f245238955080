// The open conflicts of a change request. They are stored as an object that its revision references, because a single page may
// have more conflicts than fit into a record.

import type * as v from "valibot";
import type { MergeConflict } from "../../../content/merge";
import type { BatchChange } from "../../../content/revision/changes";
import type { RevisionView } from "../../../content/revision/view";
import { addStagedObject, type Objects, type StagedObject, stageObject } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import type { Transaction } from "../../../storage/transaction";
import { getJsonSize } from "../../../utils/bytes";
import type { PreparedChanges } from "../revisions/apply-changes";
import { openRevision, type RevisionRecord } from "../revisions/records";
import type { Conflict as ConflictView } from "./schema";

const LINE_ENDING = /\r\n|\r|\n/;

export interface ConflictContext {
  readonly store: Store;
  readonly partition: string;
  readonly objects: Objects;
}

/** Conflicts whose object is ready to be referenced in a transaction. */
export interface StagedConflicts {
  /** Undefined if there are no conflicts. */
  readonly staged: StagedObject | undefined;
  readonly count: number;
}

export async function loadConflicts(
  { objects }: Pick<ConflictContext, "objects">,
  { conflicts }: RevisionRecord,
): Promise<MergeConflict[]> {
  return conflicts === undefined ? [] : (JSON.parse(await objects.text(conflicts)) as MergeConflict[]);
}

/**
 * Returns the conflicts of a change request that the current content of its space still has. A conflict about a text is dropped
 * when the space has replaced the lines that it names since the last update: the next merge finds a new conflict if there is one.
 */
export async function dropOutdatedConflicts(
  { objects }: Pick<ConflictContext, "objects">,
  conflicts: readonly MergeConflict[],
  base: RevisionRecord,
  theirs: RevisionRecord,
): Promise<MergeConflict[]> {
  const views = [openRevision(objects, base), openRevision(objects, theirs)] as const;
  const linesByOwner = new Map<string, Promise<ReadonlySet<string> | undefined>>();
  /** Returns the lines of a text in the space, or undefined if the text is the one of the last update. */
  async function loadChangedLines({ page, reusableContent }: MergeConflict) {
    const loadBody = async (view: RevisionView) =>
      page === undefined
        ? (await view.getReusable(reusableContent ?? ""))?.body
        : (await view.getPages([page]))[0]?.body;
    const [before, now] = await Promise.all(views.map(loadBody));
    return before === now || now === undefined ? undefined : new Set((await objects.text(now)).split(LINE_ENDING));
  }
  const remaining: MergeConflict[] = [];
  for (const conflict of conflicts) {
    const owner = conflict.page ?? conflict.reusableContent;
    if (conflict.kind === "text" && owner !== undefined && typeof conflict.theirs === "string") {
      const lines = linesByOwner.get(owner) ?? loadChangedLines(conflict);
      linesByOwner.set(owner, lines);
      const current = await lines;
      // The last line of a long version may be shortened.
      const named = conflict.theirs.split(LINE_ENDING).slice(0, conflict.theirs.endsWith("…") ? -1 : undefined);
      if (current && !named.every((line) => current.has(line))) continue;
    }
    remaining.push(conflict);
  }
  return remaining;
}

/** Stages the object of conflicts. Without conflicts, there is no object. */
export async function stageConflicts(
  { store, partition }: ConflictContext,
  conflicts: readonly MergeConflict[],
): Promise<StagedConflicts> {
  if (conflicts.length === 0) return { staged: undefined, count: 0 };
  const bytes = new TextEncoder().encode(JSON.stringify(conflicts));
  return { staged: await stageObject(store, partition, bytes), count: conflicts.length };
}

/** Adds the object of conflicts to a transaction, and returns the members of the revision that references it. */
export async function addConflictsToCommit(
  tx: Transaction,
  { staged }: StagedConflicts,
): Promise<Pick<RevisionRecord, "conflicts">> {
  if (!staged) return {};
  await addStagedObject(tx, staged);
  return { conflicts: staged.hash };
}

/** Stages the conflicts that remain after a batch of changes. Writing the subject of a conflict resolves it. */
export async function stageRemainingConflicts(
  context: ConflictContext & { readonly revision: RevisionRecord },
  changes: readonly BatchChange[],
  prepared: PreparedChanges,
): Promise<StagedConflicts> {
  const written = {
    pages: new Set<string>(),
    files: new Set<string>(),
    reusableContents: new Set<string>(),
    variables: new Set<string>(),
  };
  for (const change of changes) {
    if (change.operation === "delete_files" || change.operation === "keep_files")
      for (const file of change.files) written.files.add(file);
    if (change.operation === "set_variables")
      for (const variable of Object.keys(change.variables)) written.variables.add(variable);
  }
  for (const outcome of prepared.changes) {
    if ("page" in outcome) written.pages.add(typeof outcome.page === "string" ? outcome.page : outcome.page.id);
    if ("reusableContent" in outcome) written.reusableContents.add(outcome.reusableContent);
  }
  const remaining = (await loadConflicts(context, context.revision)).filter(
    ({ page, file, reusableContent, variable }) =>
      !(page !== undefined && written.pages.has(page)) &&
      !(file !== undefined && written.files.has(file)) &&
      !(reusableContent !== undefined && written.reusableContents.has(reusableContent)) &&
      !(variable !== undefined && written.variables.has(variable)),
  );
  if (!prepared.changes.some(({ object }) => object === "deleted_page")) return stageConflicts(context, remaining);

  // The pages below a deleted page are deleted as well, which resolves their conflicts.
  const pageIds = [...new Set(remaining.flatMap(({ page }) => page ?? []))];
  const pages = await prepared.content.getPages(pageIds);
  const deletedIds = new Set(pageIds.filter((_, i) => pages[i] === undefined));
  const unresolved = remaining.filter(({ page }) => page === undefined || !deletedIds.has(page));
  return stageConflicts(context, unresolved);
}

/** The maximum size of the conflicts in a response: a response that is stored for an `Idempotency-Key` is part of a commit. */
const MAX_RESPONSE_LENGTH = 192 * 1024;

/** Returns the member of a response that has the conflicts, if there are any: as many as fit, and at least one. */
export function createConflictFields(conflicts: readonly MergeConflict[]): {
  conflicts?: v.InferInput<typeof ConflictView>[];
} {
  if (conflicts.length === 0) return {};
  let bytesLeft = MAX_RESPONSE_LENGTH;
  const end = conflicts.findIndex((conflict) => {
    bytesLeft -= getJsonSize(conflict);
    return bytesLeft < 0;
  });
  return { conflicts: conflicts.slice(0, end < 0 ? conflicts.length : Math.max(1, end)) };
}
