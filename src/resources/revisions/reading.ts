// Reading content: what a space shows now.

import * as v from "valibot";
import { operation } from "../../operation";
import { answerFile, answerPage, answerPageAt, answerReusable, answerRevision, listFilesIn } from "./answers";
import { shownIn } from "./computing";
import { downloadsVersion } from "./downloads";
import { content, contentVersion } from "./rules";
import { evaluated, File, format, Page, PageInTree, ReusableContent, Revision, reading } from "./schema";
import { pageTree } from "./views";

export const getContent = operation("GET /spaces/:spaceId/content", {
  summary: "Get everything that a space holds, but the texts of its pages",
  on: content,
  right: "view",
  query: reading,
  returns: Revision,
  version: (it) => contentVersion(it, downloadsVersion(it)),
  handle: answerRevision,
});

export const listPages = operation("GET /spaces/:spaceId/content/pages", {
  summary: "Get the tree of pages of a space",
  on: content,
  right: "view",
  query: reading,
  returns: v.object({ pages: v.array(PageInTree) }),
  version: (it) => contentVersion(it),
  async handle(context) {
    return { pages: await pageTree(context, shownIn(context, context.revision).view) };
  },
});

export const getPage = operation("GET /spaces/:spaceId/content/page/:pageId", {
  summary: "Get a page with its text",
  on: content,
  right: "view",
  query: { ...reading, ...format, ...evaluated },
  returns: Page,
  handle: answerPage,
});

export const getPageByPath = operation("GET /spaces/:spaceId/content/path/:pagePath+", {
  summary: "Get the page at a path, also at one that it had once",
  on: content,
  right: "view",
  query: { ...reading, ...format, ...evaluated },
  returns: Page,
  handle: answerPageAt,
});

export const listFiles = operation("GET /spaces/:spaceId/content/files", {
  summary: "List the files of a space",
  on: content,
  right: "view",
  query: reading,
  list: File,
  handle: listFilesIn,
});

export const getFile = operation("GET /spaces/:spaceId/content/files/:fileId", {
  summary: "Get a file, with a URL to download it from",
  on: content,
  right: "view",
  query: reading,
  returns: File,
  handle: answerFile,
});

export const getReusableContent = operation("GET /spaces/:spaceId/content/reusable-contents/:reusableContentId", {
  summary: "Get a reusable content with its text",
  on: content,
  right: "view",
  query: { ...reading, ...format },
  returns: ReusableContent,
  handle: answerReusable,
});
