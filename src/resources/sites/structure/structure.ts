// The structure of a site as a value: all items, in order. It has either site-spaces at the root, or sections with
// site-spaces, in groups or not. A non-empty place always has a default. The structure is read as a whole, changed as a
// value (`edits.ts`), and the differences are saved. Of two concurrent changes the second is applied to the result of
// the first.

import { addNumberToSlug, createSlug } from "../../../content/slugs";
import type { Reader, Transaction } from "../../../storage/transaction";
import { getOrCompute, type StampedCache } from "../../../utils/stamped-cache";
import { customizations } from "../customization/customization-records";
import {
  editions,
  type GroupRecord,
  type ItemRecord,
  listSiteItems,
  type SectionRecord,
  type SiteRecord,
  type SiteSpaceRecord,
  siteItems,
  sites,
} from "../records";

export interface Structure {
  /** The default section, or the default site-space at the root; null: the site is empty. */
  readonly defaultItem: string | null;
  /** All items, in any order. */
  readonly items: readonly ItemRecord[];
  /** A text that is another one after every change of the stored structure. Absent: it is not what is stored. */
  readonly stamp?: string;
  get(id: string): ItemRecord | undefined;
  /** The items with this parent, in order; null: the top. */
  getChildren(parent: string | null): readonly ItemRecord[];
}

/** Items in their order. */
export function createStructure(items: readonly ItemRecord[], defaultItem: string | null): Structure {
  const byId = new Map(items.map((item) => [item.id, item]));
  const byParent = new Map<string | null, ItemRecord[]>();
  for (const item of items) {
    const siblings = byParent.get(item.parent);
    if (siblings) siblings.push(item);
    else byParent.set(item.parent, [item]);
  }
  for (const siblings of byParent.values()) siblings.sort((a, b) => (a.position < b.position ? -1 : 1));
  // Most structures are made from another one, and to sort what is in order takes less.
  const inOrder = [...byParent.values()].flat();
  return {
    defaultItem,
    items: inOrder,
    get: (id) => byId.get(id),
    getChildren: (parent) => byParent.get(parent) ?? [],
  };
}

/** Whether an item is a section, a group or a site-space. */
export const isSection = (item: ItemRecord | undefined): item is SectionRecord => item?.type === "site-section";
export const isSectionGroup = (item: ItemRecord | undefined): item is GroupRecord =>
  item?.type === "site-section-group";
export const isSiteSpace = (item: ItemRecord | undefined): item is SiteSpaceRecord => item?.type === "site-space";

/** The groups, in order. */
export function getGroups(structure: Structure): GroupRecord[] {
  return structure.getChildren(null).filter(isSectionGroup);
}

/** The sections in reading order, those of a group at the group's position. */
export function getSections(structure: Structure): SectionRecord[] {
  return structure
    .getChildren(null)
    .flatMap((item) => (isSectionGroup(item) ? structure.getChildren(item.id) : [item]).filter(isSection));
}

/** The site-spaces of a section, or of the root, in order. */
export function getChildSiteSpaces(structure: Structure, parent: string | null): SiteSpaceRecord[] {
  return structure.getChildren(parent).filter(isSiteSpace);
}

/** The site-spaces in reading order, section by section. */
export function getSiteSpaces(structure: Structure): readonly SiteSpaceRecord[] {
  const known = siteSpacesByStructure.get(structure);
  if (known) return known;
  const inSections = getSections(structure).flatMap(({ id }) => getChildSiteSpaces(structure, id));
  const found = [...getChildSiteSpaces(structure, null), ...inSections];
  siteSpacesByStructure.set(structure, found);
  return found;
}

/** A structure is a value: its site-spaces are found once. */
const siteSpacesByStructure = new WeakMap<Structure, readonly SiteSpaceRecord[]>();

/** The spaces on a site. */
export function getSpaceIds(structure: Structure): string[] {
  return getSiteSpaces(structure).map(({ space }) => space);
}

/** The part of a structure that the view of an item depends on: the item, and what is above and below it. */
export function extractItemBranch(structure: Structure, id: string): Structure {
  const item = structure.get(id);
  const above: ItemRecord[] = [];
  for (let at = item; at; at = structure.get(at.parent ?? "")) above.push(at);
  const below = (parent: string): ItemRecord[] => structure.getChildren(parent).flatMap((it) => [it, ...below(it.id)]);
  return createStructure([...above, ...below(id)], structure.defaultItem);
}

/** Whether an item is the default of its place. */
export function isDefaultItem(structure: Structure, item: ItemRecord): boolean {
  const section = isSiteSpace(item) && item.parent !== null ? structure.get(item.parent) : undefined;
  return item.id === (isSection(section) ? section.defaultItem : structure.defaultItem);
}

/** Structures that were read from snapshots, by site. Everything that a page is made of asks for the same one. */
const structuresBySnapshot = new WeakMap<Reader, Map<string, Promise<Structure>>>();

/** About what an item takes in memory, with its place in both maps. */
const ITEM_BYTES = 800;

/** The structure of a stored site, without the writes of a transaction; in one it is one check. With a memory it is read once
 * for each edition: every change of an item writes the edition. */
export async function readStructure(
  tx: Reader,
  site: SiteRecord,
  parts?: { readonly cache: StampedCache },
): Promise<Structure> {
  const isSnapshot = tx.unchecked === tx;
  if (!isSnapshot) {
    await editions.get(tx, site.id);
    return loadStructure(tx.unchecked, site, parts?.cache);
  }
  const read = structuresBySnapshot.get(tx) ?? new Map<string, Promise<Structure>>();
  structuresBySnapshot.set(tx, read);
  const name = `${site.id} ${site.defaultItem}`;
  const found = read.get(name) ?? loadStructure(tx, site, parts?.cache);
  read.set(name, found);
  return found;
}

/** Where a structure is remembered, what it is then, and about how many bytes it takes. */
const getCacheName = (site: string) => `${site} structure`;
const formatStructureStamp = (edition: number, defaultItem: string | null) => `${edition} ${defaultItem}`;
const estimateStructureBytes = ({ items }: Structure) => ITEM_BYTES * items.length;

async function loadStructure(tx: Reader, site: SiteRecord, memory: StampedCache | undefined): Promise<Structure> {
  const { id, defaultItem } = site;
  const edition = editions.get(tx, id).then((it) => formatStructureStamp(it?.number ?? 0, defaultItem));
  const make = async () => {
    const [stamp, items] = await Promise.all([edition, listSiteItems(tx, id)]);
    return { ...createStructure(items, defaultItem), stamp };
  };
  if (!memory) return make();
  return getOrCompute(memory, getCacheName(id), await edition, make, estimateStructureBytes);
}

/** Saves the differences of a changed structure. Returns the site with its default. With a memory, the next one who asks for
 * this edition need not read it. */
export async function saveStructure(
  tx: Transaction,
  site: SiteRecord,
  before: Structure,
  after: Structure,
  parts?: { readonly cache: StampedCache },
): Promise<SiteRecord> {
  const number = ((await editions.get(tx, site.id))?.number ?? 0) + 1;
  await editions.put(tx, { site: site.id, number });
  if (parts)
    tx.afterCommit(async () => {
      const saved = { ...after, stamp: formatStructureStamp(number, after.defaultItem) };
      parts.cache.set(getCacheName(site.id), saved.stamp, saved, estimateStructureBytes(saved));
    });
  // A path must be freed before another item takes it.
  for (const item of before.items) {
    if (after.get(item.id)) continue;
    await siteItems.delete(tx, site.id, item.id);
    if (isSiteSpace(item)) await customizations.delete(tx, site.id, item.id);
  }
  for (const item of after.items) if (before.get(item.id) !== item) await siteItems.put(tx, item);
  if (after.defaultItem === before.defaultItem) return site;
  const changed = { ...site, defaultItem: after.defaultItem };
  await sites.put(tx, changed);
  return changed;
}

/** A path made from a title, unique among siblings. */
export function createFreePath(title: string, taken: ReadonlySet<string>): string {
  const slug = createSlug(title);
  let number = 0;
  let path = slug;
  while (taken.has(path)) path = addNumberToSlug(slug, ++number);
  return path;
}
