// The content of a space on the wire: pages, files and revisions as responses show them.

import type * as v from "valibot";
import { loadComputedPages } from "../../../content/lazy";
import type { ComputedDefinition } from "../../../content/revision/computed";
import { DEFAULT_LAYOUT, type FileEntry, keys, type PageEntry } from "../../../content/revision/entries";
import { buildPagePath, type RawEntry, type RevisionView, type WithId } from "../../../content/revision/view";
import { createError } from "../../../errors";
import type { Urls } from "../../../ports/urls";
import { idPrefixes } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { changeRequests } from "../change-requests/records";
import { createChangeRequestViews } from "../change-requests/views";
import { getShownContent, type ReadableContent } from "./computed-content";
import type { SourceContext } from "./computed-sources";
import { createDownloadUrl, type UrlSigningContext } from "./download-urls";
import type { RevisionRecord } from "./records";
import type { ContentContext } from "./rules";
import type { DocumentSchema, File, Page, PageNode, RevisionSummary } from "./schema";
import type { TextSource } from "./text-source";
import { formatText } from "./texts";

/** The context of views of content. */
export interface ContentViewContext extends ContentContext {
  readonly urls: Urls;
  readonly query: { readonly metadata?: boolean | undefined; readonly computed?: boolean | undefined };
}

/** Returns the URL of a path of a space in the console. */
export function getAppUrl(
  { urls, organization, space }: Pick<ContentViewContext, "urls" | "organization" | "space">,
  path: string,
): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return urls.app(`/o/${organization.id}/s/${space.id}${path === "" ? "" : `/${encoded}`}`);
}

/** Returns the members of a page that decide how it is rendered: its kind, and the layout of a document. */
export function getPageShape({ type, layout }: Pick<PageEntry, "type" | "layout">): Pick<PageNode, "kind" | "layout"> {
  if (type === "document") return { kind: "sheet", layout: layout ? { ...DEFAULT_LAYOUT, ...layout } : DEFAULT_LAYOUT };
  return { kind: type === "link" ? "link" : "group" };
}

/** Returns the fields of one page, without the pages below it. */
export async function loadPageFields(
  context: ContentViewContext,
  view: RevisionView,
  page: WithId<PageEntry>,
  path: string,
): Promise<Omit<PageNode, "pages">> {
  const translations = await view.getPages(Object.values(page.translations ?? {}));
  const hasPage = (id: string) => translations.some((translation) => translation?.id === id);
  const describePage = await createPageDescriber(context, [page], hasPage);
  return describePage(page, path);
}

/** Returns the language of a page of a book with several languages, and the translations of the page that exist. */
export function getPageLanguages(
  { id, translations = {} }: WithId<PageEntry>,
  hasPage: (page: string) => boolean,
): Pick<PageNode, "language" | "translations"> {
  const entries = Object.entries(translations);
  const ownEntry = entries.find(([, page]) => page === id);
  const others = entries.filter((entry) => entry !== ownEntry && hasPage(entry[1]));
  return omitUndefined({
    language: ownEntry?.[0],
    translations: others.length === 0 ? undefined : Object.fromEntries(others),
  });
}

/** The stored members of a page that responses leave out or have in another form. */
const omittedEntries: ReadonlySet<string> = new Set<keyof PageEntry>([
  ...(["parent", "order", "stated", "computed", "computedKey", "computedFrom"] as const),
  ...(["translations", "body", "git", "target", "layout"] as const),
]);

/** Returns a function that returns the fields of some pages, each at its path. */
export async function createPageDescriber(
  context: ContentViewContext,
  pages: readonly PageEntry[],
  hasPage: (page: string) => boolean,
): Promise<(page: WithId<PageEntry>, path: string) => Omit<PageNode, "pages">> {
  // The definitions of computed pages by their texts. Most content has none, and nothing is loaded for it.
  const definitions = new Map<string, ComputedDefinition>();
  const texts = new Set(pages.flatMap(({ computed }) => computed ?? []));
  if (texts.size > 0) {
    const { parseDefinition } = await loadComputedPages();
    for (const text of texts) {
      const definition = parseDefinition(text);
      if (definition) definitions.set(text, definition);
    }
  }

  return (page, path) => {
    const { id, body, computed, computedFrom, target, git, translations } = page;
    // A tree has thousands of pages, so each is one object that is filled: copies take longer, and so does serializing them.
    const fields: Record<string, unknown> = { object: "page" };
    for (const [name, value] of Object.entries(page)) if (!omittedEntries.has(name)) fields[name] = value;
    const { kind, layout } = getPageShape(page);
    fields.kind = kind;
    if (layout) fields.layout = layout;
    const definition = computed === undefined ? undefined : definitions.get(computed);
    if (definition) {
      const { type, dependencies, props } = definition;
      fields.computed = { type, dependencies, props };
      // The seed names the page from which others are computed, and the text that was computed from it.
      fields.computedSeed = body === undefined ? id : `${computedFrom}.${body}`;
    }
    if (translations) Object.assign(fields, getPageLanguages(page, hasPage));
    fields.path = path;
    if (body !== undefined) fields.documentId = createDocumentId({ id, body });
    if (target) fields.target = target;
    if (target?.kind === "url") fields.href = target.url;
    if (git !== undefined && context.query.metadata !== false) fields.git = git;
    fields.urls = { app: getAppUrl(context, path) };
    return fields as Omit<PageNode, "pages">;
  };
}

/** Returns the pages below one page as a tree, in order. Only these pages are read. */
async function buildPageNodesBelow(
  context: ContentViewContext,
  view: RevisionView,
  parent: string,
  parentPath: string,
): Promise<PageNode[]> {
  const childIds = await view.listChildIds(parent);
  const nodes: PageNode[] = [];
  for (const child of await view.getPages(childIds.map(({ id }) => id))) {
    if (!child) continue;
    const path = `${parentPath}/${child.slug}`;
    nodes.push({
      ...(await loadPageFields(context, view, child, path)),
      pages: await buildPageNodesBelow(context, view, child.id, path),
    });
  }
  return nodes;
}

/** Returns the path of an existing page. */
export async function getPagePath(view: RevisionView, page: string): Promise<string> {
  return buildPagePath(await view.getAncestry(page));
}

/** Returns a file, with a URL from which the caller can download it. */
export function createFileView(
  context: Pick<ContentViewContext, "space" | "query"> & UrlSigningContext,
  file: WithId<FileEntry>,
): v.InferOutput<typeof File> {
  const { id, name, contentType, size, dimensions, git, url } = file;
  return {
    object: "file",
    id,
    name,
    contentType,
    downloadURL: url ?? createDownloadUrl(context, file),
    size,
    ...omitUndefined({ dimensions, git: context.query.metadata === false ? undefined : git }),
  };
}

/** The context of views of revisions. */
type RevisionViewContext = Omit<ContentViewContext, "query" | "revision">;

/** Returns revisions without their content, in the order given. */
export async function createRevisionSummaries(
  context: RevisionViewContext & { readonly tx: Reader; readonly directory: Reader },
  records: readonly RevisionRecord[],
): Promise<v.InferInput<typeof RevisionSummary>[]> {
  const mergedKeys = records.flatMap(({ space, mergedFrom }) =>
    mergedFrom === undefined ? [] : [[space, mergedFrom]],
  );
  const merged = (await changeRequests.getMany(context.tx, mergedKeys)).filter((record) => record !== undefined);
  const views = new Map((await createChangeRequestViews(context, merged)).map((view) => [view.id, view]));
  return records.map((revision) => {
    const mergedFrom = revision.mergedFrom === undefined ? undefined : views.get(revision.mergedFrom);
    return { ...createRevisionSummary(context, revision), ...omitUndefined({ mergedFrom }) };
  });
}

/** Returns a revision without its content, and without the change request that it merged. */
export function createRevisionSummary(
  { urls, organization, space }: RevisionViewContext,
  revision: RevisionRecord,
): Omit<v.InferOutput<typeof RevisionSummary>, "mergedFrom"> {
  const { id, parents, type, createdAt, createdBy, number, git } = revision;
  return {
    object: "revision",
    id,
    parents: [...parents],
    type,
    createdAt,
    createdBy,
    number,
    ...omitUndefined({ git }),
    urls: {
      location: urls.api(`/spaces/${space.id}/revisions/${id}`),
      app: urls.app(`/o/${organization.id}/s/${space.id}/~/revisions/${id}`),
    },
  };
}

/** The number of characters of a text's hash in an id: enough to tell the texts of one page apart. */
const HASH_CHARACTERS = 24;

const pagePrefix = `${idPrefixes.page}_`;
const reusablePrefix = `${idPrefixes.reusableContent}_`;
const idPattern = new RegExp(`^doc_((?:${reusablePrefix})?)([0-9a-z]{1,32})_[0-9a-f]{${HASH_CHARACTERS}}$`);

/** Creates the id of the document of a page or a reusable content. `body` is the hash of its text. */
export function createDocumentId({ id, body }: { readonly id: string; readonly body: string }): string {
  // The prefix of a page is left out, as in the ids from before reusable contents had documents.
  const source = id.startsWith(pagePrefix) ? id.slice(pagePrefix.length) : id;
  return `doc_${source}_${body.slice(0, HASH_CHARACTERS)}`;
}

/** Returns the id of the page or the reusable content that a document's id names, or undefined if it is not such an id. */
export function findDocumentSource(documentId: string): string | undefined {
  const match = idPattern.exec(documentId);
  return match ? (match[1] || pagePrefix) + match[2]! : undefined;
}

export type DocumentView = v.InferInput<typeof DocumentSchema>;
export type FileView = v.InferInput<typeof File>;

/** The context of reads of content. */
export interface ContentReadContext extends ContentViewContext, SourceContext, UrlSigningContext {
  readonly query: ContentViewContext["query"] & {
    readonly format?: "document" | "markdown" | undefined;
    readonly evaluated?: boolean | undefined;
  };
}

/** Returns the content as the caller sees it, and the context to read it with. Visitors do not see the origins of things. */
export function openContent<Context extends ContentReadContext>(
  request: Context,
): { readonly context: Context; readonly shown: ReadableContent } {
  const { visit, query, revision } = request;
  const context = visit ? { ...request, query: { ...query, metadata: false } } : request;
  return { context, shown: getShownContent(context, revision) };
}

export async function createPageView(
  context: ContentReadContext,
  shown: ReadableContent,
  page: WithId<PageEntry> | undefined,
): Promise<v.InferInput<typeof Page>> {
  if (!page) throw createError("page_not_found");
  const { view } = shown;
  const { id, body } = page;
  const path = await getPagePath(view, id);
  const fields = await loadPageFields(context, view, page, path);
  const source = body === undefined ? undefined : { id, body, page };
  const text = source && (await formatText(createTextContext(context, shown), view, source));
  return { ...fields, ...text, pages: await buildPageNodesBelow(context, view, id, path) };
}

/** Returns the context of reading texts of the shown content. */
export function createTextContext({ tx, peek, space, jobContext, query }: ContentReadContext, shown: ReadableContent) {
  return { ...shown, tx, peek, space, query, ports: jobContext.ports };
}

/** Returns the document of a source, or the one that it would have with another text. */
export async function createDocumentView(
  context: ContentReadContext,
  shown: ReadableContent,
  source: TextSource,
  text?: string,
): Promise<DocumentView> {
  const documentContext = { ...context, query: { ...context.query, format: "document" as const } };
  const formatted = await formatText(createTextContext(documentContext, shown), shown.view, source, text);
  return (formatted as { readonly document: DocumentView }).document;
}

/** Returns the document with an id, if the content has it. */
export async function findDocument(request: ContentReadContext, documentId: string): Promise<DocumentView | undefined> {
  const id = findDocumentSource(documentId);
  if (id === undefined) return undefined;
  const { context, shown } = openContent(request);
  const page = await shown.view.getPage(id);
  const source = page ?? (await shown.view.getReusable(id));
  if (source?.body === undefined || createDocumentId({ id, body: source.body }) !== documentId) return undefined;
  return createDocumentView(context, shown, { id, body: source.body, page });
}

/** Returns the file of an entry. */
export function parseFileEntry({ key, value }: RawEntry): WithId<FileEntry> {
  return { ...(value as FileEntry), id: key.slice(keys.files.length) };
}
