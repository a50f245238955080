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
  summary: "List the revisions of a space, the newest first",
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

export const getRevision = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId",
  read.all("Get everything that a space held, but the texts of its pages"),
);

export const listRevisionPages = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/pages",
  read.pages("Get the tree of pages of a revision"),
);

export const listRevisionFiles = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/files",
  read.files("List the files of a revision"),
);

export const getRevisionFile = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/files/:fileId",
  read.file("Get a file of a revision, with a URL to download it from"),
);

export const getRevisionPage = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/page/:pageId",
  read.page("Get a page as a revision has it"),
);

export const getRevisionPageDocument = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/page/:pageId/document",
  read.document("Get the document of a page as a revision has it"),
);

export const getRevisionPageByPath = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/path/:pagePath+",
  read.pageAt("Get the page at a path as a revision has it"),
);

export const getRevisionReusableContent = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/reusable-contents/:reusableContentId",
  read.reusableContent("Get a reusable content as a revision has it"),
);

export const getRevisionReusableContentDocument = defineOperation(
  "GET /spaces/:spaceId/revisions/:revisionId/reusable-contents/:reusableContentId/document",
  read.reusableDocument("Get the document of a reusable content as a revision has it"),
);

export const listRevisionChanges = defineOperation("GET /spaces/:spaceId/revisions/:revisionId/changes", {
  summary: "Tell what a revision changed",
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
