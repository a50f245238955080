// Creates a book of one page.

import { createBook } from "../../content/book/book";
import { decodePercent } from "../../content/book/paths";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import { runSteps } from "../../utils/concurrency/event-loop";
import { omitUndefined } from "../../utils/objects";
import { ImportError } from "../errors";
import type { ImportedBook } from "../imported-book";
import type { DownloadedFiles } from "./downloaded-files";
import type { SitePage } from "./site-page";
import type { SkippedResources } from "./skipped-resources";
import { sumOmittedParts } from "./sum-omitted-parts";
import { writeSitePageInSteps } from "./write-site-page";

const PATH = "README.md";

/** Creates a book of a page and its files. `mapLink` returns what each URL in the page becomes. */
export async function createOnePageBook(
  page: SitePage,
  { files }: DownloadedFiles,
  skipped: SkippedResources,
  mapLink: (url: string) => string,
): Promise<ImportedBook> {
  const linkedAnchors = new Set(
    page.links.filter((url) => url.startsWith("#")).map((url) => decodePercent(url.slice(1))),
  );
  const text = await runSteps(writeSitePageInSteps(page, mapLink, linkedAnchors));
  if (text.length > MAX_TEXT_LENGTH) throw new ImportError(`The text of ${page.url} is too long for a page.`);
  const book = createBook({
    chapters: [{ kind: "page", path: PATH, ...omitUndefined({ title: page.title }), chapters: [] }],
    texts: new Map([[PATH, { text }]]),
    files,
    skipped: skipped.list(page.url),
    omittedParts: sumOmittedParts([page]),
  });
  return { book, foundCount: 1 + files.size + skipped.count };
}
