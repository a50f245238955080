// The pages whose text differs between readers. The search of a visitor reads these as the visitor does.

import { isAdaptive } from "../../../content/evaluate/conditions";
import type { SearchIndex, SearchPage, TextVariation } from "../../../content/search";
import { includeSyntax } from "../revisions/included-files";
/** Detects the ways in which the words of a page vary. */
export function detectVariations(
  title: string,
  description: string | undefined,
  text: string,
): Pick<SearchPage, "variesBy"> {
  const variesBy: TextVariation[] = [];
  if ([title, description, text].some((words) => words !== undefined && isAdaptive(words))) variesBy.push("reader");
  if (includeSyntax.test(text)) variesBy.push("book");
  return variesBy.length === 0 ? {} : { variesBy };
}

/** Lists the pages of an index whose text varies. `isInBook` checks for pages of an mdBook; undefined: there are none. */
export function listVaryingPages(
  index: SearchIndex,
  isInBook: ((id: string) => boolean) | undefined,
): ReadonlySet<string> {
  const varying = new Set(index.listVaryingIds("reader"));
  // Nearly every page with code is in this list.
  if (isInBook) for (const id of index.listVaryingIds("book")) if (isInBook(id)) varying.add(id);
  return varying;
}
