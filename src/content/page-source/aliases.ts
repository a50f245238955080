// Parses the old paths that a text states for its page: `aliases` as in Hugo, and `redirect_from` as in Jekyll.

import { isScalar, isSeq } from "yaml";
import { findFrontMatter } from "./find-front-matter";
import { parseFrontMatter } from "./front-matter";

/** The most aliases of one page. Further ones are ignored. */
const MAX_ALIASES = 100;
const MAX_PATH_LENGTH = 512;

/** Returns the old paths that a text states. Front matter without aliases is not parsed. */
export function parseAliases(text: string) {
  const range = findFrontMatter(text);
  if (!range || !/^["']?(?:aliases|redirect_from)["']?[ \t]*[:=]/m.test(text.slice(range.start, range.end))) return [];
  const map = parseFrontMatter(text)?.map;
  if (!map) return [];

  const [hugoPaths, jekyllPaths] = ["aliases", "redirect_from"].map((name) => {
    // The value is one path or a list of paths.
    const value = map.get(name, true);
    const paths = (isSeq(value) ? value.items : [value]).map((node) => (isScalar(node) ? node.value : undefined));
    return paths.filter(
      (path): path is string => typeof path === "string" && path.trim() !== "" && path.length <= MAX_PATH_LENGTH,
    );
  });
  return [
    ...hugoPaths!.map((path) => ({ path, isRelative: !path.startsWith("/") })),
    ...jekyllPaths!.map((path) => ({ path, isRelative: false })),
  ].slice(0, MAX_ALIASES);
}
