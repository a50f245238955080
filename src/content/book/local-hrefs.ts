// The files that texts name. A text is not parsed for this, because that would cost as much as everything else. Everything in
// a place where an address can be is looked up among the files.

import { parseSrcset } from "../markdown/srcset";
import { findFrontMatter } from "../page-source/find-front-matter";
import { isUrl } from "./paths";

/** Each pattern stops at the first character that no address has, so each walks through a text once. */
const HREF_PATTERNS = [
  /\]\([ \t]*<([^<>\n]+)>/g,
  /\]\([ \t]*([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*)/g,
  /\]:[ \t]*<?([^\s<>]+)/g,
  /\b(?:href|src|url|page|poster)[ \t]*=[ \t]*"([^"\n]+)"/g,
  /\b(?:href|src|url|page|poster)[ \t]*=[ \t]*'([^'\n]+)'/g,
  /\{%[ \t]*include[ \t]+["']([^"'\n]+)["']/g,
];
/** A `srcset` may have a descriptor after the address. */
const SRCSET = /\bsrcset[ \t]*=[ \t]*(?:"([^"\n]+)"|'([^'\n]+)')/g;
const COVER = /^cover(?:Dark)?:[ \t]*["']?([^"'\n#]+)/gm;
/** Longer addresses name nothing. */
const MAX_HREF_LENGTH = 2048;

/** Returns the addresses in a text that are no URLs. Some of them may be part of code and mean nothing. */
export function extractLocalHrefs(text: string): Set<string> {
  const hrefs = new Set<string>();
  const add = (href: string) => {
    if (href.length <= MAX_HREF_LENGTH && !isUrl(href) && !href.startsWith("#")) hrefs.add(href);
  };
  for (const pattern of HREF_PATTERNS) for (const match of text.matchAll(pattern)) add(match[1]!);
  for (const match of text.matchAll(SRCSET)) add(parseSrcset(match[1] ?? match[2]!));
  const front = findFrontMatter(text);
  if (front) for (const match of text.slice(front.start, front.end).matchAll(COVER)) add(match[1]!.trim());
  return hrefs;
}
