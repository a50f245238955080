// The table of contents of a site: nested as its own tables of contents are, else as its paths are, in its own order.

import type { Chapter, PageChapter } from "../../content/book/book";
import type { Steps } from "../../content/markdown/steps";
import { omitUndefined } from "../../utils/objects";
import { parseUrl } from "../../utils/url";
import { UniquePaths } from "../page-paths";
import { pageTree } from "../page-tree";
import type { Crawled } from "./crawl";
import type { Outline, Standing } from "./outline";
import type { Scope } from "./urls";

/** Where pages of a site stand in a book. */
export interface SiteTree {
  readonly chapters: readonly Chapter[];
  /** The path of each page's text, by the key of its address. */
  readonly paths: ReadonlyMap<string, string>;
}

interface Branch {
  readonly name: string;
  /** The key of a page. */
  page?: string;
  /** By their names in lower case. */
  readonly below: Map<string, Branch>;
}

/** Arranges the pages of a site, step by step: as its tables of contents nest them, and what those leave out as its paths are. */
export function* arrange({ pages, scope, first, order, outline }: Arranging): Steps<SiteTree> {
  const root: Branch = { name: "", below: new Map() };
  for (const key of pages.keys()) {
    plant(root, namesIn(key, scope), key);
    yield;
  }
  const paths = new Map<string, string>();
  name(root, "", new UniquePaths(), paths);
  yield;
  const byPath = new Map<string, Standing>();
  for (const branch of root.below.values()) standBelow(branch, undefined, branch, byPath);
  const standings = new Map<string, Standing>();
  for (const key of pages.keys()) {
    const standing = statedFor(key, outline.standings, pages, first) ?? byPath.get(key);
    if (key !== first && standing) standings.set(key, standing);
    yield;
  }
  const tree = pageTree(
    Array.from(pages, ([key, { title }]) => ({
      id: key,
      parent: standings.get(key)?.parent,
      chapter: { kind: "page" as const, path: paths.get(key)!, ...omitUndefined({ title }) },
    })),
  );
  yield;
  const keys = new Map(Array.from(paths, ([key, path]) => [path, key]));
  const sorting = new Sorting((path) => order.get(keys.get(path)!) ?? Number.POSITIVE_INFINITY, paths.get(first));
  return { chapters: sorting.top(tree, (path) => standings.get(keys.get(path)!)?.group), paths };
}

/** Where a table of contents puts a page: below the nearest page above it that was taken, or at the top. */
function statedFor(
  key: string,
  standings: Outline["standings"],
  pages: Arranging["pages"],
  first: string,
): Standing | undefined {
  let standing = standings.get(key);
  for (let steps = 0; standing?.parent !== undefined && !pages.has(standing.parent); steps++)
    standing = steps < MAX_STEPS ? standings.get(standing.parent) : undefined;
  return standing?.parent === first ? { parent: undefined } : standing;
}

const MAX_STEPS = 20;

/** What pages are arranged by. */
type Arranging = Pick<Crawled, "pages" | "scope" | "first" | "order" | "outline">;

/** Puts chapters into the order of the site. A chapter stands where the first of its pages does. */
class Sorting {
  readonly #places = new Map<Chapter, number>();

  constructor(
    readonly placeOf: (path: string) => number,
    readonly first: string | undefined,
  ) {}

  /** The chapters at the top, with headings over those that have one. The first page stays the first. */
  top(chapters: readonly PageChapter[], groupOf: (path: string) => string | undefined): Chapter[] {
    const top: Chapter[] = [];
    const groups = new Map<string, PageChapter[]>();
    for (const chapter of chapters) {
      const title = groupOf(chapter.path);
      const known = title === undefined ? undefined : groups.get(title);
      if (known) known.push(chapter);
      else if (title === undefined) top.push(this.#sorted(chapter));
      else groups.set(title, [chapter]);
    }
    for (const [title, members] of groups)
      top.push({ kind: "group", title, chapters: this.#inOrder(members.map((it) => this.#sorted(it))) });
    const inOrder = this.#inOrder(top);
    const isFirst = (chapter: Chapter) => chapter.kind === "page" && chapter.path === this.first;
    return [...inOrder.filter(isFirst), ...inOrder.filter((chapter) => !isFirst(chapter))];
  }

  #sorted(chapter: PageChapter): PageChapter {
    const chapters = this.#inOrder((chapter.chapters as readonly PageChapter[]).map((it) => this.#sorted(it)));
    return { ...chapter, chapters };
  }

  #inOrder<Some extends Chapter>(chapters: readonly Some[]): Some[] {
    return [...chapters].sort((a, b) => {
      const [before, after] = [this.#place(a), this.#place(b)];
      return before === after ? byName(nameOf(a), nameOf(b)) : before < after ? -1 : 1;
    });
  }

  #place(chapter: Chapter): number {
    const known = this.#places.get(chapter);
    if (known !== undefined) return known;
    const own = chapter.kind === "page" ? this.placeOf(chapter.path) : Number.POSITIVE_INFINITY;
    const below = "chapters" in chapter ? chapter.chapters : [];
    const place = below.reduce((least, each) => Math.min(least, this.#place(each)), own);
    this.#places.set(chapter, place);
    return place;
  }
}

function nameOf(chapter: Chapter): string {
  return chapter.kind === "page" ? chapter.path.replace(/(?:\/README)?\.md$/, "") : (chapter.title ?? "");
}

/** Where pages stand by their paths. Only at the top a folder without a page can be a heading. */
function standBelow(branch: Branch, parent: string | undefined, top: Branch, standings: Map<string, Standing>): void {
  const isUnder = parent === undefined && branch !== top;
  if (branch.page !== undefined)
    standings.set(branch.page, { parent, ...omitUndefined({ group: isUnder ? titleFrom(top.name) : undefined }) });
  for (const below of branch.below.values()) standBelow(below, branch.page ?? parent, top, standings);
}

/** The names on the way to a page, as names of folders and files. */
function namesIn(key: string, scope: Scope): string[] {
  const { pathname, search } = parseUrl(key);
  const below = pathname
    .slice(scope.path.length)
    .split("/")
    .filter((part) => part !== "");
  const last = below.pop();
  const query = search === "" ? "" : `-${search.slice(1)}`;
  const names =
    last === undefined ? (query === "" ? [] : [query]) : [...below, last.replace(/\.[A-Za-z]\w{1,4}$/, "") + query];
  return names.map(cleaned);
}

function cleaned(name: string): string {
  const clean = decoded(name)
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, "")
    .slice(0, 80);
  return clean === "" || /^(?:readme|index)$/i.test(clean) ? `page-${clean}`.replace(/-$/, "") : clean;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function plant(root: Branch, names: readonly string[], page: string): void {
  let at = root;
  for (const each of names) {
    let next = at.below.get(each.toLowerCase());
    if (!next) {
      next = { name: each, below: new Map() };
      at.below.set(each.toLowerCase(), next);
    }
    at = next;
  }
  // Two addresses may differ in what a file name cannot hold.
  for (let number = 2; at.page; number++) {
    const spare: Branch = at.below.get(`-${number}`) ?? { name: `page-${number}`, below: new Map() };
    at.below.set(`-${number}`, spare);
    if (!spare.page) at = spare;
  }
  at.page = page;
}

/** Names the texts: a page with others below it stands for its folder. */
function name(branch: Branch, folder: string, unique: UniquePaths, paths: Map<string, string>): void {
  const own = folder === "" || branch.name === "" ? branch.name : `${folder}/${branch.name}`;
  const stem = own === "" ? "README" : branch.below.size > 0 ? `${own}/README` : own;
  if (branch.page !== undefined) paths.set(branch.page, unique.free(stem, ".md"));
  for (const below of branch.below.values()) name(below, own, unique, paths);
}

const COLLATOR = new Intl.Collator("en", { numeric: true });
const byName = (a: string, b: string) => COLLATOR.compare(a, b);

function titleFrom(name: string): string {
  const words = name.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
