// The table of contents of a site: nested as its paths are, in the order of its navigation.

import type { Chapter } from "../../content/book/book";
import { parseAddress } from "../../web-address";
import { UniquePaths } from "../page-paths";
import type { SitePage } from "./page";
import type { Scope } from "./urls";

/** Where pages of a site stand in a book. */
export interface SiteTree {
  readonly chapters: readonly Chapter[];
  /** The path of each page's text, by the key of its address. */
  readonly paths: ReadonlyMap<string, string>;
}

interface Branch {
  readonly name: string;
  page?: { readonly key: string; readonly title: string | undefined };
  /** By their names in lower case. */
  readonly below: Map<string, Branch>;
  /** The first place of a page in it. */
  place: number;
}

/** Arranges the pages of a site. */
export function arrange(
  pages: ReadonlyMap<string, SitePage>,
  scope: Scope,
  first: string,
  order: ReadonlyMap<string, number>,
): SiteTree {
  const root: Branch = { name: "", below: new Map(), place: 0 };
  for (const [key, { title }] of pages)
    plant(root, namesIn(key, scope), { key, title }, order.get(key) ?? Number.POSITIVE_INFINITY);
  const paths = new Map<string, string>();
  name(root, "", new UniquePaths(), paths);
  const own = root.page ? [chapterOf(root.page, paths, [])] : [];
  const others = sorted(root).flatMap((branch) => topChapters(branch, paths));
  const chapters = [...own, ...others];
  const at = chapters.findIndex((chapter) => chapter.kind === "page" && chapter.path === paths.get(first));
  return { chapters: at > 0 ? [chapters[at]!, ...chapters.slice(0, at), ...chapters.slice(at + 1)] : chapters, paths };
}

/** The names on the way to a page, as names of folders and files. */
function namesIn(key: string, scope: Scope): string[] {
  const { pathname, search } = parseAddress(key);
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

function plant(root: Branch, names: readonly string[], page: NonNullable<Branch["page"]>, place: number): void {
  let at = root;
  for (const each of names) {
    let next = at.below.get(each.toLowerCase());
    if (!next) {
      next = { name: each, below: new Map(), place: Number.POSITIVE_INFINITY };
      at.below.set(each.toLowerCase(), next);
    }
    next.place = Math.min(next.place, place);
    at = next;
  }
  // Two addresses may differ in what a file name cannot hold.
  for (let number = 2; at.page; number++) {
    const spare: Branch = at.below.get(`-${number}`) ?? { name: `page-${number}`, below: new Map(), place };
    at.below.set(`-${number}`, spare);
    if (!spare.page) at = spare;
  }
  at.page = page;
}

/** Names the texts: a page with others below it stands for its folder. */
function name(branch: Branch, folder: string, unique: UniquePaths, paths: Map<string, string>): void {
  const own = folder === "" || branch.name === "" ? branch.name : `${folder}/${branch.name}`;
  const stem = own === "" ? "README" : branch.below.size > 0 ? `${own}/README` : own;
  if (branch.page) paths.set(branch.page.key, unique.free(stem, ".md"));
  for (const below of branch.below.values()) name(below, own, unique, paths);
}

function sorted({ below }: Branch): Branch[] {
  return [...below.values()].sort((a, b) =>
    a.place === b.place ? byName(a.name, b.name) : a.place < b.place ? -1 : 1,
  );
}

const COLLATOR = new Intl.Collator("en", { numeric: true });
const byName = (a: string, b: string) => COLLATOR.compare(a, b);

/** Only at the top a folder without a page can be a heading. */
function topChapters(branch: Branch, paths: ReadonlyMap<string, string>): Chapter[] {
  const chapters = chaptersOf(branch, paths);
  if (branch.page || chapters.length === 0) return chapters;
  return [{ kind: "group", title: titleFrom(branch.name), chapters }];
}

function chaptersOf(branch: Branch, paths: ReadonlyMap<string, string>): Chapter[] {
  const below = sorted(branch).flatMap((each) => chaptersOf(each, paths));
  return branch.page ? [chapterOf(branch.page, paths, below)] : below;
}

function chapterOf(
  { key, title }: NonNullable<Branch["page"]>,
  paths: ReadonlyMap<string, string>,
  chapters: Chapter[],
): Chapter {
  return { kind: "page", path: paths.get(key)!, ...(title === undefined ? {} : { title }), chapters };
}

function titleFrom(name: string): string {
  const words = name.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
