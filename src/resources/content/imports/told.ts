// What an import did not take, as a revision stores it. It is apart from the report, which stands on the reader of books.

import type { OmittedPart, SkippedItem } from "../../../content/book/book";

export interface Told {
  readonly skipped: SkippedItem[];
  readonly leftOut: OmittedPart[];
}

/** What was not taken, as it was stored. Before there was anything else, only the skipped items were. */
export function readTold(text: string): Told {
  const told = JSON.parse(text) as Told | SkippedItem[];
  return "leftOut" in told ? told : { skipped: told, leftOut: [] };
}
