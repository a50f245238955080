// Reads the current content of a space.

import { defineOperation } from "../../../operation/operation";
import { createReadOperations } from "./read-operations";
import { content } from "./rules";

const read = createReadOperations(content, true);

export const getContent = defineOperation("GET /spaces/:spaceId/content", read.all("Get the content of a space"));

export const listPages = defineOperation("GET /spaces/:spaceId/content/pages", read.pages("List pages in a space"));

export const getPage = defineOperation("GET /spaces/:spaceId/content/page/:pageId", read.page("Get a page"));

export const getPageByPath = defineOperation(
  "GET /spaces/:spaceId/content/path/:pagePath+",
  read.pageAt("Get a page by path"),
);

export const listFiles = defineOperation("GET /spaces/:spaceId/content/files", read.files("List files in a space"));

export const getFile = defineOperation("GET /spaces/:spaceId/content/files/:fileId", read.file("Get a file"));

export const getPageDocument = defineOperation(
  "GET /spaces/:spaceId/content/page/:pageId/document",
  read.document("Get the document of a page"),
);

export const previewPage = defineOperation(
  "POST /spaces/:spaceId/content/page/:pageId/preview",
  read.preview("Preview a page"),
);

export const getReusableContentDocument = defineOperation(
  "GET /spaces/:spaceId/content/reusable-contents/:reusableContentId/document",
  read.reusableDocument("Get the document of a reusable content"),
);

export const getReusableContent = defineOperation(
  "GET /spaces/:spaceId/content/reusable-contents/:reusableContentId",
  read.reusableContent("Get a reusable content"),
);
