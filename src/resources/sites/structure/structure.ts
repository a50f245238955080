// The structure of a site as a value: all items, in order. It has either site-spaces at the root, or sections with site-spaces, which may
// be in groups, and external links beside the sections. A place that isn't empty always has a default. The structure is read as a whole, changed as a value
// (`edit-structure.ts`), and the differences are saved. Of two simultaneous changes, the second is applied to the result of the first.

import { addNumberToSlug, createSlug } from "../../../content/slugs";
import type { Reader, Transaction } from "../../../storage/transaction";
import { groupBy } from "../../../utils/group-by";
import type { VersionedCache } from "../../../utils/versioned-cache";
import { customizations } from "../customization/customization-records";
import {
  type ExternalLinkRecord,
  editions,
  type GroupRecord,
  type ItemRecord,
  MAX_ITEMS,
  type SectionRecord,
  type SiteRecord,
  type SiteSpaceRecord,
  siteItems,
  sites,
} from "../records";

export interface Structure {
  /** The default section, or the default site-space at the root. Null if the site is empty. */
  readonly defaultItem: string | null;
  /** All items. The items of each place are in order. */
  readonly items: readonly ItemRecord[];
  /** A text that changes with every change of the stored structure. A structure that isn't stored has none. */
  readonly stamp?: string;
  get(id: string): ItemRecord | undefined;
  /** Returns the items with a parent, in order. Null is the root. */
  getChildren(parent: string | null): readonly ItemRecord[];
}

export function createStructure(items: readonly ItemRecord[], defaultItem: string | null): Structure {
  const byId = new Map(items.map((item) => [item.id, item]));
  const byParent = groupBy(items, ({ parent }) => parent);
  for (const siblings of byParent.values()) siblings.sort((a, b) => (a.position < b.position ? -1 : 1));
  // Most structures are created from the items of another one, and sorting is faster if they are already in order.
  return {
    defaultItem,
    items: [...byParent.values()].flat(),
    get: (id) => byId.get(id),
    getChildren: (parent) => byParent.get(parent) ?? [],
  };
}

export const isSection = (item: ItemRecord | undefined): item is SectionRecord => item?.type === "site-section";
export const isSectionGroup = (item: ItemRecord | undefined): item is GroupRecord =>
  item?.type === "site-section-group";
export const isExternalLink = (item: ItemRecord | undefined): item is ExternalLinkRecord =>
  item?.type === "site-external-link";
export const isSiteSpace = (item: ItemRecord | undefined): item is SiteSpaceRecord => item?.type === "site-space";

/** Returns the sections in reading order. Those of a group are at the position of the group. */
export function getSections(structure: Structure): SectionRecord[] {
  return structure
    .getChildren(null)
    .flatMap((item) => (isSectionGroup(item) ? structure.getChildren(item.id) : [item]).filter(isSection));
}

/** Returns the site-spaces of a section, or of the root, in order. */
export function getChildSiteSpaces(structure: Structure, parent: string | null): SiteSpaceRecord[] {
  return structure.getChildren(parent).filter(isSiteSpace);
}

/** Returns all site-spaces in reading order, section by section. */
export function getSiteSpaces(structure: Structure): readonly SiteSpaceRecord[] {
  const cached = siteSpacesByStructure.get(structure);
  if (cached) return cached;
  const inSections = getSections(structure).flatMap(({ id }) => getChildSiteSpaces(structure, id));
  const siteSpaces = [...getChildSiteSpaces(structure, null), ...inSections];
  siteSpacesByStructure.set(structure, siteSpaces);
  return siteSpaces;
}

/** The site-spaces of structures. A structure never changes, so they are collected once. */
const siteSpacesByStructure = new WeakMap<Structure, readonly SiteSpaceRecord[]>();

export function getSpaceIds(structure: Structure): string[] {
  return getSiteSpaces(structure).map(({ space }) => space);
}

/** Returns the part of a structure that the view of an item depends on: the item, its parents and its descendants. */
export function extractItemBranch(structure: Structure, id: string): Structure {
  const branch: ItemRecord[] = [];
  for (let item = structure.get(id); item; item = structure.get(item.parent ?? "")) branch.push(item);
  const addDescendants = (parent: string): void => {
    for (const child of structure.getChildren(parent)) {
      branch.push(child);
      addDescendants(child.id);
    }
  };
  addDescendants(id);
  return createStructure(branch, structure.defaultItem);
}

export function isDefaultItem(structure: Structure, item: ItemRecord): boolean {
  const section = isSiteSpace(item) && item.parent !== null ? structure.get(item.parent) : undefined;
  return item.id === (isSection(section) ? section.defaultItem : structure.defaultItem);
}

/** The structures that were read from snapshots, by site. The parts of a response share one structure. */
const structuresBySnapshot = new WeakMap<Reader, Map<string, Promise<Structure>>>();

/** The approximate size of an item in memory, with its entries in both maps. */
const ITEM_BYTES = 800;

/**
 * Reads the stored structure of a site, without the writes of a transaction. A transaction checks only the edition, which every change of
 * an item increments. With a cache, each edition is read once.
 */
export async function readStructure(
  tx: Reader,
  site: SiteRecord,
  ports?: { readonly cache: VersionedCache },
): Promise<Structure> {
  const isSnapshot = tx.unchecked === tx;
  if (!isSnapshot) {
    await editions.get(tx, site.id);
    return loadStructure(tx.unchecked, site, ports?.cache);
  }
  const structures = structuresBySnapshot.get(tx) ?? new Map<string, Promise<Structure>>();
  structuresBySnapshot.set(tx, structures);
  const name = `${site.id} ${site.defaultItem}`;
  const structure = structures.get(name) ?? loadStructure(tx, site, ports?.cache);
  structures.set(name, structure);
  return structure;
}

/** The name, the stamp and the approximate size of a structure in the cache. */
const cacheEntry = {
  name: (site: string) => `${site} structure`,
  stamp: (edition: number, defaultItem: string | null) => `${edition} ${defaultItem}`,
  bytes: ({ items }: Structure) => ITEM_BYTES * items.length,
};

/** The structures of editions that are written but not committed yet. Transactions in the queue behind them read the same record. */
const uncommittedStructures = new WeakMap<object, Structure>();

async function loadStructure(tx: Reader, site: SiteRecord, cache: VersionedCache | undefined): Promise<Structure> {
  const { id, defaultItem } = site;
  const editionRead = editions.get(tx, id);
  const load = async (): Promise<Structure> => {
    const rows = siteItems.list(tx, "ofSite", { under: [id], limit: MAX_ITEMS + 1 });
    const [edition, items] = await Promise.all([editionRead, rows]);
    const records = items.map(({ record }) => record);
    return { ...createStructure(records, defaultItem), stamp: cacheEntry.stamp(edition?.number ?? 0, defaultItem) };
  };
  if (!cache) return load();
  const edition = await editionRead;
  // It isn't cached: if its commit fails, another edition gets the same number.
  const uncommitted = edition && uncommittedStructures.get(edition);
  if (uncommitted) return uncommitted;
  return cache.getOrCompute(
    cacheEntry.name(id),
    [cacheEntry.stamp(edition?.number ?? 0, defaultItem)],
    load,
    cacheEntry.bytes,
  );
}

/** Saves the differences of a changed structure, and caches the new edition. Returns the site with its new default. */
export async function saveStructure(
  tx: Transaction,
  site: SiteRecord,
  before: Structure,
  after: Structure,
  ports?: { readonly cache: VersionedCache },
): Promise<SiteRecord> {
  const edition = { site: site.id, number: ((await editions.get(tx, site.id))?.number ?? 0) + 1 };
  await editions.put(tx, edition);
  uncommittedStructures.set(edition, after);
  tx.afterCommit(async () => {
    uncommittedStructures.delete(edition);
    const saved = { ...after, stamp: cacheEntry.stamp(edition.number, after.defaultItem) };
    ports?.cache.set(cacheEntry.name(site.id), saved, { versions: [saved.stamp], bytes: cacheEntry.bytes(saved) });
  });
  // A path has to be released before another item takes it.
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

/** Derives a path from a title that is unique among siblings. */
export function createFreePath(title: string, taken: ReadonlySet<string>): string {
  const slug = createSlug(title);
  let number = 0;
  let path = slug;
  while (taken.has(path)) path = addNumberToSlug(slug, ++number);
  return path;
}
