// Arranges the pages of a site: nested as its own tables of contents are, or else as its paths are, in the site's own order.

import type { Chapter, PageChapter } from "../../content/book/book";
import { decodePercent } from "../../content/book/paths";
import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { parseUrl } from "../../utils/url";
import { buildChapterTree } from "../build-chapter-tree";
import { UniquePaths } from "../unique-paths";
import type { CrawledSite } from "./crawl-site";
import { toFileName } from "./downloaded-files";
import type { OutlinePlace } from "./outline";

/** The places of the pages of a site in a book. */
export interface SiteTree {
  readonly chapters: readonly Chapter[];
  /** The path of the text of each page, by the key of its URL. */
  readonly paths: ReadonlyMap<string, string>;
}

/** A name in the paths of a site, with the names below it. */
interface PathNode {
  readonly name: string;
  page?: string;
  /** By name in lower case. */
  readonly children: Map<string, PathNode>;
}

/** The most pages above a page that are looked up for one that was taken. */
const MAX_ANCESTORS = 20;
const COLLATOR = new Intl.Collator("en", { numeric: true });

export function* arrangeSiteInSteps({
  pages,
  scope,
  firstKey,
  order,
  outline,
}: Pick<CrawledSite, "pages" | "scope" | "firstKey" | "order" | "outline">): Steps<SiteTree> {
  const root: PathNode = { name: "", children: new Map() };
  for (const key of pages.keys()) {
    const { pathname, search } = parseUrl(key);
    const parts = pathname
      .slice(scope.path.length)
      .split("/")
      .filter((part) => part !== "");
    const last = parts.pop();
    const query = search === "" ? "" : `-${search.slice(1)}`;
    if (last !== undefined) parts.push(last.replace(/\.[A-Za-z]\w{1,4}$/, "") + query);
    else if (query !== "") parts.push(query);

    let node = root;
    for (const part of parts) {
      const fileName = toFileName(decodePercent(part));
      // A README is the page of its folder, so no other page has this name.
      const isReserved = fileName === "" || /^(?:readme|index)$/i.test(fileName);
      const name = isReserved ? `page-${fileName}`.replace(/-$/, "") : fileName;
      let child = node.children.get(name.toLowerCase());
      if (!child) {
        child = { name, children: new Map() };
        node.children.set(name.toLowerCase(), child);
      }
      node = child;
    }
    // Two URLs may differ in characters that the name of a file cannot have.
    for (let number = 2; node.page; number++) {
      const spare: PathNode = node.children.get(`-${number}`) ?? { name: `page-${number}`, children: new Map() };
      node.children.set(`-${number}`, spare);
      if (!spare.page) node = spare;
    }
    node.page = key;
    yield;
  }
  const paths = new Map<string, string>();
  assignFilePaths(root, "", new UniquePaths(), paths);
  yield;
  const placesByPath = new Map<string, OutlinePlace>();
  for (const node of root.children.values()) placeByPath(node, undefined, node, placesByPath);

  const places = new Map<string, OutlinePlace>();
  for (const key of pages.keys()) {
    // A table of contents puts a page below the nearest page above it that was taken, or at the top.
    let place = outline.places.get(key);
    for (let hops = 0; place?.parent !== undefined && !pages.has(place.parent); hops++)
      place = hops < MAX_ANCESTORS ? outline.places.get(place.parent) : undefined;
    if (place?.parent === firstKey) place = { parent: undefined };
    place ??= placesByPath.get(key);
    if (key !== firstKey && place) places.set(key, place);
    yield;
  }
  const tree = buildChapterTree(
    Array.from(pages, ([key, { title }]) => ({
      id: key,
      parentId: places.get(key)?.parent,
      chapter: { kind: "page" as const, path: paths.get(key)!, ...omitUndefined({ title }) },
    })),
  );
  yield;
  const keys = new Map(Array.from(paths, ([key, path]) => [path, key]));
  const sorter = new ChapterSorter(
    (path) => order.get(keys.get(path)!) ?? Number.POSITIVE_INFINITY,
    paths.get(firstKey),
  );
  return { chapters: sorter.sortTop(tree, (path) => places.get(keys.get(path)!)?.group), paths };
}

/** Puts chapters into the order of the site. A chapter is where the first of its pages is. */
class ChapterSorter {
  readonly #positions = new Map<Chapter, number>();

  constructor(
    readonly getPagePosition: (path: string) => number,
    readonly firstPath: string | undefined,
  ) {}

  /** Returns the chapters at the top, with headings over those that have one. The first page stays the first. */
  sortTop(chapters: readonly PageChapter[], getGroup: (path: string) => string | undefined): Chapter[] {
    const top: Chapter[] = [];
    const groups = new Map<string, PageChapter[]>();
    for (const chapter of chapters) {
      const title = getGroup(chapter.path);
      const group = title === undefined ? undefined : groups.get(title);
      if (group) group.push(chapter);
      else if (title === undefined) top.push(this.#sortBelow(chapter));
      else groups.set(title, [chapter]);
    }
    for (const [title, members] of groups)
      top.push({ kind: "group", title, chapters: this.#sort(members.map((it) => this.#sortBelow(it))) });
    const sorted = this.#sort(top);
    const isFirst = (chapter: Chapter) => chapter.kind === "page" && chapter.path === this.firstPath;
    return [...sorted.filter(isFirst), ...sorted.filter((chapter) => !isFirst(chapter))];
  }

  #sortBelow(chapter: PageChapter): PageChapter {
    const children = chapter.chapters as readonly PageChapter[];
    return { ...chapter, chapters: this.#sort(children.map((it) => this.#sortBelow(it))) };
  }

  #sort<Some extends Chapter>(chapters: readonly Some[]): Some[] {
    const getName = (chapter: Chapter) =>
      chapter.kind === "page" ? chapter.path.replace(/(?:\/README)?\.md$/, "") : (chapter.title ?? "");
    return [...chapters].sort((a, b) => {
      const [left, right] = [this.#getPosition(a), this.#getPosition(b)];
      return left === right ? COLLATOR.compare(getName(a), getName(b)) : left < right ? -1 : 1;
    });
  }

  #getPosition(chapter: Chapter): number {
    const cached = this.#positions.get(chapter);
    if (cached !== undefined) return cached;
    const own = chapter.kind === "page" ? this.getPagePosition(chapter.path) : Number.POSITIVE_INFINITY;
    const children = "chapters" in chapter ? chapter.chapters : [];
    const position = children.reduce((least, each) => Math.min(least, this.#getPosition(each)), own);
    this.#positions.set(chapter, position);
    return position;
  }
}

/** Places pages by their paths. A folder without a page can be a heading only at the top. */
function placeByPath(
  node: PathNode,
  parent: string | undefined,
  topNode: PathNode,
  places: Map<string, OutlinePlace>,
): void {
  if (node.page !== undefined) {
    const words = topNode.name.replace(/[-_]+/g, " ").trim();
    const isInFolder = parent === undefined && node !== topNode;
    const group = isInFolder ? words.charAt(0).toUpperCase() + words.slice(1) : undefined;
    places.set(node.page, { parent, ...omitUndefined({ group }) });
  }
  for (const child of node.children.values()) placeByPath(child, node.page ?? parent, topNode, places);
}

/** Assigns paths to the texts of pages. A page with others below it is the README of its folder. */
function assignFilePaths(node: PathNode, folder: string, uniquePaths: UniquePaths, paths: Map<string, string>): void {
  const path = folder === "" || node.name === "" ? node.name : `${folder}/${node.name}`;
  const stem = path === "" ? "README" : node.children.size > 0 ? `${path}/README` : path;
  if (node.page !== undefined) paths.set(node.page, uniquePaths.claim(stem, ".md"));
  for (const child of node.children.values()) assignFilePaths(child, path, uniquePaths, paths);
}
