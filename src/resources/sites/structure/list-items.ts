// Lists the items of a site in reading order. A cursor contains the positions from the top down to an item, so that added and removed items
// don't shift the list.

import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
import { encodeKey } from "../../../storage/key";
import type { Key } from "../../../storage/storage";
import { admitVisitor } from "../audience/audience";
import type { CachedViewingContext, Viewing } from "../audience/visible-items";
import type { ItemRecord } from "../records";
import { createItemPresenter, type ItemPresenter } from "./item-views";
import { readStructure, type Structure } from "./structure";

export async function presentItemsForCaller(
  context: Viewing & Pick<TargetContext, "secrets" | "now" | "peek"> & Required<Pick<CachedViewingContext, "ports">>,
  { shareKey }: { readonly shareKey?: string | undefined } = {},
): Promise<ItemPresenter> {
  const { tx, site, organization, me, visitor, actor, urls, ports } = context;
  const needsCheck = visitor === undefined && shareKey !== undefined && site.visibility === "share-link";
  const validKey = needsCheck ? (await admitVisitor(context, site, { shareKey }))?.shareKey : undefined;
  const viewing = { tx, site, organization, me, visitor, actor, urls, ports, shareKey: validKey };
  return createItemPresenter(viewing, await readStructure(tx, site, ports));
}

/** Returns a page of items in reading order. The positions of items are only computed as far as the page needs them. */
export async function paginateItems<Item extends ItemRecord, View>(
  { after, limit }: PageRequest,
  structure: Structure,
  items: readonly Item[],
  present: (items: readonly Item[]) => Promise<readonly View[]>,
): Promise<PageOfItems<View>> {
  const start = after === undefined ? 0 : items.findIndex((item) => getSortKey(structure, item) > after);
  const rest = start < 0 ? [] : items.slice(start);
  const page = rest.slice(0, limit);
  const lastPosition = rest.length > limit ? getSortKey(structure, page.at(-1)!) : undefined;
  return { items: await present(page), lastPosition, count: items.length };
}

function getSortKey(structure: Structure, item: ItemRecord): Key {
  const parent = item.parent === null ? undefined : structure.get(item.parent);
  return (parent ? getSortKey(structure, parent) : "") + encodeKey(item.position);
}
