// Presents pages of a published site for one visitor, with the URLs that link pages lead to.

import type { ContentRef } from "../../../content/document";
import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import type { RevisionRecord } from "../../content/revisions/records";
import { getPageLanguages, getPageShape } from "../../content/revisions/views";
import type { SpaceRecord } from "../../library/tree/records";
import { createPageUrlBuilder, getPageUrls } from "../addresses/site-urls";
import { getTargetUrl, type SiteUrlContext } from "../addresses/targets";
import type { Visitor } from "../audience/audience";
import type { SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import type { Structure } from "../structure/structure";
import type { PageName, PublishedNode } from "./published-schema";
import type { VisiblePage, VisiblePages, VisitorContentContext } from "./visible-pages";

/** A visible site-space and its current content. */
export interface PublishedSiteSpaceContext extends SiteViewerContext {
  readonly visitor: Visitor;
  /** The structure of the whole site, not only its visible part. */
  readonly structure: Structure;
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly revision: RevisionRecord;
}

/** The context in which a visitor reads a published site. */
export interface PublishedSiteContext extends SiteViewerContext, VisitorContentContext {
  readonly visitor: Visitor;
  readonly urls: Urls;
  readonly actor: { readonly user: { readonly id: string } };
}

/** Returns the visible translations of some pages. */
export async function listVisibleTranslations(
  visiblePages: VisiblePages,
  pages: readonly VisiblePage[],
): Promise<VisiblePage[]> {
  const ids = new Set(pages.flatMap(({ translations = {} }) => Object.values(translations)));
  const ancestries = await Promise.all(Array.from(ids, (id) => visiblePages.getAncestry(id)));
  return ancestries.flatMap((ancestry) => ancestry?.[0] ?? []);
}

/** Presents a page, without those below it. */
type PagePresenter = (page: VisiblePage, path: string) => Omit<PublishedNode, "pages">;

/**
 * Creates the presenter of some pages. The targets of link pages are resolved beforehand. `visible` are the pages among which
 * translations are looked up.
 */
export async function createPagePresenter(
  context: PublishedSiteContext & PublishedSiteSpaceContext,
  pages: readonly VisiblePage[],
  visible: readonly VisiblePage[],
): Promise<PagePresenter> {
  const { structure, siteSpace } = context;
  const visibleIds = new Set(visible.map(({ id }) => id));
  const links = pages.filter((page): page is LinkPage => page.target !== undefined);
  const hrefs = await resolveLinkPageUrls(context, links);
  const getUrls = createPageUrlBuilder(context, structure, siteSpace);
  const isVisible = (id: string) => visibleIds.has(id);
  // A tree has hundreds of pages, so each view is one object that is filled: spreading objects would dominate the cost.
  return (page, path) => {
    const { id, type, title, slug, updatedAt, translations } = page;
    const { kind, layout } = getPageShape(page);
    const view: ReturnType<PagePresenter> = {
      object: "page",
      id,
      type,
      title,
      slug,
      path,
      updatedAt,
      kind,
      urls: getUrls(path),
    };
    if (layout) view.layout = layout;
    if (translations) Object.assign(view, getPageLanguages(page, isVisible));
    for (const name of OPTIONAL_FIELDS) if (page[name] !== undefined) Object.assign(view, { [name]: page[name] });
    const href = hrefs.get(id);
    if (href !== undefined) view.href = href;
    return view;
  };
}

/** The fields of a page that are presented only when they are set. */
const OPTIONAL_FIELDS = ["emoji", "icon", "description", "hidden", "noIndex", "noRobotsIndex", "cover"] as const;

/** Presents a page as links to it show it. */
export function presentPageName(
  context: Parameters<typeof getPageUrls>[0] & { readonly structure: Structure },
  siteSpace: SiteSpaceRecord,
  { id, type, title, emoji, icon, description }: VisiblePage,
  path: string,
): PageName {
  return {
    ...{ id, type, title, path },
    ...omitUndefined({ emoji, icon, description }),
    urls: getPageUrls(context, context.structure, siteSpace, path),
  };
}

export type LinkPage = WithId<PageEntry> & { readonly target: ContentRef };

/** Returns the URL of each link page by its id. Links without a target for the visitor are omitted. */
export async function resolveLinkPageUrls(
  context: SiteUrlContext & { readonly space: SpaceRecord },
  links: readonly LinkPage[],
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>();
  for (const { id, target } of links) {
    let url: string | undefined;
    if (target.kind === "url") url = target.url;
    else if (target.kind === "space") url = await getTargetUrl(context, target);
    else if ((target.kind === "page" || target.kind === "anchor") && target.page !== undefined)
      url = await getTargetUrl(context, { ...target, page: target.page, space: target.space ?? context.space.id });
    if (url !== undefined) urls.set(id, url);
  }
  return urls;
}
