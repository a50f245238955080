// The pages of a revision as a tree.

import type { PageEntry } from "./entries";
import type { WithId } from "./view";

type Page = WithId<PageEntry>;

/** Pages below each page, in their order; under null those at the top. */
export type PageTree = ReadonlyMap<string | null, readonly Page[]>;

/** Puts pages into their tree. */
export function buildPageTree(pages: readonly Page[]): PageTree {
  const tree = new Map<string | null, Page[]>();
  for (const page of pages) {
    const siblings = tree.get(page.parent);
    if (siblings) siblings.push(page);
    else tree.set(page.parent, [page]);
  }
  for (const siblings of tree.values()) siblings.sort((a, b) => (a.order < b.order ? -1 : 1));
  return tree;
}

/** Something made of a page, with what is made of the pages below it. */
export type WithSubpages<Made> = Made & { pages: WithSubpages<Made>[] };

/** What is made of each page below one, and of those below them, step by step. Paths begin at the path of that one. */
export function* mapPageTreeInSteps<Made>(
  tree: PageTree,
  parent: string | null,
  path: string,
  make: (page: Page, path: string) => Made,
): Generator<void, WithSubpages<Made>[]> {
  const branches: WithSubpages<Made>[] = [];
  for (const page of tree.get(parent) ?? []) {
    const at = path === "" ? page.slug : `${path}/${page.slug}`;
    branches.push({ ...make(page, at), pages: yield* mapPageTreeInSteps(tree, page.id, at, make) });
    yield;
  }
  return branches;
}
