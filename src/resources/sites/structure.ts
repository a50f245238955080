// The structure of a site, as a value: what stands where, in order. It is either site-spaces at the root, or sections with
// site-spaces in them, in groups or not; what is the default of a non-empty place is always there.

import type { Reader } from "../../store/transaction";
import { type ItemRecord, itemsOf, type SiteRecord } from "./records";

export interface Structure {
  /** The default section, or the default site-space at the root; null: the site is empty. */
  readonly defaultItem: string | null;
  get(id: string): ItemRecord | undefined;
  /** What has this parent, in order; null: the top. */
  under(parent: string | null): readonly ItemRecord[];
}

/** Items in their order. */
export function structureOf(items: readonly ItemRecord[], defaultItem: string | null): Structure {
  const byId = new Map(items.map((item) => [item.id, item]));
  const byParent = new Map<string | null, ItemRecord[]>();
  for (const item of items) {
    const siblings = byParent.get(item.parent);
    if (siblings) siblings.push(item);
    else byParent.set(item.parent, [item]);
  }
  for (const siblings of byParent.values()) siblings.sort((a, b) => (a.position < b.position ? -1 : 1));
  return { defaultItem, get: (id) => byId.get(id), under: (parent) => byParent.get(parent) ?? [] };
}

/** The structure of a stored site. */
export async function readStructure(tx: Reader, site: SiteRecord): Promise<Structure> {
  return structureOf(await itemsOf(tx, site.id), site.defaultItem);
}
