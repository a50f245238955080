// A book of one page.

import { createBook } from "../../content/book/book";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import { runSteps } from "../../utils/concurrency/event-loop";
import { omitUndefined } from "../../utils/objects";
import type { Imported } from "../imported";
import { ImportRefused } from "../refused";
import type { FileShelf } from "./files";
import { leftOutOfAll } from "./left-out";
import type { SitePage } from "./page";
import type { Skips } from "./skips";
import { anchorsNamed, sitePageText } from "./text";

const PATH = "README.md";

/** A page with its files, each address as `link` writes it. */
export async function bookOfOne(
  page: SitePage,
  shelf: FileShelf,
  skips: Skips,
  link: (url: string) => string,
): Promise<Imported> {
  const text = await runSteps(sitePageText(page, link, anchorsNamed(page.links.filter((url) => url.startsWith("#")))));
  if (text.length > MAX_TEXT_LENGTH)
    throw new ImportRefused(`The text of ${page.url} is longer than that of a page may be.`);
  return {
    book: createBook({
      chapters: [{ kind: "page", path: PATH, ...omitUndefined({ title: page.title }), chapters: [] }],
      texts: new Map([[PATH, { text }]]),
      files: shelf.files,
      skipped: skips.list(page.url),
      omittedParts: leftOutOfAll([page]),
    }),
    total: 1 + shelf.files.size + skips.count,
  };
}
