// The report of what an import did not take, as revisions store it. It is read without the module that creates it, which
// loads the reader of books.

import type { OmittedPart, SkippedItem } from "../../../content/book/book";

export interface OmissionReport {
  readonly skipped: SkippedItem[];
  readonly leftOut: OmittedPart[];
}

/** Parses a stored report. Older versions stored only the list of skipped items. */
export function parseOmissionReport(text: string): OmissionReport {
  const report = JSON.parse(text) as OmissionReport | SkippedItem[];
  return "leftOut" in report ? report : { skipped: report, leftOut: [] };
}
