// Pages that name their parents, put below them.

import type { PageChapter } from "../content/book/book";
import { MAX_PAGE_DEPTH } from "../content/revision/view";

/** A page that knows where it belongs. */
export interface TreePage {
  readonly id: string;
  /** The id of another page; undefined, or that of none, for one at the top. */
  readonly parent: string | undefined;
  readonly chapter: Omit<PageChapter, "chapters">;
}

interface TreePlace {
  readonly parent: string | undefined;
  readonly depth: number;
}

/** The pages as a tree, each level in the given order. Cycles are broken, and nothing is too deep. */
export function pageTree(pages: readonly TreePage[]): PageChapter[] {
  const known = new Map(pages.map((page) => [page.id, page]));
  const places = new Map<string, TreePlace>();
  const below = new Map<string | undefined, TreePage[]>();
  for (const page of known.values()) {
    settle(page, known, places);
    const { parent } = places.get(page.id)!;
    const siblings = below.get(parent);
    if (siblings) siblings.push(page);
    else below.set(parent, [page]);
  }
  const build = (parent: string | undefined): PageChapter[] =>
    (below.get(parent) ?? []).map(({ id, chapter }) => ({ ...chapter, chapters: build(id) }));
  return build(undefined);
}

/** Finds the place of a page and of all above it. */
function settle(page: TreePage, known: ReadonlyMap<string, TreePage>, places: Map<string, TreePlace>): void {
  const way = new Set<string>();
  let at: TreePage | undefined = page;
  while (at && !places.has(at.id) && !way.has(at.id)) {
    way.add(at.id);
    at = at.parent === undefined ? undefined : known.get(at.parent);
  }
  let above = at && places.has(at.id) ? at.id : undefined;
  for (const id of [...way].reverse()) {
    const around = above === undefined ? undefined : places.get(above)!;
    const isTooDeep = around !== undefined && around.depth >= MAX_PAGE_DEPTH;
    places.set(id, isTooDeep ? around : { parent: above, depth: (around?.depth ?? 0) + 1 });
    above = id;
  }
}
