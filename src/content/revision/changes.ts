// The batch of changes: in order, all or nothing, one new revision. Texts are indexed at the end, when every page of the batch
// is in its place, so that each of its texts may link to each of its pages.

import type { Batch, BatchOutcome, BatchTools } from "./batch";
import { type FileChange, fileHandlers } from "./change-files";
import { type PageChange, pageHandlers } from "./change-pages";
import type { Draft } from "./draft";
import { BatchError, ChangeError } from "./errors";
import { indexPendingTexts } from "./texts";

export type BatchChange = PageChange | FileChange;

const handlers: { readonly [name in BatchChange["operation"]]: (batch: Batch, change: never) => Promise<void> } = {
  ...pageHandlers,
  ...fileHandlers,
};

export interface BatchResult {
  readonly outcomes: readonly BatchOutcome[];
  readonly insertedFiles: readonly { readonly id: string; readonly ref?: string }[];
}

/** Applies changes to a draft. Throws a `BatchError` if one is refused. Then the draft must not be used any more. */
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
      await handlers[change.operation](batch, change as never);
    }
    await indexPendingTexts(batch);
  } catch (error) {
    if (error instanceof ChangeError) throw new BatchError(batch.index, error.path, error.message);
    throw error;
  }
  return batch;
}
