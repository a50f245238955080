// The history of a space: its revisions, their content, and their changes.

import { loadRevisionDiff } from "../../../content/lazy";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { space } from "../../library/spaces/rules";
import { createReadOperations } from "./read-operations";
import { createNodeSource, revisions } from "./records";
import { revision } from "./rules";
import { ContentChanges, RevisionSummary } from "./schema";
import { createRevisionSummaries } from "./views";

export const listRevisions = defineOperation("GET /spaces/:spaceId/revisions", {
  summary: "List revisions",
  target: space,
  right: "view",
  list: RevisionSummary,
  async handle(context) {
    return paginateGroup(
      context,
      revisions,
      "ofSpace",
      [context.space.id],
      (found) => createRevisionSummaries(context, found),
      { reverse: true },
    );
  },
});

const read = createReadOperations(revision, true);

export const getRevision = defineOperation("GET /spaces/:spaceId/revisions/:revisionId", read.all("Get a revision"));

export const listRevisionPages = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/pages",
  read.pages("List pages in a revision"),
);

export const listRevisionFiles = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/files",
  read.files("List files in a revision"),
);

export const getRevisionFile = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/files/:fileId",
  read.file("Get a file in a revision"),
);

export const getRevisionPage = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/page/:pageId",
  read.page("Get a page in a revision"),
);

export const getRevisionPageDocument = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/page/:pageId/document",
  read.document("Get the document of a page in a revision"),
);

export const getRevisionPageByPath = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/path/:pagePath+",
  read.pageAt("Get a page in a revision by path"),
);

export const getRevisionReusableContent = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/reusable-contents/:reusableContentId",
  read.reusableContent("Get a reusable content in a revision"),
);

export const getRevisionReusableContentDocument = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/reusable-contents/:reusableContentId/document",
  read.reusableDocument("Get the document of a reusable content in a revision"),
);

export const listRevisionChanges = defineOperation("GET /spaces/:spaceId/revisions/:revisionId/changes", {
  summary: "List changes in a revision",
  target: revision,
  right: "view",
  returns: ContentChanges,
  version: ({ revision }) => revision.id,
  async handle(context) {
    const { tx, objects, revision } = context;
    const [before] = revision.parents;
    const parent = before === undefined ? undefined : await revisions.get(tx, revision.space, before);
    const { compareRevisions } = await loadRevisionDiff();
    return compareRevisions(createNodeSource(objects), parent?.root ?? null, revision.root);
  },
});
