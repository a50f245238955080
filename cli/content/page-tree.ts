// The pages of a space, which form a tree.

import type { Resources } from "octavo";

/** Returns all pages of a tree, parents before their children. */
export function flattenPageTree(pages: readonly Resources.PageInTree[]): Resources.PageInTree[] {
  return pages.flatMap((page) => [page, ...flattenPageTree(page.pages)]);
}
