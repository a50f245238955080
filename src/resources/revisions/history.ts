// The history of a space: its revisions, what they held, and what each of them changed.

import * as v from "valibot";
import { changesBetween } from "../../content/revision/difference";
import { pageOf } from "../../kernel/pages";
import { operation } from "../../operation";
import { space } from "../spaces/rules";
import { answerPage, answerPageAt, answerReusable, answerRevision, listFilesIn } from "./answers";
import { shownIn } from "./computing";
import { downloadsVersion } from "./downloads";
import { nodesOf, revisions } from "./records";
import { contentVersion, revision } from "./rules";
import {
  ContentChanges,
  evaluated,
  File,
  format,
  Page,
  PageInTree,
  ReusableContent,
  Revision,
  RevisionSummary,
  reading,
} from "./schema";
import { pageTree, revisionSummary } from "./views";

export const listRevisions = operation("GET /spaces/:spaceId/revisions", {
  summary: "List the revisions of a space, the newest first",
  on: space,
  right: "view",
  list: RevisionSummary,
  async handle(context) {
    const { tx, space, page } = context;
    return pageOf(
      page,
      (slice) => revisions.list(tx, "ofSpace", { under: [space.id], reverse: true, ...slice }),
      await revisions.total(tx, "ofSpace", space.id),
      (found) => found.map((it) => revisionSummary(context, it)),
    );
  },
});

export const getRevision = operation("GET /spaces/:spaceId/revisions/:revisionId", {
  summary: "Get everything that a space held, but the texts of its pages",
  on: revision,
  right: "view",
  query: reading,
  returns: Revision,
  version: (it) => contentVersion(it, downloadsVersion(it)),
  handle: answerRevision,
});

export const listRevisionPages = operation("GET /spaces/:spaceId/revisions/:revisionId/pages", {
  summary: "Get the tree of pages of a revision",
  on: revision,
  right: "view",
  query: reading,
  returns: v.object({ pages: v.array(PageInTree) }),
  version: (it) => contentVersion(it),
  async handle(context) {
    return { pages: await pageTree(context, shownIn(context, context.revision).view) };
  },
});

export const listRevisionFiles = operation("GET /spaces/:spaceId/revisions/:revisionId/files", {
  summary: "List the files of a revision",
  on: revision,
  right: "view",
  query: reading,
  list: File,
  handle: listFilesIn,
});

export const getRevisionPage = operation("GET /spaces/:spaceId/revisions/:revisionId/page/:pageId", {
  summary: "Get a page as a revision has it",
  on: revision,
  right: "view",
  query: { ...reading, ...format, ...evaluated },
  returns: Page,
  handle: answerPage,
});

export const getRevisionPageByPath = operation("GET /spaces/:spaceId/revisions/:revisionId/path/:pagePath+", {
  summary: "Get the page at a path as a revision has it",
  on: revision,
  right: "view",
  query: { ...reading, ...format, ...evaluated },
  returns: Page,
  handle: answerPageAt,
});

export const getRevisionReusableContent = operation(
  "GET /spaces/:spaceId/revisions/:revisionId/reusable-contents/:reusableContentId",
  {
    summary: "Get a reusable content as a revision has it",
    on: revision,
    right: "view",
    query: { ...reading, ...format },
    returns: ReusableContent,
    handle: answerReusable,
  },
);

export const listRevisionChanges = operation("GET /spaces/:spaceId/revisions/:revisionId/changes", {
  summary: "Tell what a revision changed",
  on: revision,
  right: "view",
  returns: ContentChanges,
  version: ({ revision }) => revision.id,
  async handle(context) {
    const { tx, objects, revision } = context;
    const [before] = revision.parents;
    const parent = before === undefined ? undefined : await revisions.get(tx, revision.space, before);
    return changesBetween(nodesOf(objects), parent?.root ?? null, revision.root);
  },
});
