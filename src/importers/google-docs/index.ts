// A document of Google Docs as a book of one page: one that is published, or shared with everybody who has its link.

import { runSteps } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { ImportError } from "../errors";
import { decodeHtml } from "../html/decode-html";
import { readHead } from "../html/head";
import { parseHtmlInSteps } from "../html/parse-html";
import { readHtmlInSteps } from "../html/read-html";
import type { ImportedBook } from "../imported-book";
import { createOnePageBook } from "../website/create-one-page-book";
import { DownloadedFiles, removeFragment } from "../website/downloaded-files";
import { applyDefaultLimits } from "../website/limits";
import { createSitePageInSteps } from "../website/site-page";
import { SkippedResources } from "../website/skipped-resources";
import { WebClient, type WebSource } from "../website/web-client";
import { shelveWritten } from "./images";
import { reshape } from "./reshape";

/** Imports a document. Throws `ImportError` when the URL is none of a document, or it is not open to everybody. */
export async function importGoogleDocs(source: WebSource): Promise<ImportedBook> {
  const url = exportUrl(source.url);
  const limits = applyDefaultLimits(source.limits);
  const asking = new WebClient(source, limits);
  const answer = await asking.get(url, {
    accept: "text/html",
    // An export holds its images, written out.
    maxBytes: Math.max(limits.maxPageBytes, limits.maxFileBytes * 4),
    findProblem: (last, type) => (isGoogle(last) && type === "text/html" ? undefined : CLOSED),
  });
  if (!answer.isOk)
    throw new ImportError(
      answer.status === undefined ? `The document could not be imported: ${answer.reason}` : CLOSED,
    );
  const tree = await runSteps(parseHtmlInSteps(decodeHtml(answer.bytes, answer.headers.get("content-type") ?? "")));
  const { root, title } = reshape(tree);
  const [shelf, skips] = [new DownloadedFiles(), new SkippedResources()];
  shelveWritten(root, shelf, answer.url, limits.maxFileBytes);
  const read = await runSteps(readHtmlInSteps(root, { baseUrl: answer.url, isContentOnly: true }));
  const page = await runSteps(
    createSitePageInSteps({ ...read, title: title ?? readHead(tree).title ?? "Document" }, url),
  );
  if (page.isEmpty) throw new ImportError("The document is empty.");
  await shelf.download(
    asking,
    page.images.filter((image) => !shelf.paths.has(image)),
    skips,
    () => true,
  );
  return createOnePageBook(page, shelf, skips, (address) => shelf.paths.get(removeFragment(address)) ?? address);
}

const CLOSED = "The document is not open to everybody who has its link.";

/** Where a document is given out as HTML. */
export function exportUrl(url: string): string {
  const { hostname, pathname } = tryParseUrl(url) ?? { hostname: "", pathname: "" };
  const [, published, id] = /^\/document\/(?:u\/\d+\/)?d\/(e\/)?([\w-]{10,200})(?:\/|$)/.exec(pathname) ?? [];
  if (hostname !== "docs.google.com" || id === undefined)
    throw new ImportError(
      "A document of Google Docs has an address that begins with https://docs.google.com/document/d/.",
    );
  if (published || /\/pub\/?$/.test(pathname)) return `https://docs.google.com/document/d/${published ?? ""}${id}/pub`;
  return `https://docs.google.com/document/d/${id}/export?format=html`;
}

/** A closed document leads to where one signs in. */
function isGoogle(url: string): boolean {
  return /^(?:docs\.google\.com|(?:[\w-]+\.)*googleusercontent\.com)$/.test(parseUrl(url).hostname);
}
