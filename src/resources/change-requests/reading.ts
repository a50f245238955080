// Reading what a change request would make of the content.

import * as v from "valibot";
import { changesBetween } from "../../content/revision/difference";
import { operation } from "../../operation";
import type { Reader } from "../../store/transaction";
import {
  answerFile,
  answerPage,
  answerPageAt,
  answerReusable,
  answerRevision,
  listFilesIn,
} from "../revisions/answers";
import { shownIn } from "../revisions/computing";
import { downloadsVersion } from "../revisions/downloads";
import { listFileBacklinks, listLinks, listPageBacklinks, listPageLinks } from "../revisions/link-lists";
import { aboutPdf, answerPdf, PdfUrl, printing } from "../revisions/pdf-answers";
import { nodesOf, revisions } from "../revisions/records";
import { contentVersion } from "../revisions/rules";
import {
  ContentChanges,
  ContentLink,
  ContentReference,
  evaluated,
  File,
  format,
  LinkStats,
  Page,
  PageInTree,
  ReusableContent,
  Revision,
  reading,
} from "../revisions/schema";
import { pageTree } from "../revisions/views";
import { baseOf, type ChangeRequestRecord } from "./records";
import { changeRequest } from "./rules";

const prefix = "/spaces/:spaceId/change-requests/:changeRequestId";

export const getChangeRequestContent = operation(`GET ${prefix}/content`, {
  summary: "Get everything that a change request holds, but the texts of its pages",
  on: changeRequest,
  right: "view",
  query: reading,
  returns: Revision,
  version: (it) => contentVersion(it, downloadsVersion(it)),
  handle: answerRevision,
});

export const listChangeRequestPages = operation(`GET ${prefix}/content/pages`, {
  summary: "Get the tree of pages of a change request",
  on: changeRequest,
  right: "view",
  query: reading,
  returns: v.object({ pages: v.array(PageInTree) }),
  version: (it) => contentVersion(it),
  async handle(context) {
    return { pages: await pageTree(context, shownIn(context, context.revision).view) };
  },
});

export const getChangeRequestPage = operation(`GET ${prefix}/content/page/:pageId`, {
  summary: "Get a page of a change request with its text",
  on: changeRequest,
  right: "view",
  query: { ...reading, ...format, ...evaluated },
  returns: Page,
  handle: answerPage,
});

export const getChangeRequestPageByPath = operation(`GET ${prefix}/content/path/:pagePath+`, {
  summary: "Get the page at a path of a change request",
  on: changeRequest,
  right: "view",
  query: { ...reading, ...format, ...evaluated },
  returns: Page,
  handle: answerPageAt,
});

export const listChangeRequestFiles = operation(`GET ${prefix}/content/files`, {
  summary: "List the files of a change request",
  on: changeRequest,
  right: "view",
  query: reading,
  list: File,
  handle: listFilesIn,
});

export const getChangeRequestFile = operation(`GET ${prefix}/content/files/:fileId`, {
  summary: "Get a file of a change request, with a URL to download it from",
  on: changeRequest,
  right: "view",
  query: reading,
  returns: File,
  handle: answerFile,
});

export const getChangeRequestReusableContent = operation(`GET ${prefix}/content/reusable-contents/:reusableContentId`, {
  summary: "Get a reusable content of a change request with its text",
  on: changeRequest,
  right: "view",
  query: { ...reading, ...format },
  returns: ReusableContent,
  handle: answerReusable,
});

export const listChangeRequestLinks = operation(`GET ${prefix}/links`, {
  summary: "List what the pages of a change request link to, and which of it is not there",
  on: changeRequest,
  right: "view",
  list: ContentLink,
  stats: LinkStats,
  handle: async (context) => listLinks({ ...context, before: await revisionBefore(context) }),
});

export const listLinksOfChangeRequestPage = operation(`GET ${prefix}/content/page/:pageId/links`, {
  summary: "List what a page of a change request links to",
  on: changeRequest,
  right: "view",
  list: ContentLink,
  stats: LinkStats,
  handle: async (context) => listPageLinks({ ...context, before: await revisionBefore(context) }),
});

export const listBacklinksOfChangeRequestPage = operation(`GET ${prefix}/content/page/:pageId/backlinks`, {
  summary: "List where a page of a change request is linked from",
  on: changeRequest,
  right: "view",
  list: ContentReference,
  handle: listPageBacklinks,
});

export const listBacklinksOfChangeRequestFile = operation(`GET ${prefix}/content/files/:fileId/backlinks`, {
  summary: "List where a file of a change request is linked from",
  on: changeRequest,
  right: "view",
  list: ContentReference,
  handle: listFileBacklinks,
});

export const listChangesOfChangeRequest = operation(`GET ${prefix}/changes`, {
  summary: "Tell what a change request changes",
  description: "Seen from the revision of the space that it was last brought up to date with.",
  on: changeRequest,
  right: "view",
  returns: ContentChanges,
  async handle(context) {
    const base = await revisionBefore(context);
    return changesBetween(nodesOf(context.objects), base?.root ?? null, context.revision.root);
  },
});

/** The revision of the space that a change request is compared with. */
function revisionBefore({ tx, changeRequest }: { readonly tx: Reader; readonly changeRequest: ChangeRequestRecord }) {
  return revisions.get(tx, changeRequest.space, baseOf(changeRequest));
}

export const getChangeRequestPdf = operation(`GET ${prefix}/pdf`, {
  summary: "Get a URL to read a change request as PDF, or a page of it",
  description: aboutPdf,
  on: changeRequest,
  right: "view",
  query: printing,
  returns: PdfUrl,
  handle: answerPdf,
});
