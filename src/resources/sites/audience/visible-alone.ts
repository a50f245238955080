// Whether one site-space is visible, by the same rules as for the whole site, without reading the others.

import type { SpaceRecord } from "../../library/tree/records";
import type { ItemRecord, SiteSpaceRecord } from "../records";
import { type Structure, structureOf } from "../structure/structure";
import { type Viewing, visibleTo } from "./visible";

/** The space of a site-space, if it is visible. That depends only on the item and its parents. */
export async function spaceSeenOn(
  viewing: Omit<Viewing, "urls">,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
): Promise<SpaceRecord | undefined> {
  const alone = structureOf(withAbove(structure, siteSpace), structure.defaultItem);
  const seen = await visibleTo(viewing, alone);
  return seen.structure.get(siteSpace.id) && (seen.spaceOf(siteSpace).path[0] as SpaceRecord);
}

function withAbove(structure: Structure, item: ItemRecord): ItemRecord[] {
  const above = item.parent === null ? undefined : structure.get(item.parent);
  return above ? [item, ...withAbove(structure, above)] : [item];
}
