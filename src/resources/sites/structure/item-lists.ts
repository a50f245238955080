// Lists of a site's items in reading order. A cursor holds the positions from the top down to an item, so added and
// removed items do not shift the list.

import { partOfRows } from "../../../operation/list-parts";
import type { Listing, ListPart, Scope } from "../../../operation/operation";
import { key } from "../../../store/key";
import type { Key } from "../../../store/storage";
import { admit } from "../audience/audience";
import type { Remembering } from "../audience/known-visible";
import type { Viewing } from "../audience/visible";
import type { ItemRecord } from "../records";
import { type ItemViews, itemViews } from "./item-views";
import { readStructure, type Structure } from "./structure";

/** The views of a site's items for the caller. */
export async function listedViews(
  context: Viewing & Pick<Scope, "secrets" | "now" | "peek"> & Required<Pick<Remembering, "parts">>,
  { shareKey }: { readonly shareKey?: string | undefined } = {},
): Promise<ItemViews> {
  const { tx, site, organization, me, visitor, actor, urls, parts } = context;
  const isKeyed = visitor === undefined && shareKey !== undefined && site.visibility === "share-link";
  const opening = isKeyed ? (await admit(context, site, { shareKey }))?.shareKey : undefined;
  const viewing = { tx, site, organization, me, visitor, actor, urls, parts, shareKey: opening };
  return itemViews(viewing, await readStructure(tx, site, parts));
}

/** A page of some items of a structure. */
export function pageOfItems<Item extends ItemRecord, View>(
  listPart: ListPart,
  structure: Structure,
  items: readonly Item[],
  view: (some: readonly Item[]) => Promise<readonly View[]>,
): Promise<Listing<View>> {
  // The first page needs only the position at which it ends.
  const rows = items.map((record) => ({
    record,
    get position() {
      return sortKeyOf(structure, record);
    },
  }));
  return partOfRows(listPart, rows, view);
}

function sortKeyOf(structure: Structure, item: ItemRecord): Key {
  const above = item.parent === null ? undefined : structure.get(item.parent);
  return (above ? sortKeyOf(structure, above) : "") + key(item.position);
}
