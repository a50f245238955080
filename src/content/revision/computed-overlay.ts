// A view in which computed pages and files are entries among the stored ones, and are read in the same ways. They are
// computed when the page above them is read. Only a list of everything, or an id that is not stored, computes all of them.

import type { Expansion } from "./computed";
import { keys, type PageEntry } from "./entries";
import {
  createRevisionView,
  iterateByLists,
  type RawEntry,
  type RevisionReader,
  type RevisionView,
  type WithId,
} from "./view";

/** A computed page that was expanded, and a function that reads its lazy texts. */
export interface ExpandedPage {
  readonly expansion: Expansion;
  readonly readText?: ((key: string) => Promise<string>) | undefined;
}

export type FindComputedPages = (kind: "pages" | "files") => Promise<readonly WithId<PageEntry>[]>;

/** A view with computed entries. */
export interface ComputedOverlay {
  readonly view: RevisionView;
  /** Returns a computed text, by the hash that an entry of the view has for it. A lazy text is computed now. */
  readText(hash: string): string | Promise<string> | undefined;
  /** Checks whether a text is computed when it is read. */
  isLazyText(hash: string): boolean;
}

/** Headings of computed pages are not looked up: every anchor is accepted. */
const ANY_ANCHOR = { anchors: [], isWhole: false };

/** Lays computed entries over a view. */
export function createComputedOverlay(
  below: RevisionView,
  expandPage: (page: WithId<PageEntry>) => Promise<ExpandedPage | undefined>,
  findComputedPages: FindComputedPages,
): ComputedOverlay {
  const expansions = new Map<string, Promise<ExpandedPage | undefined>>();
  const expandedIds = new Set<string>();
  /** The kinds of computed things of which all are there. */
  const completeKinds = new Set<"pages" | "files">();
  const entries = new Map<string, unknown>();
  /** The same entries by the prefixes of their keys, up to the last `/`. A list reads one of them. */
  const entriesByPrefix = new Map<string, RawEntry[]>();
  const texts = new Map<string, () => string>();
  const lazyTexts = new Map<string, () => Promise<string>>();

  /** Expands a page once, if it is a computed one. */
  async function addExpansion(page: WithId<PageEntry>): Promise<void> {
    if (page.type !== "computed") return;
    const pendingExpansion = expansions.get(page.id) ?? expandPage(page);
    expansions.set(page.id, pendingExpansion);
    const expanded = await pendingExpansion;
    if (!expanded || expandedIds.has(page.id)) return;
    expandedIds.add(page.id);
    const { expansion, readText } = expanded;
    for (const [key, value] of expansion.entries) {
      entries.set(key, value);
      const prefix = key.slice(0, key.lastIndexOf("/") + 1);
      const siblings = entriesByPrefix.get(prefix);
      if (siblings) siblings.push({ key, value });
      else entriesByPrefix.set(prefix, [{ key, value }]);
    }
    for (const [hash, text] of expansion.texts) texts.set(hash, text);
    if (!readText) return;
    for (const [hash, key] of expansion.lazyKeys)
      lazyTexts.set(hash, async () => expansion.replaceFileIds(await readText(key)));
  }

  async function addAllExpansions(kind: "pages" | "files"): Promise<void> {
    if (completeKinds.has(kind)) return;
    // In parallel, because some wait for other hosts.
    await Promise.all((await findComputedPages(kind)).map(addExpansion));
    completeKinds.add(kind);
  }

  /** Computes everything that may be at a key: a page, a file, or the things below a computed page. */
  async function prepareKey(key: string): Promise<void> {
    const [kind, id] = key.split("/") as [string, string];
    if (kind === "p" || kind === "h") {
      if (!entries.has(keys.page(id))) await addAllExpansions("pages");
    } else if (kind === "f") {
      if (!entries.has(key)) await addAllExpansions("files");
    } else if ((kind === "c" || kind === "s") && id !== "-" && !entries.has(keys.page(id))) {
      const parent = await below.getPage(id);
      if (parent) await addExpansion(parent);
      else await addAllExpansions("pages");
    }
  }

  async function listComputed(under: string): Promise<readonly RawEntry[]> {
    if (under === keys.pages) await addAllExpansions("pages");
    else if (under === keys.files) await addAllExpansions("files");
    else if (under.startsWith("c/")) await prepareKey(under);
    else return [];
    return entriesByPrefix.get(under) ?? [];
  }

  const reader: RevisionReader = {
    async get(key) {
      const stored = await below.get(key);
      if (stored !== undefined) return stored;
      await prepareKey(key);
      if (key.startsWith("h/")) return entries.has(keys.page(key.slice(2))) ? ANY_ANCHOR : undefined;
      return entries.get(key);
    },
    async getMany(keys) {
      const stored = await below.getMany(keys);
      // A promise for each value would take longer than the reads.
      if (!stored.includes(undefined)) return stored;
      return Promise.all(stored.map((value, i) => (value === undefined ? reader.get(keys[i]!) : value)));
    },
    async list(range) {
      const computed = await listComputed(range.under);
      const { after, before, reverse, limit = Number.POSITIVE_INFINITY } = range;
      const computedInRange = computed.filter(
        ({ key }) => (after === undefined || key > after) && (before === undefined || key < before),
      );
      const stored = await below.list(range);
      if (computedInRange.length === 0) return stored;
      const all = [...stored, ...computedInRange].sort((a, b) => (a.key < b.key ? -1 : 1));
      return (reverse ? all.reverse() : all).slice(0, limit);
    },
    async *iterate(under) {
      const computed = await listComputed(under);
      yield* computed.length === 0 ? below.iterate(under) : iterateByLists(reader, under);
    },
    async listMany(ranges) {
      const ids = ranges.map(({ under }) => /^c\/([^/]+)\/$/.exec(under)?.[1] ?? "");
      const parents = (await below.getMany(ids.map(keys.page))) as (PageEntry | undefined)[];
      // All pages below a page that is stored, and not computed, are stored.
      const isStored = parents.map((parent) => parent !== undefined && parent.type !== "computed");
      const stored = await below.listMany(ranges.filter((_, i) => isStored[i]));
      let next = 0;
      return Promise.all(ranges.map((range, i) => (isStored[i] ? stored[next++]! : reader.list(range))));
    },
    async count(range) {
      if (range.under !== keys.files) return below.count(range);
      await addAllExpansions("files");
      return (await below.count(range)) + (entriesByPrefix.get(range.under)?.length ?? 0);
    },
  };
  return {
    view: createRevisionView(reader),
    readText: (hash) => (texts.get(hash) ?? lazyTexts.get(hash))?.(),
    isLazyText: (hash) => lazyTexts.has(hash),
  };
}
