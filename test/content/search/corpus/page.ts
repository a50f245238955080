// How the pages of the corpus are written down.

import type { SearchPage } from "../../../../src/content/search";

/** A page; its first text stands before the first heading, the others below theirs. */
export function page(
  id: string,
  title: string,
  description: string,
  lead: string,
  headings: Record<string, string> = {},
): SearchPage {
  const sections = Object.entries(headings).map(([heading, text], index) => ({
    anchor: `${id}-${index + 1}`,
    title: heading,
    text,
  }));
  return { id, title, description, sections: [{ text: lead }, ...sections] };
}
