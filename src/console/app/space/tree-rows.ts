// The page tree as rows, and the destinations of moves.

import type { PageInTree } from "./content-place";

/** A visible page of the tree. */
export interface TreeRow {
  readonly page: PageInTree;
  /** The id of the parent page or group, or null at the top level. */
  readonly parent: string | null;
  readonly depth: number;
  /** The index among the siblings. */
  readonly at: number;
  /** The number of siblings, including the page itself. */
  readonly count: number;
}

/** Lists the visible rows in order. The subpages of a closed page are not visible. */
export function listTreeRows(
  pages: readonly PageInTree[],
  isOpen: (id: string) => boolean,
  parent: string | null = null,
  depth = 0,
): TreeRow[] {
  return pages.flatMap((page, at) => [
    { page, parent, depth, at, count: pages.length },
    ...(isOpen(page.id) ? listTreeRows(page.pages, isOpen, page.id, depth + 1) : []),
  ]);
}

/** Finds the page at a path. */
export function findByPath(pages: readonly PageInTree[], path: string): PageInTree | undefined {
  for (const page of pages) {
    if (page.path === path) return page;
    const below = path.startsWith(`${page.path}/`) ? findByPath(page.pages, path) : undefined;
    if (below) return below;
  }
  return undefined;
}

export function findById(pages: readonly PageInTree[], id: string): PageInTree | undefined {
  for (const page of pages) {
    const found = page.id === id ? page : findById(page.pages, id);
    if (found) return found;
  }
  return undefined;
}

/** Finds the first page with a text. */
export function findFirstPage(pages: readonly PageInTree[]): PageInTree | undefined {
  for (const page of pages) {
    if (page.kind === "sheet") return page;
    const below = findFirstPage(page.pages);
    if (below) return below;
  }
  return undefined;
}

/** The destination of a move. */
export interface PageDestination {
  readonly into: string | null;
  readonly at: number;
}

export type MoveStep = "up" | "down" | "in" | "out";

/** Returns the destination of a step, or undefined if it is not possible. */
export function findDestination(
  pages: readonly PageInTree[],
  row: TreeRow,
  step: MoveStep,
): PageDestination | undefined {
  const siblings = row.parent === null ? pages : (findById(pages, row.parent)?.pages ?? []);
  if (step === "up") return row.at > 0 ? { into: row.parent, at: row.at - 1 } : undefined;
  if (step === "down") return row.at < row.count - 1 ? { into: row.parent, at: row.at + 1 } : undefined;
  if (step === "in") {
    const above = siblings[row.at - 1];
    // Groups exist only at the top level.
    return above && above.kind !== "link" && row.page.kind !== "group"
      ? { into: above.id, at: above.pages.length }
      : undefined;
  }
  if (row.parent === null) return undefined;
  const above = findPosition(pages, row.parent);
  return above && { into: above.parent, at: above.at + 1 };
}

function findPosition(
  pages: readonly PageInTree[],
  id: string,
  parent: string | null = null,
): { readonly parent: string | null; readonly at: number } | undefined {
  const at = pages.findIndex((page) => page.id === id);
  if (at >= 0) return { parent, at };
  for (const page of pages) {
    const found = findPosition(page.pages, id, page.id);
    if (found) return found;
  }
  return undefined;
}

/** Returns true if a page is, or contains, the page with the id. */
export function isWithin(page: PageInTree, id: string): boolean {
  return page.id === id || page.pages.some((it) => isWithin(it, id));
}
