// Links of content, and backlinks.

import { defineOperation } from "../../../operation/operation";
import { createReadOperations } from "./read-operations";
import { content } from "./rules";

const read = createReadOperations(content);

export const listSpaceLinks = defineOperation("GET /spaces/:spaceId/links", read.links("List links in a space"));

export const listLinksOfPage = defineOperation(
  "GET /spaces/:spaceId/content/page/:pageId/links",
  read.linksOfPage("List links on a page"),
);

export const listBacklinksOfPage = defineOperation(
  "GET /spaces/:spaceId/content/page/:pageId/backlinks",
  read.backlinksOfPage("List links to a page"),
);

export const listBacklinksOfFile = defineOperation(
  "GET /spaces/:spaceId/content/files/:fileId/backlinks",
  read.backlinksOfFile("List links to a file"),
);
