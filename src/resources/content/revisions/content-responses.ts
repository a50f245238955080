// The responses to reads of content, for every state of the content.

import type * as v from "valibot";
import { type FileEntry, keys, type PageEntry } from "../../../content/revision/entries";
import type { RawEntry, WithId } from "../../../content/revision/view";
import { createError } from "../../../errors";
import { getShownContent, type ReadableContent } from "./computed-content";
import type { SourceContext } from "./computed-sources";
import { createDocumentId, findDocumentSource } from "./document-ids";
import type { UrlSigningContext } from "./download-urls";
import type { DocumentSchema, File, Page } from "./schema";
import type { TextSource } from "./text-source";
import { formatText } from "./texts";
import { buildPageNodesBelow, type ContentViewContext, getPagePath, loadPageFields } from "./views";

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
