// The state of a book while it is applied to a revision: the contents before, the new entries, and the texts that are written
// when everything is in place.

import { yieldToOthers } from "../../utils/concurrency/steps";
import { parsePageSource } from "../page-source";
import type { Batch, BatchTools } from "../revision/batch";
import type { Draft } from "../revision/draft";
import type { PageEntry, PathEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { mergePageFields, parseStatedFields } from "../revision/fields";
import { indexPendingTexts } from "../revision/texts";
import { type Book, type BookText, readBookText, type SkippedItem } from "./book";
import type { RevisionContents } from "./revision-contents";

/** The tools that applying a book needs from outside: the time, ids, stored texts and the event loop. */
export type BookTools = Pick<BatchTools, "now" | "newId" | "readText" | "runSteps">;

/** The number of things that were created, updated and deleted. */
export interface ChangeCounts {
  created: number;
  updated: number;
  deleted: number;
}

/** A book that is being applied. */
export interface ApplyContext {
  readonly draft: Draft;
  readonly book: Book;
  readonly tools: BookTools;
  readonly before: RevisionContents;
  /** The new entries of paths: the part that is to be at each of them. */
  readonly pathEntries: Map<string, PathEntry>;
  readonly pendingTexts: PendingTexts;
  readonly removedIds: Set<string>;
  /** Texts mean something else than before, so unchanged ones are indexed again. */
  readonly shouldReindex: boolean;
  readonly skipped: SkippedItem[];
}

/** Texts that are written when everything is in place, by the id of their page or reusable content. */
export type PendingTexts = Map<string, PendingBookText>;

interface PendingBookText {
  readonly source: Pick<BookText, "text" | "readText">;
  readonly kind: "page" | "reusable";
}

/** Writes the pending texts. Only one of them is in memory at a time. */
export async function writePendingTexts(
  context: Pick<ApplyContext, "draft" | "tools" | "pendingTexts">,
): Promise<void> {
  const { draft, tools, pendingTexts } = context;
  const batchTexts: Batch["pendingTexts"] = new Map();
  const batch: Batch = {
    draft,
    tools: { ...tools, findRevision: async () => undefined },
    index: 0,
    refs: new Map(),
    pendingTexts: batchTexts,
    outcomes: [],
    insertedFiles: [],
  };
  for (const [id, { source, kind }] of pendingTexts) {
    pendingTexts.delete(id);
    batchTexts.clear();
    batchTexts.set(id, { text: await readBookText(source), kind, index: 0 });
    await indexPendingTexts(batch);
    await draft.flushIfFull();
    await yieldToOthers(tools);
  }
}

/** Returns what a text states about its page, or nothing if that is more than a page may have. */
export function readStatedFields(
  path: string,
  text: string,
  skipped: SkippedItem[],
): { readonly fields: Partial<PageEntry>; readonly names: readonly string[] } {
  try {
    const { fields, names } = parseStatedFields(text);
    return { fields: mergePageFields({} as Partial<PageEntry>, fields), names };
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    skipped.push({ resource: path, reason: `Its front matter is ignored: ${error.message}.` });
    // If the condition of a page cannot be stored, the page is shown to nobody instead of everybody.
    return { fields: parsePageSource(text).fields.if === undefined ? {} : { condition: "false" }, names: [] };
  }
}
