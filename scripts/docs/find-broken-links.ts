// Finds the links of a folder of pages that lead nowhere: to a file that is not there, to an anchor that the page does not have, or
// to the page for addresses that lead nowhere.

import { posix } from "node:path";
import { collectMarkupUrls } from "../../src/site/machine-readable/markup-urls";

/** Returns the broken links, each as `page: link`. */
export function findBrokenLinks(files: ReadonlyMap<string, Uint8Array>): string[] {
  const decoder = new TextDecoder();
  const pages = [...files.keys()].filter((path) => path.endsWith(".html") && path !== "404.html");
  const texts = new Map(pages.map((path) => [path, decoder.decode(files.get(path))]));
  return pages.flatMap((path) =>
    [...new Set(collectMarkupUrls(texts.get(path)!))].flatMap((address) => {
      if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return [];
      const [file = "", anchor] = decodeURIComponent(address).split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      const hasAnchor =
        anchor === undefined || anchor === "" || texts.get(target)?.includes(` id="${anchor}"`) !== false;
      return files.has(target) && target !== "404.html" && hasAnchor ? [] : [`${path}: ${address}`];
    }),
  );
}
