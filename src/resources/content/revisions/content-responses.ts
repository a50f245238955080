// The responses to reads of content, for every state of the content.

import type * as v from "valibot";
import { type FileEntry, keys, type PageEntry, type ReusableEntry } from "../../../content/revision/entries";
import type { RawEntry, WithId } from "../../../content/revision/view";
import { createError } from "../../../errors";
import { SerializedJson } from "../../../operation/binary-response";
import type { Reader } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { getShownContent, type ReadableContent } from "./computed-content";
import type { SourceContext } from "./computed-sources";
import { createDocumentId, findDocumentSource } from "./document-ids";
import { getDownloadsVersion, type UrlSigningContext } from "./download-urls";
import { collectEntries } from "./records";
import type { ShownContentContext } from "./rules";
import type { DocumentSchema, File, Page, Revision, RevisionReusableContent } from "./schema";
import { getCachedChunks, getPagesCacheKey, isCacheable, serializeObject } from "./serialized-content";
import type { TextSource } from "./text-source";
import { formatText } from "./texts";
import {
  buildPageNodes,
  buildPageNodesBelow,
  type ContentViewContext,
  createFileView,
  createRevisionSummaries,
  getPagePath,
  loadPageFields,
} from "./views";

export const loadPageSerializer = loadLazily(() => import("./serialize-pages"));

export type DocumentView = v.InferInput<typeof DocumentSchema>;
export type FileView = v.InferInput<typeof File>;

/** The context of reads of content. */
export interface ContentReadContext extends ContentViewContext, SourceContext, UrlSigningContext {
  readonly query: ContentViewContext["query"] & {
    readonly format?: "document" | "markdown" | undefined;
    readonly evaluated?: boolean | undefined;
  };
}

/** The context of reads of everything. */
export interface FullReadContext extends ContentReadContext, ShownContentContext {
  /** Undefined for a call without HTTP. */
  readonly originalRequest?: object | undefined;
  readonly directory: Reader;
}

/** Returns the content as the caller sees it, and the context to read it with. Visitors do not see the origins of things. */
export function openContent<Context extends ContentReadContext>(
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
export async function isSentAsJson(request: FullReadContext): Promise<boolean> {
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

  const listFileEntries = () => collectEntries(view, keys.files, (entries) => entries);
  if (!(await isSentAsJson(request))) {
    const pages = await buildPageNodes(context, view);
    const files: FileView[] = [];
    for (const entry of await listFileEntries()) {
      files.push(createFileView(context, parseFileEntry(entry)));
      // Each URL is signed.
      await yieldToEventLoop();
    }
    return { ...before, pages, files, ...after };
  }
  const { serializePages } = await loadPageSerializer();
  const pages = await serializePages(context, view);
  // The URLs of files are for one person and one hour.
  const filesKey = `files of ${getPagesCacheKey(context)} ${getDownloadsVersion(context)}`;
  const { contents } = context.jobContext;
  const files = await getCachedChunks(contents, filesKey, listFileEntries, (entry) =>
    createFileView(context, parseFileEntry(entry)),
  );
  return new SerializedJson(await serializeObject(before, { pages, files }, after));
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
