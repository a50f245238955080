// Builds a tree of chapters from pages that name their parents.

import type { PageChapter } from "../content/book/book";
import { MAX_PAGE_DEPTH } from "../content/revision/view";

/** A page that names its parent. */
export interface PageWithParent {
  readonly id: string;
  /** The id of another page. If there is none with this id, the page is at the top. */
  readonly parentId: string | undefined;
  readonly chapter: Omit<PageChapter, "chapters">;
}

interface ChapterPlace {
  readonly parentId: string | undefined;
  readonly depth: number;
}

/** Builds a tree of pages, each level in the given order. Cycles are broken, and pages that are too deep move up. */
export function buildChapterTree(pages: readonly PageWithParent[]): PageChapter[] {
  const pagesById = new Map(pages.map((page) => [page.id, page]));
  const places = new Map<string, ChapterPlace>();
  const children = new Map<string | undefined, PageWithParent[]>();
  for (const page of pagesById.values()) {
    const { parentId } = placePage(page, pagesById, places);
    const siblings = children.get(parentId);
    if (siblings) siblings.push(page);
    else children.set(parentId, [page]);
  }
  const buildChildren = (parentId: string | undefined): PageChapter[] =>
    (children.get(parentId) ?? []).map(({ id, chapter }) => ({ ...chapter, chapters: buildChildren(id) }));
  return buildChildren(undefined);
}

/** Finds the place of a page, and of all pages above it. */
function placePage(
  page: PageWithParent,
  pagesById: ReadonlyMap<string, PageWithParent>,
  places: Map<string, ChapterPlace>,
): ChapterPlace {
  const unplacedIds = new Set<string>();
  let current: PageWithParent | undefined = page;
  while (current && !places.has(current.id) && !unplacedIds.has(current.id)) {
    unplacedIds.add(current.id);
    current = current.parentId === undefined ? undefined : pagesById.get(current.parentId);
  }
  let parentId = current && places.has(current.id) ? current.id : undefined;
  for (const id of [...unplacedIds].reverse()) {
    const parentPlace = parentId === undefined ? undefined : places.get(parentId)!;
    const isTooDeep = parentPlace !== undefined && parentPlace.depth >= MAX_PAGE_DEPTH;
    places.set(id, isTooDeep ? parentPlace : { parentId, depth: (parentPlace?.depth ?? 0) + 1 });
    parentId = id;
  }
  return places.get(page.id)!;
}
