// Where the files of pages go: pages that came from files stay there, others get a path from their place in the tree.

import { addNumberToPath } from "../free-number";
import type { Steps } from "../markdown/steps";
import type { PageEntry } from "../revision/entries";
import type { PageTree } from "../revision/page-tree";
import type { WithId } from "../revision/view";
import { folderBelow } from "./chapters";
import { joined, lastNameOf } from "./paths";

/** The paths of all documents, by id, step by step. `isTaken` tells of files that are no part of the book, `folderFor` of
 * groups that have a folder of their own. */
export function* pathsOf(
  tree: PageTree,
  isTaken: (path: string) => boolean = () => false,
  folderFor: (group: PageEntry) => string | undefined = () => undefined,
): Steps<Map<string, string>> {
  const paths = new Map<string, string>();
  const used = new Set<string>();
  function* stay(page: WithId<PageEntry>): Steps<void> {
    const path = page.type === "document" ? page.git?.path : undefined;
    if (path !== undefined && !used.has(path)) paths.set(page.id, path);
    if (path !== undefined) used.add(path);
    yield;
    for (const below of tree.get(page.id) ?? []) yield* stay(below);
  }
  for (const page of tree.get(null) ?? []) yield* stay(page);
  function* come(page: WithId<PageEntry>, folder: string): Steps<void> {
    if (page.type === "document" && !paths.has(page.id)) {
      const path = free(wanted(page, folder), used, isTaken);
      paths.set(page.id, path);
      used.add(path);
    }
    const isGroup = page.type === "group";
    const below = isGroup ? (folderFor(page) ?? joined(folder, page.slug)) : folderBelow(paths.get(page.id) ?? "");
    yield;
    for (const child of tree.get(page.id) ?? []) yield* come(child, below);
  }
  const wanted = ({ id, parent, slug }: WithId<PageEntry>, folder: string) => {
    const isHome = parent === null && tree.get(null)![0]!.id === id;
    if (isHome && !used.has("README.md") && !isTaken("README.md")) return "README.md";
    return joined(folder, tree.has(id) ? `${slug}/README.md` : `${slug}.md`);
  };
  for (const page of tree.get(null) ?? []) yield* come(page, "");
  return paths;
}

/** If a file is in the way of a folder, numbers after names do not help. Then the page goes to the top. */
const TRIES = 8;

/** A path that nothing else has. */
function free(path: string, used: ReadonlySet<string>, isTaken: (path: string) => boolean): string {
  const name = path.endsWith("/README.md") ? `${path.slice(0, -"/README.md".length)}.md` : path;
  for (let n = 0; ; n++) {
    const candidate = n < TRIES ? addNumberToPath(path, n) : addNumberToPath(lastNameOf(name), n - TRIES);
    if (!used.has(candidate) && !isTaken(candidate)) return candidate;
  }
}
