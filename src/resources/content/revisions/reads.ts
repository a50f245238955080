// The read operations of every state of content: the current content of a space, a revision of its history, and a
// change request. Each is an operation without its route, made for one target.

import * as v from "valibot";
import type { Target } from "../../../operation/target";
import { callLazily, loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import {
  answerDocument,
  answerFile,
  answerPage,
  answerPageAt,
  answerPreview,
  answerReusable,
  answerReusableDocument,
  answerRevision,
  listFilesIn,
  listPagesIn,
} from "./answers";
import { MarkdownText } from "./changes-schema";
import { downloadsVersion } from "./download-urls";
import { aboutPdf, answerPdf, PdfUrl, printing } from "./print/pdf-answers";
import { contentVersion, type InShownContent } from "./rules";
import {
  ContentLink,
  computed,
  DocumentShape,
  evaluated,
  File,
  format,
  LinkLocation,
  LinksInSpace,
  Page,
  PageInTree,
  ReusableContent,
  Revision,
  reading,
} from "./schema";

/** What the lists of links and backlinks run. */
export const loadLinkLists = loadLazily(() => import("./link-lists"));

/** The read operations for the content of a target, each with its summary. A visitor's token opens some of them. */
export function readsOf<Loaded extends InShownContent, Right extends string>(
  target: Target<Loaded, Right>,
  isShownToVisitors = false,
) {
  const read = (summary: string) => ({ summary, target, right: "view" as const });
  /** What visitors read of the revision that a space shows. */
  const shown = (summary: string) => ({
    ...read(summary),
    ...omitUndefined({ allowsVisitors: isShownToVisitors ? (true as const) : undefined }),
  });
  /** Links may lead into other organizations. Answers that looked there are not kept. */
  const linkList = (summary: string) => ({
    ...read(summary),
    list: ContentLink,
    extraFields: LinksInSpace,
    cache: "unless-elsewhere" as const,
  });
  const backlinkList = (summary: string) => ({ ...read(summary), list: LinkLocation });
  return {
    all: (summary: string) => ({
      ...shown(summary),
      query: reading,
      returns: Revision,
      version: async (it: Parameters<typeof downloadsVersion>[0] & InShownContent) =>
        contentVersion(it, `${downloadsVersion(it)}${await it.getMergeVersion()}`),
      cache: "unless-elsewhere" as const,
      handle: answerRevision,
    }),
    pages: (summary: string) => ({
      ...shown(summary),
      query: reading,
      returns: v.object({ pages: v.array(PageInTree) }),
      version: (it: InShownContent) => contentVersion(it),
      handle: listPagesIn,
    }),
    page: (summary: string) => ({
      ...shown(summary),
      query: { ...reading, ...format, ...evaluated },
      returns: Page,
      cache: "unless-elsewhere" as const,
      handle: answerPage,
    }),
    pageAt: (summary: string) => ({
      ...shown(summary),
      query: { ...reading, ...format, ...evaluated },
      returns: Page,
      cache: "unless-elsewhere" as const,
      handle: answerPageAt,
    }),
    document: (summary: string) => ({
      ...shown(summary),
      query: { ...computed, ...evaluated },
      returns: DocumentShape,
      cache: "unless-elsewhere" as const,
      handle: answerDocument,
    }),
    preview: (summary: string) => ({
      ...read(summary),
      description: "Nothing is stored. Links and files are found as they would be if the page had this text.",
      query: evaluated,
      body: MarkdownText,
      returns: DocumentShape,
      isReadOnly: true as const,
      handle: answerPreview,
    }),
    files: (summary: string) => ({ ...shown(summary), query: reading, list: File, handle: listFilesIn }),
    file: (summary: string) => ({ ...shown(summary), query: reading, returns: File, handle: answerFile }),
    reusableContent: (summary: string) => ({
      ...shown(summary),
      query: { ...reading, ...format },
      returns: ReusableContent,
      cache: "unless-elsewhere" as const,
      handle: answerReusable,
    }),
    reusableDocument: (summary: string) => ({
      ...shown(summary),
      query: evaluated,
      returns: DocumentShape,
      cache: "unless-elsewhere" as const,
      handle: answerReusableDocument,
    }),
    links: (summary: string) => ({ ...linkList(summary), handle: callLazily(loadLinkLists, (it) => it.listLinks) }),
    linksOfPage: (summary: string) => ({
      ...linkList(summary),
      handle: callLazily(loadLinkLists, (it) => it.listPageLinks),
    }),
    backlinksOfPage: (summary: string) => ({
      ...backlinkList(summary),
      handle: callLazily(loadLinkLists, (it) => it.listPageBacklinks),
    }),
    backlinksOfFile: (summary: string) => ({
      ...backlinkList(summary),
      handle: callLazily(loadLinkLists, (it) => it.listFileBacklinks),
    }),
    pdf: (summary: string) => ({
      ...read(summary),
      description: aboutPdf,
      query: printing,
      returns: PdfUrl,
      handle: answerPdf,
    }),
  };
}
