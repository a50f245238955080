// A book while it is laid onto a revision: what there was, what is to be, and what waits until everything is in its place.

import { runStepsAtOnce, yieldOnce } from "../markdown/steps";
import { parsePageSource } from "../page-source";
import type { Batch, BatchTools } from "../revision/batch";
import type { Draft } from "../revision/draft";
import { keys, type PageEntry, type PathEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { mergePageFields, parseStatedFields } from "../revision/fields";
import { indexPendingTexts } from "../revision/texts";
import { type Book, type BookText, type Skipped, textOf } from "./book";
import type { Holdings } from "./standings";

/** What laying a book needs of the world. */
export type BookTools = Pick<BatchTools, "now" | "newId" | "readText" | "runSteps">;

/** How many things came, changed and went. */
export interface Counts {
  created: number;
  updated: number;
  deleted: number;
}

/** A book on its way. */
export interface Laying {
  readonly draft: Draft;
  readonly book: Book;
  readonly tools: BookTools;
  readonly before: Holdings;
  /** What is to stand at which path of files. */
  readonly standing: Map<string, PathEntry>;
  /** Texts that are written when everything is in its place, by the id of their page or reusable content. */
  readonly waiting: Map<string, Waiting>;
  /** Ids of what is gone. */
  readonly gone: Set<string>;
  /** Texts mean something else than before, so those that are the same are indexed again. */
  readonly isReadAgain: boolean;
  readonly skipped: Skipped[];
}

/** A text that waits. */
export interface Waiting {
  readonly given: Pick<BookText, "text" | "later">;
  readonly of: "page" | "reusable";
}

/** Writes the texts that wait. One of them is held at a time, and those that are written wait no more. */
export async function writeWaiting({
  draft,
  tools,
  waiting,
}: Pick<Laying, "draft" | "tools" | "waiting">): Promise<void> {
  const texts: Batch["pendingTexts"] = new Map();
  const batch: Batch = {
    draft,
    tools: { ...tools, findRevision: async () => undefined },
    index: 0,
    refs: new Map(),
    pendingTexts: texts,
    outcomes: [],
    insertedFiles: [],
  };
  for (const [id, { given, of }] of waiting) {
    waiting.delete(id);
    texts.clear();
    texts.set(id, { text: await textOf(given), kind: of, index: 0 });
    await indexPendingTexts(batch);
    await draft.flushIfFull();
    await turn({ tools });
  }
}

/** Lets others have their turn, if it is time. */
export function turn({ tools }: Pick<Laying, "tools">): Promise<void> {
  return (tools.runSteps ?? runStepsAtOnce)(yieldOnce());
}

/** What a text states about its page; nothing when that is more than a page may have. */
export function statedBy(
  path: string,
  text: string,
  skipped: Skipped[],
): { readonly fields: Partial<PageEntry>; readonly names: readonly string[] } {
  try {
    const { fields, names } = parseStatedFields(text);
    return { fields: mergePageFields({} as Partial<PageEntry>, fields), names };
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    skipped.push({ resource: path, reason: `What its front matter states is ignored: ${error.message}.` });
    // If the condition of a page cannot be stored, the page is shown to nobody instead of everybody.
    return { fields: parsePageSource(text).fields.if === undefined ? {} : { condition: "false" }, names: [] };
  }
}

/** Brings what stands at paths up to date; what stays as it is is not touched. */
export async function putStandings(laying: Laying): Promise<void> {
  const { draft, before, standing } = laying;
  const left = new Set(before.standings.keys());
  for (const [path, it] of standing) {
    const key = keys.filePath(path);
    left.delete(key);
    if (!isSame(before.standings.get(key), it)) draft.put(key, it);
    await draft.flushIfFull();
    await turn(laying);
  }
  for (const key of left) draft.delete(key);
}

function isSame(a: PathEntry | undefined, b: PathEntry): boolean {
  return a !== undefined && (["page", "file", "reusable", "oid", "hash"] as const).every((name) => a[name] === b[name]);
}
