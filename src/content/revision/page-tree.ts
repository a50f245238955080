// The pages of a revision as a tree.

import type { Steps } from "../../utils/concurrency/steps";
import { groupBy } from "../../utils/group-by";
import type { PageEntry } from "./entries";
import type { WithId } from "./view";

type TreePage = WithId<PageEntry>;

/** The pages below each page, in order. The key null has the pages at the top. */
export type PageTree = ReadonlyMap<string | null, readonly TreePage[]>;

export function buildPageTree(pages: readonly TreePage[]): PageTree {
  const tree = groupBy(pages, ({ parent }) => parent);
  for (const siblings of tree.values()) siblings.sort((a, b) => (a.order < b.order ? -1 : 1));
  return tree;
}

export interface PlacedPage {
  readonly page: TreePage;
  readonly path: string;
  readonly depth: number;
}

/** Returns the pages of a tree in reading order: each page, then everything below it. */
export function listPagesInOrder(tree: PageTree): PlacedPage[] {
  const pages: PlacedPage[] = [];
  const addPages = (parent: string | null, parentPath: string, depth: number): void => {
    for (const page of tree.get(parent) ?? []) {
      const path = parentPath === "" ? page.slug : `${parentPath}/${page.slug}`;
      pages.push({ page, path, depth });
      addPages(page.id, path, depth + 1);
    }
  };
  addPages(null, "", 0);
  return pages;
}

export type WithSubpages<Result> = Result & { pages: WithSubpages<Result>[] };

/** Maps every page below `parent`, at any depth, to a result. `path` is the path of the parent. */
export function* mapPageTreeInSteps<Result>(
  tree: PageTree,
  parent: string | null,
  path: string,
  mapPage: (page: TreePage, path: string) => Result,
): Steps<WithSubpages<Result>[]> {
  const results: WithSubpages<Result>[] = [];
  for (const page of tree.get(parent) ?? []) {
    const pagePath = path === "" ? page.slug : `${path}/${page.slug}`;
    results.push({
      ...mapPage(page, pagePath),
      pages: yield* mapPageTreeInSteps(tree, page.id, pagePath, mapPage),
    });
    yield;
  }
  return results;
}
