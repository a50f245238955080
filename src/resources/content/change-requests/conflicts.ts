// The open conflicts of a change request. They are stored as an object that its revision references, because one page
// alone may have more of them than fit into a record.

import type * as v from "valibot";
import type { MergeConflict } from "../../../content/merge";
import { limitConflicts, removeWrittenConflicts, type WrittenContent } from "../../../content/merge/conflicts";
import type { BatchChange } from "../../../content/revision/changes";
import { name, type Objects, type Staged, stage } from "../../../storage/objects";
import type { Store } from "../../../storage/store";
import type { Transaction } from "../../../storage/transaction";
import type { PreparedChanges } from "../revisions/apply-changes";
import type { RevisionRecord } from "../revisions/records";
import type { Conflict as ConflictShape } from "./schema";

/** What reading and storing conflicts needs. */
export interface Keeping {
  readonly store: Store;
  readonly partition: string;
  readonly objects: Objects;
}

/** Conflicts whose object is ready to be referenced in a transaction. */
export interface StagedConflicts {
  readonly staged: Staged | undefined;
  readonly count: number;
}

/** The conflicts of a revision. */
export async function conflictsOf(
  { objects }: Pick<Keeping, "objects">,
  { conflicts }: RevisionRecord,
): Promise<MergeConflict[]> {
  return conflicts === undefined ? [] : (JSON.parse(await objects.text(conflicts)) as MergeConflict[]);
}

/** Prepares the object of conflicts; without conflicts there is none. */
export async function stageConflicts(
  { store, partition }: Keeping,
  conflicts: readonly MergeConflict[],
): Promise<StagedConflicts> {
  if (conflicts.length === 0) return { staged: undefined, count: 0 };
  const bytes = new TextEncoder().encode(JSON.stringify(conflicts));
  return { staged: await stage(store, partition, bytes), count: conflicts.length };
}

/** Adds conflicts to the transaction. Returns the fields of the revision. */
export async function nameConflicts(
  tx: Transaction,
  { staged }: StagedConflicts,
): Promise<Pick<RevisionRecord, "conflicts">> {
  if (!staged) return {};
  await name(tx, staged);
  return { conflicts: staged.hash };
}

/** The conflicts that remain after a batch of changes. */
export async function stageConflictsLeft(
  context: Keeping & { readonly revision: RevisionRecord },
  changes: readonly BatchChange[],
  made: PreparedChanges,
): Promise<StagedConflicts> {
  const waiting = await conflictsOf(context, context.revision);
  const left = removeWrittenConflicts(waiting, writtenBy(changes, made));
  const goesWithMore = made.changes.some(({ object }) => object === "deleted_page");
  return stageConflicts(context, goesWithMore ? await stillThere(left, made) : left);
}

function writtenBy(changes: readonly BatchChange[], made: PreparedChanges): WrittenContent {
  const files = changes.flatMap((it) =>
    it.operation === "delete_files" || it.operation === "keep_files" ? it.files : [],
  );
  const variables = changes.flatMap((it) => (it.operation === "set_variables" ? Object.keys(it.variables) : []));
  const pages = made.changes.flatMap((it) =>
    "page" in it ? [typeof it.page === "string" ? it.page : it.page.id] : [],
  );
  const reusable = made.changes.flatMap((it) => ("reusableContent" in it ? [it.reusableContent] : []));
  return {
    pages: new Set(pages),
    files: new Set(files),
    reusableContents: new Set(reusable),
    variables: new Set(variables),
  };
}

/** Conflicts about deleted pages, and about pages below them, are settled. */
async function stillThere(conflicts: readonly MergeConflict[], { content }: PreparedChanges): Promise<MergeConflict[]> {
  const ids = [...new Set(conflicts.flatMap(({ page }) => page ?? []))];
  const found = await content.getPages(ids);
  const gone = new Set(ids.filter((_, i) => found[i] === undefined));
  return conflicts.filter(({ page }) => page === undefined || !gone.has(page));
}

/** The most conflicts in an answer: an answer that is kept for an Idempotency-Key is part of a commit. */
const MAX_SHOWN = 192 * 1024;

/** Conflicts on the wire. */
export function shown(conflicts: readonly MergeConflict[]): { conflicts?: v.InferInput<typeof ConflictShape>[] } {
  return conflicts.length === 0 ? {} : { conflicts: limitConflicts(conflicts, MAX_SHOWN) };
}
