// The structure of a site as rows, and where a row goes when it is moved. Everything here is a pure function.

import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from "../../../../generated/resources";

export type Item = SiteSection | SiteSectionGroup | SiteSpace;

export interface Row {
  readonly item: Item;
  readonly depth: number;
  /** What it stands in; null: the top. */
  readonly parent: string | null;
  /** Its place among those beside it, and how many they are. */
  readonly at: number;
  readonly count: number;
}

/** What stands directly below something. */
function below(item: Item): readonly Item[] {
  if (item.object === "site-section-group") return item.sections;
  return item.object === "site-section" ? item.siteSpaces : [];
}

export function rowsOf({ structure }: SiteStructure): readonly Row[] {
  const walk = (items: readonly Item[], depth: number, parent: string | null): readonly Row[] =>
    items.flatMap((item, at) => [
      { item, depth, parent, at, count: items.length },
      ...walk(below(item), depth + 1, item.id),
    ]);
  return walk(structure, 0, null);
}

export function siteSpacesIn({ structure }: SiteStructure): readonly SiteSpace[] {
  return (structure as readonly Item[]).flatMap(function spaces(item): readonly SiteSpace[] {
    return item.object === "site-space" ? [item] : below(item).flatMap(spaces);
  });
}

export function sectionsIn({ type, structure }: SiteStructure): readonly SiteSection[] {
  if (type !== "sections") return [];
  return structure.flatMap((it) => (it.object === "site-section-group" ? it.sections : [it]));
}

export function groupsIn({ type, structure }: SiteStructure): readonly SiteSectionGroup[] {
  return type === "sections" ? structure.flatMap((it) => (it.object === "site-section-group" ? [it] : [])) : [];
}

interface Named {
  readonly type: Item["object"];
  readonly id: string;
}

/** What the API is asked for: an item, put before or behind another one. */
export interface Move {
  readonly item: Named;
  readonly position: { readonly before?: Named; readonly after?: Named };
}

const named = ({ object: type, id }: Item): Named => ({ type, id });

/** One place up or down among those beside it; undefined where there is none. */
export function step(rows: readonly Row[], row: Row, by: "up" | "down"): Move | undefined {
  const to = row.at + (by === "up" ? -1 : 1);
  const neighbour = rows.find((it) => it.parent === row.parent && it.depth === row.depth && it.at === to);
  return neighbour && beside(row, neighbour, by === "up" ? "before" : "after");
}

/** Beside another row, where it may stand there: sections and groups among each other, site-spaces among site-spaces. */
export function beside(row: Row, neighbour: Row, side: "before" | "after"): Move | undefined {
  if (row.item.id === neighbour.item.id) return undefined;
  const isSpace = row.item.object === "site-space";
  if (isSpace !== (neighbour.item.object === "site-space")) return undefined;
  // A group stands in no other.
  if (row.item.object === "site-section-group" && neighbour.parent !== null) return undefined;
  return { item: named(row.item), position: { [side]: named(neighbour.item) } };
}
