// Links of content, in both directions.

import { operation } from "../../operation";
import { listFileBacklinks, listLinks, listPageBacklinks, listPageLinks } from "./link-lists";
import { content } from "./rules";
import { ContentLink, ContentReference, LinkStats } from "./schema";

export const listSpaceLinks = operation("GET /spaces/:spaceId/links", {
  summary: "List what the pages of a space link to, and which of it is not there",
  on: content,
  right: "view",
  list: ContentLink,
  stats: LinkStats,
  handle: listLinks,
});

export const listLinksOfPage = operation("GET /spaces/:spaceId/content/page/:pageId/links", {
  summary: "List what a page links to",
  on: content,
  right: "view",
  list: ContentLink,
  stats: LinkStats,
  handle: listPageLinks,
});

export const listBacklinksOfPage = operation("GET /spaces/:spaceId/content/page/:pageId/backlinks", {
  summary: "List where a page is linked from",
  on: content,
  right: "view",
  list: ContentReference,
  handle: listPageBacklinks,
});

export const listBacklinksOfFile = operation("GET /spaces/:spaceId/content/files/:fileId/backlinks", {
  summary: "List where a file is linked from",
  on: content,
  right: "view",
  list: ContentReference,
  handle: listFileBacklinks,
});
