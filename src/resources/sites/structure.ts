// The structure of a site, as a value: what stands where, in order. It is either site-spaces at the root, or sections with
// site-spaces in them, in groups or not; what is the default of a non-empty place is always there.

import { orderBetween } from "../../content/revision/order";
import { numberedSlug, slugOf } from "../../content/slugs";
import type { Reader } from "../../store/transaction";
import type { SpaceRecord } from "../tree/records";
import { type ItemRecord, itemsOf, type SiteRecord, type SiteSpaceRecord } from "./records";

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

/** Spaces as the first site-spaces of a site, at its root, in their order. */
export function atRoot(
  site: string,
  spaces: readonly Pick<SpaceRecord, "id" | "title">[],
  newId: () => string,
): SiteSpaceRecord[] {
  const taken = new Set<string>();
  let position: string | undefined;
  return spaces.map(({ id: space, title }) => {
    const path = freePath(title, taken);
    taken.add(path);
    position = orderBetween(position, undefined);
    return { type: "site-space", site, id: newId(), parent: null, position, space, path, condition: null };
  });
}

/** A path made from a title that none beside it has. */
export function freePath(title: string, taken: ReadonlySet<string>): string {
  const slug = slugOf(title);
  let number = 0;
  let path = slug;
  while (taken.has(path)) path = numberedSlug(slug, ++number);
  return path;
}
