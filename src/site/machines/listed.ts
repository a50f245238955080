// Which pages lists for machines have: those of all site-spaces that the visitor sees, in the order of reading. Hidden pages, and
// all below them, are in no list.

import type * as Resources from "../../generated/resources";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { SiteSpace, Visit } from "../visit";

export type TreeNode = Resources.PublishedPageInTree;

/** A page with a text that a list may have. */
export interface Listed {
  readonly siteSpace: SiteSpace;
  readonly page: TreeNode;
  readonly url: string;
  /** How many pages with a text are above it. */
  readonly depth: number;
}

/** Whether search engines are welcome on the site. */
export function isIndexedSite({ profile, found }: Pick<Visit, "profile" | "found">): boolean {
  const isPreview = found.changeRequest !== undefined || found.revision !== undefined;
  return profile.site.visibility === "public" && !isPreview;
}

/** Whether a page may be in indexes. `way` leads to it from the top of the tree. */
export function isIndexedPage(
  page: Pick<TreeNode, "noIndex" | "noRobotsIndex" | "hidden">,
  way: readonly Pick<TreeNode, "hidden">[] = [],
): boolean {
  return !page.noIndex && !page.noRobotsIndex && !page.hidden && !way.some(({ hidden }) => hidden);
}

/** Whether agents are welcome on the site. */
export function isForAgents({ profile }: Pick<Visit, "profile">): boolean {
  return profile.site.agentsContext !== "excluded";
}

/** All pages that are not hidden. */
export async function* listedPages(visit: Visit): AsyncGenerator<Listed> {
  for (const siteSpace of visit.siteSpaces) {
    for (const { page, depth } of inOrder(await visit.allPages(siteSpace.id), 0)) {
      await yieldToEventLoop();
      const url = page.urls.published;
      if (page.kind === "sheet" && url !== undefined) yield { siteSpace, page, url, depth };
    }
  }
}

/** Those of them that may be in indexes. */
export async function* indexedPages(visit: Visit): AsyncGenerator<Listed> {
  for await (const listed of listedPages(visit)) if (isIndexedPage(listed.page)) yield listed;
}

function* inOrder(pages: readonly TreeNode[], depth: number): Generator<{ page: TreeNode; depth: number }> {
  for (const page of pages) {
    if (page.hidden) continue;
    yield { page, depth };
    yield* inOrder(page.pages, page.kind === "sheet" ? depth + 1 : depth);
  }
}

/** The same visitor in another site-space. */
export function visitIn(visit: Visit, siteSpace: SiteSpace): Visit {
  if (siteSpace.id === visit.siteSpace.id) return visit;
  const { found, profile } = visit;
  return {
    ...visit,
    siteSpace,
    found: { ...found, siteSpace: siteSpace.id, space: siteSpace.space.id },
    look: profile.customizations.siteSpaces[siteSpace.id] ?? profile.customizations.site,
    page: (id, format, other = siteSpace.id) => visit.page(id, format, other),
  };
}
