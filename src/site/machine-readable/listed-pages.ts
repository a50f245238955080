// The pages that the sitemap, llms.txt, and the tools of agents list: those of all site-spaces that the visitor sees, in reading
// order. Hidden pages and the pages below them are never listed.

import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { PublishedTreePage } from "../layout/layout";
import type { RequestContext, SiteSpace } from "../request/request-context";

export interface PageListing {
  readonly siteSpace: SiteSpace;
  readonly page: PublishedTreePage;
  readonly url: string;
  /** The number of content pages above it. */
  readonly depth: number;
}

/** Returns true if search engines may index the site. */
export function isIndexedSite({ profile, resolved }: Pick<RequestContext, "profile" | "resolved">): boolean {
  const isPreview = resolved.changeRequest !== undefined || resolved.revision !== undefined;
  return profile.site.visibility === "public" && !isPreview;
}

/** Returns true if search engines may index the page. `trail` leads from the top of the tree to it. */
export function isIndexedPage(
  page: Pick<PublishedTreePage, "noIndex" | "noRobotsIndex" | "hidden">,
  trail: readonly Pick<PublishedTreePage, "hidden">[] = [],
): boolean {
  return !page.noIndex && !page.noRobotsIndex && !page.hidden && !trail.some(({ hidden }) => hidden);
}

/** Returns true if the site has texts and tools for agents. */
export function isOpenToAgents({ profile }: Pick<RequestContext, "profile">): boolean {
  return profile.site.agentsContext !== "excluded";
}

/** Yields all content pages that are not hidden. */
export async function* walkListedPages(context: RequestContext): AsyncGenerator<PageListing> {
  for (const siteSpace of context.siteSpaces) {
    for (const { page, depth } of walkVisiblePages(await context.listAllPages(siteSpace.id), 0)) {
      await yieldToEventLoop();
      const url = page.urls.published;
      if (page.kind === "sheet" && url !== undefined) yield { siteSpace, page, url, depth };
    }
  }
}

function* walkVisiblePages(
  pages: readonly PublishedTreePage[],
  depth: number,
): Generator<Pick<PageListing, "page" | "depth">> {
  for (const page of pages) {
    if (page.hidden) continue;
    yield { page, depth };
    yield* walkVisiblePages(page.pages, page.kind === "sheet" ? depth + 1 : depth);
  }
}

/** Returns the context of the same visitor in another site-space. */
export function switchSiteSpace(context: RequestContext, siteSpace: SiteSpace): RequestContext {
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
