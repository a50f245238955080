// Changes the structure of a site. Each function takes a structure and returns another one, or throws. After each change
//
//  1. a place that isn't empty has exactly one default, which is in that place;
//  2. paths are unambiguous in URLs, and a space is on the site once;
//  3. there are site-spaces at the root, or sections, but never both;
//  4. no section is empty.

import { createError } from "../../../errors";
import {
  type ExternalLinkRecord,
  type GroupRecord,
  type ItemRecord,
  MAX_ITEMS,
  MAX_SIBLINGS,
  type SectionRecord,
  type SiteSpaceRecord,
} from "../records";
import { createLastPosition } from "./positions";
import {
  createFreePath,
  createStructure,
  getChildSiteSpaces,
  getSections,
  getSiteSpaces,
  isSection,
  isSiteSpace,
  type Structure,
} from "./structure";

/** A space to add to a site. Its path is derived from the title. */
export interface NewSiteSpace {
  readonly site: string;
  readonly id: string;
  readonly space: string;
  readonly title: string;
}

/** Adds a space to a section, or to the root of a site without sections. Without `section` it is added to the default section. */
export function addSiteSpace(structure: Structure, added: NewSiteSpace, section: string | null = null): Structure {
  const parent = section ?? (getSections(structure).length > 0 ? structure.defaultItem : null);
  checkIsNotOnSite(structure, added.space);
  const siblings = getChildSiteSpaces(structure, parent);
  checkSiblingLimit(siblings);
  return applyItemChanges(structure, { put: [createSiteSpaceRecord(structure, added, parent, siblings)] });
}

/** Adds a section with a space at the end. The first section takes over the site-spaces and default of the root. */
export function addSection(
  structure: Structure,
  added: Pick<SectionRecord, "site" | "id" | "title" | "icon">,
  first: NewSiteSpace,
): Structure {
  const rootSiteSpaces = getChildSiteSpaces(structure, null);
  const isAtRoot = rootSiteSpaces.some(({ space }) => space === first.space);
  if (!isAtRoot) {
    checkIsNotOnSite(structure, first.space);
    checkSiblingLimit(rootSiteSpaces);
  }
  const newSiteSpaces = isAtRoot ? [] : [createSiteSpaceRecord(structure, first, added.id, rootSiteSpaces)];
  const section: SectionRecord = {
    type: "site-section",
    ...added,
    parent: null,
    position: createLastPosition(structure.getChildren(null)),
    path: createFreePath(added.title, new Set(getSections(structure).map(({ path }) => path))),
    description: null,
    condition: null,
    defaultItem: rootSiteSpaces.length > 0 ? structure.defaultItem! : first.id,
  };
  const moved = rootSiteSpaces.map((siteSpace) => ({ ...siteSpace, parent: added.id }));
  return applyItemChanges(structure, { put: [section, ...moved, ...newSiteSpaces] });
}

/** Adds a group with sections of the site, in the given order, at the end. */
export function addGroup(
  structure: Structure,
  added: Pick<GroupRecord, "site" | "id" | "title" | "icon">,
  sections: readonly SectionRecord[],
): Structure {
  if (sections.length > MAX_SIBLINGS) throw createError("too_many_items");
  const group: GroupRecord = {
    type: "site-section-group",
    ...added,
    parent: null,
    position: createLastPosition(structure.getChildren(null)),
  };
  const moved: ItemRecord[] = [];
  for (const section of sections) moved.push({ ...section, parent: added.id, position: createLastPosition(moved) });
  return applyItemChanges(structure, { put: [group, ...moved] });
}

/** Adds an external link at the end of a group, or of the root. Links are shown beside sections, so the site must have one. */
export function addExternalLink(structure: Structure, added: Omit<ExternalLinkRecord, "type" | "position">): Structure {
  if (getSections(structure).length === 0) throw createError("no_sections");
  const siblings = structure.getChildren(added.parent);
  if (added.parent !== null) checkSiblingLimit(siblings);
  const link: ExternalLinkRecord = { type: "site-external-link", ...added, position: createLastPosition(siblings) };
  return applyItemChanges(structure, { put: [link] });
}

/** Removes a site-space. The last one of a section can't be removed. */
export function removeSiteSpace(structure: Structure, siteSpace: SiteSpaceRecord): Structure {
  checkIsNotLastInSection(structure, siteSpace);
  return applyItemChanges(structure, { without: [siteSpace] });
}

/** Removes the site-space of a deleted space, and its section if that becomes empty. */
export function removeDeletedSpace(structure: Structure, siteSpace: SiteSpaceRecord): Structure {
  const section = siteSpace.parent === null ? undefined : structure.get(siteSpace.parent);
  if (isSection(section) && getChildSiteSpaces(structure, siteSpace.parent).length === 1)
    return removeSection(structure, section);
  return applyItemChanges(structure, { without: [siteSpace] });
}

export function removeSection(structure: Structure, section: SectionRecord): Structure {
  return applyItemChanges(structure, { without: [section, ...structure.getChildren(section.id)] });
}

export function replaceItem(structure: Structure, item: ItemRecord): Structure {
  if (isSection(item) || isSiteSpace(item)) checkPathIsFree(structure, item);
  const before = structure.get(item.id);
  if (isSiteSpace(item) && isSiteSpace(before) && item.space !== before.space) checkIsNotOnSite(structure, item.space);
  return applyItemChanges(structure, { put: [item] });
}

/** Makes an item the default of the site, or of the section that it is in. */
export function setDefaultItem(structure: Structure, item: SectionRecord | SiteSpaceRecord): Structure {
  const section = isSiteSpace(item) && item.parent !== null ? structure.get(item.parent) : undefined;
  if (isSection(section)) return applyItemChanges(structure, { put: [{ ...section, defaultItem: item.id }] });
  return applyItemChanges(structure, { defaultItem: item.id });
}

/** Adds, replaces and removes items. If a default is missing afterwards, the first remaining item becomes the default. */
export function applyItemChanges(
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
  const next = createStructure([...items.values()], change.defaultItem ?? structure.defaultItem);

  const sections = getSections(next);
  const eligible = sections.length > 0 ? sections : getChildSiteSpaces(next, null);
  const defaultItem = (eligible.find(({ id }) => id === next.defaultItem) ?? eligible[0])?.id ?? null;
  let hasDefaults = defaultItem === next.defaultItem;
  for (const section of sections) {
    const children = next.getChildren(section.id);
    if (children.length === 0 || children.some(({ id }) => id === section.defaultItem)) continue;
    items.set(section.id, { ...section, defaultItem: children[0]!.id });
    hasDefaults = false;
  }
  return hasDefaults ? next : createStructure([...items.values()], defaultItem);
}

/** Refuses a path that another item with the same form of URL has. */
export function checkPathIsFree(structure: Structure, item: SectionRecord | SiteSpaceRecord): void {
  const others = isSection(item) ? getSections(structure) : getChildSiteSpaces(structure, item.parent);
  if (others.some(({ id, path }) => id !== item.id && path === item.path)) throw createError("path_taken");
}

/** Refuses another item in a full place. */
export function checkSiblingLimit(siblings: readonly ItemRecord[]): void {
  if (siblings.length >= MAX_SIBLINGS) throw createError("too_many_items");
}

export function checkIsNotLastInSection(structure: Structure, siteSpace: SiteSpaceRecord): void {
  if (siteSpace.parent !== null && getChildSiteSpaces(structure, siteSpace.parent).length === 1)
    throw createError("last_in_section");
}

function checkIsNotOnSite(structure: Structure, space: string): void {
  if (getSiteSpaces(structure).some((item) => item.space === space)) throw createError("space_on_site");
}

function createSiteSpaceRecord(
  structure: Structure,
  { site, id, space, title }: NewSiteSpace,
  parent: string | null,
  siblings: readonly SiteSpaceRecord[],
): SiteSpaceRecord {
  const path = createFreePath(title, new Set(siblings.map((it) => it.path)));
  const position = createLastPosition(parent === null ? structure.getChildren(null) : siblings);
  return { type: "site-space", site, id, space, path, parent, position, condition: null };
}
