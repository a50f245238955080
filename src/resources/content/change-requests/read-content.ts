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
  read.all("Get the content of a change request"),
);

export const listChangeRequestPages = defineOperation(
  `GET ${prefix}/content/pages`,
  read.pages("List pages in a change request"),
);

export const getChangeRequestPage = defineOperation(
  `GET ${prefix}/content/page/:pageId`,
  read.page("Get a page in a change request"),
);

export const getChangeRequestPageByPath = defineOperation(
  `GET ${prefix}/content/path/:pagePath+`,
  read.pageAt("Get a page in a change request by path"),
);

export const getChangeRequestPageDocument = defineOperation(
  `GET ${prefix}/content/page/:pageId/document`,
  read.document("Get the document of a page in a change request"),
);

export const previewChangeRequestPage = defineOperation(
  `POST ${prefix}/content/page/:pageId/preview`,
  read.preview("Preview a page in a change request"),
);

export const listChangeRequestFiles = defineOperation(
  `GET ${prefix}/content/files`,
  read.files("List files in a change request"),
);

export const getChangeRequestFile = defineOperation(
  `GET ${prefix}/content/files/:fileId`,
  read.file("Get a file in a change request"),
);

export const getChangeRequestReusableContent = defineOperation(
  `GET ${prefix}/content/reusable-contents/:reusableContentId`,
  read.reusableContent("Get a reusable content in a change request"),
);

export const getChangeRequestReusableContentDocument = defineOperation(
  `GET ${prefix}/content/reusable-contents/:reusableContentId/document`,
  read.reusableDocument("Get a reusable content document in a change request"),
);

export const listChangeRequestLinks = defineOperation(`GET ${prefix}/links`, {
  ...read.links("List links in a change request"),
  handle: async (context) => (await loadLinkLists()).listLinks({ ...context, before: await loadBaseRevision(context) }),
});

export const listLinksOfChangeRequestPage = defineOperation(`GET ${prefix}/content/page/:pageId/links`, {
  ...read.linksOfPage("List links on a page in a change request"),
  handle: async (context) =>
    (await loadLinkLists()).listPageLinks({ ...context, before: await loadBaseRevision(context) }),
});

export const listBacklinksOfChangeRequestPage = defineOperation(
  `GET ${prefix}/content/page/:pageId/backlinks`,
  read.backlinksOfPage("List links to a page in a change request"),
);

export const listBacklinksOfChangeRequestFile = defineOperation(
  `GET ${prefix}/content/files/:fileId/backlinks`,
  read.backlinksOfFile("List links to a file in a change request"),
);

export const listChangesOfChangeRequest = defineOperation(`GET ${prefix}/changes`, {
  summary: "List changes in a change request",
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

export const getChangeRequestPdf = defineOperation(`GET ${prefix}/pdf`, read.pdf("Get a PDF of a change request"));
