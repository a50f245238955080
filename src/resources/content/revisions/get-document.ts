// Documents by their ids. An id names a page or a reusable content and its text, so it is looked for there: in what the space shows,
// then in its latest revisions and those of its change requests.

import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { documentNamed, type Reading } from "./answers";
import { revisions } from "./records";
import { content } from "./rules";
import { DocumentShape, evaluated } from "./schema";

/** How many revisions are looked into. An older document is read by its revision. */
const MAX_REVISIONS = 50;

export const getDocument = defineOperation("GET /spaces/:spaceId/documents/:documentId", {
  summary: "Get a document of a space by its id",
  description: `\`documentId\` of a page, or \`document\` of a reusable content in a revision. It is found while one of the latest ${MAX_REVISIONS} revisions of the space or its change requests holds it; a visitor finds what the space shows.`,
  target: content,
  right: "view",
  allowsVisitors: true,
  query: evaluated,
  returns: DocumentShape,
  cache: "unless-elsewhere",
  async handle(context) {
    const found =
      (await documentNamed(context, context.params.documentId)) ?? (context.visited ? undefined : await older(context));
    if (!found) throw createError("document_not_found");
    return found;
  },
});

async function older(context: Reading & { readonly params: { readonly documentId: string } }) {
  const { tx, space, params } = context;
  const under = { under: [space.id], reverse: true, limit: MAX_REVISIONS };
  for (const { record: revision } of await revisions.list(tx, "all", under)) {
    const found = await documentNamed({ ...context, revision }, params.documentId);
    if (found) return found;
  }
  return undefined;
}
