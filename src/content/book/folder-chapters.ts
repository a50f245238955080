// The chapters of a book without a table of contents: its folders, each with its README as its page.

import type { Steps } from "../../utils/concurrency/steps";
import { sortInSteps } from "../revision/sort-in-steps";
import { MAX_PAGE_DEPTH } from "../revision/view";
import { MAX_CHAPTERS, type PageChapter } from "./book";
import { BookError } from "./errors";
import type { BookLayout } from "./layout";
import { getBaseName, isMarkdown, isReadme } from "./paths";
import type { RepositoryFiles } from "./repository-files";

interface FolderNode {
  /** The path of the page that represents the folder. */
  readme: string | undefined;
  /** The paths of the other pages. */
  readonly pages: string[];
  readonly folders: Map<string, FolderNode>;
}

/** Texts that repositories have next to a book, by convention. A glossary in lower case is a page like any other. */
const RESERVED_PATHS = new Set(["SUMMARY.md", "summary.md", "GLOSSARY.md", "LANGS.md"]);

/** The number of paths between two yields to the event loop. */
const PATHS_PER_YIELD = 500;

/** Infers chapters from the folders of a tree. Throws `BookError` if there are too many. */
export function* inferChaptersInSteps(
  files: Pick<RepositoryFiles, "byPath">,
  { root, summary }: Pick<BookLayout, "root" | "summary">,
): Steps<PageChapter[]> {
  const top: FolderNode = { readme: undefined, pages: [], folders: new Map() };
  const prefix = root === "" ? "" : `${root}/`;
  let [seenCount, pageCount] = [0, 0];
  for (const fullPath of files.byPath.keys()) {
    if (++seenCount % PATHS_PER_YIELD === 0) yield;
    const path = fullPath.slice(prefix.length);
    if (!fullPath.startsWith(prefix) || !isMarkdown(path) || path === summary || RESERVED_PATHS.has(path)) continue;
    if (path.split("/").some((name) => name.startsWith(".") || name === "node_modules")) continue;
    if (++pageCount > MAX_CHAPTERS) throw new BookError(`The book has more than ${MAX_CHAPTERS} chapters.`);
    // Add a page to the folder that it is in. Pages that are nested too deep are added to the deepest folder.
    const names = path.split("/").slice(0, -1);
    let folder = top;
    for (const name of names.slice(0, MAX_PAGE_DEPTH - 1)) {
      const child: FolderNode = folder.folders.get(name) ?? { readme: undefined, pages: [], folders: new Map() };
      folder.folders.set(name, child);
      folder = child;
    }
    // A README comes before an index. Of two equal ones, the first in the order of characters represents the folder.
    const rank = (it: string) => (/^readme\./i.test(getBaseName(it)) ? 0 : 1);
    const { readme } = folder;
    const representsFolder =
      isReadme(path) &&
      names.length < MAX_PAGE_DEPTH &&
      (readme === undefined || rank(path) < rank(readme) || (rank(path) === rank(readme) && path < readme));
    if (!representsFolder) folder.pages.push(path);
    else {
      if (readme !== undefined) folder.pages.push(readme);
      folder.readme = path;
    }
  }

  const chapters = yield* listFolderInSteps(top, "");
  return top.readme === undefined ? chapters : [{ kind: "page", path: top.readme, chapters: [] }, ...chapters];
}

/** Returns the pages and folders in a folder, sorted by name. A folder without a README is a page without a text. */
function* listFolderInSteps(folder: FolderNode, path: string): Steps<PageChapter[]> {
  const named: (readonly [nameParts: readonly string[], chapter: PageChapter])[] = [];
  for (const page of folder.pages) {
    const parts = splitNumbers(getBaseName(page).replace(/\.[^.]*$/, ""));
    if (named.push([parts, { kind: "page", path: page, chapters: [] }]) % PATHS_PER_YIELD === 0) yield;
  }
  for (const [name, child] of folder.folders) {
    const childPath = path === "" ? name : `${path}/${name}`;
    const chapters = yield* listFolderInSteps(child, childPath);
    const chapter: PageChapter =
      child.readme === undefined
        ? { kind: "page", path: `${childPath}/README.md`, isDraft: true, chapters }
        : { kind: "page", path: child.readme, chapters };
    named.push([splitNumbers(name), chapter]);
  }
  yield;
  const sorted = yield* sortInSteps(
    named,
    ([a, one], [b, other]) => compareParts(a, b) || compareParts(splitNumbers(one.path), splitNumbers(other.path)),
  );
  return sorted.map(([, chapter]) => chapter);
}

function splitNumbers(name: string): string[] {
  return name.toLowerCase().match(/\d{1,15}|\D+/g) ?? [];
}

/** Compares the parts of names. Numbers count as numbers: `2-setup` comes before `10-usage`. */
function compareParts(left: readonly string[], right: readonly string[]): number {
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [a, b] = [left[i]!, right[i]!];
    if (a === b) continue;
    const difference = Number(a) - Number(b);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
    return a < b ? -1 : 1;
  }
  return left.length - right.length;
}
