// Reads pages of a published site for one visitor. This module is loaded when the first page is requested.

import { parseDefinition } from "../../../content/revision/computed";
import { keys } from "../../../content/revision/entries";
import { isMovedOrRenamed } from "../../../content/revision/page-runs";
import { buildPageTree, mapPageTreeInSteps } from "../../../content/revision/page-tree";
import { buildPagePath } from "../../../content/revision/view";
import { createError } from "../../../errors";
import { SerializedJson } from "../../../operation/binary-response";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import { gitSyncs } from "../../content/git-sync/records";
import { getSpecName } from "../../content/openapi-specs/views";
import { findFencedBlocks } from "../../content/revisions/fenced-blocks";
import { getComputedVersion } from "../../content/revisions/records";
import { readDocumentWithRefs } from "../../content/revisions/texts";
import { readPageTree, serializeObject } from "../../content/revisions/whole-content";
import { getPublishedUrl } from "../addresses/site-urls";
import { getEffectiveCustomization } from "../customization/customization";
import { loadOverrides } from "../customization/customization-records";
import { editions } from "../records";
import {
  createPagePresenter,
  listVisibleTranslations,
  type PublishedSiteContext,
  type PublishedSiteSpaceContext,
  presentPageName,
} from "./page-views";
import type { PublishedNode } from "./published-schema";
import { type PublishedPageContext, presentReferences } from "./references";
import { hasListedPages, listContentsPages, readTableOfContents, type TableOfContentsEntry } from "./table-of-contents";
import {
  createVisiblePages,
  evaluatePageText,
  getVisitorContent,
  type PageAncestry,
  pickSourceContext,
  removeFrontMatter,
  type VisiblePage,
  type VisiblePages,
} from "./visible-pages";

interface PublishedPagesContext extends PublishedSiteContext, PublishedSiteSpaceContext {
  readonly originalRequest?: object | undefined;
  readonly query: { readonly along?: string | undefined; readonly more?: boolean | undefined };
}

/** Returns the tree of pages, or the table of contents for the page `along`. */
export async function readPublishedPages(context: PublishedPagesContext) {
  const { tx, site, siteSpace, revision, visitor, structure, query } = context;
  const { view } = getVisitorContent(context, revision);
  const visiblePages = await createVisiblePages(view, visitor.claims);

  if (query.along !== undefined) {
    const ancestry = await visiblePages.getAncestry(query.along);
    if (!ancestry) throw createError("page_not_found");
    const contents = await readTableOfContents(visiblePages, ancestry, query.more);
    const pages = listContentsPages(contents.pages);
    const present = await createPagePresenter(context, pages, await listVisibleTranslations(visiblePages, pages));
    const presentEntry = ({ page, path, pages, more }: TableOfContentsEntry): PublishedNode => {
      const children = pages.map(presentEntry);
      return Object.assign(present(page, path), more ? { pages: children, more } : { pages: children });
    };
    return { pages: contents.pages.map(presentEntry), ...omitUndefined({ more: contents.more ? true : undefined }) };
  }

  const tree = await readPageTree(context, visitor, {
    revision,
    view,
    async loadNames() {
      const { number } = (await editions.get(tx, site.id)) ?? { number: 0 };
      const url = getPublishedUrl(context, visitor.shareKey);
      const computedVersion = await getComputedVersion(tx);
      return (contentState) =>
        JSON.stringify([
          ...["published", site.id, siteSpace.id, number, structure.defaultItem, url],
          ...[revision.space, contentState, computedVersion],
        ]);
    },
    isUpdatable: true,
    async loadAll() {
      const pages = await visiblePages.listAll();
      return { pages, describe: await createPagePresenter(context, pages, pages) };
    },
    // The target of an id may change with other spaces, and it depends on the visitor.
    isFixed: (pages) => !pages.some(({ target }) => target !== undefined && target.kind !== "url"),
    async createDescriber(pages) {
      const present = await createPagePresenter(context, pages.map(visiblePages.resolveTexts), []);
      return (page, path) => present(visiblePages.resolveTexts(page), path);
    },
    dependsOnOthers: ({ translations, condition, target }) =>
      translations !== undefined || condition !== undefined || target !== undefined,
    affectsOthers: isMovedOrRenamed,
    extraPrefix: keys.variables,
  });
  if (Array.isArray(tree)) return { pages: tree };
  return new SerializedJson(await serializeObject({}, { pages: tree.chunks }), sha256Hex(tree.name).slice(0, 32));
}

interface PublishedPageRequest extends Omit<PublishedPageContext, "page" | "view" | "visiblePages"> {
  readonly params: { readonly pageId: string };
  readonly query: {
    readonly format?: "document" | "markdown" | undefined;
    readonly references?: boolean | undefined;
    readonly pages?: boolean | undefined;
  };
}

/** Returns a page with its text in the requested format, its references, the adjacent pages, and the pages below it. */
export async function readPublishedPage(context: PublishedPageRequest) {
  const { visitor, params, query, siteSpace, jobContext } = context;
  const { view, objects } = getVisitorContent(context, context.revision);
  const visiblePages = await createVisiblePages(view, visitor.claims);
  const ancestry = await visiblePages.getAncestry(params.pageId);
  if (!ancestry) throw createError("page_not_found");
  const [page, path] = [ancestry[0]!, buildPagePath(ancestry)];

  const text = await evaluatePageText(objects, view, page, visitor.claims);

  // The source of the page is edited in its repository, if the page comes from one and the site shows edit links.
  const { tx, site, space } = context;
  const sync = page.git && (await gitSyncs.get(tx, space.id));
  let editURL: string | undefined;
  if (sync?.agreed && sync.treeUrl !== undefined) {
    const siteOverrides = await loadOverrides(tx, site.id, null);
    const siteSpaceOverrides = await loadOverrides(tx, site.id, siteSpace.id);
    const customization = await getEffectiveCustomization(tx, siteOverrides, siteSpaceOverrides);
    if (customization.git.showEditLink) {
      // For a provider that is not known, the URL shows the file itself.
      let base = sync.treeUrl;
      if (sync.provider === "gitlab") base = base.replace("/-/tree/", "/-/edit/");
      else if (sync.provider !== undefined)
        base = base.replace(/^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/tree\//, "$1/edit/");
      const filePath = page.git!.path.split("/").map(encodeURIComponent).join("/");
      editURL = `${base.replace(/\/$/, "")}/${filePath}`;
    }
  }

  const descendants = query.pages === false ? [] : await listDescendants(visiblePages, page.id);
  const translations = await listVisibleTranslations(visiblePages, [page, ...descendants]);
  const present = await createPagePresenter(context, [page, ...descendants], translations);

  const { format = "markdown" } = query;
  let read: Awaited<ReturnType<typeof readDocumentWithRefs>> | undefined;
  if (text && (format === "document" || query.references)) {
    const source = { id: page.id, body: page.body!, page };
    const fenceContext = { ...pickSourceContext(context), ports: jobContext.ports };
    const fences = await findFencedBlocks(fenceContext, context.revision.space, text.text);
    read = await readDocumentWithRefs(view, source, text, { sees: visiblePages.canSeeReference, fences });
  }
  const coverRefs = [page.cover?.ref, page.cover?.refDark].filter((ref) => ref !== undefined);
  const refs = [...coverRefs, ...(read?.refs ?? [])];
  const pageContext = { ...context, page, view, visiblePages };
  const references = query.references ? await presentReferences(pageContext, refs) : undefined;

  // A computed page may be about one operation of an OpenAPI specification.
  const [, method, operationPath] = /^operation ([^ ]+) (.+)$/s.exec(page.computedKey ?? "") ?? [];
  const spec = method === undefined ? undefined : getSpecName(parseDefinition(page.computed ?? ""));

  const { previous, next } = await getAdjacentPages(visiblePages, ancestry);
  const presentAdjacentPage = (adjacent: PageAncestry | undefined) =>
    adjacent && presentPageName(context, siteSpace, adjacent[0]!, buildPagePath(adjacent));
  const hasMore = query.pages === false && (await hasListedPages(visiblePages, page));
  return {
    ...present(page, path),
    ...omitUndefined({
      markdown: text && format === "markdown" ? removeFrontMatter(text.text) : undefined,
      document: read && format === "document" ? read.document : undefined,
      references,
      operation: spec === undefined ? undefined : { spec, method: method!, path: operationPath! },
      editURL,
      previous: presentAdjacentPage(previous),
      next: presentAdjacentPage(next),
    }),
    pages: await runSteps(mapPageTreeInSteps(buildPageTree(descendants), page.id, path, present)),
    ...omitUndefined({ more: hasMore ? true : undefined }),
  };
}

/** Returns the visible pages below a page, in reading order. */
async function listDescendants(visiblePages: VisiblePages, page: string): Promise<VisiblePage[]> {
  const pages: VisiblePage[] = [];
  for await (const child of visiblePages.listChildren(page))
    pages.push(child, ...(await listDescendants(visiblePages, child.id)));
  return pages;
}

/** Returns the ancestries of the pages before and after a page. A page that is hidden, or below a hidden one, has neither. */
async function getAdjacentPages(
  visiblePages: VisiblePages,
  ancestry: PageAncestry,
): Promise<{ readonly previous?: PageAncestry | undefined; readonly next?: PageAncestry | undefined }> {
  if (ancestry.some(({ hidden }) => hidden)) return {};
  const previous = await findPrevious(visiblePages, ancestry);
  return {
    previous,
    next:
      (await findFirst(visiblePages, visiblePages.listChildren(ancestry[0]!.id), ancestry)) ??
      (await findNext(visiblePages, ancestry)),
  };
}

function hasText({ type, body }: VisiblePage): boolean {
  return type !== "link" && body !== undefined;
}

/** Finds the first page among siblings and the pages below them. `parents` is the ancestry of their parent. */
async function findFirst(
  visiblePages: VisiblePages,
  siblings: AsyncIterable<VisiblePage>,
  parents: PageAncestry,
): Promise<PageAncestry | undefined> {
  for await (const page of siblings) {
    if (page.hidden) continue;
    const ancestry = [page, ...parents];
    const found = hasText(page)
      ? ancestry
      : await findFirst(visiblePages, visiblePages.listChildren(page.id), ancestry);
    if (found) return found;
  }
  return undefined;
}

/** Finds the first page after a page and everything below it. */
async function findNext(
  visiblePages: VisiblePages,
  [page, ...parents]: PageAncestry,
): Promise<PageAncestry | undefined> {
  if (!page) return undefined;
  const following = visiblePages.listChildren(page.parent, { after: keys.child(page.parent, page.order) });
  return (await findFirst(visiblePages, following, parents)) ?? findNext(visiblePages, parents);
}

/** Finds the last page among siblings, listed from the last to the first, and the pages below them. */
async function findLast(
  visiblePages: VisiblePages,
  siblings: AsyncIterable<VisiblePage>,
  parents: PageAncestry,
): Promise<PageAncestry | undefined> {
  for await (const page of siblings) {
    if (page.hidden) continue;
    const ancestry = [page, ...parents];
    const children = visiblePages.listChildren(page.id, { reverse: true });
    const found = (await findLast(visiblePages, children, ancestry)) ?? (hasText(page) ? ancestry : undefined);
    if (found) return found;
  }
  return undefined;
}

async function findPrevious(
  visiblePages: VisiblePages,
  [page, ...parents]: PageAncestry,
): Promise<PageAncestry | undefined> {
  if (!page) return undefined;
  const preceding = visiblePages.listChildren(page.parent, {
    before: keys.child(page.parent, page.order),
    reverse: true,
  });
  const found = await findLast(visiblePages, preceding, parents);
  if (found || parents.length === 0) return found;
  return hasText(parents[0]!) ? parents : findPrevious(visiblePages, parents);
}
