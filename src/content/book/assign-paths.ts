// The paths of the files of pages: pages that came from files stay there, others get a path from their place in the tree.

import type { Steps } from "../../utils/concurrency/steps";
import { addNumberToPath } from "../free-number";
import type { PageEntry } from "../revision/entries";
import { listPagesInOrder, type PageTree } from "../revision/page-tree";
import { getBaseName, joinPath } from "./paths";
import { getChildFolder } from "./table-of-contents";

/** After this many taken paths in a row, a page goes to the top level. */
const MAX_TRIES_IN_FOLDER = 8;

/**
 * Assigns a path to every document, by id. `isTaken` tells of files that do not belong to the book, and `findGroupFolder`
 * of groups that are stored in a folder with another name than their slug.
 */
export function* assignPathsInSteps(
  tree: PageTree,
  isTaken: (path: string) => boolean = () => false,
  findGroupFolder: (group: PageEntry) => string | undefined = () => undefined,
): Steps<Map<string, string>> {
  const pages = listPagesInOrder(tree).map(({ page }) => page);
  const paths = new Map<string, string>();
  const used = new Set<string>();
  for (const page of pages) {
    const path = page.type === "document" ? page.git?.path : undefined;
    if (path !== undefined && !used.has(path)) paths.set(page.id, path);
    if (path !== undefined) used.add(path);
    yield;
  }

  /** The folders of the pages below a page. */
  const childFolders = new Map<string, string>();
  for (const page of pages) {
    const { id, type, slug, parent } = page;
    const folder = parent === null ? "" : childFolders.get(parent)!;
    if (type === "document" && !paths.has(id)) {
      const takesReadme = page === pages[0] && !used.has("README.md") && !isTaken("README.md");
      const name = tree.has(id) ? `${slug}/README.md` : `${slug}.md`;
      const preferredPath = takesReadme ? "README.md" : joinPath(folder, name);
      let path = preferredPath;
      for (let n = 1; used.has(path) || isTaken(path); n++) {
        // If a file is in the way of a folder, numbers after names do not help.
        if (n < MAX_TRIES_IN_FOLDER) path = addNumberToPath(preferredPath, n);
        else
          path = addNumberToPath(getBaseName(preferredPath.replace(/\/README\.md$/, ".md")), n - MAX_TRIES_IN_FOLDER);
      }
      paths.set(id, path);
      used.add(path);
    }
    const isGroup = type === "group";
    childFolders.set(
      id,
      isGroup ? (findGroupFolder(page) ?? joinPath(folder, slug)) : getChildFolder(paths.get(id) ?? ""),
    );
    yield;
  }
  return paths;
}
