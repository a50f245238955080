// The chapters of a book that has no table of contents: its folders, each with its README as the page that stands for it.

import type { Steps } from "../markdown/steps";
import { sortInSteps } from "../revision/sort-in-steps";
import { MAX_PAGE_DEPTH } from "../revision/view";
import { MAX_CHAPTERS, type PageChapter } from "./book";
import type { Layout } from "./config";
import { isMarkdown, isReadme, lastNameOf } from "./paths";
import { BookRefused } from "./refused";
import type { Files } from "./tree";

interface Folder {
  readme: string | undefined;
  readonly pages: string[];
  readonly folders: Map<string, Folder>;
}

/** Texts that repositories keep beside a book, by convention. A glossary in lower case is a page like any other. */
const BESIDE = new Set(["SUMMARY.md", "summary.md", "GLOSSARY.md", "LANGS.md"]);

/** Paths that are looked at before others may have their turn. */
const PATHS_A_TURN = 500;

/** Chapters from the folders of a tree. */
export function* chaptersOfFolders(files: Pick<Files, "plain">, { root, summary }: Layout): Steps<PageChapter[]> {
  const top = emptyFolder();
  const start = root === "" ? "" : `${root}/`;
  let [seen, count] = [0, 0];
  for (const whole of files.plain.keys()) {
    if (++seen % PATHS_A_TURN === 0) yield;
    const path = whole.slice(start.length);
    if (!whole.startsWith(start) || !isMarkdown(path) || path === summary || isBeside(path)) continue;
    if (++count > MAX_CHAPTERS) throw new BookRefused(`The book has more than ${MAX_CHAPTERS} chapters.`);
    place(top, path);
  }
  return [...(top.readme === undefined ? [] : [page(top.readme)]), ...(yield* below(top, "", 1))];
}

function emptyFolder(): Folder {
  return { readme: undefined, pages: [], folders: new Map() };
}

function isBeside(path: string): boolean {
  const names = path.split("/");
  return BESIDE.has(path) || names.some((name) => name.startsWith(".") || name === "node_modules");
}

function place(top: Folder, path: string): void {
  const names = path.split("/").slice(0, -1);
  let folder = top;
  for (const name of names.slice(0, MAX_PAGE_DEPTH - 1)) {
    const known = folder.folders.get(name) ?? emptyFolder();
    folder.folders.set(name, known);
    folder = known;
  }
  const isOwn = isReadme(path) && names.length < MAX_PAGE_DEPTH;
  if (isOwn && (folder.readme === undefined || isBefore(path, folder.readme))) {
    if (folder.readme !== undefined) folder.pages.push(folder.readme);
    folder.readme = path;
  } else folder.pages.push(path);
}

/** A README comes before an index. */
function isBefore(path: string, other: string): boolean {
  const rank = (it: string) => (/^readme\./i.test(lastNameOf(it)) ? 0 : 1);
  return rank(path) - rank(other) < 0 || (rank(path) === rank(other) && path < other);
}

function* below(folder: Folder, path: string, depth: number): Steps<PageChapter[]> {
  const at = (name: string) => (path === "" ? name : `${path}/${name}`);
  const named: Named[] = [];
  for (const it of folder.pages) {
    if (named.push([partsOf(lastNameOf(it).replace(/\.[^.]*$/, "")), page(it)]) % PATHS_A_TURN === 0) yield;
  }
  for (const [name, inside] of folder.folders) {
    const chapters = yield* below(inside, at(name), depth + 1);
    named.push([
      partsOf(name),
      inside.readme === undefined ? draft(at(name), chapters) : page(inside.readme, chapters),
    ]);
  }
  yield;
  const sorted = yield* sortInSteps(
    named,
    ([a, one], [b, other]) => compare(a, b) || compare(partsOf(one.path), partsOf(other.path)),
  );
  return sorted.map(([, chapter]) => chapter);
}

/** A chapter with the parts of its name, by which it is sorted. */
type Named = readonly [name: readonly string[], chapter: PageChapter];

function page(path: string, chapters: PageChapter[] = []): PageChapter {
  return { kind: "page", path, chapters };
}

/** A folder without a README is a page without a text. */
function draft(folder: string, chapters: PageChapter[]): PageChapter {
  return { kind: "page", path: `${folder}/README.md`, draft: true, chapters };
}

/** Numbers in names count as numbers: `2-setup` comes before `10-usage`. */
function compare(left: readonly string[], right: readonly string[]): number {
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one, other] = [left[i]!, right[i]!];
    if (one === other) continue;
    const difference = Number(one) - Number(other);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
}

function partsOf(name: string): string[] {
  return name.toLowerCase().match(/\d{1,15}|\D+/g) ?? [];
}
