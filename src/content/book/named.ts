// The files that texts name. A text is not parsed for this, because that would cost as much as everything else.
// Everything in a place where an address can be is looked up among the files.

import { addressInSet } from "../markdown/srcset";
import { findFrontMatter } from "../page-source/find-front-matter";
import { isUrl } from "./paths";

/** Each stops at the first character that no address has, so a text is walked through once for each. */
const ADDRESSES = [
  /\]\([ \t]*<([^<>\n]+)>/g,
  /\]\([ \t]*([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*)/g,
  /\]:[ \t]*<?([^\s<>]+)/g,
  /\b(?:href|src|url|page|poster)[ \t]*=[ \t]*"([^"\n]+)"/g,
  /\b(?:href|src|url|page|poster)[ \t]*=[ \t]*'([^'\n]+)'/g,
  /\{%[ \t]*include[ \t]+["']([^"'\n]+)["']/g,
];
/** A `srcset` may have a descriptor behind the address. */
const SETS = /\bsrcset[ \t]*=[ \t]*(?:"([^"\n]+)"|'([^'\n]+)')/g;
const COVER = /^cover(?:Dark)?:[ \t]*["']?([^"'\n#]+)/gm;
/** Longer ones name nothing. */
const LONGEST = 2048;

/** The addresses in a text that are no URLs; some of them may stand in code and mean nothing. */
export function addressesIn(text: string): Set<string> {
  const found = new Set<string>();
  const add = (href: string) => {
    if (href.length <= LONGEST && !isUrl(href) && !href.startsWith("#")) found.add(href);
  };
  for (const pattern of ADDRESSES) for (const match of text.matchAll(pattern)) add(match[1]!);
  for (const match of text.matchAll(SETS)) add(addressInSet(match[1] ?? match[2]!));
  const front = findFrontMatter(text);
  if (front) for (const match of text.slice(front.start, front.end).matchAll(COVER)) add(match[1]!.trim());
  return found;
}
