// The texts of a book of mdBook as readers see them: with the files that they include, and without the lines of code that
// mdBook does not show. Texts of other books stay as they are.

import { loadMdBook } from "../../../content/lazy";
import type { FindIncludedFile, IncludedFile } from "../../../content/mdbook/expand";
import { keys, type MdBookEntry } from "../../../content/revision/entries";
import { getPageLinkContext, type LinkContext, resolveLink } from "../../../content/revision/links";
import type { RevisionView } from "../../../content/revision/view";
import type { ExpansionBudget } from "../../../utils/expansion-budget";
import type { Source } from "./source";

/** The largest file that is shown inside a text. */
const LARGEST = 1024 * 1024;

/** Whether a text has what includes and shown code are written with. A text without a brace pair and without code costs nothing
 * here. */
export function hasIncludeSyntax(text: string): boolean {
  return /\{\{|`{3}|~{3}/.test(text);
}

/** Whether a text may be shown as another one. */
export async function mayInclude(view: RevisionView, text: string): Promise<boolean> {
  if (!hasIncludeSyntax(text)) return false;
  const book = (await view.get(keys.mdBook)) as MdBookEntry | undefined;
  return book !== undefined && (await loadMdBook()).isExpandable(text, book);
}

/** A text with the files that it includes, as far as the budget goes. */
export async function withIncludedFiles(
  textOf: (hash: string) => Promise<string>,
  view: RevisionView,
  source: Source,
  text: string,
  budget: ExpansionBudget,
): Promise<string> {
  if (!(await mayInclude(view, text))) return text;
  const book = (await view.get(keys.mdBook)) as MdBookEntry;
  const place = source.page ? await getPageLinkContext(view, source.page) : await placeOf(view, source.id);
  const { expandMdBook } = await loadMdBook();
  const find: FindIncludedFile = (href, from) =>
    fileAt(textOf, view, from === undefined ? place : { page: undefined, bases: [], path: from }, href);
  return expandMdBook(text, book, find, budget);
}

async function placeOf(view: RevisionView, reusable: string): Promise<LinkContext> {
  return { page: undefined, bases: [[]], path: (await view.getReusable(reusable))?.git?.path };
}

/** The file or the page that a text names. A page that is not for everybody is not shown inside another one. */
async function fileAt(
  textOf: (hash: string) => Promise<string>,
  view: RevisionView,
  place: LinkContext,
  href: string,
): Promise<IncludedFile | undefined> {
  const { ref } = await resolveLink(view, place, href);
  if (ref.kind === "file") {
    const file = await view.getFile(ref.file);
    return file && file.size <= LARGEST && file.object !== ""
      ? { path: file.path, text: await textOf(file.object) }
      : undefined;
  }
  if (ref.kind !== "page" || ref.space !== undefined) return undefined;
  const way = await view.getAncestry(ref.page);
  const [page] = way;
  if (page?.body === undefined || way.some(({ condition }) => condition !== undefined)) return undefined;
  return { path: page.git?.path ?? "", text: await textOf(page.body) };
}
