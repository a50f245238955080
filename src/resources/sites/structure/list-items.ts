// Lists of a site's items in reading order. A cursor holds the positions from the top down to an item, so added and
// removed items do not shift the list.

import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
import { encodeKey } from "../../../storage/key";
import type { Key } from "../../../storage/storage";
import { admitVisitor } from "../audience/audience";
import type { Viewing } from "../audience/visible-items";
import type { CachedViewingContext } from "../audience/visible-structure";
import type { ItemRecord } from "../records";
import { createItemPresenter, type ItemPresenter } from "./item-views";
import { readStructure, type Structure } from "./structure";

/** The views of a site's items for the caller. */
export async function presentItemsForCaller(
  context: Viewing & Pick<TargetContext, "secrets" | "now" | "peek"> & Required<Pick<CachedViewingContext, "ports">>,
  { shareKey }: { readonly shareKey?: string | undefined } = {},
): Promise<ItemPresenter> {
  const { tx, site, organization, me, visitor, actor, urls, ports } = context;
  const isKeyed = visitor === undefined && shareKey !== undefined && site.visibility === "share-link";
  const opening = isKeyed ? (await admitVisitor(context, site, { shareKey }))?.shareKey : undefined;
  const viewing = { tx, site, organization, me, visitor, actor, urls, ports, shareKey: opening };
  return createItemPresenter(viewing, await readStructure(tx, site, ports));
}

/** A page of some items of a structure, in reading order. Only those have a position made that a page needs. */
export async function paginateItems<Item extends ItemRecord, View>(
  { after, limit }: PageRequest,
  structure: Structure,
  items: readonly Item[],
  view: (some: readonly Item[]) => Promise<readonly View[]>,
): Promise<PageOfItems<View>> {
  const from = after === undefined ? 0 : items.findIndex((item) => getSortKey(structure, item) > after);
  const rest = from < 0 ? [] : items.slice(from);
  const shown = rest.slice(0, limit);
  const last = rest.length > limit ? getSortKey(structure, shown.at(-1)!) : undefined;
  return { items: await view(shown), lastPosition: last, count: items.length };
}

function getSortKey(structure: Structure, item: ItemRecord): Key {
  const above = item.parent === null ? undefined : structure.get(item.parent);
  return (above ? getSortKey(structure, above) : "") + encodeKey(item.position);
}
