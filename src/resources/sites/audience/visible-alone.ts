// Finds out whether one site-space is visible, by the same rules as for the whole site, without reading the others.

import type { SpaceRecord } from "../../library/tree/records";
import type { SiteSpaceRecord } from "../records";
import { extractItemBranch, type Structure } from "../structure/structure";
import { getVisibleItems, type Viewing } from "./visible-items";

/** Returns the space of a site-space if it is visible, which depends only on the item and its parents. */
export async function findVisibleSpace(
  context: Omit<Viewing, "urls">,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
): Promise<SpaceRecord | undefined> {
  const visible = await getVisibleItems(context, extractItemBranch(structure, siteSpace.id));
  return visible.structure.get(siteSpace.id) && (visible.getSpaceAccess(siteSpace).path[0] as SpaceRecord);
}
