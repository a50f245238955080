// A document of Google Docs as a book of one page: one that is published, or shared with everybody who has its link.

import { runSteps } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { decodeHtml, readHtml } from "../html";
import { headOf } from "../html/head";
import { parseInSteps } from "../html/tree";
import type { Imported } from "../imported";
import { ImportRefused } from "../refused";
import { Asking, type WebSource } from "../website/answers";
import { FileShelf, withoutFragment } from "../website/files";
import { withDefaults } from "../website/limits";
import { bookOfOne } from "../website/one-page";
import { pageOf } from "../website/page";
import { Skips } from "../website/skips";
import { shelveWritten } from "./images";
import { reshape } from "./reshape";

/** Imports a document. Throws `ImportRefused` when the URL is none of a document, or it is not open to everybody. */
export async function importGoogleDocs(source: WebSource): Promise<Imported> {
  const url = exportUrl(source.url);
  const limits = withDefaults(source.limits);
  const asking = new Asking(source, limits);
  const answer = await asking.ask(url, {
    accept: "text/html",
    // An export holds its images, written out.
    maxBytes: Math.max(limits.pageBytes, limits.fileBytes * 4),
    refuse: (last, type) => (isGoogle(last) && type === "text/html" ? undefined : CLOSED),
  });
  if (!answer.isReceived)
    throw new ImportRefused(
      answer.status === undefined ? `The document could not be imported: ${answer.reason}` : CLOSED,
    );
  const tree = await runSteps(parseInSteps(decodeHtml(answer.bytes, answer.headers.get("content-type") ?? "")));
  const { root, title } = reshape(tree);
  const [shelf, skips] = [new FileShelf(), new Skips()];
  shelveWritten(root, shelf, answer.url, limits.fileBytes);
  const read = await runSteps(readHtml(root, { base: answer.url, whole: true }));
  const page = await runSteps(pageOf({ ...read, title: title ?? headOf(tree).title ?? "Document" }, url));
  if (page.isEmpty) throw new ImportRefused("The document is empty.");
  await shelf.fetchAll(
    asking,
    page.images.filter((image) => !shelf.paths.has(image)),
    skips,
    () => true,
  );
  return bookOfOne(page, shelf, skips, (address) => shelf.paths.get(withoutFragment(address)) ?? address);
}

const CLOSED = "The document is not open to everybody who has its link.";

/** Where a document is given out as HTML. */
export function exportUrl(url: string): string {
  const { hostname, pathname } = tryParseUrl(url) ?? { hostname: "", pathname: "" };
  const [, published, id] = /^\/document\/(?:u\/\d+\/)?d\/(e\/)?([\w-]{10,200})(?:\/|$)/.exec(pathname) ?? [];
  if (hostname !== "docs.google.com" || id === undefined)
    throw new ImportRefused(
      "A document of Google Docs has an address that begins with https://docs.google.com/document/d/.",
    );
  if (published || /\/pub\/?$/.test(pathname)) return `https://docs.google.com/document/d/${published ?? ""}${id}/pub`;
  return `https://docs.google.com/document/d/${id}/export?format=html`;
}

/** A closed document leads to where one signs in. */
function isGoogle(url: string): boolean {
  return /^(?:docs\.google\.com|(?:[\w-]+\.)*googleusercontent\.com)$/.test(parseUrl(url).hostname);
}
