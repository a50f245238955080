// Builds a tree of chapters from pages that name their parents.

import type { PageChapter } from "../content/book/book";
import { MAX_PAGE_DEPTH } from "../content/revision/view";

export interface PageWithParent {
  readonly id: string;
  /** The id of another page. If there is none with this id, the page is at the top. */
  readonly parentId: string | undefined;
  readonly chapter: Omit<PageChapter, "chapters">;
}

/** Builds a tree of pages, each level in the given order. Cycles are broken, and pages that are too deep move up. */
export function buildChapterTree(pages: readonly PageWithParent[]): PageChapter[] {
  const pagesById = new Map(pages.map((page) => [page.id, page]));
  const places = new Map<string, { readonly parentId: string | undefined; readonly depth: number }>();
  const children = new Map<string | undefined, PageWithParent[]>();
  for (const page of pagesById.values()) {
    // Places the page, after all pages above it that have no place yet.
    const unplacedIds = new Set<string>();
    let current: PageWithParent | undefined = page;
    while (current && !places.has(current.id) && !unplacedIds.has(current.id)) {
      unplacedIds.add(current.id);
      current = current.parentId === undefined ? undefined : pagesById.get(current.parentId);
    }
    let placedId = current && places.has(current.id) ? current.id : undefined;
    for (const id of [...unplacedIds].reverse()) {
      const parentPlace = placedId === undefined ? undefined : places.get(placedId)!;
      const isTooDeep = parentPlace !== undefined && parentPlace.depth >= MAX_PAGE_DEPTH;
      places.set(id, isTooDeep ? parentPlace : { parentId: placedId, depth: (parentPlace?.depth ?? 0) + 1 });
      placedId = id;
    }
    const { parentId } = places.get(page.id)!;
    const siblings = children.get(parentId);
    if (siblings) siblings.push(page);
    else children.set(parentId, [page]);
  }
  const buildChildren = (parentId: string | undefined): PageChapter[] =>
    (children.get(parentId) ?? []).map(({ id, chapter }) => ({ ...chapter, chapters: buildChildren(id) }));
  return buildChildren(undefined);
}
