// Imports one page of the web as a book of one page, with its images.

import { runSteps } from "../../utils/concurrency/event-loop";
import { tryParseUrl } from "../../utils/url";
import { ImportError } from "../errors";
import type { ImportedBook } from "../imported-book";
import { createOnePageBook } from "../website/create-one-page-book";
import { DownloadedFiles, removeFragment } from "../website/downloaded-files";
import { DEFAULT_LIMITS } from "../website/limits";
import { createSitePageInSteps } from "../website/site-page";
import { SkippedResources } from "../website/skipped-resources";
import { WebClient, type WebSource } from "../website/web-client";
import { decodeHtml } from "./decode-html";
import { parseHtmlInSteps } from "./parse-html";
import { readHtmlInSteps } from "./read-html";

/** Imports the page at a URL. Its links stay as they are. Throws `ImportError` if it cannot be read or has no content. */
export async function importHtml(source: WebSource): Promise<ImportedBook> {
  const { url } = source;
  if (!/^https?:$/.test(tryParseUrl(url)?.protocol ?? ""))
    throw new ImportError("The URL of a page must begin with http: or https:.");
  const client = new WebClient(source, { ...DEFAULT_LIMITS, ...source.limits });
  const resource = await client.get(url, {
    accept: "text/html, application/xhtml+xml;q=0.9",
    maxBytes: client.limits.maxPageBytes,
    findProblem: (_, type) =>
      /^(?:|text\/html|application\/xhtml\+xml)$/.test(type) ? undefined : `It is ${type}, not a page.`,
  });
  if (!resource.isOk) throw new ImportError(`${url} could not be imported: ${resource.reason}`);

  const html = decodeHtml(resource.bytes, resource.headers.get("content-type") ?? "");
  const root = await runSteps(parseHtmlInSteps(html));
  const document = await runSteps(readHtmlInSteps(root, { baseUrl: resource.url }));
  const page = await runSteps(createSitePageInSteps(document, resource.url));
  if (page.isEmpty) throw new ImportError(`No content was found in ${url}.`);
  const [files, skipped] = [new DownloadedFiles(), new SkippedResources()];
  await files.download(client, page.images, skipped, () => true);
  return createOnePageBook(page, files, skipped, (href) => files.paths.get(removeFragment(href)) ?? href);
}
