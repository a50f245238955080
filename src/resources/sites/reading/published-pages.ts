// The pages of a published site as one visitor sees them. A page that a condition hides is not in the tree, has no URL,
// and appears in no text.

import * as v from "valibot";
import type { PageEntry } from "../../../content/revision/entries";
import { branchesOf, pageTree } from "../../../content/revision/page-tree";
import { type Identified, pathFrom, type View } from "../../../content/revision/view";
import { failure } from "../../../errors";
import { operation, type Target } from "../../../operation/operation";
import { defined } from "../../../shapes";
import { inTurns } from "../../../turns/pause";
import type { Urls } from "../../../urls";
import { fencesFor, type LookingForFences } from "../../content/revisions/fenced-blocks";
import { type RevisionRecord, revisions } from "../../content/revisions/records";
import { format } from "../../content/revisions/schema";
import { documentOf, type MaybeParsed } from "../../content/revisions/texts";
import { languageOf, shapeOf } from "../../content/revisions/views";
import type { SpaceRecord } from "../../library/tree/records";
import { hrefsOf, type LinkPage } from "../addresses/link-pages";
import { pageUrl } from "../addresses/page-urls";
import type { Visitor } from "../audience/audience";
import { spaceSeenOn } from "../audience/visible-alone";
import { type SiteSpaceRecord, siteItems } from "../records";
import { type AtSite, publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure, type Structure } from "../structure/structure";
import { type PublishedNode, PublishedPage, PublishedPageInTree } from "./published-schema";
import { type Sight, sightOf } from "./sight";
import { type ReadingContent, visitorContent } from "./visitor-content";
import { evaluatedFor, withoutFrontMatter } from "./visitor-texts";

/** A visible site-space and its current content. */
export interface AtSiteSpace extends AtSite {
  readonly visitor: Visitor;
  /** Of the whole site, not only the visible part. */
  readonly structure: Structure;
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
  readonly revision: RevisionRecord;
}

/** What reading a published site needs. */
export interface ReadingSite extends AtSite, ReadingContent {
  readonly visitor: Visitor;
  readonly urls: Urls;
  readonly actor: { readonly user: { readonly id: string } };
}

const siteSpace: Target<AtSiteSpace, "view"> = {
  ...publishedSite,
  async load(scope) {
    const at = await publishedSite.load(scope);
    if (!at) throw failure("site_not_found");
    const { tx, actor, params } = scope;
    const item = await siteItems.get(tx, at.site.id, params.siteSpaceId!);
    if (item?.type !== "site-space") return undefined;
    const structure = await readStructure(tx, at.site);
    const space = await spaceSeenOn({ ...at, tx, actor }, structure, item);
    if (!space) return undefined;
    const revision = await revisions.get(tx, space.id, space.revision);
    return revision && { ...at, structure, siteSpace: item, space, revision };
  },
  absent: "site_space_not_found",
  rights: { view: () => true },
};

export const listPublishedPages = operation("GET /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/pages", {
  summary: "Get the tree of pages of a site-space, as a visitor sees it",
  on: siteSpace,
  right: "view",
  forVisitors: true,
  query: visitorQuery,
  returns: v.object({ pages: v.array(PublishedPageInTree) }),
  kept: "unless-elsewhere",
  async handle(context) {
    const { view } = visitorContent(context, context.revision);
    const sight = await sightOf(view, context.visitor.claims);
    const pages = await sight.pages();
    return { pages: await inTurns(branchesOf(pageTree(pages), null, "", await shower(context, pages, pages))) };
  },
});

export const getPublishedPage = operation(
  "GET /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/page/:pageId",
  {
    summary: "Get a page of a site-space with its text, as a visitor sees it",
    on: siteSpace,
    right: "view",
    forVisitors: true,
    query: { ...visitorQuery, ...format },
    returns: PublishedPage,
    kept: "unless-elsewhere",
    async handle(context) {
      const { visitor, params } = context;
      const { view, objects } = visitorContent(context, context.revision);
      const sight = await sightOf(view, visitor.claims);
      const way = await sight.wayTo(params.pageId);
      if (!way) throw failure("page_not_found");
      const [page, path] = [way[0]!, pathFrom(way)];
      const shown = await evaluatedFor(objects, view, page, visitor.claims);
      const below = await seenBelow(view, sight, page.id);
      const show = await shower(context, [page, ...below], await translationsSeen(sight, [page, ...below]));
      return {
        ...show(page, path),
        ...(shown === undefined ? {} : await inForm(context, view, sight, page, shown)),
        pages: await inTurns(branchesOf(pageTree(below), page.id, path, show)),
      };
    },
  },
);

async function inForm(
  context: LookingForFences & {
    readonly revision: { readonly space: string };
    readonly query: { readonly format?: "document" | "markdown" | undefined };
  },
  view: View,
  sight: Sight,
  page: Identified<PageEntry>,
  shown: MaybeParsed,
) {
  if (context.query.format !== "document") return { markdown: withoutFrontMatter(shown.text) };
  const source = { id: page.id, body: page.body!, page };
  const fences = await fencesFor(context, context.revision.space, shown.text);
  return { document: await documentOf(view, source, shown, { sees: sight.sees, fences }) };
}

/** The visible pages below one. */
async function seenBelow(view: View, sight: Sight, page: string): Promise<Identified<PageEntry>[]> {
  const found: Identified<PageEntry>[] = [];
  for (const { id } of await view.childIds(page)) {
    const way = await sight.wayTo(id);
    if (way) found.push(way[0]!, ...(await seenBelow(view, sight, id)));
  }
  return found;
}

/** The visible ones of the pages that say the same as others in other languages. */
async function translationsSeen(
  sight: Sight,
  pages: readonly Identified<PageEntry>[],
): Promise<Identified<PageEntry>[]> {
  const ids = new Set(pages.flatMap(({ translations = {} }) => Object.values(translations)));
  const ways = await Promise.all(Array.from(ids, (id) => sight.wayTo(id)));
  return ways.flatMap((way) => way?.[0] ?? []);
}

type Show = (page: Identified<PageEntry>, path: string) => Omit<PublishedNode, "pages">;

/** Makes pages into answers. The targets of link pages are resolved together. */
async function shower(
  context: ReadingSite & AtSiteSpace,
  pages: readonly Identified<PageEntry>[],
  seen: readonly Identified<PageEntry>[],
): Promise<Show> {
  const { structure, siteSpace } = context;
  const ids = new Set(seen.map(({ id }) => id));
  const links = pages.filter((page): page is LinkPage => page.target !== undefined);
  const hrefs = await hrefsOf(context, links);
  return (page, path) => {
    const { id, type, title, slug, emoji, icon, description, updatedAt, hidden, noIndex, noRobotsIndex } = page;
    const { cover } = page;
    const href = hrefs.get(id);
    return {
      object: "page",
      ...{ id, type, title, slug, path, updatedAt },
      ...shapeOf(page),
      ...languageOf(page, (other) => ids.has(other)),
      ...defined({ emoji, icon, description, hidden, noIndex, noRobotsIndex, cover, href }),
      urls: pageUrl(context, structure, siteSpace, path),
    };
  };
}
