// The read operations of every state of content: the current content of a space, a revision of its history, and a change request.
// Each is an operation without its route, for one target.

import * as v from "valibot";
import { keys } from "../../../content/revision/entries";
import { findPageByHtmlPath } from "../../../content/revision/html-paths";
import { createError, createValidationError } from "../../../errors";
import type { Actor } from "../../../operation/actor";
import { BooleanParam, Id, namedObject, UrlString } from "../../../operation/common-schemas";
import { type PageOfItems, type PageRequest, paginateList } from "../../../operation/pagination";
import type { Target } from "../../../operation/target";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { MarkdownText } from "./changes-schema";
import { getShownContent } from "./computed-content";
import { getDownloadsVersion } from "./download-urls";
import { getReaderName } from "./reader-names";
import { getContentVersion, type ShownContentContext } from "./rules";
import {
  ContentLink,
  computedQuery,
  contentQuery,
  DocumentSchema,
  evaluatedQuery,
  File,
  formatQuery,
  LinkLocation,
  LinksInSpace,
  Page,
  PageInTree,
  ReusableContent,
  Revision,
} from "./schema";
import { computeExpiry, signClaims } from "./signed-claims";
import { formatText } from "./texts";
import {
  type ContentReadContext,
  createDocumentView,
  createFileView,
  createPageView,
  createTextContext,
  type DocumentView,
  type FileView,
  openContent,
  parseFileEntry,
} from "./views";

type PageView = v.InferInput<typeof Page>;

/** The query parameters that select the pages to print. */
const printQuery = {
  page: v.optional(v.pipe(Id, v.description("The page to print, including its child pages. Defaults to all pages."))),
  only: v.optional(v.pipe(BooleanParam, v.description("True excludes the child pages of `page`. Defaults to false."))),
};

const PdfUrl = namedObject("PdfUrl", { url: UrlString });

export const loadWholeContent = loadLazily(() => import("./whole-content"));
export const loadLinkLists = loadLazily(() => import("./link-lists"));

/**
 * Creates the read operations for the content of a target. Each takes its summary and returns the options of `defineOperation`.
 * With `allowsVisitors`, some of them are open to tokens of visitors.
 */
export function createReadOperations<Loaded extends ShownContentContext, Right extends string>(
  target: Target<Loaded, Right>,
  allowsVisitors = false,
) {
  const readOptions = (summary: string) => ({ summary, target, right: "view" as const });
  const visitorReadOptions = (summary: string) => ({
    ...readOptions(summary),
    ...omitUndefined({ allowsVisitors: allowsVisitors ? (true as const) : undefined }),
  });
  /** Links may lead into other organizations. Responses that depend on those are not cached. */
  const linkListOptions = (summary: string) => ({
    ...readOptions(summary),
    list: ContentLink,
    extraFields: LinksInSpace,
    cache: "unless-elsewhere" as const,
  });
  const backlinkListOptions = (summary: string) => ({ ...readOptions(summary), list: LinkLocation });
  return {
    all: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: contentQuery,
      returns: Revision,
      version: async (content: Parameters<typeof getDownloadsVersion>[0] & ShownContentContext) =>
        getContentVersion(content, `${getDownloadsVersion(content)}${await content.getMergeVersion()}`),
      cache: "unless-elsewhere" as const,
      handle: callLazily(loadWholeContent, (module) => module.readRevision),
    }),
    pages: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: contentQuery,
      returns: v.object({ pages: v.array(PageInTree) }),
      version: (content: ShownContentContext) => getContentVersion(content),
      handle: callLazily(loadWholeContent, (module) => module.readPages),
    }),
    page: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...contentQuery, ...formatQuery, ...evaluatedQuery },
      returns: Page,
      cache: "unless-elsewhere" as const,
      async handle(request: ContentReadContext & { readonly params: { readonly pageId: string } }): Promise<PageView> {
        const { context, shown } = openContent(request);
        return createPageView(context, shown, await shown.view.getPage(context.params.pageId));
      },
    }),
    pageAt: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...contentQuery, ...formatQuery, ...evaluatedQuery },
      returns: Page,
      cache: "unless-elsewhere" as const,
      async handle(
        request: ContentReadContext & { readonly params: { readonly pagePath: string } },
      ): Promise<PageView> {
        const { context, shown } = openContent(request);
        const { view } = shown;
        const { pagePath } = context.params;
        const page = (await view.findPageByPath(pagePath)) ?? (await findPageByHtmlPath(view, pagePath));
        return createPageView(context, shown, page);
      },
    }),
    document: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...computedQuery, ...evaluatedQuery },
      returns: DocumentSchema,
      cache: "unless-elsewhere" as const,
      async handle(
        request: ContentReadContext & { readonly params: { readonly pageId: string } },
      ): Promise<DocumentView> {
        const { context, shown } = openContent(request);
        const page = await shown.view.getPage(context.params.pageId);
        if (page?.body === undefined) throw createError("page_not_found");
        return createDocumentView(context, shown, { id: page.id, body: page.body, page });
      },
    }),
    preview: (summary: string) => ({
      ...readOptions(summary),
      query: evaluatedQuery,
      body: MarkdownText,
      returns: DocumentSchema,
      isReadOnly: true as const,
      async handle(
        request: ContentReadContext & {
          readonly params: { readonly pageId: string };
          readonly body: { readonly markdown: string };
        },
      ): Promise<DocumentView> {
        const { context, shown } = openContent(request);
        const page = await shown.view.getPage(context.params.pageId);
        if (page?.body === undefined) throw createError("page_not_found");
        const source = { id: page.id, body: page.body, page };
        return createDocumentView(context, shown, source, context.body.markdown);
      },
    }),
    files: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: contentQuery,
      list: File,
      async handle(
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
      },
    }),
    file: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: contentQuery,
      returns: File,
      async handle(request: ContentReadContext & { readonly params: { readonly fileId: string } }): Promise<FileView> {
        const { context, shown } = openContent(request);
        const file = await shown.view.getFile(context.params.fileId);
        if (!file) throw createError("file_not_found");
        return createFileView(context, file);
      },
    }),
    reusableContent: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...contentQuery, ...formatQuery },
      returns: ReusableContent,
      cache: "unless-elsewhere" as const,
      async handle(
        request: ContentReadContext & { readonly params: { readonly reusableContentId: string } },
      ): Promise<v.InferInput<typeof ReusableContent>> {
        const { context, shown } = openContent(request);
        const id = context.params.reusableContentId;
        const reusable = await shown.view.getReusable(id);
        if (!reusable) throw createError("reusable_content_not_found");
        const { title, body, git } = reusable;
        return {
          object: "reusable-content",
          id,
          title,
          ...(await formatText(createTextContext(context, shown), shown.view, { id, body, page: undefined })),
          ...omitUndefined({ git: context.query.metadata === false ? undefined : git }),
        };
      },
    }),
    reusableDocument: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: evaluatedQuery,
      returns: DocumentSchema,
      cache: "unless-elsewhere" as const,
      async handle(
        request: ContentReadContext & { readonly params: { readonly reusableContentId: string } },
      ): Promise<DocumentView> {
        const { context, shown } = openContent(request);
        const reusable = await shown.view.getReusable(context.params.reusableContentId);
        if (!reusable) throw createError("reusable_content_not_found");
        return createDocumentView(context, shown, { id: reusable.id, body: reusable.body, page: undefined });
      },
    }),
    links: (summary: string) => ({
      ...linkListOptions(summary),
      handle: callLazily(loadLinkLists, (module) => module.listLinks),
    }),
    linksOfPage: (summary: string) => ({
      ...linkListOptions(summary),
      handle: callLazily(loadLinkLists, (module) => module.listPageLinks),
    }),
    backlinksOfPage: (summary: string) => ({
      ...backlinkListOptions(summary),
      handle: callLazily(loadLinkLists, (module) => module.listPageBacklinks),
    }),
    backlinksOfFile: (summary: string) => ({
      ...backlinkListOptions(summary),
      handle: callLazily(loadLinkLists, (module) => module.listFileBacklinks),
    }),
    pdf: (summary: string) => ({
      ...readOptions(summary),
      query: printQuery,
      returns: PdfUrl,
      async handle(
        context: Omit<ContentReadContext, "query"> & {
          readonly actor: Actor;
          readonly query: { readonly page?: string | undefined; readonly only?: boolean | undefined };
        },
      ): Promise<v.InferInput<typeof PdfUrl>> {
        const { page = null, only = false } = context.query;
        if (only && page === null)
          throw createValidationError("query.page", "This field is required if `only` is true.");
        const { space, revision } = context;
        const { view } = getShownContent({ ...context, query: {} }, revision);
        if (page !== null && !(await view.getPage(page))) throw createError("page_not_found");
        const user = getReaderName(context);
        // The document can be read at this URL for the rest of this hour and the next.
        return {
          url: context.urls.api(
            `/pdfs/${signClaims(context.secrets, "pdf", [space.id, revision.id, page, only, user, computeExpiry(context.now)])}`,
          ),
        };
      },
    }),
  };
}
