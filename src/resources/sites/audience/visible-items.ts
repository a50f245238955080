// Which items of a site somebody may see. Editors of the site see all of it. Other members see the spaces that they may
// read. A visitor sees what the conditions allow. A section or group without visible items is not visible.
//
// In a preview the previewed space is visible whatever its conditions, and shows the previewed revision. The rest is as
// for a visitor of whom nothing is known. On a site that is not open to everybody, it is limited to the spaces that the
// user who made the preview may read.

import { isConditionMet } from "../../../content/expressions";
import type { Role } from "../../../operation/common-schemas";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import {
  isTrashed,
  type NodePath,
  nodes,
  readNodePaths,
  replaceRevision,
  type StandingPath,
} from "../../library/tree/records";
import { getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import type { GroupRecord, ItemRecord, SectionRecord, SiteSpaceRecord } from "../records";
import type { SiteViewerContext } from "../rules";
import { createStructure, getGroups, getSections, getSiteSpaces, type Structure } from "../structure/structure";
import type { Visitor } from "./audience";

/** Who looks at a site, and from where. */
export interface Viewing extends SiteViewerContext {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
  readonly urls: Urls;
}

/** A space in the tree, and the viewer's role on it. */
export interface SiteSpaceAccess {
  readonly path: NodePath;
  readonly role: Role | null;
}

/** The visible part of a site's structure. Defaults stay the defaults even when they are not visible. */
export interface VisibleItems {
  readonly structure: Structure;
  /** The spaces of the whole site that exist, by id. */
  readonly spaces: ReadonlyMap<string, SiteSpaceAccess>;
  /** The space of a visible site-space. */
  readonly getSpaceAccess: (siteSpace: SiteSpaceRecord) => SiteSpaceAccess;
}

/** Whether a member may edit the organization's sites. */
function canEditSites({ me, visitor }: Pick<SiteViewerContext, "me" | "visitor">): boolean {
  return visitor === undefined && isRoleAtLeast(me?.role ?? null, "create");
}

/** Whether a visitor meets the condition of an item. */
export function isItemConditionMet({ claims }: Visitor, { condition }: SectionRecord | SiteSpaceRecord): boolean {
  return isConditionMet(condition ?? undefined, { visitor: { claims } });
}

/** The visible part of a structure, and its spaces. */
export async function getVisibleItems(viewing: Omit<Viewing, "urls">, structure: Structure): Promise<VisibleItems> {
  const spaces = await loadSiteSpaces(viewing, getSiteSpaces(structure));
  return {
    structure: filterVisibleItems(viewing, structure, (id) => spaces.get(id)),
    spaces,
    getSpaceAccess: ({ space }) => spaces.get(space)!,
  };
}

/** A space as far as it decides what is visible. */
type SpaceState = { readonly path: StandingPath; readonly role: Role | null } | undefined;

/** Whether a site-space is visible, by how its space stands. */
export function createItemVisibilityCheck(viewing: Omit<Viewing, "urls">, structure: Structure) {
  const { visitor } = viewing;
  const isEditor = canEditSites(viewing);
  const isMet = (item: SectionRecord | SiteSpaceRecord) => visitor === undefined || isItemConditionMet(visitor, item);
  const closed = new Set<string | null>(
    visitor === undefined ? [] : getSections(structure).flatMap((section) => (isMet(section) ? [] : [section.id])),
  );
  const isForAll = isOpenToVisitors(viewing);
  return (siteSpace: SiteSpaceRecord, space: SpaceState): boolean => {
    if (!space || isEditor) return space !== undefined;
    if (isTrashed(space.path)) return false;
    if (siteSpace.space === visitor?.preview?.space) return true;
    return isMet(siteSpace) && !closed.has(siteSpace.parent) && (isForAll || isRoleAtLeast(space.role, "read"));
  };
}

/** The visible part of a structure, by how its spaces stand. */
export function filterVisibleItems(
  viewing: Omit<Viewing, "urls">,
  structure: Structure,
  standsAs: (space: string) => SpaceState,
): Structure {
  const isSeen = createItemVisibilityCheck(viewing, structure);
  const isEditor = canEditSites(viewing);
  const siteSpaces = getSiteSpaces(structure).filter((item) => isSeen(item, standsAs(item.space)));
  const filled = new Set(siteSpaces.map(({ parent }) => parent));
  const sections = getSections(structure).filter(({ id }) => filled.has(id));
  const kept = new Set<string | null>(sections.flatMap(({ id, parent }) => [id, parent]));
  const groups: GroupRecord[] = getGroups(structure).filter(({ id }) => isEditor || kept.has(id));
  const items: ItemRecord[] = [
    ...groups,
    ...sections,
    ...siteSpaces.filter(({ parent }) => parent === null || kept.has(parent)),
  ];
  return createStructure(items, structure.defaultItem);
}

/** Whether the spaces of a site are shown to somebody without rights of their own on them. */
function isOpenToVisitors({ site, visitor }: Pick<SiteViewerContext, "site" | "visitor">): boolean {
  if (!visitor?.preview) return visitor !== undefined;
  return site.published && (site.visibility === "public" || site.visibility === "unlisted");
}

/** The existing spaces of site-spaces, by id. `viewer` is what decides the rights of the viewer, where it is known. */
export async function loadSiteSpaces(
  viewing: Omit<Viewing, "urls">,
  some: readonly SiteSpaceRecord[],
  viewer?: Viewer,
): Promise<Map<string, SiteSpaceAccess>> {
  const tx = viewing.tx.unchecked;
  const found = await nodes.getMany(
    tx,
    some.map(({ space }) => [space]),
  );
  const paths = await readNodePaths(
    tx,
    found.flatMap((node) => (node?.type === "space" ? [node] : [])),
  );
  const { visitor, actor } = viewing;
  const user = visitor ? visitor.preview?.madeBy : actor.user.id;
  const who = viewer ?? (user === undefined ? undefined : await loadViewer(tx, user));
  const seen = paths.map((path) => ({ path: applyPreview(path, visitor), role: who ? getNodeRole(who, path) : null }));
  return new Map(seen.map((space) => [space.path[0].id, space]));
}

/** A space with the revision that a visitor sees. */
function applyPreview(path: NodePath, visitor: SiteViewerContext["visitor"]): NodePath {
  return visitor?.preview?.space === path[0].id ? replaceRevision(path, visitor.preview.revision) : path;
}
