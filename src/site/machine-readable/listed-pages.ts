// Which pages lists for machines have: those of all site-spaces that the visitor sees, in the order of reading. Hidden pages, and
// all below them, are in no list.

import type * as Resources from "../../generated/resources";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { RequestContext, SiteSpace } from "../request/request-context";

export type TreeNode = Resources.PublishedPageInTree;

/** A page with a text that a list may have. */
export interface ListedPage {
  readonly siteSpace: SiteSpace;
  readonly page: TreeNode;
  readonly url: string;
  /** How many pages with a text are above it. */
  readonly depth: number;
}

/** Whether search engines are welcome on the site. */
export function isIndexedSite({ profile, resolved }: Pick<RequestContext, "profile" | "resolved">): boolean {
  const isPreview = resolved.changeRequest !== undefined || resolved.revision !== undefined;
  return profile.site.visibility === "public" && !isPreview;
}

/** Whether a page may be in indexes. `way` leads to it from the top of the tree. */
export function isIndexedPage(
  page: Pick<TreeNode, "noIndex" | "noRobotsIndex" | "hidden">,
  trail: readonly Pick<TreeNode, "hidden">[] = [],
): boolean {
  return !page.noIndex && !page.noRobotsIndex && !page.hidden && !trail.some(({ hidden }) => hidden);
}

/** Whether agents are welcome on the site. */
export function areAgentsAllowed({ profile }: Pick<RequestContext, "profile">): boolean {
  return profile.site.agentsContext !== "excluded";
}

/** All pages that are not hidden. */
export async function* listPublishedPages(context: RequestContext): AsyncGenerator<ListedPage> {
  for (const siteSpace of context.siteSpaces) {
    for (const { page, depth } of walkVisiblePages(await context.listAllPages(siteSpace.id), 0)) {
      await yieldToEventLoop();
      const url = page.urls.published;
      if (page.kind === "sheet" && url !== undefined) yield { siteSpace, page, url, depth };
    }
  }
}

/** Those of them that may be in indexes. */
export async function* listIndexedPages(context: RequestContext): AsyncGenerator<ListedPage> {
  for await (const listed of listPublishedPages(context)) if (isIndexedPage(listed.page)) yield listed;
}

function* walkVisiblePages(pages: readonly TreeNode[], depth: number): Generator<{ page: TreeNode; depth: number }> {
  for (const page of pages) {
    if (page.hidden) continue;
    yield { page, depth };
    yield* walkVisiblePages(page.pages, page.kind === "sheet" ? depth + 1 : depth);
  }
}

/** The same visitor in another site-space. */
export function withSiteSpace(context: RequestContext, siteSpace: SiteSpace): RequestContext {
  if (siteSpace.id === context.siteSpace.id) return context;
  const { resolved, profile } = context;
  return {
    ...context,
    siteSpace,
    resolved: { ...resolved, siteSpace: siteSpace.id, space: siteSpace.space.id },
    customization: profile.customizations.siteSpaces[siteSpace.id] ?? profile.customizations.site,
    getPage: (id, format, other = siteSpace.id) => context.getPage(id, format, other),
  };
}
