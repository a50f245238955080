// Links of content, and backlinks.

import { defineOperation } from "../../../operation/operation";
import { createReadOperations } from "./read-operations";
import { content } from "./rules";

const read = createReadOperations(content);

export const listSpaceLinks = defineOperation(
  "GET /spaces/:spaceId/links",
  read.links("List what the pages of a space link to, and which of it is not there"),
);

export const listLinksOfPage = defineOperation(
  "GET /spaces/:spaceId/content/page/:pageId/links",
  read.linksOfPage("List what a page links to"),
);

export const listBacklinksOfPage = defineOperation(
  "GET /spaces/:spaceId/content/page/:pageId/backlinks",
  read.backlinksOfPage("List where a page is linked from"),
);

export const listBacklinksOfFile = defineOperation(
  "GET /spaces/:spaceId/content/files/:fileId/backlinks",
  read.backlinksOfFile("List where a file is linked from"),
);
