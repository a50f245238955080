// Lists of a site's items in reading order. A cursor holds the positions from the top down to an item, so added and
// removed items do not shift the list.

import { partOfRows } from "../../../operation/list-parts";
import type { Listing, ListPart, Scope } from "../../../operation/operation";
import { key } from "../../../store/key";
import type { Key } from "../../../store/storage";
import { admit } from "../audience/audience";
import type { Viewing } from "../audience/visible";
import type { ItemRecord } from "../records";
import { type ItemViews, itemViews } from "./item-views";
import { readStructure, type Structure } from "./structure";

/** The views of a site's items for the caller. */
export async function listedViews(
  context: Viewing & Pick<Scope, "secrets" | "now" | "peek">,
  { shareKey }: { readonly shareKey?: string | undefined } = {},
): Promise<ItemViews> {
  const { tx, site, organization, me, visitor, actor, urls } = context;
  const isKeyed = visitor === undefined && shareKey !== undefined && site.visibility === "share-link";
  const opening = isKeyed ? (await admit(context, site, { shareKey }))?.shareKey : undefined;
  const viewing = { tx, site, organization, me, visitor, actor, urls, shareKey: opening };
  return itemViews(viewing, await readStructure(tx, site));
}

/** A page of some items of a structure. */
export function pageOfItems<Item extends ItemRecord, View>(
  listPart: ListPart,
  structure: Structure,
  items: readonly Item[],
  view: (some: readonly Item[]) => Promise<readonly View[]>,
): Promise<Listing<View>> {
  const rows = items.map((record) => ({ record, position: sortKeyOf(structure, record) }));
  return partOfRows(listPart, rows, view);
}

function sortKeyOf(structure: Structure, item: ItemRecord): Key {
  const above = item.parent === null ? undefined : structure.get(item.parent);
  return (above ? sortKeyOf(structure, above) : "") + key(item.position);
}
