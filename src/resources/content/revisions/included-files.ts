// The texts of an mdBook book as readers see them: with the files that they include, and without the code lines that mdBook hides.
// Texts of other books stay as they are.

import { loadMdBook } from "../../../content/lazy";
import type { FindIncludedFile } from "../../../content/mdbook/expand";
import { keys, type MdBookEntry } from "../../../content/revision/entries";
import { getPageLinkContext, type LinkContext, resolveLink } from "../../../content/revision/links";
import type { RevisionView } from "../../../content/revision/view";
import type { ExpansionBudget } from "../../../utils/expansion-budget";
import type { TextSource } from "./text-source";

/** The largest file that is shown inside a text. */
const MAX_INCLUDED_BYTES = 1024 * 1024;

/** Matches the syntax of includes or of code. A text without them needs no further work. */
export const includeSyntax = /\{\{|`{3}|~{3}/;

/** Checks whether `expandIncludedFiles` may change a text. */
export async function mayExpandIncludes(view: RevisionView, text: string): Promise<boolean> {
  if (!includeSyntax.test(text)) return false;
  const book = (await view.get(keys.mdBook)) as MdBookEntry | undefined;
  return book !== undefined && (await loadMdBook()).isExpandable(text, book);
}

/** Expands the includes of a text, as far as the budget goes, and hides its hidden code lines. `readText` returns a text by its hash. */
export async function expandIncludedFiles(
  readText: (hash: string) => Promise<string>,
  view: RevisionView,
  source: TextSource,
  text: string,
  budget: ExpansionBudget,
): Promise<string> {
  if (!(await mayExpandIncludes(view, text))) return text;
  const book = (await view.get(keys.mdBook)) as MdBookEntry;
  const context: LinkContext = source.page
    ? await getPageLinkContext(view, source.page)
    : { page: undefined, bases: [[]], path: (await view.getReusable(source.id))?.git?.path };

  const findFile: FindIncludedFile = async (href, from) => {
    const fileContext = from === undefined ? context : { page: undefined, bases: [], path: from };
    const { ref } = await resolveLink(view, fileContext, href);
    if (ref.kind === "file") {
      const file = await view.getFile(ref.file);
      const isIncluded = file && file.size <= MAX_INCLUDED_BYTES && file.object !== "";
      return isIncluded ? { path: file.path, text: await readText(file.object) } : undefined;
    }
    if (ref.kind !== "page" || ref.space !== undefined) return undefined;
    const ancestry = await view.getAncestry(ref.page);
    const [page] = ancestry;
    // A page with a condition is not for everyone, so it is not shown inside another page.
    if (page?.body === undefined || ancestry.some(({ condition }) => condition !== undefined)) return undefined;
    return { path: page.git?.path ?? "", text: await readText(page.body) };
  };
  const { expandMdBook } = await loadMdBook();
  return expandMdBook(text, book, findFile, budget);
}
