// Reads the content of a change request.

import { loadRevisionDiff } from "../../../content/lazy";
import { defineOperation } from "../../../operation/operation";
import type { Reader } from "../../../storage/transaction";
import { createReadOperations, loadLinkLists } from "../revisions/read-operations";
import { createNodeSource, revisions } from "../revisions/records";
import { ContentChanges } from "../revisions/schema";
import { type ChangeRequestRecord, getBaseRevisionId } from "./records";
import { changeRequest } from "./rules";

const prefix = "/spaces/:spaceId/change-requests/:changeRequestId";

const read = createReadOperations(changeRequest);

export const getChangeRequestContent = defineOperation(
  `GET ${prefix}/content`,
  read.all("Get everything that a change request holds, but the texts of its pages"),
);

export const listChangeRequestPages = defineOperation(
  `GET ${prefix}/content/pages`,
  read.pages("Get the tree of pages of a change request"),
);

export const getChangeRequestPage = defineOperation(
  `GET ${prefix}/content/page/:pageId`,
  read.page("Get a page of a change request with its text"),
);

export const getChangeRequestPageByPath = defineOperation(
  `GET ${prefix}/content/path/:pagePath+`,
  read.pageAt("Get the page at a path of a change request"),
);

export const getChangeRequestPageDocument = defineOperation(
  `GET ${prefix}/content/page/:pageId/document`,
  read.document("Get the document of a page of a change request"),
);

export const previewChangeRequestPage = defineOperation(
  `POST ${prefix}/content/page/:pageId/preview`,
  read.preview("Get the document that a text would be on a page of a change request"),
);

export const listChangeRequestFiles = defineOperation(
  `GET ${prefix}/content/files`,
  read.files("List the files of a change request"),
);

export const getChangeRequestFile = defineOperation(
  `GET ${prefix}/content/files/:fileId`,
  read.file("Get a file of a change request, with a URL to download it from"),
);

export const getChangeRequestReusableContent = defineOperation(
  `GET ${prefix}/content/reusable-contents/:reusableContentId`,
  read.reusableContent("Get a reusable content of a change request with its text"),
);

export const getChangeRequestReusableContentDocument = defineOperation(
  `GET ${prefix}/content/reusable-contents/:reusableContentId/document`,
  read.reusableDocument("Get the document of a reusable content of a change request"),
);

export const listChangeRequestLinks = defineOperation(`GET ${prefix}/links`, {
  ...read.links("List what the pages of a change request link to, and which of it is not there"),
  handle: async (context) => (await loadLinkLists()).listLinks({ ...context, before: await loadBaseRevision(context) }),
});

export const listLinksOfChangeRequestPage = defineOperation(`GET ${prefix}/content/page/:pageId/links`, {
  ...read.linksOfPage("List what a page of a change request links to"),
  handle: async (context) =>
    (await loadLinkLists()).listPageLinks({ ...context, before: await loadBaseRevision(context) }),
});

export const listBacklinksOfChangeRequestPage = defineOperation(
  `GET ${prefix}/content/page/:pageId/backlinks`,
  read.backlinksOfPage("List where a page of a change request is linked from"),
);

export const listBacklinksOfChangeRequestFile = defineOperation(
  `GET ${prefix}/content/files/:fileId/backlinks`,
  read.backlinksOfFile("List where a file of a change request is linked from"),
);

export const listChangesOfChangeRequest = defineOperation(`GET ${prefix}/changes`, {
  summary: "Tell what a change request changes",
  description: "Seen from the revision of the space that it was last brought up to date with.",
  target: changeRequest,
  right: "view",
  returns: ContentChanges,
  async handle(context) {
    const base = await loadBaseRevision(context);
    const { compareRevisions } = await loadRevisionDiff();
    return compareRevisions(createNodeSource(context.objects), base?.root ?? null, context.revision.root);
  },
});

/** Loads the revision of the space with which a change request is compared. */
function loadBaseRevision({ tx, changeRequest }: { readonly tx: Reader; readonly changeRequest: ChangeRequestRecord }) {
  return revisions.get(tx, changeRequest.space, getBaseRevisionId(changeRequest));
}

export const getChangeRequestPdf = defineOperation(
  `GET ${prefix}/pdf`,
  read.pdf("Get a URL to read a change request as PDF, or a page of it"),
);
