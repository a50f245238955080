// The tree of pages as rows, and where a page comes when it is moved by a step.

import type { PageInTree } from "./place";

/** A page as it stands in the tree. */
export interface Row {
  readonly page: PageInTree;
  /** The page or group above; null: the top. */
  readonly parent: string | null;
  readonly depth: number;
  /** The position among its siblings, from 0. */
  readonly at: number;
  /** How many siblings there are, with itself. */
  readonly count: number;
}

/** The rows that are seen, in order. What is below a closed page is not. */
export function rowsOf(
  pages: readonly PageInTree[],
  isOpen: (id: string) => boolean,
  parent: string | null = null,
  depth = 0,
): Row[] {
  return pages.flatMap((page, at) => [
    { page, parent, depth, at, count: pages.length },
    ...(isOpen(page.id) ? rowsOf(page.pages, isOpen, page.id, depth + 1) : []),
  ]);
}

/** The page at a path, and the ids of those above it. */
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

/** The first page that has a text. */
export function firstPage(pages: readonly PageInTree[]): PageInTree | undefined {
  for (const page of pages) {
    if (page.kind === "sheet") return page;
    const below = firstPage(page.pages);
    if (below) return below;
  }
  return undefined;
}

/** Where a page goes. */
export interface Destination {
  readonly into: string | null;
  readonly at: number;
}

export type Step = "up" | "down" | "in" | "out";

/** Where a step leads from a row; undefined: nowhere. */
export function destination(pages: readonly PageInTree[], row: Row, step: Step): Destination | undefined {
  const siblings = row.parent === null ? pages : (findById(pages, row.parent)?.pages ?? []);
  if (step === "up") return row.at > 0 ? { into: row.parent, at: row.at - 1 } : undefined;
  if (step === "down") return row.at < row.count - 1 ? { into: row.parent, at: row.at + 1 } : undefined;
  if (step === "in") {
    const above = siblings[row.at - 1];
    // Groups stand only at the top.
    return above && above.kind !== "link" && row.page.kind !== "group"
      ? { into: above.id, at: above.pages.length }
      : undefined;
  }
  if (row.parent === null) return undefined;
  const above = placeOf(pages, row.parent);
  return above && { into: above.parent, at: above.at + 1 };
}

function placeOf(
  pages: readonly PageInTree[],
  id: string,
  parent: string | null = null,
): { readonly parent: string | null; readonly at: number } | undefined {
  const at = pages.findIndex((page) => page.id === id);
  if (at >= 0) return { parent, at };
  for (const page of pages) {
    const found = placeOf(page.pages, id, page.id);
    if (found) return found;
  }
  return undefined;
}

/** Whether a page is another one, or stands below it. */
export function isWithin(page: PageInTree, id: string): boolean {
  return page.id === id || page.pages.some((it) => isWithin(it, id));
}
