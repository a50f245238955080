// The responses to reads of content, for every state of the content.

import type * as v from "valibot";
import { type FileEntry, keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import { findPageByHtmlPath } from "../../../content/revision/html-paths";
import type { RawEntry, WithId } from "../../../content/revision/view";
import { createError } from "../../../errors";
import { SerializedJson } from "../../../operation/binary-response";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { paginateList } from "../../../operation/pagination";
import type { Reader } from "../../../storage/transaction";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { getShownContent, type ReadableContent } from "./computed-content";
import type { SourceContext } from "./computed-sources";
import { createDocumentId, findDocumentSource } from "./document-ids";
import type { UrlSigningContext } from "./download-urls";
import { listAllEntries } from "./records";
import type { ShownContentContext } from "./rules";
import type {
  DocumentSchema,
  File,
  Page,
  PageNode,
  ReusableContent,
  Revision,
  RevisionReusableContent,
} from "./schema";
import {
  collectInSteps,
  getCachedChunks,
  getFilesCacheKey,
  isCacheable,
  serializeListInSteps,
  serializeObject,
} from "./serialized-content";
import type { TextSource } from "./text-source";
import { formatText, readSourceText } from "./texts";
import {
  buildPageNodes,
  buildPageNodesBelow,
  type ContentViewContext,
  createFileView,
  createRevisionSummaries,
  getPagePath,
  loadPageFields,
} from "./views";

const loadPageSerializer = loadLazily(() => import("./serialize-pages"));

type DocumentView = v.InferInput<typeof DocumentSchema>;
type PageView = v.InferInput<typeof Page>;
type ReusableView = v.InferInput<typeof ReusableContent>;
type FileView = v.InferInput<typeof File>;

/** The context of reads of content. */
export interface ContentReadContext extends ContentViewContext, SourceContext, UrlSigningContext {
  readonly query: ContentViewContext["query"] & {
    readonly format?: "document" | "markdown" | undefined;
    readonly evaluated?: boolean | undefined;
  };
}

/** The context of reads of everything. */
interface FullReadContext extends ContentReadContext, ShownContentContext {
  /** Undefined for a call without HTTP. */
  readonly originalRequest?: object | undefined;
  readonly directory: Reader;
}

/** Returns the content as the caller sees it, and the context to read it with. Visitors do not see the origins of things. */
function openContent<Context extends ContentReadContext>(
  request: Context,
): { readonly context: Context; readonly shown: ReadableContent } {
  const { visit, query, revision } = request;
  const context = visit ? { ...request, query: { ...query, metadata: false } } : request;
  return { context, shown: getShownContent(context, revision) };
}

/**
 * Checks whether a response is sent as cached JSON. A call within the process wants the value, and content that integrations
 * compute may be different the next time.
 */
async function isSentAsJson(request: FullReadContext): Promise<boolean> {
  return isCacheable(request, request.visit) && !(await request.dependsOnIntegrations());
}

export async function readRevision(request: FullReadContext): Promise<v.InferInput<typeof Revision> | SerializedJson> {
  const { context, shown } = openContent(request);
  const { view } = shown;
  const withGit = context.query.metadata !== false;
  const [revision] = await createRevisionSummaries(context, [context.revision]);
  const { number: _, createdBy: __, git, mergedFrom, ...summary } = revision!;
  const before = {
    ...summary,
    ...omitUndefined({ git: withGit ? git : undefined, mergedFrom: context.visit ? undefined : mergedFrom }),
  };

  const reusableEntries = await view.list({ under: keys.reusables });
  const reusableContents = reusableEntries.map(({ key, value }): v.InferInput<typeof RevisionReusableContent> => {
    const { title, body, git } = value as ReusableEntry;
    const id = key.slice(keys.reusables.length);
    return {
      object: "reusable-content",
      id,
      title,
      document: createDocumentId({ id, body }),
      ...omitUndefined({ git: withGit ? git : undefined }),
    };
  });
  const after = { reusableContents, variables: await view.getVariables() };

  const listFiles = async () => {
    const entries = await listAllEntries(view, keys.files);
    // One after the other, because each URL is signed.
    function* createFileViews(): Generator<FileView, void> {
      for (const entry of entries) yield createFileView(context, parseFileEntry(entry));
    }
    return createFileViews();
  };
  if (!(await isSentAsJson(request))) {
    const pages = await buildPageNodes(context, view);
    return { ...before, pages, files: await runSteps(collectInSteps(await listFiles())), ...after };
  }
  const { serializePages } = await loadPageSerializer();
  const pages = await serializePages(context, view);
  const filesKey = getFilesCacheKey(context);
  const { contents } = context.jobContext;
  const files = await getCachedChunks(contents, filesKey, async () => serializeListInSteps(await listFiles()));
  return new SerializedJson(await serializeObject(before, { pages, files }, after));
}

export async function readPageTree(request: FullReadContext): Promise<{ pages: PageNode[] } | SerializedJson> {
  const { context, shown } = openContent(request);
  if (!(await isSentAsJson(request))) return { pages: await buildPageNodes(context, shown.view) };
  const { serializePages } = await loadPageSerializer();
  return new SerializedJson(await serializeObject({}, { pages: await serializePages(context, shown.view) }));
}

export async function readPageResponse(
  request: ContentReadContext & { readonly params: { readonly pageId: string } },
): Promise<PageView> {
  const { context, shown } = openContent(request);
  return createPageView(context, shown, await shown.view.getPage(context.params.pageId));
}

export async function readPageByPath(
  request: ContentReadContext & { readonly params: { readonly pagePath: string } },
): Promise<PageView> {
  const { context, shown } = openContent(request);
  const { view } = shown;
  const { pagePath } = context.params;
  const page = (await view.findPageByPath(pagePath)) ?? (await findPageByHtmlPath(view, pagePath));
  return createPageView(context, shown, page);
}

async function createPageView(
  context: ContentReadContext,
  shown: ReadableContent,
  page: WithId<PageEntry> | undefined,
): Promise<PageView> {
  if (!page) throw createError("page_not_found");
  const { view } = shown;
  const { id, body } = page;
  const path = await getPagePath(view, id);
  const fields = await loadPageFields(context, view, page, path);
  const text = body === undefined ? undefined : await readTextResponse(context, shown, { id, body, page });
  return { ...fields, ...text, pages: await buildPageNodesBelow(context, view, id, path) };
}

/** Returns the text of a page or a reusable content in the requested format. */
function readTextResponse(context: ContentReadContext, shown: ReadableContent, source: TextSource) {
  return readSourceText({ ...createTextContext(context, shown), query: context.query }, shown.view, source);
}

export async function readPageDocument(
  request: ContentReadContext & { readonly params: { readonly pageId: string } },
): Promise<DocumentView> {
  const { context, shown } = openContent(request);
  const page = await shown.view.getPage(context.params.pageId);
  if (page?.body === undefined) throw createError("page_not_found");
  return createDocumentView(context, shown, { id: page.id, body: page.body, page });
}

/** Returns the document that a page would have with another text. */
export async function previewDocument(
  request: ContentReadContext & {
    readonly params: { readonly pageId: string };
    readonly body: { readonly markdown: string };
  },
): Promise<DocumentView> {
  const { context, shown } = openContent(request);
  const page = await shown.view.getPage(context.params.pageId);
  if (page?.body === undefined) throw createError("page_not_found");
  const textContext = {
    ...createTextContext(context, shown),
    query: { ...context.query, format: "document" as const },
  };
  const source = { id: page.id, body: page.body, page };
  const text = await formatText(textContext, shown.view, source, context.body.markdown);
  return (text as { readonly document: DocumentView }).document;
}

export async function readReusableDocument(
  request: ContentReadContext & { readonly params: { readonly reusableContentId: string } },
): Promise<DocumentView> {
  const { context, shown } = openContent(request);
  const reusable = await shown.view.getReusable(context.params.reusableContentId);
  if (!reusable) throw createError("reusable_content_not_found");
  return createDocumentView(context, shown, { id: reusable.id, body: reusable.body, page: undefined });
}

/** Returns the context of reading texts of the shown content. */
function createTextContext({ tx, peek, space, jobContext }: ContentReadContext, shown: ReadableContent) {
  return { ...shown, tx, peek, space, ports: jobContext.ports };
}

async function createDocumentView(
  context: ContentReadContext,
  shown: ReadableContent,
  source: TextSource,
): Promise<DocumentView> {
  const text = await readTextResponse({ ...context, query: { ...context.query, format: "document" } }, shown, source);
  return (text as { readonly document: DocumentView }).document;
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

export async function readReusableContent(
  request: ContentReadContext & { readonly params: { readonly reusableContentId: string } },
): Promise<ReusableView> {
  const { context, shown } = openContent(request);
  const id = context.params.reusableContentId;
  const reusable = await shown.view.getReusable(id);
  if (!reusable) throw createError("reusable_content_not_found");
  const { title, body, git } = reusable;
  return {
    object: "reusable-content",
    id,
    title,
    ...(await readTextResponse(context, shown, { id, body, page: undefined })),
    ...omitUndefined({ git: context.query.metadata === false ? undefined : git }),
  };
}

export async function readFileResponse(
  request: ContentReadContext & { readonly params: { readonly fileId: string } },
): Promise<FileView> {
  const { context, shown } = openContent(request);
  const file = await shown.view.getFile(context.params.fileId);
  if (!file) throw createError("file_not_found");
  return createFileView(context, file);
}

/** Lists the files of a revision, in the order of their ids. */
export async function listContentFiles(
  request: ContentReadContext & { readonly pageRequest: PageRequest },
): Promise<PageOfItems<FileView>> {
  const { context, shown } = openContent(request);
  const { view } = shown;
  return paginateList(
    context.pageRequest,
    async ({ after, limit }) => {
      const entries = await view.list({ under: keys.files, after, limit });
      return entries.map((entry) => ({ record: parseFileEntry(entry), position: entry.key }));
    },
    await view.count({ under: keys.files }),
    (files) => files.map((file) => createFileView(context, file)),
  );
}

/** Returns the file of an entry. */
export function parseFileEntry({ key, value }: RawEntry): WithId<FileEntry> {
  return { ...(value as FileEntry), id: key.slice(keys.files.length) };
}
