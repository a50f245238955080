// A view in which computed pages and files are entries among the others, and are read in the same ways. They are
// computed when the page above them is read. Only a list of everything, or an id that is not stored, computes all of
// them.

import type { Expansion } from "./computed";
import { keys, type PageEntry } from "./entries";
import {
  createRevisionView,
  type EntryRange,
  iterateByLists,
  type RawEntry,
  type RawEntryChunk,
  type RevisionReader,
  type RevisionView,
  type WithId,
} from "./view";

/** What a computed page gives, and how to get its late texts. */
export interface ExpandedPage {
  readonly expansion: Expansion;
  readonly readText?: ((key: string) => Promise<string>) | undefined;
}

/** Computes what a computed page gives; undefined: nothing to show. */
export type ExpandPage = (page: WithId<PageEntry>) => Promise<ExpandedPage | undefined>;

/** A view with what is computed in it. */
export interface ComputedOverlay {
  readonly view: RevisionView;
  /** A computed text, by the name that an entry of the view has for it. A late text is computed now. */
  readText(hash: string): string | Promise<string> | undefined;
  /** Whether a text is late. */
  isLazyText(hash: string): boolean;
}

/** Headings of computed pages are not looked up: every anchor is accepted. */
const ANY_ANCHOR = { anchors: [], isWhole: false };

/** Gives the computed pages of a view that may give pages, or files. */
export type FindComputedPages = (of: "pages" | "files") => Promise<readonly WithId<PageEntry>[]>;

function byKey(a: RawEntry, b: RawEntry): number {
  return a.key < b.key ? -1 : 1;
}

/** Lays what is computed over a view. */
export function createComputedOverlay(
  below: RevisionView,
  expand: ExpandPage,
  all: FindComputedPages,
): ComputedOverlay {
  const expansions = new Map<string, Promise<ExpandedPage | undefined>>();
  const entries = new Map<string, unknown>();
  /** The same entries by the beginning of their keys, up to the last `/`: a list reads one of these. */
  const parts = new Map<string, RawEntry[]>();
  const texts = new Map<string, () => string>();
  const late = new Map<string, () => Promise<string>>();
  const met = new Set<string>();
  const whole = new Set<"pages" | "files">();

  async function meet(page: WithId<PageEntry>): Promise<void> {
    if (page.type !== "computed") return;
    const known = expansions.get(page.id) ?? expand(page);
    expansions.set(page.id, known);
    const expanded = await known;
    if (!expanded || met.has(page.id)) return;
    met.add(page.id);
    const { expansion, readText: textOf } = expanded;
    for (const [key, value] of expansion.entries) {
      entries.set(key, value);
      const part = key.slice(0, key.lastIndexOf("/") + 1);
      const rows = parts.get(part);
      if (rows) rows.push({ key, value });
      else parts.set(part, [{ key, value }]);
    }
    for (const [hash, text] of expansion.texts) texts.set(hash, text);
    for (const [hash, key] of expansion.lazyKeys) {
      if (textOf) late.set(hash, async () => expansion.replaceFileIds(await textOf(key)));
    }
  }

  async function meetAll(of: "pages" | "files" = "pages"): Promise<void> {
    if (whole.has(of)) return;
    // In parallel, because some wait for other hosts.
    await Promise.all((await all(of)).map(meet));
    whole.add(of);
  }

  /** Computes whatever may be under a key: a page, a file, or something below a computed page. */
  async function prepare(key: string): Promise<void> {
    const [kind, id] = key.split("/") as [string, string];
    if (kind === "p" || kind === "h") {
      if (!entries.has(keys.page(id))) await meetAll();
    } else if (kind === "f") {
      if (!entries.has(key)) await meetAll("files");
    } else if ((kind === "c" || kind === "s") && id !== "-" && !entries.has(keys.page(id))) {
      const parent = await below.getPage(id);
      if (parent) await meet(parent);
      else await meetAll();
    }
  }

  async function get(key: string): Promise<unknown> {
    const stored = await below.get(key);
    if (stored !== undefined) return stored;
    await prepare(key);
    if (key.startsWith("h/")) return entries.has(keys.page(key.slice(2))) ? ANY_ANCHOR : undefined;
    return entries.get(key);
  }

  /** What is computed under a key. */
  async function computedUnder(under: string): Promise<readonly RawEntry[]> {
    if (under === keys.pages) await meetAll();
    else if (under === keys.files) await meetAll("files");
    else if (under.startsWith("c/")) await prepare(under);
    else return [];
    return parts.get(under) ?? [];
  }

  async function list(part: EntryRange): Promise<readonly RawEntry[]> {
    const computed = await computedUnder(part.under);
    const { after, before, reverse, limit = Number.POSITIVE_INFINITY } = part;
    const isWithin = (key: string) => (after === undefined || key > after) && (before === undefined || key < before);
    const mine = computed.filter(({ key }) => isWithin(key));
    const rows = await below.list(part);
    if (mine.length === 0) return rows;
    const inOrder = [...rows, ...mine].sort(byKey);
    return (reverse ? inOrder.reverse() : inOrder).slice(0, limit);
  }

  async function* each(under: string): AsyncGenerator<RawEntryChunk> {
    const computed = await computedUnder(under);
    yield* computed.length === 0 ? below.iterate(under) : iterateByLists({ list }, under);
  }

  const reads: RevisionReader = {
    get,
    async getMany(keys) {
      const found = await below.getMany(keys);
      return Promise.all(found.map((value, i) => (value === undefined ? get(keys[i]!) : value)));
    },
    list,
    iterate: each,
    async listMany(asked) {
      const ids = asked.map(({ under }) => /^c\/([^/]+)\/$/.exec(under)?.[1] ?? "");
      const parents = (await below.getMany(ids.map(keys.page))) as (PageEntry | undefined)[];
      // Below a page that is stored, and not computed, stands only what is stored.
      const isStored = parents.map((parent) => parent !== undefined && parent.type !== "computed");
      const stored = await below.listMany(asked.filter((_, i) => isStored[i]));
      let next = 0;
      return Promise.all(asked.map((part, i) => (isStored[i] ? stored[next++]! : list(part))));
    },
    async count(part) {
      if (part.under !== keys.files) return below.count(part);
      await meetAll("files");
      return (await below.count(part)) + (parts.get(part.under)?.length ?? 0);
    },
  };
  return {
    view: createRevisionView(reads),
    readText: (hash) => (texts.get(hash) ?? late.get(hash))?.(),
    isLazyText: (hash) => late.has(hash),
  };
}
