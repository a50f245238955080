// What of a site's pages was left out, by the kind of part: the largest first.

import type { OmittedPart } from "../../content/book/book";
import type { SitePage } from "./page";

const MAX_NAMED = 50;

/** The parts that were left out of some pages. */
export function leftOutOfAll(pages: Iterable<SitePage>): OmittedPart[] {
  const parts = new Map<string, { pages: number; characters: number }>();
  for (const page of pages) {
    const seen = new Set<string>();
    for (const { part, characters } of page.leftOut) {
      const known = parts.get(part) ?? { pages: 0, characters: 0 };
      parts.set(part, { pages: known.pages + (seen.has(part) ? 0 : 1), characters: known.characters + characters });
      seen.add(part);
    }
  }
  const sorted = Array.from(parts, ([part, counts]) => ({ part, ...counts })).sort(
    (a, b) => b.characters - a.characters || (a.part < b.part ? -1 : 1),
  );
  const rest = sorted.slice(MAX_NAMED);
  if (rest.length === 0) return sorted;
  const characters = rest.reduce((sum, each) => sum + each.characters, 0);
  const most = Math.max(...rest.map((each) => each.pages));
  return [...sorted.slice(0, MAX_NAMED), { part: `${rest.length} more kinds`, pages: most, characters }];
}
