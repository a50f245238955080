// The read operations of every state of content: the current content of a space, a revision of its history, and a change request.
// Each is an operation without its route, for one target.

import * as v from "valibot";
import type { Target } from "../../../operation/target";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { MarkdownText } from "./changes-schema";
import {
  listContentFiles,
  previewDocument,
  readFileResponse,
  readPageByPath,
  readPageDocument,
  readPageResponse,
  readPageTree,
  readReusableContent,
  readReusableDocument,
  readRevision,
} from "./content-responses";
import { getDownloadsVersion } from "./download-urls";
import { getPdfUrl, PDF_DESCRIPTION, PdfUrl, printQuery } from "./print/get-pdf-url";
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
      handle: readRevision,
    }),
    pages: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: contentQuery,
      returns: v.object({ pages: v.array(PageInTree) }),
      version: (content: ShownContentContext) => getContentVersion(content),
      handle: readPageTree,
    }),
    page: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...contentQuery, ...formatQuery, ...evaluatedQuery },
      returns: Page,
      cache: "unless-elsewhere" as const,
      handle: readPageResponse,
    }),
    pageAt: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...contentQuery, ...formatQuery, ...evaluatedQuery },
      returns: Page,
      cache: "unless-elsewhere" as const,
      handle: readPageByPath,
    }),
    document: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...computedQuery, ...evaluatedQuery },
      returns: DocumentSchema,
      cache: "unless-elsewhere" as const,
      handle: readPageDocument,
    }),
    preview: (summary: string) => ({
      ...readOptions(summary),
      description: "Nothing is stored. Links and files are found as they would be if the page had this text.",
      query: evaluatedQuery,
      body: MarkdownText,
      returns: DocumentSchema,
      isReadOnly: true as const,
      handle: previewDocument,
    }),
    files: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: contentQuery,
      list: File,
      handle: listContentFiles,
    }),
    file: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: contentQuery,
      returns: File,
      handle: readFileResponse,
    }),
    reusableContent: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: { ...contentQuery, ...formatQuery },
      returns: ReusableContent,
      cache: "unless-elsewhere" as const,
      handle: readReusableContent,
    }),
    reusableDocument: (summary: string) => ({
      ...visitorReadOptions(summary),
      query: evaluatedQuery,
      returns: DocumentSchema,
      cache: "unless-elsewhere" as const,
      handle: readReusableDocument,
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
      description: PDF_DESCRIPTION,
      query: printQuery,
      returns: PdfUrl,
      handle: getPdfUrl,
    }),
  };
}
