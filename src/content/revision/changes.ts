// The batch of changes: in order, all or nothing, one new revision. Texts are indexed at the end, when every page that the
// batch brings is in its place, so that any of its texts may link to any of its pages.

import type { Batch, Outcome, Tools } from "./batch";
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
  moveOnly,
  type PageChange,
  revertPage,
  updatePage,
} from "./change-pages";
import type { Draft } from "./draft";
import { BatchRefused, ChangeRefused } from "./refused";
import { finishTexts } from "./texts";

export type Change = PageChange | FileChange;

const apply: { readonly [name in Change["operation"]]: (batch: Batch, change: never) => Promise<void> } = {
  insert_page: insertPage,
  insert_group: insertGroup,
  insert_link: insertLink,
  update_page: updatePage,
  move_page: moveOnly,
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
export interface Applied {
  readonly outcomes: readonly Outcome[];
  readonly insertedFiles: readonly { readonly id: string; readonly ref?: string }[];
}

/** Applies the changes to a draft. If one is refused, `BatchRefused` is thrown, and the draft must not be used any
 * more. */
export async function applyChanges(draft: Draft, changes: readonly Change[], tools: Tools): Promise<Applied> {
  const batch: Batch = {
    draft,
    tools,
    index: 0,
    refs: new Map(),
    texts: new Map(),
    outcomes: [],
    insertedFiles: [],
  };
  try {
    for (const [index, change] of changes.entries()) {
      batch.index = index;
      await apply[change.operation](batch, change as never);
    }
    await finishTexts(batch);
  } catch (error) {
    if (error instanceof ChangeRefused) throw new BatchRefused(batch.index, error.path, error.message);
    throw error;
  }
  return batch;
}
