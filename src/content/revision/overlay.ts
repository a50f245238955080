// A view in which pages that are computed stand among the rest, and are read in the same ways. They are worked out when
// somebody comes upon the page that they stand below; only an id that is not stored has all of them looked at.

import type { Expansion } from "./computed";
import { keys, type PageEntry } from "./entries";
import { type Identified, type Part, type Reads, type Row, type View, viewOf } from "./view";

/** What comes of a computed page, and how its late texts are come by. */
export interface Expanded {
  readonly expansion: Expansion;
  readonly textOf?: ((key: string) => Promise<string>) | undefined;
}

/** Works out what comes of a computed page; undefined: nothing that is to be seen. */
export type Expand = (page: Identified<PageEntry>) => Promise<Expanded | undefined>;

/** A view with what is computed in it. */
export interface Overlay {
  readonly view: View;
  /** A text that was computed, by the name that an entry of the view has for it; one that is late is worked out now. */
  textOf(hash: string): string | Promise<string> | undefined;
  /** Whether a text is late. */
  isLate(hash: string): boolean;
}

/** Headings of computed pages are not looked up: whatever anchor is named is believed. */
const ANY_ANCHOR = { anchors: [], isWhole: false };

/** Lays what is computed over a view; `all` gives the computed pages of the view. */
export function withComputed(
  below: View,
  expand: Expand,
  all: () => Promise<readonly Identified<PageEntry>[]>,
): Overlay {
  const expansions = new Map<string, Promise<Expanded | undefined>>();
  const entries = new Map<string, unknown>();
  /** The same by what their keys begin with, up to the last `/`: a list is one of these. */
  const parts = new Map<string, Row[]>();
  const texts = new Map<string, () => string>();
  const late = new Map<string, () => Promise<string>>();
  let isWhole = false;

  async function meet(page: Identified<PageEntry>): Promise<void> {
    if (page.type !== "computed") return;
    const known = expansions.get(page.id) ?? expand(page);
    expansions.set(page.id, known);
    const expanded = await known;
    if (!expanded || entries.has(keys.page(expanded.expansion.ids[0] ?? ""))) return;
    const { expansion, textOf } = expanded;
    for (const [key, value] of expansion.entries) {
      entries.set(key, value);
      const part = key.slice(0, key.lastIndexOf("/") + 1);
      const rows = parts.get(part);
      if (rows) rows.push({ key, value });
      else parts.set(part, [{ key, value }]);
    }
    for (const [hash, text] of expansion.texts) texts.set(hash, text);
    for (const [hash, key] of expansion.late) if (textOf) late.set(hash, () => textOf(key));
  }

  async function meetAll(): Promise<void> {
    if (isWhole) return;
    // Side by side: some wait for others to answer.
    await Promise.all((await all()).map(meet));
    isWhole = true;
  }

  /** Has whatever may stand under a key been worked out: what is computed is a page, or stands below one. */
  async function prepare(key: string): Promise<void> {
    const [kind, id] = key.split("/") as [string, string];
    if (kind === "p" || kind === "h") {
      if (!entries.has(keys.page(id))) await meetAll();
    } else if ((kind === "c" || kind === "s") && id !== "-" && !entries.has(keys.page(id))) {
      const parent = await below.page(id);
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

  async function list(part: Part): Promise<readonly Row[]> {
    const isPages = part.under === keys.pages;
    if (!isPages && !part.under.startsWith("c/")) return below.list(part);
    if (isPages) await meetAll();
    else await prepare(part.under);
    const { after, before, reverse, limit = Number.POSITIVE_INFINITY } = part;
    const isWithin = (key: string) => (after === undefined || key > after) && (before === undefined || key < before);
    const mine = (parts.get(part.under) ?? []).filter(({ key }) => isWithin(key));
    const rows = await below.list(part);
    if (mine.length === 0) return rows;
    const turn = reverse ? -1 : 1;
    return [...rows, ...mine].sort((a, b) => (a.key < b.key ? -turn : turn)).slice(0, limit);
  }

  const reads: Reads = {
    get,
    async getMany(keys) {
      const found = await below.getMany(keys);
      return Promise.all(found.map((value, i) => (value === undefined ? get(keys[i]!) : value)));
    },
    list,
    count: (part) => below.count(part),
  };
  return {
    view: viewOf(reads),
    textOf: (hash) => (texts.get(hash) ?? late.get(hash))?.(),
    isLate: (hash) => late.has(hash),
  };
}
