// Derives the order and nesting of a website's pages from its own tables of contents. A small table is more precise about its part
// than a large one, so small tables take precedence.

import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import type { ContentsEntry, PageContents } from "./page-contents";

export interface OutlinePlace {
  /** The key of the page above it. Undefined for a page at the top. */
  readonly parent: string | undefined;
  /** The heading above it, at the top. */
  readonly group?: string;
}

/** The known order and nesting of pages. */
export interface Outline {
  /** By key, for the pages that a table of contents places. */
  readonly places: ReadonlyMap<string, OutlinePlace>;
  /** The titles of pages in tables of contents, by key. */
  readonly labels: ReadonlyMap<string, string>;
  /** Keys of pages in reading order. Empty if the site does not state it. */
  readonly sequence: readonly string[];
}

interface KeyedEntry extends Pick<ContentsEntry, "title" | "parentIndex"> {
  readonly key: string | undefined;
}

/** The most entries of all pages that are retained. */
const MAX_ENTRIES = 200_000;

/** Builds the outline of a site from the tables of contents of its pages. */
export class OutlineBuilder {
  /** The tables of contents in the text of pages, by the key of the page. */
  readonly #inText = new Map<string, readonly KeyedEntry[]>();
  readonly #navigations: (readonly KeyedEntry[])[] = [];
  readonly #seenNavigations = new Set<string>();
  readonly #up = new Map<string, string>();
  readonly #next = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  #entryCount = 0;

  /** `getKey` returns the key of a URL of the site, and undefined for any other. */
  constructor(readonly getKey: (url: string) => string | undefined) {}

  add(page: string, { inText, inNavigation, up, next }: PageContents): void {
    const upKey = up === undefined ? undefined : this.getKey(up);
    const nextKey = next === undefined ? undefined : this.getKey(next);
    if (upKey !== undefined && upKey !== page) this.#up.set(page, upKey);
    if (nextKey !== undefined && nextKey !== page) this.#next.set(page, nextKey);
    if (inText.length > 0 && this.#reserve(inText)) this.#inText.set(page, this.#addKeys(inText));
    for (const { key, title } of this.#addKeys([...inText, ...inNavigation]))
      if (key !== undefined && title !== "" && !this.#labels.has(key) && this.#labels.size < MAX_ENTRIES)
        this.#labels.set(key, title);

    // Most pages of a site have the same navigation.
    const isNested = inNavigation.some(({ parentIndex }) => parentIndex >= 0);
    const signature = inNavigation.map(({ url, parentIndex }) => `${parentIndex} ${url}`).join("\n");
    if (!isNested || this.#seenNavigations.has(signature) || !this.#reserve(inNavigation)) return;
    this.#seenNavigations.add(signature);
    this.#navigations.push(this.#addKeys(inNavigation));
  }

  /** Counts entries, and returns whether there is room for them. */
  #reserve(entries: readonly ContentsEntry[]): boolean {
    this.#entryCount += entries.length;
    return this.#entryCount <= MAX_ENTRIES;
  }

  #addKeys(entries: readonly ContentsEntry[]): KeyedEntry[] {
    return entries.map(({ url, title, parentIndex }) => ({
      key: url === undefined ? undefined : this.getKey(url),
      title,
      parentIndex,
    }));
  }

  /**
   * Builds the outline. `resolve` returns the key of the page that a key leads to in the end, and `isContents` whether a page
   * lists the site.
   */
  *buildInSteps(resolve: (key: string) => string, isContents: (key: string) => boolean): Steps<Outline> {
    const places = new Map<string, OutlinePlace>();
    const labels = new Map(Array.from(this.#labels, ([key, title]) => [resolve(key), title]));
    const place = (key: string, outlinePlace: OutlinePlace) => {
      if (!places.has(key) && outlinePlace.parent !== key) places.set(key, outlinePlace);
    };
    yield;
    const inText = [...this.#inText].sort(([, a], [, b]) => a.length - b.length);
    for (const [page, entries] of inText) {
      const parent = isContents(resolve(page)) ? undefined : resolve(page);
      placeEntries(entries, parent, resolve, place);
      yield;
    }
    for (const [page, up] of this.#up)
      place(resolve(page), { parent: isContents(resolve(up)) ? undefined : resolve(up) });
    for (const entries of this.#navigations.sort((a, b) => b.length - a.length)) {
      yield;
      placeEntries(entries, undefined, resolve, place);
    }
    yield;

    // The reading order follows the links to the next page, the longest chain first.
    const followers = new Set(this.#next.values());
    const chains: string[][] = [];
    for (const start of this.#next.keys()) {
      if (followers.has(start)) continue;
      const chain = new Set<string>();
      let key: string | undefined = start;
      for (; key !== undefined && !chain.has(key); key = this.#next.get(key)) chain.add(key);
      chains.push([...chain]);
    }
    const sequence = chains.sort((a, b) => b.length - a.length).flatMap((chain) => chain.map(resolve));
    return { places, labels, sequence };
  }
}

/** Places the entries of a table of contents. Entries without an entry above them are below `page`. */
function placeEntries(
  entries: readonly KeyedEntry[],
  page: string | undefined,
  resolve: (key: string) => string,
  place: (key: string, outlinePlace: OutlinePlace) => void,
): void {
  for (const entry of entries) {
    if (entry.key === undefined) continue;
    const key = resolve(entry.key);
    // Headings below other entries, and entries of the same page, are passed over.
    let index = entry.parentIndex;
    while (index >= 0 && (entries[index]!.key === undefined || resolve(entries[index]!.key!) === key)) {
      if (entries[index]!.parentIndex < 0) break;
      index = entries[index]!.parentIndex;
    }
    const parent = index < 0 ? undefined : entries[index]!;
    if (parent?.key !== undefined && resolve(parent.key) !== key) place(key, { parent: resolve(parent.key) });
    else if (page !== undefined) place(key, { parent: page });
    else {
      const group = parent && parent.key === undefined ? parent.title : undefined;
      place(key, { parent: undefined, ...omitUndefined({ group }) });
    }
  }
}
