// Pages of a published site as answers, for one visitor.

import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import type { RevisionRecord } from "../../content/revisions/records";
import { getPageLanguages, getPageShape } from "../../content/revisions/views";
import type { SpaceRecord } from "../../library/tree/records";
import { type LinkPage, resolveLinkPageUrls } from "../addresses/link-pages";
import { createPageUrlBuilder, getPageUrls } from "../addresses/page-urls";
import type { Visitor } from "../audience/audience";
import type { SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import type { Structure } from "../structure/structure";
import type { PageName, PublishedNode } from "./published-schema";
import type { VisiblePages } from "./visible-pages";
import type { VisitorContentContext } from "./visitor-content";

/** A visible site-space and its current content. */
export interface PublishedSiteSpaceContext extends SiteViewerContext {
  readonly visitor: Visitor;
  /** Of the whole site, not only the visible part. */
  readonly structure: Structure;
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly revision: RevisionRecord;
}

/** What reading a published site needs. */
export interface PublishedSiteContext extends SiteViewerContext, VisitorContentContext {
  readonly visitor: Visitor;
  readonly urls: Urls;
  readonly actor: { readonly user: { readonly id: string } };
}

type Page = WithId<PageEntry>;

/** The visible ones of the pages that say the same as others in other languages. */
export async function listVisibleTranslations(sight: VisiblePages, pages: readonly Page[]): Promise<Page[]> {
  const ids = new Set(pages.flatMap(({ translations = {} }) => Object.values(translations)));
  const ways = await Promise.all(Array.from(ids, (id) => sight.getAncestry(id)));
  return ways.flatMap((way) => way?.[0] ?? []);
}

/** Makes a page into an answer. */
export type PagePresenter = (page: Page, path: string) => Omit<PublishedNode, "pages">;

/** Makes pages into answers. The targets of link pages are resolved together. */
export async function createPagePresenter(
  context: PublishedSiteContext & PublishedSiteSpaceContext,
  pages: readonly Page[],
  seen: readonly Page[],
): Promise<PagePresenter> {
  const { structure, siteSpace } = context;
  const ids = new Set(seen.map(({ id }) => id));
  const links = pages.filter((page): page is LinkPage => page.target !== undefined);
  const hrefs = await resolveLinkPageUrls(context, links);
  const urlOf = createPageUrlBuilder(context, structure, siteSpace);
  const isThere = (other: string) => ids.has(other);
  // A tree has hundreds of pages, so each is one object that is filled: copies would take longer than all else here.
  return (page, path) => {
    const { id, type, title, slug, updatedAt, translations } = page;
    const { kind, layout } = getPageShape(page);
    const shown: ReturnType<PagePresenter> = {
      object: "page",
      id,
      type,
      title,
      slug,
      path,
      updatedAt,
      kind,
      urls: urlOf(path),
    };
    if (layout) shown.layout = layout;
    if (translations) Object.assign(shown, getPageLanguages(page, isThere));
    for (const name of STATED) if (page[name] !== undefined) Object.assign(shown, { [name]: page[name] });
    const href = hrefs.get(id);
    if (href !== undefined) shown.href = href;
    return shown;
  };
}

/** What people may have said of a page. */
const STATED = ["emoji", "icon", "description", "hidden", "noIndex", "noRobotsIndex", "cover"] as const;

/** What a reader is told of a page before they open it. */
export function presentPageName(
  context: Parameters<typeof getPageUrls>[0] & { readonly structure: Structure },
  siteSpace: SiteSpaceRecord,
  { id, type, title, emoji, icon, description }: Page,
  path: string,
): PageName {
  return {
    ...{ id, type, title, path },
    ...omitUndefined({ emoji, icon, description }),
    urls: getPageUrls(context, context.structure, siteSpace, path),
  };
}
