// The text of a page from the forms in which clients send it: Markdown, which is stored as it is, or a JSON document.

import { runStepsAtOnce } from "../../utils/concurrency/steps";
import type { ContentRef, Document } from "../document";
import { checkDocument, checkDocumentInSteps, type DocumentIssue } from "../document/check-document";
import { buildHref, resolveAsWritten } from "../markdown/hrefs";
import { writeInSteps, writeMarkdown } from "../markdown/write";
import type { Batch } from "./batch";
import { ChangeError } from "./errors";
import { getLinkKey, resolveStoredLink } from "./links";

/** A text as Markdown or as a document. Without both, the text is empty. */
export interface DocumentInput {
  readonly markdown?: string;
  readonly document?: unknown;
}

/** The longest text, in characters. */
export const MAX_TEXT_LENGTH = 1024 * 1024;

/** Returns the Markdown of an input. A document keeps the bytes of the blocks that it did not change. */
export async function getInputText(
  batch: Batch,
  input: DocumentInput,
  before?: { readonly text: string; readonly source: string },
): Promise<string> {
  if (input.document === undefined) return checkTextLength(input.markdown ?? "");
  const runSteps = batch.tools.runSteps ?? runStepsAtOnce;
  const [issue] = await runSteps(checkDocumentInSteps(input.document));
  if (issue) throw new ChangeError(issue.path === "" ? "document" : `document.document.${issue.path}`, issue.message);
  const document = input.document as Document;
  const options = { href: getRefHref, fences: batch.tools.fences };
  if (!before) return checkTextLength(await runSteps(writeInSteps(document, options)));

  const refs = new Map<string, ContentRef>();
  for (const link of await batch.draft.getLinks(before.source))
    refs.set(getLinkKey(link), (await resolveStoredLink(batch.draft, link)).ref);
  const steps = writeInSteps(document, {
    ...options,
    original: before.text,
    resolve: (href, as) => refs.get(getLinkKey({ href, as })) ?? resolveAsWritten(href, as),
  });
  return checkTextLength(await runSteps(steps));
}

/** The Markdown of a document, or the first thing that is wrong with the document. */
type ConvertedDocument =
  | { readonly markdown: string; readonly issue?: never }
  | { readonly markdown?: never; readonly issue: DocumentIssue };

export function convertDocumentToMarkdown(document: unknown): ConvertedDocument {
  const [issue] = checkDocument(document);
  return issue ? { issue } : { markdown: writeMarkdown(document as Document, { href: getRefHref }) };
}

/** Returns a text. Throws a `ChangeError` if it is too long. */
export function checkTextLength(text: string): string {
  if (text.length > MAX_TEXT_LENGTH)
    throw new ChangeError("document", `A text has at most ${MAX_TEXT_LENGTH} characters`);
  return text;
}

/** Returns a reference as the target of a link: by ids, which survive moves. */
export function getRefHref(ref: ContentRef): string {
  switch (ref.kind) {
    case "anchor": {
      const page = ref.page === undefined ? "" : buildHref({ ...ref, kind: "page", page: ref.page });
      return `${page}#${encodeURIComponent(ref.anchor)}`;
    }
    case "openapi":
      return `/openapi/${ref.spec}`;
    default:
      return buildHref(ref);
  }
}
