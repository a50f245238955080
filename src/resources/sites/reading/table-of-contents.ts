// Reads the part of the page tree that a table of contents shows next to a page: the siblings of the page and of every page
// above it, its children, and the first pages of the groups among them. The cost depends on what is shown, not on the size
// of the space.

import { keys } from "../../../content/revision/entries";
import type { ChildRange, PageAncestry, VisiblePage, VisiblePages } from "./visible-pages";

/** A page in the table of contents. */
export interface TableOfContentsEntry {
  readonly page: VisiblePage;
  readonly path: string;
  readonly pages: readonly TableOfContentsEntry[];
  /** Tells that pages below this one are left out. */
  readonly more: boolean;
}

/** Maximum number of siblings before, and after, a page of the ancestry. The current page may have twice as many children. */
const MAX_SIBLINGS_PER_SIDE = 100;
/** Maximum number of pages of a group outside the ancestry. */
const MAX_PAGES_PER_GROUP = 50;
/** All such groups stay closed if there are more siblings than this... */
const MAX_SIBLINGS_WITH_OPEN_GROUPS = 150;
/** ...or more pages than this together with those of the groups. */
const MAX_PAGES_WITH_OPEN_GROUPS = 500;

/**
 * Reads the table of contents for the first page of `ancestry`. `checksClosedPages` tells whether to find out if there are
 * pages below a page that stays closed, which takes many distant reads.
 */
export async function readTableOfContents(
  visiblePages: VisiblePages,
  ancestry: PageAncestry,
  checksClosedPages = true,
): Promise<Pick<TableOfContentsEntry, "pages" | "more">> {
  const fromTop = ancestry.toReversed();
  const levels: TreeLevel[] = [];
  for (const [depth, page] of [...fromTop, undefined].entries()) {
    const parent = fromTop[depth - 1]?.id ?? null;
    if (!page) {
      levels.push(await readLevel(visiblePages, parent, 2 * MAX_SIBLINGS_PER_SIDE));
      continue;
    }
    const key = keys.child(page.parent, page.order);
    const before = await readLevel(visiblePages, parent, MAX_SIBLINGS_PER_SIDE, { before: key, reverse: true });
    const after = await readLevel(visiblePages, parent, MAX_SIBLINGS_PER_SIDE, { after: key });
    const pages = [...before.pages.toReversed(), page, ...after.pages];
    levels.push({ pages, more: before.more || after.more });
  }

  // The children of the groups outside the ancestry are read, too, unless that would be too many pages.
  const openGroups = new Map<string, TreeLevel>();
  const siblings = levels.flatMap(({ pages }) => pages);
  let remaining = MAX_PAGES_WITH_OPEN_GROUPS - siblings.length;
  for (const page of siblings.length > MAX_SIBLINGS_WITH_OPEN_GROUPS ? [] : siblings) {
    if (!isGroupPage(page) || ancestry.includes(page)) continue;
    const level = await readLevel(visiblePages, page.id, MAX_PAGES_PER_GROUP);
    remaining -= level.pages.length;
    if (remaining < 0) {
      openGroups.clear();
      break;
    }
    openGroups.set(page.id, level);
  }
  const openLevels = new Map([...openGroups, ...fromTop.map(({ id }, depth) => [id, levels[depth + 1]!] as const)]);
  const closed = [...levels, ...openGroups.values()]
    .flatMap(({ pages }) => pages)
    .filter(({ id }) => !openLevels.has(id));

  // A closed group is assumed to have pages. Other closed pages are looked up together.
  const withPages = new Set(closed.filter(isGroupPage).map(({ id }) => id));
  const others = checksClosedPages ? closed.filter((page) => !isGroupPage(page)) : [];
  const firstChildren = await visiblePages.getFirstChildren(others.map(({ id }) => id));
  for (const [i, page] of others.entries()) {
    const child = firstChildren[i];
    if (child && (!child.hidden || (await hasListedPages(visiblePages, page)))) withPages.add(page.id);
  }

  function createEntries({ pages }: TreeLevel, parentPath: string): TableOfContentsEntry[] {
    return pages.map((page) => {
      const path = parentPath === "" ? page.slug : `${parentPath}/${page.slug}`;
      const level = openLevels.get(page.id);
      if (!level) return { page, path, pages: [], more: withPages.has(page.id) };
      return { page, path, pages: createEntries(level, path), more: level.more };
    });
  }

  const [top] = levels as [TreeLevel];
  return { pages: createEntries(top, ""), more: top.more };
}

/** Returns all pages of a table of contents. */
export function listContentsPages(entries: readonly TableOfContentsEntry[]): VisiblePage[] {
  return entries.flatMap(({ page, pages }) => [page, ...listContentsPages(pages)]);
}

/** Returns whether a page has children that are not hidden from navigation. */
export async function hasListedPages(visiblePages: VisiblePages, { id }: VisiblePage): Promise<boolean> {
  for await (const page of visiblePages.listChildren(id)) if (!page.hidden) return true;
  return false;
}

/** Some siblings, and whether there are more of them. */
interface TreeLevel {
  readonly pages: readonly VisiblePage[];
  readonly more: boolean;
}

/** Reads up to `max` children of a page, without those that are hidden from navigation. */
async function readLevel(
  visiblePages: VisiblePages,
  parent: string | null,
  max: number,
  range?: ChildRange,
): Promise<TreeLevel> {
  const pages: VisiblePage[] = [];
  for await (const batch of visiblePages.listChildBatches(parent, { ...range, firstBatchSize: max + 1 })) {
    for (const page of batch) if (!page.hidden) pages.push(page);
    if (pages.length > max) return { pages: pages.slice(0, max), more: true };
  }
  return { pages, more: false };
}

function isGroupPage({ type, body }: VisiblePage): boolean {
  return type !== "link" && body === undefined;
}
