// Imports on the wire.

import * as v from "valibot";
import { MAX_TEXT_LENGTH } from "../../../content/markdown/limits";
import { Id, namedObject, Timestamp, WebUrl } from "../../../operation/common-schemas";

export const Source = v.pipe(
  v.picklist(
    ["website", "docx", "markdown", "html", "zip", "confluence", "github-wiki", "notion", "google-docs"],
    "Expected one of website, docx, markdown, html, zip, confluence, github-wiki, notion, google-docs",
  ),
  v.title("ImportSource"),
);

export const Import = v.strictObject({
  url: v.pipe(WebUrl, v.description("The http or https URL of a page, a download or a wiki.")),
  source: Source,
});

/** A source to import into a page: the content of a URL, or a text. */
export const PageImport = v.strictObject({
  url: v.optional(v.pipe(WebUrl, v.description("The http or https URL of a page, a download or a wiki."))),
  text: v.optional(
    v.pipe(
      v.string("Expected text"),
      v.minLength(1, "Expected a text"),
      v.maxLength(MAX_TEXT_LENGTH, `Expected at most ${MAX_TEXT_LENGTH} characters`),
      v.description("The content to import instead of a URL. `source` must be `markdown` or `html`."),
    ),
  ),
  source: Source,
});

const counts = {
  importedResources: v.pipe(v.number(), v.description("The number of imported pages and files in the revision.")),
  totalResources: v.pipe(v.number(), v.description("The number of pages and files that were found.")),
};

export const ImportOutcome = namedObject("ImportOutcome", { revision: Id, ...counts });

/** The report of an import: what it added and what it skipped. */
export const ImportReport = namedObject("ImportReport", {
  object: v.literal("import-report"),
  revision: Id,
  source: Source,
  url: v.optional(
    v.pipe(
      v.string(),
      v.description("The source URL, without credentials and query. Omitted if the content was provided as text."),
    ),
  ),
  ...counts,
  skipped: v.pipe(
    v.array(v.object({ resource: v.string(), reason: v.string() })),
    v.description(
      "The resources that were skipped or modified, with the reason. About the first 1,000 are listed by name.",
    ),
  ),
  leftOut: v.pipe(
    v.array(v.object({ part: v.string(), pages: v.number(), characters: v.number() })),
    v.description(
      [
        "The parts of pages that were omitted because they belong to the layout of the website, such as `nav.sidebar`,",
        "with the number of pages and the total number of characters.",
      ].join(" "),
    ),
  ),
  createdAt: Timestamp,
});
