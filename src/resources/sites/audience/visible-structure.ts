// Which items of a site somebody sees, remembered from one request to the next: of a member until the structure, the tree or
// their rights change; of a visitor how the spaces stand, because what is known of visitors differs. The memory says where
// to look, and how many there are. What an answer shows is read again and asked about again (`itemViews`).

import { omitUndefined } from "../../../utils/objects";
import type { StampedCache } from "../../../utils/stamped-cache";
import type { StandingPath } from "../../library/tree/records";
import { loadViewer, type Viewer } from "../../library/tree/rules";
import { getTreeStamp, getVisibilityStamp, toNodeStanding } from "../../library/tree/visible-nodes";
import { getSiteSpaces, type Structure } from "../structure/structure";
import {
  filterVisibleItems,
  getVisibleItems,
  loadSiteSpaces,
  type SiteSpaceAccess,
  type Viewing,
} from "./visible-items";

/** A request that may remember. A transaction may not: a memory knows nothing of its writes. */
export type CachedViewingContext = Omit<Viewing, "urls"> & { readonly ports?: { readonly cache: StampedCache } };

/** The visible part of a structure, and what was found out on the way. */
export interface VisibleStructure {
  readonly visible: Structure;
  /** What decides the rights of a member. */
  readonly viewer?: Viewer;
  /** The spaces of the site, where they had to be read. */
  readonly spaces?: ReadonlyMap<string, SiteSpaceAccess>;
}

/** The visible part of a structure. */
export async function getVisibleStructure(
  viewing: CachedViewingContext,
  structure: Structure,
): Promise<VisibleStructure> {
  const { visitor, ports } = viewing;
  // In a preview it is another user who decides what is seen, and another revision is shown.
  if (!ports || structure.stamp === undefined || visitor?.preview) {
    const { structure: visible, spaces } = await getVisibleItems(viewing, structure);
    return { visible, spaces };
  }
  return visitor ? visibleToVisitor(viewing, structure, ports.cache) : visibleToMember(viewing, structure, ports.cache);
}

/** About what an item takes in the memory of a visible structure: the items themselves are those of the whole one. */
const ITEM_BYTES = 150;
/** About what a grant takes, and a space with its path. */
const GRANT_BYTES = 200;
const SPACE_BYTES = 500;

async function visibleToMember(
  viewing: CachedViewingContext,
  structure: Structure,
  memory: StampedCache,
): Promise<VisibleStructure> {
  const { tx, site, actor } = viewing;
  const user = actor.user.id;
  const name = `${site.id} seen ${user}`;
  const stamp = `${structure.stamp} ${await getVisibilityStamp(tx, user)}`;
  const known = memory.get<Required<Omit<VisibleStructure, "spaces">>>(name, stamp);
  if (known) return known;
  const viewer = await loadViewer(tx, user);
  const spaces = await loadSiteSpaces(viewing, getSiteSpaces(structure), viewer);
  const visible = filterVisibleItems(viewing, structure, (id) => spaces.get(id));
  memory.set(
    name,
    stamp,
    { visible, viewer },
    ITEM_BYTES * visible.items.length + GRANT_BYTES * viewer.grantedRoles.size,
  );
  return { visible, viewer, spaces };
}

async function visibleToVisitor(
  viewing: CachedViewingContext,
  structure: Structure,
  memory: StampedCache,
): Promise<VisibleStructure> {
  const name = `${viewing.site.id} spaces`;
  const stamp = `${structure.stamp} ${await getTreeStamp(viewing.tx)}`;
  const known = memory.get<ReadonlyMap<string, StandingPath>>(name, stamp);
  const spaces = known ? undefined : await loadSiteSpaces(viewing, getSiteSpaces(structure));
  const paths =
    known ?? new Map([...spaces!].map(([id, { path }]) => [id, path.map(toNodeStanding) as unknown as StandingPath]));
  if (!known) memory.set(name, stamp, paths, SPACE_BYTES * paths.size);
  const visible = filterVisibleItems(viewing, structure, (id) => {
    const path = paths.get(id);
    return path && { path, role: null };
  });
  return { visible, ...omitUndefined({ spaces }) };
}
