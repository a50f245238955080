// Adds imported content to a revision, after everything that is there. The result is computed but not saved.

import { addBook } from "../../../content/book/add-book";
import { type Book, countComputedChapters, walkPages } from "../../../content/book/book";
import { createDraft } from "../../../content/revision/draft";
import { Staging } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { finishDraft, type PrepareContext, type PreparedRevision } from "../revisions/apply-changes";
import { createNodeSource, type RevisionImport } from "../revisions/records";
import { type ImportRun, reportImportProgress } from "./progress";
import { redactUrl, serializeOmissionReport } from "./report";

/** A computed import that is not saved yet. */
export interface PreparedImport extends PreparedRevision {
  readonly imported: RevisionImport;
}

export interface AddBookContext extends PrepareContext, Pick<ImportRun, "jobContext" | "params"> {
  readonly body: { readonly source: string; readonly url?: string | undefined };
  readonly gathered: { readonly book: Book; readonly foundCount: number };
}

/** Adds a book to the context's revision: at its end, or into one of its pages. */
export async function addBookToRevision(context: AddBookContext, page?: string): Promise<PreparedImport> {
  const { store, partition, objects, revision, body, gathered } = context;
  const { book, foundCount } = gathered;
  const staging = new Staging(store, partition, () => yieldToEventLoop());
  let added = 0;
  const total = [...walkPages(book.chapters)].length + book.files.size + book.reusables.size;
  staging.onAnnounce = (tx) =>
    reportImportProgress(context, tx, { done: Math.min(added, total), total, step: "adding" });
  const draft = createDraft(createNodeSource(staging.overlay(objects)), revision.root, runSteps, staging);
  const newId: typeof context.newId = (kind) => {
    added++;
    return context.newId(kind);
  };
  const tools = { now: context.now.toISOString(), newId, readText: objects.text, runSteps };
  const result = await addBook(draft, book, { parentId: page ?? null, shouldExtendParent: page !== undefined }, tools);
  const report = serializeOmissionReport([...book.skipped, ...result.skipped], book.omittedParts ?? []);
  // Count how much of the source is in the revision. Files with the same bytes count once.
  const texts = [...walkPages(book.chapters)].filter(({ path, isDraft }) => !isDraft && book.texts.has(path)).length;
  const pages = texts + countComputedChapters(book.chapters);
  const importedResources = pages + result.files + result.reusableContents;
  return {
    imported: {
      source: body.source,
      ...omitUndefined({ url: body.url === undefined ? undefined : redactUrl(body.url) }),
      importedResources,
      totalResources: Math.max(importedResources, foundCount - (book.files.size - result.files)),
      ...omitUndefined({ skipped: report === undefined ? undefined : draft.storeObject(report) }),
    },
    ...(await finishDraft(context, draft, staging)),
  };
}
