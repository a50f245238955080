// Imports a Google Docs document as a book with one page. The document must be published, or shared with everyone who has the link.

import { runSteps } from "../../utils/concurrency/event-loop";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { ImportError } from "../errors";
import { decodeHtml } from "../html/decode-html";
import { getAttribute, walkElements } from "../html/elements";
import { readHead } from "../html/head";
import { parseHtmlInSteps } from "../html/parse-html";
import { readHtmlInSteps } from "../html/read-html";
import type { ImportedBook } from "../imported-book";
import { createOnePageBook } from "../website/create-one-page-book";
import { DownloadedFiles, removeFragment } from "../website/downloaded-files";
import { DEFAULT_LIMITS } from "../website/limits";
import { createSitePageInSteps } from "../website/site-page";
import { SkippedResources } from "../website/skipped-resources";
import { WebClient, type WebSource } from "../website/web-client";
import { normalizeDocument } from "./normalize-document";

const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]*)$/;
/** The most characters of base64 for each byte, with line breaks. */
const MAX_CHARACTERS_PER_BYTE = 1.4;
const NOT_SHARED =
  "The document isn't shared with everyone who has the link. Change its sharing settings and import it again.";

/** Imports a document. Throws `ImportError` if the URL is not that of a document, or the document is not open to everybody. */
export async function importGoogleDocs(source: WebSource): Promise<ImportedBook> {
  const url = getExportUrl(source.url);
  const limits = { ...DEFAULT_LIMITS, ...source.limits };
  const client = new WebClient(source, limits);
  // A document that is not shared redirects to the sign-in page.
  const isOfGoogleDocs = (lastUrl: string) =>
    /^(?:docs\.google\.com|(?:[\w-]+\.)*googleusercontent\.com)$/.test(parseUrl(lastUrl).hostname);
  const resource = await client.get(url, {
    accept: "text/html",
    // An export has its images as data URLs.
    maxBytes: Math.max(limits.maxPageBytes, limits.maxFileBytes * 4),
    findProblem: (lastUrl, type) => (isOfGoogleDocs(lastUrl) && type === "text/html" ? undefined : NOT_SHARED),
  });
  if (!resource.isOk) {
    const { status, reason } = resource;
    throw new ImportError(status === undefined ? `The document could not be imported: ${reason}` : NOT_SHARED);
  }

  const html = decodeHtml(resource.bytes, resource.headers.get("content-type") ?? "");
  const tree = await runSteps(parseHtmlInSteps(html));
  const { root, title } = normalizeDocument(tree);
  const [files, skipped] = [new DownloadedFiles(), new SkippedResources()];
  // The images that the export has as data URLs become files.
  let imageCount = 0;
  walkElements(root, (element) => {
    const [, type, data] = DATA_URL.exec(element.name === "img" ? getAttribute(element, "src").trim() : "") ?? [];
    if (type === undefined || data === undefined) return true;
    if (data.length > limits.maxFileBytes * MAX_CHARACTERS_PER_BYTE) return true;
    let bytes: Uint8Array;
    try {
      bytes = Uint8Array.from(atob(data.replace(/\s+/g, "")), (character) => character.charCodeAt(0));
    } catch {
      return true;
    }
    if (bytes.length === 0) return true;
    const imageUrl = parseUrl(`image-${++imageCount}.${type.slice("image/".length)}`, resource.url).href;
    files.paths.set(imageUrl, files.add(bytes, type, imageUrl));
    (element.attributes as Map<string, string>).set("src", imageUrl);
    return true;
  });
  const document = await runSteps(readHtmlInSteps(root, { baseUrl: resource.url, isContentOnly: true }));
  const titled = { ...document, title: title ?? readHead(tree).title ?? "Document" };
  const page = await runSteps(createSitePageInSteps(titled, url));
  if (page.isEmpty) throw new ImportError("The document is empty.");
  const otherImages = page.images.filter((image) => !files.paths.has(image));
  await files.download(client, otherImages, skipped, () => true);
  return createOnePageBook(page, files, skipped, (href) => files.paths.get(removeFragment(href)) ?? href);
}

/** Returns the URL of the HTML of a document. Throws `ImportError` if a URL is not that of a document. */
export function getExportUrl(url: string): string {
  const { hostname, pathname } = tryParseUrl(url) ?? { hostname: "", pathname: "" };
  const [, published, id] = /^\/document\/(?:u\/\d+\/)?d\/(e\/)?([\w-]{10,200})(?:\/|$)/.exec(pathname) ?? [];
  if (hostname !== "docs.google.com" || id === undefined)
    throw new ImportError("The URL of a Google Docs document must begin with https://docs.google.com/document/d/.");
  if (published || /\/pub\/?$/.test(pathname)) return `https://docs.google.com/document/d/${published ?? ""}${id}/pub`;
  return `https://docs.google.com/document/d/${id}/export?format=html`;
}
