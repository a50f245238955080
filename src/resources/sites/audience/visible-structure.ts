// Caches the items of a site that are visible: those of a member until the structure, the tree or their rights change. For visitors,
// whose claims differ, only the states of the spaces are cached. The cache determines which items exist and how many; the spaces that a
// response shows are read and checked again (`item-views.ts`).

import { omitUndefined } from "../../../utils/objects";
import type { VersionedCache } from "../../../utils/versioned-cache";
import { nodes, type StandingPath } from "../../library/tree/records";
import { loadViewer, type Viewer } from "../../library/tree/rules";
import { getVisibilityStamp, toNodeStanding } from "../../library/tree/visible-nodes";
import { getSiteSpaces, type Structure } from "../structure/structure";
import {
  filterVisibleItems,
  getVisibleItems,
  loadSiteSpaces,
  type SiteSpaceAccess,
  type Viewing,
} from "./visible-items";

/** The approximate size of an item in the cache. The items themselves are shared with the whole structure. */
const ITEM_BYTES = 150;
/** The approximate size of a grant in the cache, and of a space with its path. */
const GRANT_BYTES = 200;
const SPACE_BYTES = 500;

/** A viewer with a cache. A transaction has none, because the cache doesn't contain its writes. */
export type CachedViewingContext = Omit<Viewing, "urls"> & { readonly ports?: { readonly cache: VersionedCache } };

/** The visible part of a structure, and the records that were loaded to determine it. */
export interface VisibleStructure {
  readonly visible: Structure;
  /** The rights of a member. */
  readonly viewer?: Viewer;
  /** The spaces of the site, unless the result is cached. */
  readonly spaces?: ReadonlyMap<string, SiteSpaceAccess>;
}

export async function getVisibleStructure(
  viewing: CachedViewingContext,
  structure: Structure,
): Promise<VisibleStructure> {
  const { visitor, ports, tx, site, actor } = viewing;
  // In a preview, the rights of its creator decide and another revision is shown.
  if (!ports || structure.stamp === undefined || visitor?.preview) {
    const { structure: visible, spaces } = await getVisibleItems(viewing, structure);
    return { visible, spaces };
  }

  if (!visitor) {
    const user = actor.user.id;
    const name = `${site.id} seen ${user}`;
    const versions = [structure.stamp, await getVisibilityStamp(tx, user)];
    const cached = ports.cache.get<Required<Omit<VisibleStructure, "spaces">>>(name, versions);
    if (cached) return cached;
    const viewer = await loadViewer(tx, user);
    const spaces = await loadSiteSpaces(viewing, getSiteSpaces(structure), viewer);
    const visible = filterVisibleItems(viewing, structure, (id) => spaces.get(id));
    const bytes = ITEM_BYTES * visible.items.length + GRANT_BYTES * viewer.grantedRoles.size;
    ports.cache.set(name, { visible, viewer }, { versions, bytes });
    return { visible, viewer, spaces };
  }

  const name = `${site.id} spaces`;
  const versions = [structure.stamp, await nodes.getGuardVersion(tx, "standing")];
  const cached = ports.cache.get<ReadonlyMap<string, StandingPath>>(name, versions);
  const spaces = cached ? undefined : await loadSiteSpaces(viewing, getSiteSpaces(structure));
  const paths =
    cached ?? new Map([...spaces!].map(([id, { path }]) => [id, path.map(toNodeStanding) as unknown as StandingPath]));
  if (!cached) ports.cache.set(name, paths, { versions, bytes: SPACE_BYTES * paths.size });
  const visible = filterVisibleItems(viewing, structure, (id) => {
    const path = paths.get(id);
    return path && { path, role: null };
  });
  return { visible, ...omitUndefined({ spaces }) };
}
