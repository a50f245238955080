// Typed reads of one revision. A view works on anything that reads an ordered map: a stored revision, a draft with unsaved
// changes, or either with computed pages laid over it.

import { joinPath } from "../book/paths";
import type { EntryChunk, ListEntriesOptions } from "../prolly-tree";
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

/** An entry before its kind is known. */
export interface RawEntry {
  readonly key: string;
  readonly value: unknown;
}

/** A part of the map: the keys that begin with `under`, strictly between `after` and `before`. */
export interface EntryRange extends ListEntriesOptions {
  readonly under: string;
}

/** Entries that follow each other, and the position of the chunk among all chunks. */
export type RawEntryChunk = EntryChunk<RawEntry>;

export interface RevisionReader {
  get(key: string): Promise<unknown>;
  getMany(keys: readonly string[]): Promise<readonly unknown[]>;
  list(range: EntryRange): Promise<readonly RawEntry[]>;
  /** Lists several ranges at once. Default: calls `list` for each. */
  listMany?(ranges: readonly EntryRange[]): Promise<readonly (readonly RawEntry[])[]>;
  /** Yields every entry under a prefix, in chunks that come in any order. Default: calls `list` until all are read. */
  iterate?(under: string): AsyncGenerator<RawEntryChunk>;
  count(range: Pick<EntryRange, "under">): Promise<number>;
}

/** The number of entries that are listed at once when all of them are read. */
const ENTRIES_PER_LIST = 200;

/** Yields every entry under a prefix, by lists. */
export async function* iterateByLists(
  { list }: Pick<RevisionReader, "list">,
  under: string,
): AsyncGenerator<RawEntryChunk> {
  let after: string | undefined;
  for (let index = 0; ; index++) {
    const entries = await list({ under, after, limit: ENTRIES_PER_LIST });
    yield { index, entries };
    if (entries.length < ENTRIES_PER_LIST) return;
    after = entries.at(-1)!.key;
  }
}

/** The number of included texts of a page that are searched for an anchor. */
const MAX_INCLUDED_TEXTS = 100;

/** The deepest nesting of pages. */
export const MAX_PAGE_DEPTH = 32;

/** An entry with the id that its key names. */
export type WithId<Entry> = Entry & { readonly id: string };

export interface RevisionView extends RevisionReader {
  listMany(ranges: readonly EntryRange[]): Promise<readonly (readonly RawEntry[])[]>;
  iterate(under: string): AsyncGenerator<RawEntryChunk>;
  getPage(id: string): Promise<WithId<PageEntry> | undefined>;
  /** Returns pages in the order of the ids, with undefined for each id that has none. */
  getPages(ids: readonly string[]): Promise<(WithId<PageEntry> | undefined)[]>;
  /** Returns every page, in the order of the ids. */
  listPages(): Promise<WithId<PageEntry>[]>;
  /** Returns the ids of the pages below a parent, in order. */
  listChildIds(parent: string | null): Promise<{ readonly id: string; readonly order: string }[]>;
  /** Returns a page and the pages above it, from the page up to the top. */
  getAncestry(id: string): Promise<WithId<PageEntry>[]>;
  /** Returns the slugs from the top down to a page, or undefined if there is no such page. */
  getPagePath(id: string): Promise<string | undefined>;
  /** Returns the page at a path of slugs. The path may also be a former one, or one that a redirect of the book leads from. */
  findPageByPath(path: string): Promise<WithId<PageEntry> | undefined>;
  /** Returns the target of a redirect of the book. */
  findRedirect(path: string): Promise<RedirectEntry["to"] | undefined>;
  /**
   * Returns the anchor that a link to a page means by its own anchor. Returns "" if the link means the page itself, and
   * undefined if neither the page nor a text that it includes has the anchor. A page with very many headings accepts every
   * anchor.
   */
  findAnchor(page: string, anchor: string): Promise<string | undefined>;
  getFile(id: string): Promise<WithId<FileEntry> | undefined>;
  getReusable(id: string): Promise<WithId<ReusableEntry> | undefined>;
  getVariables(): Promise<Record<string, VariableValue>>;
  /** Returns the links of a page or a reusable content, in the order of its text. */
  getLinks(source: string): Promise<LinkEntry[]>;
  /** Returns the links to a target: the ids of their pages or reusable contents, and the number of the link there. */
  getIncomingLinks(target: string): Promise<{ readonly source: string; readonly n: number }[]>;
}

export function createRevisionView(reader: RevisionReader): RevisionView {
  async function getOne<Entry extends object>(key: string, id: string): Promise<WithId<Entry> | undefined> {
    const entry = (await reader.get(key)) as Entry | undefined;
    return entry && { ...entry, id };
  }

  /** `searched` are the texts that were searched already. */
  async function findAnchor(source: string, anchor: string, searched = new Set([source])): Promise<string | undefined> {
    const entry = (await reader.get(keys.anchors(source))) as AnchorEntry | undefined;
    const ownAnchor = lookUpAnchor(entry, anchor);
    if (ownAnchor !== undefined || !entry?.hasIncludes) return ownAnchor;
    for (const { as, to } of await view.getLinks(source)) {
      const included = as === "include" ? /^[rfp]:([^:]+)/.exec(to)?.[1] : undefined;
      if (included === undefined || searched.has(included) || searched.size > MAX_INCLUDED_TEXTS) continue;
      const includedAnchor = await findAnchor(included, anchor, searched.add(included));
      if (includedAnchor !== undefined) return includedAnchor;
    }
    return undefined;
  }

  // Each member by its name: every request creates several views, and spreading the reader takes longer than all else here.
  const { get, getMany, list, count } = reader;
  const view: RevisionView = {
    get,
    getMany,
    list,
    count,
    iterate: (under) => reader.iterate?.(under) ?? iterateByLists(reader, under),
    listMany: (ranges) => reader.listMany?.(ranges) ?? Promise.all(ranges.map((range) => reader.list(range))),
    getPage: (id) => getOne<PageEntry>(keys.page(id), id),
    async getPages(ids) {
      const entries = (await reader.getMany(ids.map(keys.page))) as (PageEntry | undefined)[];
      return entries.map((entry, i) => entry && { ...entry, id: ids[i]! });
    },
    async listPages() {
      const rows = await reader.list({ under: keys.pages });
      return rows.map(({ key, value }) => ({ ...(value as PageEntry), id: key.slice(keys.pages.length) }));
    },
    async listChildIds(parent) {
      const under = keys.children(parent);
      const rows = await reader.list({ under });
      return rows.map(({ key, value }) => ({ id: value as string, order: key.slice(under.length) }));
    },
    async getAncestry(id) {
      const ancestry: WithId<PageEntry>[] = [];
      for (let next: string | null = id; next !== null && ancestry.length <= MAX_PAGE_DEPTH; ) {
        const page: WithId<PageEntry> | undefined = await view.getPage(next);
        if (!page) break;
        ancestry.push(page);
        next = page.parent;
      }
      return ancestry;
    },
    async getPagePath(id) {
      const ancestry = await view.getAncestry(id);
      return ancestry.length === 0 ? undefined : buildPagePath(ancestry);
    },
    async findPageByPath(path) {
      let id: string | undefined;
      let isFormerPath = false;
      for (const slug of path.split("/")) {
        const key = keys.slug(id ?? null, slug);
        const entry = (await reader.get(key)) as { readonly page: string; readonly former?: boolean } | undefined;
        id = entry?.page;
        if (!entry) break;
        if (entry.former === true) isFormerPath = true;
      }
      // A redirect goes before a former path, but not before the present path of a page.
      if (id === undefined || isFormerPath) {
        const ref = await view.findRedirect(path);
        if (ref?.kind === "page" || ref?.kind === "anchor") id = ref.page;
      }
      return id === undefined ? undefined : view.getPage(id);
    },
    async findRedirect(path) {
      const entry = (await reader.get(keys.redirect(normalizeRedirectPath(path)))) as RedirectEntry | undefined;
      return entry?.to;
    },
    findAnchor: (page, anchor) => findAnchor(page, anchor),
    getFile: (id) => getOne<FileEntry>(keys.file(id), id),
    getReusable: (id) => getOne<ReusableEntry>(keys.reusable(id), id),
    async getVariables() {
      const rows = await reader.list({ under: keys.variables });
      const entries = rows.map(({ value }) => value as VariableEntry);
      return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
    },
    async getLinks(source) {
      return (await reader.list({ under: keys.sourceLinks(source) })).map(({ value }) => value as LinkEntry);
    },
    async getIncomingLinks(target) {
      const under = keys.incomingLinks(target);
      return (await reader.list({ under })).map(({ key }) => {
        const [source, n] = key.slice(under.length).split("/") as [string, string];
        return { source, n: Number(n) };
      });
    },
  };
  return view;
}

export function buildPagePath(ancestry: readonly PageEntry[]): string {
  return ancestry
    .toReversed()
    .map(({ slug }) => slug)
    .join("/");
}

/** Returns the path by which a redirect is found: `/a/b.html`, `a/b.md`, `a/b/index.html` and `a/b/` are all `a/b`. */
export function normalizeRedirectPath(path: string): string {
  const withoutExtension = joinPath("", path).replace(/\.(?:html?|md)$/i, "");
  return withoutExtension.replace(/(?:^|\/)(?:index|readme)$/i, "");
}
