// Finds documents by id. An id identifies a page or reusable content and its text. The document is looked up in the current content of
// the space, then in the latest revisions of the space and its change requests.

import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { revisions } from "./records";
import { content } from "./rules";
import { DocumentSchema, evaluatedQuery } from "./schema";
import { findDocument } from "./views";

/** The number of revisions that are searched. An older document is read through its revision. */
const MAX_REVISIONS = 50;

export const getDocument = defineOperation("GET /spaces/:spaceId/documents/:documentId", {
  summary: "Get a document",
  target: content,
  right: "view",
  allowsVisitors: true,
  query: evaluatedQuery,
  returns: DocumentSchema,
  cache: "unless-elsewhere",
  async handle(context) {
    const { tx, space, params, visit } = context;
    const current = await findDocument(context, params.documentId);
    if (current) return current;
    // Visitors read only what the space shows.
    const range = { under: [space.id], reverse: true, limit: MAX_REVISIONS };
    const latest = visit ? [] : await revisions.list(tx, "all", range);
    for (const { record: revision } of latest) {
      const document = await findDocument({ ...context, revision }, params.documentId);
      if (document) return document;
    }
    throw createError("document_not_found");
  },
});
