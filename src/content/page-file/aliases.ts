// The old paths that a text states for its page: `aliases` as Hugo has them, and `redirect_from` as Jekyll does.

import { isScalar, isSeq, type Node } from "yaml";
import { frontMatterOf } from "./front-matter";
import { frontMatterPlace } from "./place";

/** An old path; one of Hugo that does not begin with `/` leads from the folder of its page. */
export interface Alias {
  readonly path: string;
  readonly isRelative: boolean;
}

/** The most of one page; further ones are ignored. */
const MAX_ALIASES = 100;
const MAX_LENGTH = 512;

/** The old paths that a text states. Front matter without any is not parsed. */
export function aliasesIn(text: string): Alias[] {
  const place = frontMatterPlace(text);
  if (!place || !/^["']?(?:aliases|redirect_from)["']?[ \t]*[:=]/m.test(text.slice(place.start, place.end))) return [];
  const map = frontMatterOf(text)?.map;
  if (!map) return [];
  const [hugo, jekyll] = ["aliases", "redirect_from"].map((name) => textsIn(map.get(name, true)));
  return [
    ...hugo!.map((path) => ({ path, isRelative: !path.startsWith("/") })),
    ...jekyll!.map((path) => ({ path, isRelative: false })),
  ].slice(0, MAX_ALIASES);
}

/** A text, or a list of texts. */
function textsIn(node: Node | undefined): string[] {
  const texts = isSeq(node) ? node.items.map((item) => (isScalar(item) ? item.value : undefined)) : [];
  const all = isScalar(node) ? [node.value] : texts;
  return all.filter((it): it is string => typeof it === "string" && it.trim() !== "" && it.length <= MAX_LENGTH);
}
