// Reads the current content of a space.

import { defineOperation } from "../../../operation/operation";
import { createReadOperations } from "./read-operations";
import { content } from "./rules";

const read = createReadOperations(content, true);

export const getContent = defineOperation(
  "GET /spaces/:spaceId/content",
  read.all("Get everything that a space holds, but the texts of its pages"),
);

export const listPages = defineOperation(
  "GET /spaces/:spaceId/content/pages",
  read.pages("Get the tree of pages of a space"),
);

export const getPage = defineOperation(
  "GET /spaces/:spaceId/content/page/:pageId",
  read.page("Get a page with its text"),
);

export const getPageByPath = defineOperation(
  "GET /spaces/:spaceId/content/path/:pagePath+",
  read.pageAt("Get the page at a path, also at one that it had once"),
);

export const listFiles = defineOperation("GET /spaces/:spaceId/content/files", read.files("List the files of a space"));

export const getFile = defineOperation(
  "GET /spaces/:spaceId/content/files/:fileId",
  read.file("Get a file, with a URL to download it from"),
);

export const getPageDocument = defineOperation(
  "GET /spaces/:spaceId/content/page/:pageId/document",
  read.document("Get the document of a page"),
);

export const previewPage = defineOperation(
  "POST /spaces/:spaceId/content/page/:pageId/preview",
  read.preview("Get the document that a text would be on a page"),
);

export const getReusableContentDocument = defineOperation(
  "GET /spaces/:spaceId/content/reusable-contents/:reusableContentId/document",
  read.reusableDocument("Get the document of a reusable content"),
);

export const getReusableContent = defineOperation(
  "GET /spaces/:spaceId/content/reusable-contents/:reusableContentId",
  read.reusableContent("Get a reusable content with its text"),
);
