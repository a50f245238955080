// The structure of a site as rows, and the moves of these rows. All functions are pure.

import type {
  SiteExternalLink,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
} from "../../../../generated/resources";

export type StructureItem = SiteSection | SiteSectionGroup | SiteSpace | SiteExternalLink;

export interface StructureRow {
  readonly item: StructureItem;
  readonly depth: number;
  /** The id of the parent, or null at the top level. */
  readonly parent: string | null;
  /** The index among the siblings, and their number. */
  readonly at: number;
  readonly count: number;
}

/** Returns the direct children of an item. */
function getChildItems(item: StructureItem): readonly StructureItem[] {
  if (item.object === "site-section-group") return item.children ?? item.sections;
  return item.object === "site-section" ? item.siteSpaces : [];
}

export function listStructureRows({ structure }: SiteStructure): readonly StructureRow[] {
  const walk = (items: readonly StructureItem[], depth: number, parent: string | null): readonly StructureRow[] =>
    items.flatMap((item, at) => [
      { item, depth, parent, at, count: items.length },
      ...walk(getChildItems(item), depth + 1, item.id),
    ]);
  return walk(structure, 0, null);
}

export function collectSiteSpaces({ structure }: SiteStructure): readonly SiteSpace[] {
  return (structure as readonly StructureItem[]).flatMap(function spaces(item): readonly SiteSpace[] {
    return item.object === "site-space" ? [item] : getChildItems(item).flatMap(spaces);
  });
}

export function collectSections({ type, structure }: SiteStructure): readonly SiteSection[] {
  if (type !== "sections") return [];
  return structure.flatMap((it) => {
    if (it.object === "site-section-group") return it.sections;
    return it.object === "site-section" ? [it] : [];
  });
}

interface StructureItemRef {
  readonly type: StructureItem["object"];
  readonly id: string;
}

/** A move as the API takes it: an item before or after another one. */
export interface StructureMove {
  readonly item: StructureItemRef;
  readonly position: { readonly before?: StructureItemRef; readonly after?: StructureItemRef };
}

/** Moves a row one place up or down among its siblings. Returns undefined at the end of the list. */
export function moveByStep(
  rows: readonly StructureRow[],
  row: StructureRow,
  by: "up" | "down",
): StructureMove | undefined {
  const to = row.at + (by === "up" ? -1 : 1);
  const neighbour = rows.find((it) => it.parent === row.parent && it.depth === row.depth && it.at === to);
  return neighbour && moveBeside(row, neighbour, by === "up" ? "before" : "after");
}

/** Moves a row before or after another one. Returns undefined if it is not allowed there: site spaces do not mix with sections. */
export function moveBeside(
  row: StructureRow,
  neighbour: StructureRow,
  side: "before" | "after",
): StructureMove | undefined {
  if (row.item.id === neighbour.item.id) return undefined;
  const isSpace = row.item.object === "site-space";
  if (isSpace !== (neighbour.item.object === "site-space")) return undefined;
  // Groups cannot be nested.
  if (row.item.object === "site-section-group" && neighbour.parent !== null) return undefined;
  return {
    item: { type: row.item.object, id: row.item.id },
    position: { [side]: { type: neighbour.item.object, id: neighbour.item.id } },
  };
}
