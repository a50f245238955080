// Whether one site-space is visible, by the same rules as for the whole site, without reading the others.

import type { SpaceRecord } from "../../library/tree/records";
import type { SiteSpaceRecord } from "../records";
import { extractItemBranch, type Structure } from "../structure/structure";
import { getVisibleItems, type Viewing } from "./visible-items";

/** The space of a site-space, if it is visible. That depends only on the item and its parents. */
export async function findVisibleSpace(
  viewing: Omit<Viewing, "urls">,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
): Promise<SpaceRecord | undefined> {
  const seen = await getVisibleItems(viewing, extractItemBranch(structure, siteSpace.id));
  return seen.structure.get(siteSpace.id) && (seen.getSpaceAccess(siteSpace).path[0] as SpaceRecord);
}
