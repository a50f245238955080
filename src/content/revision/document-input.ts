// The text of a page, from the forms that it may come in: Markdown, which is kept as it is, or a JSON document.

import type { ContentRef, Document } from "../document";
import { checkDocument, checkDocumentInSteps, type DocumentIssue } from "../document/check-document";
import { asWritten } from "../markdown/reader/reading";
import { runStepsAtOnce } from "../markdown/steps";
import { writeInSteps, writeMarkdown } from "../markdown/write";
import { hrefByKind } from "../markdown/writer/urls";
import type { Batch } from "./batch";
import { ChangeError } from "./errors";
import { getLinkKey, resolveStoredLink } from "./links";

/** A text as it is given. If both are left out, the text is empty. */
export interface DocumentInput {
  readonly markdown?: string;
  readonly document?: unknown;
}

/** The longest text. */
export const MAX_TEXT_LENGTH = 1024 * 1024;

/** The text that is meant. A document that replaces an earlier text keeps the bytes of the blocks that it did not
 * change. */
export async function getInputText(
  batch: Batch,
  input: DocumentInput,
  before?: { readonly text: string; readonly source: string },
): Promise<string> {
  if (input.document === undefined) return checkTextLength(input.markdown ?? "");
  const inTurns = batch.tools.runSteps ?? runStepsAtOnce;
  const [issue] = await inTurns(checkDocumentInSteps(input.document));
  if (issue) throw new ChangeError(issue.path === "" ? "document" : `document.document.${issue.path}`, issue.message);
  const links = before ? await batch.draft.getLinks(before.source) : [];
  const known = new Map<string, ContentRef>();
  for (const link of links) known.set(getLinkKey(link), (await resolveStoredLink(batch.draft, link)).ref);
  const steps = writeInSteps(input.document as Document, {
    href: getRefHref,
    fences: batch.tools.fences,
    ...(before
      ? { original: before.text, resolve: (href, as) => known.get(getLinkKey({ href, as })) ?? asWritten(href, as) }
      : {}),
  });
  return checkTextLength(await inTurns(steps));
}

/** The text of a document, or the first thing that is wrong with it. */
type FromDocument =
  | { readonly markdown: string; readonly issue?: never }
  | { readonly markdown?: never; readonly issue: DocumentIssue };

/** Makes a text from a document that replaces no other text. */
export function convertDocumentToMarkdown(document: unknown): FromDocument {
  const [issue] = checkDocument(document);
  return issue ? { issue } : { markdown: writeMarkdown(document as Document, { href: getRefHref }) };
}

/** The text, if it is not too long; else the change is refused. */
export function checkTextLength(text: string): string {
  if (text.length > MAX_TEXT_LENGTH)
    throw new ChangeError("document", `A text has at most ${MAX_TEXT_LENGTH} characters`);
  return text;
}

/** How a reference is written as a link: by ids, which survive moves. */
export function getRefHref(ref: ContentRef): string {
  switch (ref.kind) {
    case "anchor": {
      const page = ref.page === undefined ? "" : hrefByKind({ ...ref, kind: "page", page: ref.page });
      return `${page}#${encodeURIComponent(ref.anchor)}`;
    }
    case "openapi":
      return `/openapi/${ref.spec}`;
    default:
      return hrefByKind(ref);
  }
}
