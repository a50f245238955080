// The pages whose text is not the same for every reader. A visitor's search reads these as the visitor does.

import { isAdaptive } from "../../../content/evaluate/conditions";
import { keys } from "../../../content/revision/entries";
import type { SearchIndex, SearchPage, TextVariation } from "../../../content/search";
import type { Objects } from "../../../storage/objects";
import { hasIncludeSyntax } from "../revisions/included-files";
import { openRevision, type RevisionRecord } from "../revisions/records";

/** What the words of a page may depend on. */
export function variationsOf(
  title: string,
  description: string | undefined,
  text: string,
): Pick<SearchPage, "variesBy"> {
  const variesBy: TextVariation[] = [];
  if ([title, description, text].some((words) => words !== undefined && isAdaptive(words))) variesBy.push("reader");
  if (hasIncludeSyntax(text)) variesBy.push("book");
  return variesBy.length === 0 ? {} : { variesBy };
}

/** Whether the pages of a space may include files, because the space is an mdBook. */
export async function isBook(objects: Objects, root: RevisionRecord["root"]): Promise<boolean> {
  return (await openRevision(objects, { root }).get(keys.mdBook)) !== undefined;
}

/** The pages of an index whose text varies. `isInBook` tells which of them are pages of an mdBook; undefined: none is. */
export function varyingPages(index: SearchIndex, isInBook: ((id: string) => boolean) | undefined): ReadonlySet<string> {
  const varying = new Set(index.listVaryingIds("reader"));
  // Nearly every page with code is in this list.
  if (isInBook) for (const id of index.listVaryingIds("book")) if (isInBook(id)) varying.add(id);
  return varying;
}
