// Which pages of a revision the pages of a book are: by the path of their file, then by the same bytes at another path, then
// by how much their texts have in common. Nothing is matched twice.

import { type RunSteps, runStepsAtOnce } from "../markdown/steps";
import type { PageEntry } from "../revision/entries";
import type { WithId } from "../revision/view";
import { type BookText, textOf } from "./book";
import { type Candidate, MAX_TEXTS, similarTexts } from "./similar";

/** A page of a book. */
export interface WantedPage {
  readonly path: string;
  /** The name that Git has for its text; undefined for a page that has no file. */
  readonly oid: string | undefined;
  /** Undefined when the text was not read. */
  readonly text: BookText | undefined;
}

/** What is known of the pages that there are. */
export interface Former {
  readonly pages: readonly WithId<PageEntry>[];
  /** The path of every document, also of those that have no file yet. */
  readonly paths: ReadonlyMap<string, string>;
  oidOf(id: string, hash: string | undefined): string | undefined;
  text(hash: string): Promise<string>;
}

/** Matches pages; those that are new are not in the result. */
export async function matchPages(
  wanted: readonly WantedPage[],
  former: Former,
  inTurns: RunSteps = runStepsAtOnce,
): Promise<Map<string, WithId<PageEntry>>> {
  const matched = new Map<string, WithId<PageEntry>>();
  const free = new Map<string, WithId<PageEntry>>();
  for (const page of former.pages) if (page.type === "document") free.set(page.id, page);
  const match = (path: string, page: WithId<PageEntry> | undefined) => {
    if (!page || matched.has(path) || !free.delete(page.id)) return;
    matched.set(path, page);
  };
  const at = (pathOf: (page: WithId<PageEntry>) => string | undefined) =>
    new Map([...free.values()].map((page) => [pathOf(page), page]));
  for (const known of [at(({ git }) => git?.path), at(({ id }) => former.paths.get(id))])
    for (const { path } of wanted) match(path, known.get(path));
  const bytes = at(({ id, body }) => former.oidOf(id, body));
  for (const { path, oid } of wanted) if (oid !== undefined) match(path, bytes.get(oid));
  const rest = wanted.filter(({ path, text }) => !matched.has(path) && text !== undefined);
  if (rest.length === 0 || free.size === 0 || free.size > MAX_READ || free.size + rest.length > MAX_TEXTS)
    return matched;
  const similar = similarTexts(await formerTexts(free, former), await newTexts(rest));
  for (const [path, id] of await inTurns(similar)) match(path, free.get(id));
  return matched;
}

/** The most texts that are read to find out which of them were renamed. */
const MAX_READ = 2000;

async function formerTexts(pages: ReadonlyMap<string, WithId<PageEntry>>, { text }: Former): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { id, body } of pages.values()) if (body !== undefined) found.push({ key: id, text: await text(body) });
  return found;
}

async function newTexts(wanted: readonly WantedPage[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { path, text } of wanted) found.push({ key: path, text: await textOf(text!) });
  return found.filter(({ text }) => text !== "");
}
