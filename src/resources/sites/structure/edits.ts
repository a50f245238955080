// Changes of a site's structure: a structure in, another one out, or a refusal. After each of them
//
//  1. a place that is not empty has exactly one default, and it is in that place;
//  2. paths are unique among what a URL could mean, and a space is on the site once;
//  3. there are site-spaces at the root, or sections, but never both;
//  4. no section is empty.

import { createError } from "../../../errors";
import {
  type GroupRecord,
  type ItemRecord,
  MAX_ITEMS,
  MAX_SIBLINGS,
  type SectionRecord,
  type SiteSpaceRecord,
} from "../records";
import { positionBehind } from "./positions";
import {
  freePath,
  isSection,
  isSiteSpace,
  type Structure,
  sectionsIn,
  siteSpacesIn,
  siteSpacesUnder,
  structureOf,
} from "./structure";

/** A space to add to a site. Its title gives the path. */
export interface NewSiteSpace {
  readonly site: string;
  readonly id: string;
  readonly space: string;
  readonly title: string;
}

/** Adds a space to a section, or to the root of a site without sections; null: to the default place. */
export function withSiteSpace(structure: Structure, added: NewSiteSpace, section: string | null = null): Structure {
  const parent = section ?? (sectionsIn(structure).length > 0 ? structure.defaultItem : null);
  checkNotOnSite(structure, added.space);
  const siblings = siteSpacesUnder(structure, parent);
  checkRoom(siblings);
  return revised(structure, { put: [siteSpaceIn(structure, added, parent, siblings)] });
}

/**
 * Adds a section with a space in it, at the end. The first section takes over the site-spaces of the root with their
 * default. The space may be one of them.
 */
export function withSection(
  structure: Structure,
  added: Pick<SectionRecord, "site" | "id" | "title" | "icon">,
  first: NewSiteSpace,
): Structure {
  const rooted = siteSpacesUnder(structure, null);
  const isThere = rooted.some(({ space }) => space === first.space);
  if (!isThere) {
    checkNotOnSite(structure, first.space);
    checkRoom(rooted);
  }
  const own = isThere ? [] : [siteSpaceIn(structure, first, added.id, rooted)];
  const section: SectionRecord = {
    type: "site-section",
    ...added,
    parent: null,
    position: positionBehind(structure.under(null)),
    path: freePath(added.title, new Set(sectionsIn(structure).map(({ path }) => path))),
    description: null,
    condition: null,
    defaultItem: rooted.length > 0 ? structure.defaultItem! : first.id,
  };
  const moved = rooted.map((siteSpace) => ({ ...siteSpace, parent: added.id }));
  return revised(structure, { put: [section, ...moved, ...own] });
}

/** Adds a group at the end, with sections of the site in the given order. */
export function withGroup(
  structure: Structure,
  added: Pick<GroupRecord, "site" | "id" | "title" | "icon">,
  sections: readonly SectionRecord[],
): Structure {
  if (sections.length > MAX_SIBLINGS) throw createError("too_many_items");
  const group: GroupRecord = {
    type: "site-section-group",
    ...added,
    parent: null,
    position: positionBehind(structure.under(null)),
  };
  const row: ItemRecord[] = [];
  for (const section of sections) row.push({ ...section, parent: added.id, position: positionBehind(row) });
  return revised(structure, { put: [group, ...row] });
}

/** Removes a site-space. The last one of a section cannot be removed. */
export function withoutSiteSpace(structure: Structure, siteSpace: SiteSpaceRecord): Structure {
  checkNotLast(structure, siteSpace);
  return revised(structure, { without: [siteSpace] });
}

/** Removes the site-space of a deleted space, and its section when that becomes empty. */
export function withoutGoneSpace(structure: Structure, siteSpace: SiteSpaceRecord): Structure {
  const section = siteSpace.parent === null ? undefined : structure.get(siteSpace.parent);
  if (isSection(section) && isLast(structure, siteSpace)) return withoutSection(structure, section);
  return revised(structure, { without: [siteSpace] });
}

/** Removes a section and its site-spaces. */
export function withoutSection(structure: Structure, section: SectionRecord): Structure {
  return revised(structure, { without: [section, ...structure.under(section.id)] });
}

/** Changes an item in its place. */
export function withChanged(structure: Structure, item: ItemRecord): Structure {
  if (item.type !== "site-section-group") checkPath(structure, item);
  const before = structure.get(item.id);
  if (isSiteSpace(item) && isSiteSpace(before) && item.space !== before.space) checkNotOnSite(structure, item.space);
  return revised(structure, { put: [item] });
}

/**
 * Makes a section, or a site-space at the root, the default of the site; or a site-space the default of its section.
 */
export function withDefault(structure: Structure, item: SectionRecord | SiteSpaceRecord): Structure {
  const section = isSiteSpace(item) && item.parent !== null ? structure.get(item.parent) : undefined;
  if (isSection(section)) return revised(structure, { put: [{ ...section, defaultItem: item.id }] });
  return revised(structure, { defaultItem: item.id });
}

/**
 * The items after adding some and removing some. Where a default is missing then, the first remaining item becomes the
 * default.
 */
export function revised(
  structure: Structure,
  change: {
    readonly put?: readonly ItemRecord[];
    readonly without?: readonly ItemRecord[];
    readonly defaultItem?: string;
  },
): Structure {
  const items = new Map(structure.items.map((item) => [item.id, item]));
  for (const { id } of change.without ?? []) items.delete(id);
  for (const item of change.put ?? []) items.set(item.id, item);
  if (items.size > MAX_ITEMS) throw createError("too_many_items");
  const next = structureOf([...items.values()], change.defaultItem ?? structure.defaultItem);
  const elected = electedIn(next);
  let hasDefaults = elected === next.defaultItem;
  for (const section of sectionsIn(next)) {
    const inside = next.under(section.id);
    if (inside.length === 0 || inside.some(({ id }) => id === section.defaultItem)) continue;
    items.set(section.id, { ...section, defaultItem: inside[0]!.id });
    hasDefaults = false;
  }
  return hasDefaults ? next : structureOf([...items.values()], elected);
}

function electedIn(structure: Structure): string | null {
  const sections = sectionsIn(structure);
  const eligible = sections.length > 0 ? sections : siteSpacesUnder(structure, null);
  return (eligible.find(({ id }) => id === structure.defaultItem) ?? eligible[0])?.id ?? null;
}

/** Refuses a path that another item with the same kind of URL has. */
export function checkPath(structure: Structure, item: SectionRecord | SiteSpaceRecord): void {
  const others = isSection(item) ? sectionsIn(structure) : siteSpacesUnder(structure, item.parent);
  if (others.some(({ id, path }) => id !== item.id && path === item.path)) throw createError("path_taken");
}

/** Refuses one more item in a full place. */
export function checkRoom(siblings: readonly ItemRecord[]): void {
  if (siblings.length >= MAX_SIBLINGS) throw createError("too_many_items");
}

/** Refuses to remove the last site-space of a section. */
export function checkNotLast(structure: Structure, siteSpace: SiteSpaceRecord): void {
  if (siteSpace.parent !== null && isLast(structure, siteSpace)) throw createError("last_in_section");
}

function isLast(structure: Structure, { parent }: SiteSpaceRecord): boolean {
  return siteSpacesUnder(structure, parent).length === 1;
}

function checkNotOnSite(structure: Structure, space: string): void {
  if (siteSpacesIn(structure).some((item) => item.space === space)) throw createError("space_on_site");
}

function siteSpaceIn(
  structure: Structure,
  { site, id, space, title }: NewSiteSpace,
  parent: string | null,
  siblings: readonly SiteSpaceRecord[],
): SiteSpaceRecord {
  const path = freePath(title, new Set(siblings.map((it) => it.path)));
  const row = parent === null ? structure.under(null) : siblings;
  return { type: "site-space", site, id, space, path, parent, position: positionBehind(row), condition: null };
}
