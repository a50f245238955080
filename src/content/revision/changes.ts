// The batch of changes: in order, all or nothing, one new revision. Texts are indexed at the end, when every page that the
// batch brings is in its place, so that any of its texts may link to any of its pages.

import type { Batch, BatchOutcome, BatchTools } from "./batch";
import {
  deleteFiles,
  deleteReusable,
  type FileChange,
  insertFiles,
  insertReusable,
  keepFiles,
  setVariables,
  updateReusable,
} from "./change-files";
import {
  deletePage,
  insertGroup,
  insertLink,
  insertPage,
  movePage,
  type PageChange,
  revertPage,
  updatePage,
} from "./change-pages";
import type { Draft } from "./draft";
import { BatchError, ChangeError } from "./errors";
import { indexPendingTexts } from "./texts";

export type BatchChange = PageChange | FileChange;

const apply: { readonly [name in BatchChange["operation"]]: (batch: Batch, change: never) => Promise<void> } = {
  insert_page: insertPage,
  insert_group: insertGroup,
  insert_link: insertLink,
  update_page: updatePage,
  move_page: movePage,
  delete_page: deletePage,
  revert_page: revertPage,
  insert_files: insertFiles,
  delete_files: deleteFiles,
  keep_files: keepFiles,
  set_variables: setVariables,
  insert_reusable_content: insertReusable,
  update_reusable_content: updateReusable,
  delete_reusable_content: deleteReusable,
};

/** What a batch did. */
export interface BatchResult {
  readonly outcomes: readonly BatchOutcome[];
  readonly insertedFiles: readonly { readonly id: string; readonly ref?: string }[];
}

/** Applies the changes to a draft. If one is refused, `BatchError` is thrown, and the draft must not be used any
 * more. */
export async function applyChanges(
  draft: Draft,
  changes: readonly BatchChange[],
  tools: BatchTools,
): Promise<BatchResult> {
  const batch: Batch = {
    draft,
    tools,
    index: 0,
    refs: new Map(),
    pendingTexts: new Map(),
    outcomes: [],
    insertedFiles: [],
  };
  try {
    for (const [index, change] of changes.entries()) {
      batch.index = index;
      await apply[change.operation](batch, change as never);
    }
    await indexPendingTexts(batch);
  } catch (error) {
    if (error instanceof ChangeError) throw new BatchError(batch.index, error.path, error.message);
    throw error;
  }
  return batch;
}
