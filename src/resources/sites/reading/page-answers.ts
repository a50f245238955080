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
import { publishedUrl } from "../addresses/addresses";
import { editions } from "../records";
import { editUrlOf } from "./edit-url";
import { type AtSiteSpace, pageName, type ReadingSite, type Show, shower, translationsSeen } from "./page-views";
import { hasPages, pagesAlong, pagesIn, type Standing } from "./pages-along";
import type { PublishedNode } from "./published-schema";
import { readingOrder } from "./reading-order";
import { type ReadingPage, referencesOf } from "./references";
import { type Sight, sightOf } from "./sight";
import { sourcesIn, visitorContent } from "./visitor-content";
import { evaluatedFor, withoutFrontMatter } from "./visitor-texts";

interface AskedTree {
  readonly along?: string | undefined;
  readonly more?: boolean | undefined;
}

/** The tree of pages, or the part of it along a page. */
export async function answerPages(context: Reading & { readonly query: AskedTree }) {
  const { along } = context.query;
  const { view } = visitorContent(context, context.revision);
  const sight = await sightOf(view, context.visitor.claims);
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
        const shown = pages.map(sight.shown);
        const show = await shower(context, shown, []);
        return (page, path) => show(sight.shown(page), path);
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

async function treeOf(context: Reading, sight: Sight) {
  const pages = await sight.pages();
  return { pages, describe: await shower(context, pages, pages) };
}

interface Reading extends ReadingSite, AtSiteSpace {
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
  const at = [site.id, siteSpace.id, number, structure.defaultItem, publishedUrl(context, visitor.shareKey)];
  const computed = await getComputedVersion(tx);
  return (state) => JSON.stringify(["published", ...at, revision.space, state, computed]);
}

async function sent(pages: JsonChunks, name: string): Promise<SerializedJson> {
  return new SerializedJson(await serializeObject({}, { pages }), hashFingerprint(name).slice(0, 32));
}

/** The part of the tree that a reader of a page sees. */
async function partAlong(
  context: ReadingSite & AtSiteSpace & { readonly query: AskedTree },
  sight: Sight,
  page: string,
) {
  const way = await sight.wayTo(page);
  if (!way) throw createError("page_not_found");
  const part = await pagesAlong(sight, way, context.query.more);
  const pages = pagesIn(part.pages);
  const show = await shower(context, pages, await translationsSeen(sight, pages));
  return {
    pages: part.pages.map((it) => standingView(it, show)),
    ...omitUndefined({ more: part.more ? true : undefined }),
  };
}

function standingView({ page, path, pages, more }: Standing, show: Show): PublishedNode {
  const below = pages.map((it) => standingView(it, show));
  return Object.assign(show(page, path), more ? { pages: below, more } : { pages: below });
}

/** A page, with what is asked for. */
export async function answerPage(
  context: Omit<ReadingPage, "page" | "view" | "sight"> & Asked & { readonly params: { readonly pageId: string } },
) {
  const { visitor, params, query } = context;
  const { view, objects } = visitorContent(context, context.revision);
  const sight = await sightOf(view, visitor.claims);
  const way = await sight.wayTo(params.pageId);
  if (!way) throw createError("page_not_found");
  const [page, path] = [way[0]!, buildPagePath(way)];
  const shown = await evaluatedFor(objects, view, page, visitor.claims);
  const editURL = await editUrlOf(context, page);
  const below = query.pages === false ? [] : await seenBelow(sight, page.id);
  const show = await shower(context, [page, ...below], await translationsSeen(sight, [page, ...below]));
  return {
    ...show(page, path),
    ...(await inForm({ ...context, page, view, sight }, shown)),
    ...omitUndefined({ operation: operationOf(page), editURL }),
    ...(await besideIt(context, sight, way)),
    pages: await runSteps(mapPageTreeInSteps(buildPageTree(below), page.id, path, show)),
    ...omitUndefined({ more: query.pages === false && (await hasPages(sight, page)) ? true : undefined }),
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
async function inForm(reading: ReadingPage & Asked, shown: EvaluatedText | undefined) {
  const { format: form = "markdown", references } = reading.query;
  const read = shown && (form === "document" || references) ? await documentOf(reading, shown) : undefined;
  return {
    ...omitUndefined({
      markdown: shown && form === "markdown" ? withoutFrontMatter(shown.text) : undefined,
      document: read && form === "document" ? read.document : undefined,
      references: references ? await referencesOf(reading, [...coverOf(reading), ...(read?.refs ?? [])]) : undefined,
    }),
  };
}

async function documentOf(reading: ReadingPage, shown: EvaluatedText) {
  const { page, view, sight, jobContext } = reading;
  const source = { id: page.id, body: page.body!, page };
  const looking = { ...sourcesIn(reading), ports: jobContext.ports };
  const fences = await findFencedBlocks(looking, reading.revision.space, shown.text);
  return readDocumentWithRefs(view, source, shown, { sees: sight.sees, fences });
}

function coverOf({ page: { cover } }: ReadingPage) {
  return [cover?.ref, cover?.refDark].filter((ref) => ref !== undefined);
}

/** The pages before and after one. */
async function besideIt(context: ReadingSite & AtSiteSpace, sight: Sight, way: readonly WithId<PageEntry>[]) {
  const { previous, next } = await readingOrder(sight, way);
  const named = (to: readonly WithId<PageEntry>[]) => pageName(context, context.siteSpace, to[0]!, buildPagePath(to));
  return {
    ...omitUndefined({ previous: previous ? named(previous) : undefined, next: next ? named(next) : undefined }),
  };
}

/** The visible pages below one. */
async function seenBelow(sight: Sight, page: string): Promise<WithId<PageEntry>[]> {
  const found: WithId<PageEntry>[] = [];
  for await (const child of sight.below(page)) found.push(child, ...(await seenBelow(sight, child.id)));
  return found;
}
