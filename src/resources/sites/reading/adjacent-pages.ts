// Finds the pages before and after a page when a space is read from its first page to its last. Only visible pages with text
// count, and pages that are hidden from navigation don't. The cost depends on the pages nearby, not on the size of the space.

import { keys } from "../../../content/revision/entries";
import type { PageAncestry, VisiblePage, VisiblePages } from "./visible-pages";

/** Returns the ancestries of the pages before and after a page. A page that is hidden, or below a hidden one, has neither. */
export async function getAdjacentPages(
  visiblePages: VisiblePages,
  ancestry: PageAncestry,
): Promise<{ readonly previous?: PageAncestry | undefined; readonly next?: PageAncestry | undefined }> {
  if (ancestry.some(({ hidden }) => hidden)) return {};
  const previous = await findPrevious(visiblePages, ancestry);
  return {
    previous,
    next:
      (await findFirst(visiblePages, visiblePages.listChildren(ancestry[0]!.id), ancestry)) ??
      (await findNext(visiblePages, ancestry)),
  };
}

function hasText({ type, body }: VisiblePage): boolean {
  return type !== "link" && body !== undefined;
}

/** Finds the first page among siblings and the pages below them. `parents` is the ancestry of their parent. */
async function findFirst(
  visiblePages: VisiblePages,
  siblings: AsyncIterable<VisiblePage>,
  parents: PageAncestry,
): Promise<PageAncestry | undefined> {
  for await (const page of siblings) {
    if (page.hidden) continue;
    const ancestry = [page, ...parents];
    const found = hasText(page)
      ? ancestry
      : await findFirst(visiblePages, visiblePages.listChildren(page.id), ancestry);
    if (found) return found;
  }
  return undefined;
}

/** Finds the first page after a page and everything below it. */
async function findNext(
  visiblePages: VisiblePages,
  [page, ...parents]: PageAncestry,
): Promise<PageAncestry | undefined> {
  if (!page) return undefined;
  const following = visiblePages.listChildren(page.parent, { after: keys.child(page.parent, page.order) });
  return (await findFirst(visiblePages, following, parents)) ?? findNext(visiblePages, parents);
}

/** Finds the last page among siblings, listed from the last to the first, and the pages below them. */
async function findLast(
  visiblePages: VisiblePages,
  siblings: AsyncIterable<VisiblePage>,
  parents: PageAncestry,
): Promise<PageAncestry | undefined> {
  for await (const page of siblings) {
    if (page.hidden) continue;
    const ancestry = [page, ...parents];
    const children = visiblePages.listChildren(page.id, { reverse: true });
    const found = (await findLast(visiblePages, children, ancestry)) ?? (hasText(page) ? ancestry : undefined);
    if (found) return found;
  }
  return undefined;
}

async function findPrevious(
  visiblePages: VisiblePages,
  [page, ...parents]: PageAncestry,
): Promise<PageAncestry | undefined> {
  if (!page) return undefined;
  const preceding = visiblePages.listChildren(page.parent, {
    before: keys.child(page.parent, page.order),
    reverse: true,
  });
  const found = await findLast(visiblePages, preceding, parents);
  if (found || parents.length === 0) return found;
  return hasText(parents[0]!) ? parents : findPrevious(visiblePages, parents);
}
