// The input and the response of PDF operations, for every state of the content.

import * as v from "valibot";
import { createError, createValidationError } from "../../../../errors";
import type { Actor } from "../../../../operation/actor";
import { BooleanParam, Id, UrlString } from "../../../../operation/common-schemas";
import { getShownContent } from "../computed-content";
import type { ContentReadContext } from "../content-responses";
import { getReaderName } from "../reader-names";
import { createPrintUrl } from "./print-urls";

/** The query parameters that select the pages to print. */
export const printQuery = {
  page: v.optional(v.pipe(Id, v.description("The page that is printed, with the pages below it. Default: all pages."))),
  only: v.optional(v.pipe(BooleanParam, v.description("True leaves out the pages below `page`. Default: false."))),
};

export const PdfUrl = v.pipe(v.object({ url: UrlString }), v.title("PdfUrl"));

/** The description of the PDF operations. */
export const PDF_DESCRIPTION =
  "The URL is signed, needs no token and ends after an hour or two, or when you may no longer read the space. Variables, " +
  "reusable contents and conditions are put in, as for `evaluated=true`. Hidden pages, and pages with a condition that is " +
  "not met, are left out with those below them, unless asked for by `page`.";

/** Creates a URL at which the content can be read as PDF. */
export async function getPdfUrl(
  context: Omit<ContentReadContext, "query"> & {
    readonly actor: Actor;
    readonly query: { readonly page?: string | undefined; readonly only?: boolean | undefined };
  },
): Promise<v.InferInput<typeof PdfUrl>> {
  const { page = null, only = false } = context.query;
  if (only && page === null) throw createValidationError("query.page", "This member is required where `only` is true.");
  const { space, revision } = context;
  const { view } = getShownContent({ ...context, query: {} }, revision);
  if (page !== null && !(await view.getPage(page))) throw createError("page_not_found");
  return {
    url: createPrintUrl(context, { space: space.id, revision: revision.id, page, only, user: getReaderName(context) }),
  };
}
