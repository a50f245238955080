// The part of the tree that a reader sees who has come to a page: the pages beside every page on the way to it, those
// directly below it, and the first pages of groups that stand among them. What it costs depends on what it shows, not on
// how many pages the space has.

import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";
import { getSiblingKey } from "./adjacent-pages";
import type { ChildRange, VisiblePages } from "./visible-pages";

type Page = WithId<PageEntry>;

/** A page as it stands in the part. */
export interface TableOfContentsEntry {
  readonly page: Page;
  readonly path: string;
  readonly pages: readonly TableOfContentsEntry[];
  /** Whether pages below it are left out. */
  readonly more: boolean;
}

/** The most pages before, and after, a page on the way; twice as many below the page itself. */
const MOST_BESIDE = 100;
/** The most pages of a group that is not on the way. */
const MOST_IN_GROUP = 50;
/** If more pages than this stand beside those on the way, or with the pages of groups, all other groups stay closed. */
const MOST_BESIDE_GROUPS = 150;
const MOST_WITH_GROUPS = 500;

/**
 * The pages along a way to a page, which leads from the page to the top. Whether others are below a page that stays closed
 * is looked up unless nobody wants to know: these lie far apart.
 */
export async function readTableOfContents(
  sight: VisiblePages,
  way: readonly Page[],
  looksIntoClosed = true,
): Promise<Pick<TableOfContentsEntry, "pages" | "more">> {
  const onWay = way.toReversed();
  const levels: Level[] = [];
  for (const [depth, page] of [...onWay, undefined].entries())
    levels.push(await levelOf(sight, onWay[depth - 1]?.id ?? null, page));
  const inGroups = await openedGroups(sight, levels, onWay);
  const opened = new Map([...inGroups, ...onWay.map(({ id }, depth) => [id, levels[depth + 1]!] as const)]);
  const closed = [...levels, ...inGroups.values()].flatMap(({ pages }) => pages).filter(({ id }) => !opened.has(id));
  const hasMore = await closedWithPages(sight, looksIntoClosed ? closed : closed.filter(isGroup));

  function standingIn({ pages }: Level, above: string): TableOfContentsEntry[] {
    return pages.map((page) => {
      const path = above === "" ? page.slug : `${above}/${page.slug}`;
      const below = opened.get(page.id);
      if (!below) return { page, path, pages: [], more: hasMore.has(page.id) };
      return { page, path, pages: standingIn(below, path), more: below.more };
    });
  }

  const [top] = levels as [Level];
  return { pages: standingIn(top, ""), more: top.more };
}

/** The closed pages with pages below them. A closed group counts as one: nobody looks into it. */
async function closedWithPages(sight: VisiblePages, closed: readonly Page[]): Promise<ReadonlySet<string>> {
  const [groups, others] = [closed.filter(isGroup), closed.filter((page) => !isGroup(page))];
  const first = await sight.getFirstChildren(others.map(({ id }) => id));
  const found = new Set(groups.map(({ id }) => id));
  for (const [i, page] of others.entries())
    if (first[i] && (!first[i].hidden || (await hasListedPages(sight, page)))) found.add(page.id);
  return found;
}

/** All pages of a part. */
export function listContentsPages(standings: readonly TableOfContentsEntry[]): Page[] {
  return standings.flatMap(({ page, pages }) => [page, ...listContentsPages(pages)]);
}

/** Pages that stand beside each other, and whether there are more of them. */
interface Level {
  readonly pages: readonly Page[];
  readonly more: boolean;
}

/** The pages below a parent: those around the one on the way, or the first ones. */
async function levelOf(sight: VisiblePages, parent: string | null, on: Page | undefined): Promise<Level> {
  if (!on) return someOf(sight, parent, 2 * MOST_BESIDE);
  const before = await someOf(sight, parent, MOST_BESIDE, { before: getSiblingKey(on), reverse: true });
  const after = await someOf(sight, parent, MOST_BESIDE, { after: getSiblingKey(on) });
  return { pages: [...before.pages.toReversed(), on, ...after.pages], more: before.more || after.more };
}

/** The pages of the groups that are not on the way; empty where they stay closed. */
async function openedGroups(
  sight: VisiblePages,
  levels: readonly Level[],
  onWay: readonly Page[],
): Promise<ReadonlyMap<string, Level>> {
  const opened = new Map<string, Level>();
  const beside = levels.flatMap(({ pages }) => pages);
  if (beside.length > MOST_BESIDE_GROUPS) return opened;
  let room = MOST_WITH_GROUPS - beside.length;
  for (const { id } of beside.filter((page) => isGroup(page) && !onWay.includes(page))) {
    const level = await someOf(sight, id, MOST_IN_GROUP);
    room -= level.pages.length;
    if (room < 0) return new Map();
    opened.set(id, level);
  }
  return opened;
}

function isGroup({ type, body }: Page): boolean {
  return type !== "link" && body === undefined;
}

/** Some pages below a parent, without those that are hidden from the table of contents. */
async function someOf(sight: VisiblePages, parent: string | null, most: number, from?: ChildRange): Promise<Level> {
  const pages: Page[] = [];
  for await (const part of sight.listChildBatches(parent, { ...from, firstBatchSize: most + 1 })) {
    for (const page of part) if (!page.hidden) pages.push(page);
    if (pages.length > most) return { pages: pages.slice(0, most), more: true };
  }
  return { pages, more: false };
}

/** Whether there are pages below one that are not hidden from the table of contents. */
export async function hasListedPages(sight: VisiblePages, { id }: Page): Promise<boolean> {
  for await (const page of sight.listChildren(id)) if (!page.hidden) return true;
  return false;
}
