// Determines the items of a site that are visible to a member or a visitor. Editors of the site see all of it. Other members see the
// spaces that they may read. A visitor sees the items whose conditions are met, and no drafts. A section or group without visible items
// is hidden.
//
// In a preview the previewed space is visible whatever its conditions, and shows the previewed revision. The other spaces are shown as
// for a visitor without claims. On a site that isn't open to everybody, they are limited to those that the creator of the preview may
// read.
//
// `getVisibleStructure` caches the items of a member until the structure, the tree or their rights change. For visitors, whose claims
// differ, only the states of the spaces are cached. The cache determines which items exist and how many; the spaces that a response shows
// are read and checked again (`item-views.ts`).

import { isConditionMet } from "../../../content/expressions";
import type { Role } from "../../../operation/common-schemas";
import type { CallContext } from "../../../operation/operation";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import { omitUndefined } from "../../../utils/objects";
import type { VersionedCache } from "../../../utils/versioned-cache";
import {
  isTrashed,
  type NodePath,
  nodes,
  readNodePaths,
  replaceRevision,
  type SpaceRecord,
  type StandingPath,
} from "../../library/tree/records";
import { getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import { getVisibilityStamp, toNodeStanding } from "../../library/tree/visible-nodes";
import type { ExternalLinkRecord, GroupRecord, ItemRecord, SectionRecord, SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import {
  createStructure,
  extractItemBranch,
  getSections,
  getSiteSpaces,
  isExternalLink,
  isSectionGroup,
  type Structure,
} from "../structure/structure";
import type { Visitor } from "./audience";

/** The member or visitor who views a site. */
export interface Viewing extends SiteViewerContext, Pick<TargetContext, "tx">, Pick<CallContext, "urls"> {
  readonly actor: { readonly user: { readonly id: string } };
}

/** A space in the tree, and the viewer's role on it. */
interface SiteSpaceAccess {
  readonly path: NodePath;
  readonly role: Role | null;
}

/** The visible part of a site's structure. Defaults stay the defaults even if they are hidden. */
interface VisibleItems {
  readonly structure: Structure;
  /** The existing spaces of the whole site, by id. */
  readonly spaces: ReadonlyMap<string, SiteSpaceAccess>;
  readonly getSpaceAccess: (siteSpace: SiteSpaceRecord) => SiteSpaceAccess;
}

export function isItemConditionMet(
  { claims }: Visitor,
  { condition }: SectionRecord | SiteSpaceRecord | ExternalLinkRecord,
): boolean {
  return isConditionMet(condition ?? undefined, { visitor: { claims } });
}

export async function getVisibleItems(viewing: Omit<Viewing, "urls">, structure: Structure): Promise<VisibleItems> {
  const spaces = await loadSiteSpaces(viewing, getSiteSpaces(structure));
  return {
    structure: filterVisibleItems(viewing, structure, (id) => spaces.get(id)),
    spaces,
    getSpaceAccess: ({ space }) => spaces.get(space)!,
  };
}

type SpaceState = { readonly path: StandingPath; readonly role: Role | null } | undefined;

export function createItemVisibilityCheck(viewing: Omit<Viewing, "urls">, structure: Structure) {
  const { visitor } = viewing;
  const isEditor = viewing.visitor === undefined && isRoleAtLeast(viewing.me?.role ?? null, "create");
  const isMet = (item: SectionRecord | SiteSpaceRecord) => visitor === undefined || isItemConditionMet(visitor, item);
  const hiddenSections = new Set<string | null>(
    visitor === undefined ? [] : getSections(structure).flatMap((section) => (isMet(section) ? [] : [section.id])),
  );
  // The spaces of a site are shown to visitors without rights of their own. A preview shows them only if the site is open to everybody.
  const { published, visibility } = viewing.site;
  const isOpen = visitor?.preview
    ? published && (visibility === "public" || visibility === "unlisted")
    : visitor !== undefined;
  return (siteSpace: SiteSpaceRecord, space: SpaceState): boolean => {
    if (!space || isEditor) return space !== undefined;
    if (isTrashed(space.path)) return false;
    if (siteSpace.space === visitor?.preview?.space) return true;
    return isMet(siteSpace) && !hiddenSections.has(siteSpace.parent) && (isOpen || isRoleAtLeast(space.role, "read"));
  };
}

/** Returns the visible part of a structure. `getSpaceState` returns the state of a space by its id. */
function filterVisibleItems(
  viewing: Omit<Viewing, "urls">,
  structure: Structure,
  getSpaceState: (space: string) => SpaceState,
): Structure {
  const isVisible = createItemVisibilityCheck(viewing, structure);
  const isEditor = viewing.visitor === undefined && isRoleAtLeast(viewing.me?.role ?? null, "create");
  const siteSpaces = getSiteSpaces(structure).filter((item) => isVisible(item, getSpaceState(item.space)));
  const parents = new Set(siteSpaces.map(({ parent }) => parent));
  const sections = getSections(structure).filter(({ id }) => parents.has(id));
  const { visitor } = viewing;
  const links = structure.items
    .filter(isExternalLink)
    .filter((link) => visitor === undefined || (!link.draft && isItemConditionMet(visitor, link)));
  const visibleParents = new Set<string | null>([
    ...sections.flatMap(({ id, parent }) => [id, parent]),
    ...links.map(({ parent }) => parent),
  ]);
  const groups: GroupRecord[] = structure
    .getChildren(null)
    .filter(isSectionGroup)
    .filter(({ id }) => isEditor || visibleParents.has(id));
  const items: ItemRecord[] = [
    ...groups,
    ...sections,
    ...links,
    ...siteSpaces.filter(({ parent }) => parent === null || visibleParents.has(parent)),
  ];
  return items.length === structure.items.length ? structure : createStructure(items, structure.defaultItem);
}

/** A visible site-space, and the current state of its space. */
export interface VisibleSpace {
  readonly siteSpace: SiteSpaceRecord;
  readonly space: SpaceRecord;
}

/** The approximate size of a space with its path in the cache. */
const SPACE_BYTES = 1500;

export async function listVisibleSpaces(
  viewing: Omit<Viewing, "urls"> & { readonly visitor: Visitor },
  structure: Structure,
  cache: VersionedCache,
): Promise<VisibleSpace[]> {
  const { tx, site, visitor } = viewing;
  const load = () => loadSiteSpaces(viewing, getSiteSpaces(structure));
  // Except in a preview, the spaces are the same for all visitors until something is written.
  const versions = [structure.stamp, tx.version];
  const spaces = visitor.preview
    ? await load()
    : await cache.getOrCompute(`${site.id} spaces now`, versions, load, ({ size }) => SPACE_BYTES * size);
  const visible = filterVisibleItems(viewing, structure, (id) => spaces.get(id));
  return getSiteSpaces(visible).map((siteSpace) => ({
    siteSpace,
    space: spaces.get(siteSpace.space)!.path[0] as SpaceRecord,
  }));
}

/** Returns the spaces of site-spaces by id, as a visitor sees them. `viewer`: the rights, if they are loaded. */
export async function loadSiteSpaces(
  viewing: Omit<Viewing, "urls">,
  siteSpaces: readonly SiteSpaceRecord[],
  viewer?: Viewer,
): Promise<Map<string, SiteSpaceAccess>> {
  const tx = viewing.tx.unchecked;
  const ids = siteSpaces.map(({ space }) => space);
  const stored = await nodes.getMany(tx, ids);
  // The transaction itself may have created a space, and its creator's grant.
  const isNew = (_: string, i: number) => tx !== viewing.tx && stored[i] === undefined;
  const created = await nodes.getMany(viewing.tx, ids.filter(isNew));
  const paths = await readNodePaths(
    tx,
    [...stored, ...created].flatMap((node) => (node?.type === "space" ? [node] : [])),
  );
  const { visitor, actor } = viewing;
  const preview = visitor?.preview;
  const user = visitor ? preview?.madeBy : actor.user.id;
  const rightsTx = created.some((node) => node !== undefined) ? viewing.tx : tx;
  const userRights = viewer ?? (user === undefined ? undefined : await loadViewer(rightsTx, user));
  const spaces = new Map<string, SiteSpaceAccess>();
  for (const path of paths) {
    const shownPath = preview?.space === path[0].id ? replaceRevision(path, preview.revision) : path;
    spaces.set(path[0].id, { path: shownPath, role: userRights ? getNodeRole(userRights, path) : null });
  }
  return spaces;
}

/** Returns the space of a site-space if it is visible, which depends only on the item and its parents. */
export async function findVisibleSpace(
  context: Omit<Viewing, "urls">,
  structure: Structure,
  siteSpace: SiteSpaceRecord,
): Promise<SpaceRecord | undefined> {
  const visible = await getVisibleItems(context, extractItemBranch(structure, siteSpace.id));
  return visible.structure.get(siteSpace.id) && (visible.getSpaceAccess(siteSpace).path[0] as SpaceRecord);
}

/** The approximate size of an item in the cache. The items themselves are shared with the whole structure. */
const ITEM_BYTES = 150;
/** The approximate size of a grant in the cache, and of the state of a space with its path. */
const GRANT_BYTES = 200;
const STANDING_PATH_BYTES = 500;

/** A viewer with a cache. A transaction has none, because the cache doesn't contain its writes. */
export type CachedViewingContext = Omit<Viewing, "urls"> & { readonly ports?: { readonly cache: VersionedCache } };

/** The visible part of a structure, and the records that were loaded to determine it. */
interface VisibleStructure {
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
  if (!cached) ports.cache.set(name, paths, { versions, bytes: STANDING_PATH_BYTES * paths.size });
  const visible = filterVisibleItems(viewing, structure, (id) => {
    const path = paths.get(id);
    return path && { path, role: null };
  });
  return { visible, ...omitUndefined({ spaces }) };
}
