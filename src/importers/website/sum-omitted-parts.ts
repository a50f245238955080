// Sums up the parts that were left out of the pages of a site, by the kind of part, the largest first.

import type { OmittedPart } from "../../content/book/book";
import type { SitePage } from "./site-page";

const MAX_LISTED_PARTS = 50;

/** Sums up the parts that were left out of some pages. */
export function sumOmittedParts(pages: Iterable<SitePage>): OmittedPart[] {
  const sums = new Map<string, { pages: number; characters: number }>();
  for (const page of pages) {
    const seen = new Set<string>();
    for (const { part, characters } of page.omittedParts) {
      const sum = sums.get(part) ?? { pages: 0, characters: 0 };
      sums.set(part, { pages: sum.pages + (seen.has(part) ? 0 : 1), characters: sum.characters + characters });
      seen.add(part);
    }
  }
  const parts = Array.from(sums, ([part, counts]) => ({ part, ...counts })).sort(
    (a, b) => b.characters - a.characters || (a.part < b.part ? -1 : 1),
  );
  const rest = parts.slice(MAX_LISTED_PARTS);
  if (rest.length === 0) return parts;
  const characters = rest.reduce((sum, part) => sum + part.characters, 0);
  const maxPages = Math.max(...rest.map((part) => part.pages));
  return [...parts.slice(0, MAX_LISTED_PARTS), { part: `${rest.length} more kinds`, pages: maxPages, characters }];
}
