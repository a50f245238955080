// Finds the pages before and after a page when a space is read from its first page to its last. Only visible pages with text
// count, and pages that are hidden from navigation don't. The cost depends on the pages nearby, not on the size of the space.

import { keys, type PageEntry } from "../../../content/revision/entries";
import type { PageAncestry, VisiblePage, VisiblePages } from "./visible-pages";

/** Returns the ancestries of the pages before and after a page. A page that is hidden, or below a hidden one, has neither. */
export async function getAdjacentPages(
  visiblePages: VisiblePages,
  ancestry: PageAncestry,
): Promise<{ readonly previous?: PageAncestry | undefined; readonly next?: PageAncestry | undefined }> {
  if (ancestry.some(({ hidden }) => hidden)) return {};
  const previous = await findPrevious(visiblePages, ancestry);
  return { previous, next: (await findFirstBelow(visiblePages, ancestry)) ?? (await findNext(visiblePages, ancestry)) };
}

/** Returns the key under which a page is listed among its siblings. */
export function getSiblingKey({ parent, order }: PageEntry): string {
  return keys.child(parent, order);
}

function hasText({ type, body }: VisiblePage): boolean {
  return type !== "link" && body !== undefined;
}

/** Finds the first page below a page. */
async function findFirstBelow(visiblePages: VisiblePages, ancestry: PageAncestry): Promise<PageAncestry | undefined> {
  return findFirst(visiblePages, visiblePages.listChildren(ancestry[0]!.id), ancestry);
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
    const found = hasText(page) ? ancestry : await findFirstBelow(visiblePages, ancestry);
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
  const following = visiblePages.listChildren(page.parent, { after: getSiblingKey(page) });
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
  const preceding = visiblePages.listChildren(page.parent, { before: getSiblingKey(page), reverse: true });
  const found = await findLast(visiblePages, preceding, parents);
  if (found || parents.length === 0) return found;
  return hasText(parents[0]!) ? parents : findPrevious(visiblePages, parents);
}
