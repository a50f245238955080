// Matches the pages of a book with those of a revision: by the path of their file, then by the same bytes at another path, then
// by how much their texts have in common. No page is matched twice.

import { type RunSteps, runStepsAtOnce } from "../../utils/concurrency/steps";
import type { PageEntry } from "../revision/entries";
import type { WithId } from "../revision/view";
import { type BookText, readBookText } from "./book";
import { type KeyedText, MAX_COMPARED_TEXTS, matchSimilarTextsInSteps } from "./similar-texts";

export interface BookPageFile {
  readonly path: string;
  /** The Git id of its text. Undefined for a page without a file. */
  readonly oid: string | undefined;
  /** Undefined if the text was not read. */
  readonly text: BookText | undefined;
}

/** The pages of a revision, and what is known of them. */
export interface ExistingPages {
  readonly pages: readonly WithId<PageEntry>[];
  /** The path of every document, also of those that have no file yet. */
  readonly paths: ReadonlyMap<string, string>;
  findOid(id: string, hash: string | undefined): string | undefined;
  readText(hash: string): Promise<string>;
}

/** The most texts that are read to detect renames. */
const MAX_READ_TEXTS = 2000;

/** Matches pages of a book. Returns the existing page by the path of the file; new pages are not in the result. */
export async function matchPages(
  pageFiles: readonly BookPageFile[],
  existing: ExistingPages,
  runSteps: RunSteps = runStepsAtOnce,
): Promise<Map<string, WithId<PageEntry>>> {
  const matches = new Map<string, WithId<PageEntry>>();
  const unmatched = new Map<string, WithId<PageEntry>>();
  for (const page of existing.pages) if (page.type === "document") unmatched.set(page.id, page);
  const match = (path: string, page: WithId<PageEntry> | undefined) => {
    if (page && !matches.has(path) && unmatched.delete(page.id)) matches.set(path, page);
  };
  const indexUnmatched = (getKey: (page: WithId<PageEntry>) => string | undefined) =>
    new Map([...unmatched.values()].map((page) => [getKey(page), page]));

  const byGitPath = indexUnmatched(({ git }) => git?.path);
  const byAssignedPath = indexUnmatched(({ id }) => existing.paths.get(id));
  for (const { path } of pageFiles) match(path, byGitPath.get(path));
  for (const { path } of pageFiles) match(path, byAssignedPath.get(path));

  const byOid = indexUnmatched(({ id, body }) => existing.findOid(id, body));
  for (const { path, oid } of pageFiles) if (oid !== undefined) match(path, byOid.get(oid));

  const rest = pageFiles.filter(({ path, text }) => !matches.has(path) && text !== undefined);
  if (rest.length === 0 || unmatched.size === 0) return matches;
  if (unmatched.size > MAX_READ_TEXTS || unmatched.size + rest.length > MAX_COMPARED_TEXTS) return matches;
  const earlierTexts: KeyedText[] = [];
  for (const { id, body } of unmatched.values())
    if (body !== undefined) earlierTexts.push({ key: id, text: await existing.readText(body) });
  const newTexts: KeyedText[] = [];
  for (const { path, text: source } of rest) {
    const text = await readBookText(source!);
    if (text !== "") newTexts.push({ key: path, text });
  }
  for (const [path, id] of await runSteps(matchSimilarTextsInSteps(earlierTexts, newTexts)))
    match(path, unmatched.get(id));
  return matches;
}
