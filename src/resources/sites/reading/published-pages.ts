// The pages of a published site as one visitor sees them. A page that a condition hides is not in the tree, has no URL,
// and appears in no text.

import * as v from "valibot";
import type { PageEntry } from "../../../content/revision/entries";
import { branchesOf, pageTree } from "../../../content/revision/page-tree";
import { type Identified, pathFrom } from "../../../content/revision/view";
import { failure } from "../../../errors";
import { operation, type Target } from "../../../operation/operation";
import { defined, Flag, Id } from "../../../shapes";
import { inTurns } from "../../../turns/pause";
import { fencesFor } from "../../content/revisions/fenced-blocks";
import { revisions } from "../../content/revisions/records";
import { format } from "../../content/revisions/schema";
import { type MaybeParsed, readText } from "../../content/revisions/texts";
import { spaceSeenOn } from "../audience/visible-alone";
import { siteItems } from "../records";
import { publishedSite } from "../rules";
import { visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import { editUrlOf } from "./edit-url";
import { type AtSiteSpace, pageName, type ReadingSite, type Show, shower, translationsSeen } from "./page-views";
import { hasPages, pagesAlong, pagesIn, type Standing } from "./pages-along";
import { type PublishedNode, PublishedPage, PublishedPages } from "./published-schema";
import { readingOrder } from "./reading-order";
import { type ReadingPage, referencesOf } from "./references";
import { type Sight, sightOf } from "./sight";
import { visitorContent } from "./visitor-content";
import { evaluatedFor, withoutFrontMatter } from "./visitor-texts";

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
  description:
    "With `along` only what a table of contents shows to a reader of that page. It costs the same in a space of any size.",
  on: siteSpace,
  right: "view",
  forVisitors: true,
  query: {
    ...visitorQuery,
    along: v.optional(
      v.pipe(
        Id,
        v.description(
          "A page. Only the pages around it and around those above it are given, those directly below it, and the first ones of the groups among them; none that are `hidden`. Default: all pages.",
        ),
      ),
    ),
  },
  returns: PublishedPages,
  kept: "unless-elsewhere",
  async handle(context) {
    const { along } = context.query;
    const { view } = visitorContent(context, context.revision);
    const sight = await sightOf(view, context.visitor.claims);
    if (along !== undefined) return partAlong(context, sight, along);
    const pages = await sight.pages();
    return { pages: await inTurns(branchesOf(pageTree(pages), null, "", await shower(context, pages, pages))) };
  },
});

/** The part of the tree that a reader of a page sees. */
async function partAlong(context: ReadingSite & AtSiteSpace, sight: Sight, page: string) {
  const way = await sight.wayTo(page);
  if (!way) throw failure("page_not_found");
  const part = await pagesAlong(sight, way);
  const pages = pagesIn(part.pages);
  const show = await shower(context, pages, await translationsSeen(sight, pages));
  return { pages: part.pages.map((it) => standingView(it, show)), ...(part.more ? { more: true } : {}) };
}

function standingView({ page, path, pages, more }: Standing, show: Show): PublishedNode {
  return {
    ...show(page, path),
    pages: pages.map((it) => standingView(it, show)),
    ...(more ? { more } : {}),
  };
}

export const getPublishedPage = operation(
  "GET /orgs/:organizationId/sites/:siteId/site-spaces/:siteSpaceId/page/:pageId",
  {
    summary: "Get a page of a site-space with its text, as a visitor sees it",
    on: siteSpace,
    right: "view",
    forVisitors: true,
    query: {
      ...visitorQuery,
      ...format,
      references: v.optional(
        v.pipe(Flag, v.description("True adds what its document and its cover refer to. Default: false.")),
      ),
      pages: v.optional(v.pipe(Flag, v.description("False leaves out the pages below it. Default: true."))),
    },
    returns: PublishedPage,
    kept: "unless-elsewhere",
    async handle(context) {
      const { visitor, params, query } = context;
      const { view, objects } = visitorContent(context, context.revision);
      const sight = await sightOf(view, visitor.claims);
      const way = await sight.wayTo(params.pageId);
      if (!way) throw failure("page_not_found");
      const [page, path] = [way[0]!, pathFrom(way)];
      const shown = await evaluatedFor(objects, view, page, visitor.claims);
      const editURL = await editUrlOf(context, page);
      const below = query.pages === false ? [] : await seenBelow(sight, page.id);
      const show = await shower(context, [page, ...below], await translationsSeen(sight, [page, ...below]));
      return {
        ...show(page, path),
        ...(await inForm({ ...context, page, view, sight }, shown)),
        ...defined({ editURL }),
        ...(await besideIt(context, sight, way)),
        pages: await inTurns(branchesOf(pageTree(below), page.id, path, show)),
        ...(query.pages === false && (await hasPages(sight, page)) ? { more: true } : {}),
      };
    },
  },
);

interface Asked {
  readonly query: { readonly format?: "document" | "markdown" | undefined; readonly references?: boolean | undefined };
}

/** The text of a page in the form that is asked for, and what the page refers to. */
async function inForm(reading: ReadingPage & Asked, shown: MaybeParsed | undefined) {
  const { format: form = "markdown", references } = reading.query;
  const read = shown && (form === "document" || references) ? await documentOf(reading, shown) : undefined;
  return {
    ...(shown && form === "markdown" ? { markdown: withoutFrontMatter(shown.text) } : {}),
    ...(read && form === "document" ? { document: read.document } : {}),
    ...(references ? { references: await referencesOf(reading, [...coverOf(reading), ...(read?.refs ?? [])]) } : {}),
  };
}

async function documentOf(reading: ReadingPage, shown: MaybeParsed) {
  const { page, view, sight } = reading;
  const source = { id: page.id, body: page.body!, page };
  const fences = await fencesFor(reading, reading.revision.space, shown.text);
  return readText(view, source, shown, { sees: sight.sees, fences });
}

function coverOf({ page: { cover } }: ReadingPage) {
  return [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined);
}

/** The pages before and after one. */
async function besideIt(context: ReadingSite & AtSiteSpace, sight: Sight, way: readonly Identified<PageEntry>[]) {
  const { previous, next } = await readingOrder(sight, way);
  const named = (to: readonly Identified<PageEntry>[]) => pageName(context, context.siteSpace, to[0]!, pathFrom(to));
  return { ...(previous ? { previous: named(previous) } : {}), ...(next ? { next: named(next) } : {}) };
}

/** The visible pages below one. */
async function seenBelow(sight: Sight, page: string): Promise<Identified<PageEntry>[]> {
  const found: Identified<PageEntry>[] = [];
  for await (const child of sight.below(page)) found.push(child, ...(await seenBelow(sight, child.id)));
  return found;
}
