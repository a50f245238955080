// The answers about pages of a published site, for one visitor. They are loaded when the first page is read.

import { parseDefinition } from "../../../content/revision/computed";
import { keys, type PageEntry } from "../../../content/revision/entries";
import { isMovedOrRenamed } from "../../../content/revision/page-runs";
import { buildPageTree, mapPageTreeInSteps } from "../../../content/revision/page-tree";
import { buildPagePath, type WithId } from "../../../content/revision/view";
import { createError } from "../../../errors";
import { SerializedJson } from "../../../operation/binary-response";
import { hashFingerprint } from "../../../storage/secrets";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { specNameIn } from "../../content/openapi-specs/views";
import { dependsOnIntegrations } from "../../content/revisions/computed-content";
import { findFencedBlocks } from "../../content/revisions/fenced-blocks";
import { getComputedVersion } from "../../content/revisions/records";
import { serializePageTree } from "../../content/revisions/serialize-pages";
import { isCacheable, type JsonChunks, serializeObject } from "../../content/revisions/serialized-content";
import { type EvaluatedText, readDocumentWithRefs } from "../../content/revisions/texts";
import { getPublishedUrl } from "../addresses/site-urls";
import { editions } from "../records";
import { getAdjacentPages } from "./adjacent-pages";
import { getEditUrl } from "./edit-url";
import {
  createPagePresenter,
  listVisibleTranslations,
  type PagePresenter,
  type PublishedSiteContext,
  type PublishedSiteSpaceContext,
  presentPageName,
} from "./page-views";
import type { PublishedNode } from "./published-schema";
import { type PublishedPageContext, presentReferences } from "./references";
import { hasListedPages, listContentsPages, readTableOfContents, type TableOfContentsEntry } from "./table-of-contents";
import { createVisiblePages, type VisiblePages } from "./visible-pages";
import { getVisitorContent, pickSourceContext } from "./visitor-content";
import { evaluatePageText, removeFrontMatter } from "./visitor-texts";

interface AskedTree {
  readonly along?: string | undefined;
  readonly more?: boolean | undefined;
}

/** The tree of pages, or the part of it along a page. */
export async function readPublishedPages(context: Reading & { readonly query: AskedTree }) {
  const { along } = context.query;
  const { view } = getVisitorContent(context, context.revision);
  const sight = await createVisiblePages(view, context.visitor.claims);
  if (along !== undefined) return partAlong(context, sight, along);
  let made: Awaited<ReturnType<typeof treeOf>> | undefined;
  const { root } = context.revision;
  const nameAt = (await isSentKept(context)) ? await namesOfTree(context) : undefined;
  const pieces =
    nameAt &&
    (await serializePageTree(context, {
      name: nameAt(root),
      latestName: nameAt("last"),
      root,
      view,
      async loadAll() {
        made = await treeOf(context, sight);
        // What an id leads to may change with other spaces, and with who is asking.
        const isFixed = !made.pages.some(({ target }) => target !== undefined && target.kind !== "url");
        return isFixed ? made : undefined;
      },
      async createDescriber(pages) {
        const shown = pages.map(sight.resolveTexts);
        const show = await createPagePresenter(context, shown, []);
        return (page, path) => show(sight.resolveTexts(page), path);
      },
      dependsOnOthers: ({ translations, condition, target }) =>
        translations !== undefined || condition !== undefined || target !== undefined,
      affectsOthers: isMovedOrRenamed,
      extraPrefix: keys.variables,
    }));
  if (pieces) return sent(pieces, nameAt!(root));
  const { pages, describe } = made ?? (await treeOf(context, sight));
  return { pages: await runSteps(mapPageTreeInSteps(buildPageTree(pages), null, "", describe)) };
}

async function treeOf(context: Reading, sight: VisiblePages) {
  const pages = await sight.listAll();
  return { pages, describe: await createPagePresenter(context, pages, pages) };
}

interface Reading extends PublishedSiteContext, PublishedSiteSpaceContext {
  readonly originalRequest?: object | undefined;
}

/** Whether the tree is sent as JSON that is kept. */
async function isSentKept(context: Reading): Promise<boolean> {
  return isCacheable(context, context.visitor) && !(await dependsOnIntegrations(context, context.revision));
}

/** Names for a tree in which no link leads to an id: all that it depends on, with a word for the state of the content. */
async function namesOfTree(context: Reading): Promise<(state: string | null) => string> {
  const { tx, site, siteSpace, revision, visitor, structure } = context;
  const { number } = (await editions.get(tx, site.id)) ?? { number: 0 };
  const at = [site.id, siteSpace.id, number, structure.defaultItem, getPublishedUrl(context, visitor.shareKey)];
  const computed = await getComputedVersion(tx);
  return (state) => JSON.stringify(["published", ...at, revision.space, state, computed]);
}

async function sent(pages: JsonChunks, name: string): Promise<SerializedJson> {
  return new SerializedJson(await serializeObject({}, { pages }), hashFingerprint(name).slice(0, 32));
}

/** The part of the tree that a reader of a page sees. */
async function partAlong(
  context: PublishedSiteContext & PublishedSiteSpaceContext & { readonly query: AskedTree },
  sight: VisiblePages,
  page: string,
) {
  const way = await sight.getAncestry(page);
  if (!way) throw createError("page_not_found");
  const part = await readTableOfContents(sight, way, context.query.more);
  const pages = listContentsPages(part.pages);
  const show = await createPagePresenter(context, pages, await listVisibleTranslations(sight, pages));
  return {
    pages: part.pages.map((it) => standingView(it, show)),
    ...omitUndefined({ more: part.more ? true : undefined }),
  };
}

function standingView({ page, path, pages, more }: TableOfContentsEntry, show: PagePresenter): PublishedNode {
  const below = pages.map((it) => standingView(it, show));
  return Object.assign(show(page, path), more ? { pages: below, more } : { pages: below });
}

/** A page, with what is asked for. */
export async function readPublishedPage(
  context: Omit<PublishedPageContext, "page" | "view" | "sight"> &
    Asked & { readonly params: { readonly pageId: string } },
) {
  const { visitor, params, query } = context;
  const { view, objects } = getVisitorContent(context, context.revision);
  const sight = await createVisiblePages(view, visitor.claims);
  const way = await sight.getAncestry(params.pageId);
  if (!way) throw createError("page_not_found");
  const [page, path] = [way[0]!, buildPagePath(way)];
  const shown = await evaluatePageText(objects, view, page, visitor.claims);
  const editURL = await getEditUrl(context, page);
  const below = query.pages === false ? [] : await seenBelow(sight, page.id);
  const show = await createPagePresenter(
    context,
    [page, ...below],
    await listVisibleTranslations(sight, [page, ...below]),
  );
  return {
    ...show(page, path),
    ...(await inForm({ ...context, page, view, sight }, shown)),
    ...omitUndefined({ operation: operationOf(page), editURL }),
    ...(await besideIt(context, sight, way)),
    pages: await runSteps(mapPageTreeInSteps(buildPageTree(below), page.id, path, show)),
    ...omitUndefined({ more: query.pages === false && (await hasListedPages(sight, page)) ? true : undefined }),
  };
}

/** The operation of a specification that a computed page is about. */
function operationOf({ computed, computedKey = "" }: PageEntry) {
  const [, method, path] = /^operation ([^ ]+) (.+)$/s.exec(computedKey) ?? [];
  const spec = method === undefined ? undefined : specNameIn(parseDefinition(computed ?? ""));
  return spec === undefined ? undefined : { spec, method: method!, path: path! };
}

interface Asked {
  readonly query: {
    readonly format?: "document" | "markdown" | undefined;
    readonly references?: boolean | undefined;
    readonly pages?: boolean | undefined;
  };
}

/** The text of a page in the form that is asked for, and what the page refers to. */
async function inForm(reading: PublishedPageContext & Asked, shown: EvaluatedText | undefined) {
  const { format: form = "markdown", references } = reading.query;
  const read = shown && (form === "document" || references) ? await documentOf(reading, shown) : undefined;
  return {
    ...omitUndefined({
      markdown: shown && form === "markdown" ? removeFrontMatter(shown.text) : undefined,
      document: read && form === "document" ? read.document : undefined,
      references: references
        ? await presentReferences(reading, [...coverOf(reading), ...(read?.refs ?? [])])
        : undefined,
    }),
  };
}

async function documentOf(reading: PublishedPageContext, shown: EvaluatedText) {
  const { page, view, sight, jobContext } = reading;
  const source = { id: page.id, body: page.body!, page };
  const looking = { ...pickSourceContext(reading), ports: jobContext.ports };
  const fences = await findFencedBlocks(looking, reading.revision.space, shown.text);
  return readDocumentWithRefs(view, source, shown, { sees: sight.canSeeReference, fences });
}

function coverOf({ page: { cover } }: PublishedPageContext) {
  return [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined);
}

/** The pages before and after one. */
async function besideIt(
  context: PublishedSiteContext & PublishedSiteSpaceContext,
  sight: VisiblePages,
  way: readonly WithId<PageEntry>[],
) {
  const { previous, next } = await getAdjacentPages(sight, way);
  const named = (to: readonly WithId<PageEntry>[]) =>
    presentPageName(context, context.siteSpace, to[0]!, buildPagePath(to));
  return {
    ...omitUndefined({ previous: previous ? named(previous) : undefined, next: next ? named(next) : undefined }),
  };
}

/** The visible pages below one. */
async function seenBelow(sight: VisiblePages, page: string): Promise<WithId<PageEntry>[]> {
  const found: WithId<PageEntry>[] = [];
  for await (const child of sight.listChildren(page)) found.push(child, ...(await seenBelow(sight, child.id)));
  return found;
}
