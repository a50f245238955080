// Reads of one revision, typed. A view stands on anything that reads an ordered map: a stored revision, or a draft whose
// changes are not saved yet.

import { joinPath } from "../book/paths";
import { type AnchorEntry, lookUpAnchor } from "./anchors";
import {
  type FileEntry,
  keys,
  type LinkEntry,
  type PageEntry,
  type RedirectEntry,
  type ReusableEntry,
  type VariableEntry,
  type VariableValue,
} from "./entries";

/** A value under a key. */
export interface RawEntry {
  readonly key: string;
  readonly value: unknown;
}

/** A part of the map: keys that begin with `under`, strictly after `after`. */
export interface EntryRange {
  readonly under: string;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly reverse?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** What a view stands on. */
export interface RevisionReader {
  get(key: string): Promise<unknown>;
  getMany(keys: readonly string[]): Promise<readonly unknown[]>;
  list(part: EntryRange): Promise<readonly RawEntry[]>;
  /** Several parts at once. Default: each by itself. */
  listMany?(parts: readonly EntryRange[]): Promise<readonly (readonly RawEntry[])[]>;
  /** Every entry under a key, in pieces that come in any order. Default: by lists. */
  iterate?(under: string): AsyncGenerator<RawEntryChunk>;
  count(part: Pick<EntryRange, "under">): Promise<number>;
}

/** Entries that follow each other, and the place of the piece among all of them. */
export interface RawEntryChunk {
  readonly index: number;
  readonly entries: readonly RawEntry[];
}

/** Every entry under a key, by lists. */
export async function* iterateByLists(
  { list }: Pick<RevisionReader, "list">,
  under: string,
): AsyncGenerator<RawEntryChunk> {
  let after: string | undefined;
  for (let at = 0; ; at++) {
    const entries = await list({ under, after, limit: AT_ONCE });
    yield { index: at, entries };
    if (entries.length < AT_ONCE) return;
    after = entries.at(-1)!.key;
  }
}

/** How many entries are listed at once, where all of them are read. */
const AT_ONCE = 200;

/** How many included texts of a page are searched for an anchor. */
const MAX_INCLUDED = 100;

/** The most pages inside each other. */
export const MAX_PAGE_DEPTH = 32;

/** A thing with its id. */
export type WithId<Entry> = Entry & { readonly id: string };

export interface RevisionView extends RevisionReader {
  listMany(parts: readonly EntryRange[]): Promise<readonly (readonly RawEntry[])[]>;
  iterate(under: string): AsyncGenerator<RawEntryChunk>;
  getPage(id: string): Promise<WithId<PageEntry> | undefined>;
  /** In the order asked; undefined where there is none. */
  getPages(ids: readonly string[]): Promise<(WithId<PageEntry> | undefined)[]>;
  /** Every page, in the order of the ids. */
  listPages(): Promise<WithId<PageEntry>[]>;
  /** The ids of the pages under a parent, in their order. */
  listChildIds(parent: string | null): Promise<{ readonly id: string; readonly order: string }[]>;
  /** A page and what it is under, from itself to the top. */
  getAncestry(id: string): Promise<WithId<PageEntry>[]>;
  /** The slugs from the top to a page; undefined when there is no such page. */
  getPagePath(id: string): Promise<string | undefined>;
  /** The page at a path of slugs, also at a path that leads to it: by a redirect of the book, or because it had it before. */
  findPageByPath(path: string): Promise<WithId<PageEntry> | undefined>;
  /** Where a redirect of the book leads from a path. */
  findRedirect(path: string): Promise<RedirectEntry["to"] | undefined>;
  /** The anchor that a link to a page means by its own: "" for the page itself, and undefined when neither the page nor
   * what it includes has one. If a page has very many headings, every anchor is accepted. */
  findAnchor(page: string, anchor: string): Promise<string | undefined>;
  getFile(id: string): Promise<WithId<FileEntry> | undefined>;
  getReusable(id: string): Promise<WithId<ReusableEntry> | undefined>;
  getVariables(): Promise<Record<string, VariableValue>>;
  /** The links of a page or a reusable content, in the order of its text. */
  getLinks(source: string): Promise<LinkEntry[]>;
  /** Where links to a target stand: the ids of pages or reusable contents, and which link of theirs it is. */
  getIncomingLinks(target: string): Promise<{ readonly source: string; readonly n: number }[]>;
}

export function createRevisionView(reads: RevisionReader): RevisionView {
  const one = async <Entry extends object>(key: string, id: string) =>
    withId(await reads.get(key), id) as never as WithId<Entry> | undefined;

  async function pagesById(ids: readonly string[]) {
    const found = await reads.getMany(ids.map(keys.page));
    return found.map((entry, i) => withId(entry, ids[i]!) as WithId<PageEntry> | undefined);
  }

  async function ancestry(id: string) {
    const way: WithId<PageEntry>[] = [];
    for (let next: string | null = id; next !== null && way.length <= MAX_PAGE_DEPTH; ) {
      const page: WithId<PageEntry> | undefined = await one<PageEntry>(keys.page(next), next);
      if (!page) break;
      way.push(page);
      next = page.parent;
    }
    return way;
  }

  /** What slugs lead to, and whether one of them is a former one. */
  async function walk(path: string): Promise<{ readonly page: string; readonly isFormer: boolean } | undefined> {
    let found: { page: string; isFormer: boolean } | undefined;
    for (const slug of path.split("/")) {
      const key = keys.slug(found?.page ?? null, slug);
      const entry = (await reads.get(key)) as { readonly page: string; readonly former?: boolean } | undefined;
      if (!entry) return undefined;
      found = { page: entry.page, isFormer: found?.isFormer === true || entry.former === true };
    }
    return found;
  }

  async function redirectAt(path: string): Promise<RedirectEntry["to"] | undefined> {
    return ((await reads.get(keys.redirect(normalizeRedirectPath(path)))) as RedirectEntry | undefined)?.to;
  }

  /** `met` are the texts that were looked at. */
  async function anchorIn(source: string, anchor: string, met = new Set([source])): Promise<string | undefined> {
    const entry = (await reads.get(keys.anchors(source))) as AnchorEntry | undefined;
    const own = lookUpAnchor(entry, anchor);
    if (own !== undefined || !entry?.hasIncludes) return own;
    for (const { as, to } of await linksOf(source)) {
      const included = as === "include" ? /^[rfp]:([^:]+)/.exec(to)?.[1] : undefined;
      if (included === undefined || met.has(included) || met.size > MAX_INCLUDED) continue;
      const found = await anchorIn(included, anchor, met.add(included));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async function linksOf(source: string): Promise<LinkEntry[]> {
    return (await reads.list({ under: keys.sourceLinks(source) })).map(({ value }) => value as LinkEntry);
  }

  // Each member by its name: every request makes several views, and spreading the reads takes longer than all else here.
  const { get, getMany, list, count } = reads;
  return {
    get,
    getMany,
    list,
    count,
    iterate: (under) => reads.iterate?.(under) ?? iterateByLists(reads, under),
    listMany: (parts) => reads.listMany?.(parts) ?? Promise.all(parts.map((part) => reads.list(part))),
    getPage: (id) => one<PageEntry>(keys.page(id), id),
    getPages: pagesById,
    async listPages() {
      const rows = await reads.list({ under: keys.pages });
      return rows.map(({ key, value }) => withId(value, key.slice(keys.pages.length)) as WithId<PageEntry>);
    },
    async listChildIds(parent) {
      const under = keys.children(parent);
      const rows = await reads.list({ under });
      return rows.map(({ key, value }) => ({ id: value as string, order: key.slice(under.length) }));
    },
    getAncestry: ancestry,
    async getPagePath(id) {
      const way = await ancestry(id);
      return way.length === 0 ? undefined : buildPagePath(way);
    },
    async findPageByPath(path) {
      const found = await walk(path);
      const ref = found && !found.isFormer ? undefined : await redirectAt(path);
      const id = ref && (ref.kind === "page" || ref.kind === "anchor") ? ref.page : found?.page;
      return id === undefined ? undefined : one<PageEntry>(keys.page(id), id);
    },
    findRedirect: redirectAt,
    findAnchor: (page, anchor) => anchorIn(page, anchor),
    getFile: (id) => one<FileEntry>(keys.file(id), id),
    getReusable: (id) => one<ReusableEntry>(keys.reusable(id), id),
    async getVariables() {
      const rows = await reads.list({ under: keys.variables });
      const entries = rows.map(({ value }) => value as VariableEntry);
      return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
    },
    getLinks: linksOf,
    async getIncomingLinks(target) {
      const under = keys.incomingLinks(target);
      return (await reads.list({ under })).map(({ key }) => {
        const [source, n] = key.slice(under.length).split("/") as [string, string];
        return { source, n: Number(n) };
      });
    },
  };
}

/** The path of a page, from its way to the top. */
export function buildPagePath(way: readonly PageEntry[]): string {
  return way
    .toReversed()
    .map(({ slug }) => slug)
    .join("/");
}

/** The path that a redirect is known by: `/a/b.html`, `a/b.md`, `a/b/index.html` and `a/b/` are all `a/b`. */
export function normalizeRedirectPath(path: string): string {
  const bare = joinPath("", path).replace(/\.(?:html?|md)$/i, "");
  return bare.replace(/(?:^|\/)(?:index|readme)$/i, "");
}

function withId(entry: unknown, id: string): object | undefined {
  return entry === undefined ? undefined : { ...(entry as object), id };
}
