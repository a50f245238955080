// Rights in the tree: a user's role on a space or a collection, and the places where they may put one.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import type { Role } from "../../../operation/common-schemas";
import { MovedError } from "../../../operation/moved-error";
import { checkCanGrantRole, isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import { formatOrganizationId } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { installationAccess, isInstallationId } from "../../people/members/installation-access";
import { findActiveMember } from "../../people/members/records";
import { findOrganizationPartition, organizations } from "../../people/organizations/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { teamMembers } from "../../people/teams/records";
import { grants, listAllGrantedRoles, listGrantedRoles, listGrantees } from "../grants/records";
import { type RoleInputs, resolveRole } from "../grants/resolve-role";
import {
  type CollectionRecord,
  createTransferBusyError,
  type DefaultLevel,
  findFreePosition,
  isFrozen,
  isTrashed,
  locateNode,
  MAX_DEPTH,
  type Neighbour,
  type NodePath,
  type NodeRecord,
  nodes,
  readNodePath,
  readNodePaths,
  type StandingPath,
} from "./records";
import type { Position, Transfer } from "./schema";

/** A node of the tree, with the caller's role. */
export interface NodeContext extends OrganizationContext {
  readonly path: NodePath;
  /** The caller's role on it; null: none. */
  readonly role: Role | null;
  /** It comes from another organization, and has no position here yet. */
  readonly isArriving?: boolean;
}

/** A user with everything that decides their rights in the tree. */
export interface Viewer {
  /** The role in the organization; null: a guest; undefined: not a member. */
  readonly organizationRole: Role | null | undefined;
  readonly grantedRoles: ReadonlyMap<string, readonly Role[]>;
}

/**
 * Loads a user with all of their grants, for lists.
 *
 * An installation has the role `edit` on its spaces, and the scopes of its token limit what it may do there. An
 * installation on all spaces includes those that are closed to people without a grant.
 */
export async function loadViewer(tx: Reader, user: string): Promise<Viewer> {
  const organizationRole = (await findActiveMember(tx, user))?.role;
  if (organizationRole === "admin" || organizationRole === undefined)
    return { organizationRole, grantedRoles: new Map() };
  if (!isInstallationId(user))
    return { organizationRole, grantedRoles: await listAllGrantedRoles(tx, user, await listTeamIds(tx, user)) };

  let spaces = await installationAccess.implementation.getSpaceIds(tx, user);
  if (spaces === "all") {
    // The decision depends on it being on all spaces, so that is checked; the list of spaces is not.
    const rows = await nodes.list(await tx.withGuards([]), "spaces", { limit: 10_000 });
    spaces = rows.map(({ record }) => record.id);
  }
  return { organizationRole: null, grantedRoles: new Map(spaces.map((space) => [space, ["edit"]])) };
}

/** Loads a user with the grants that decide their role on one node: those on it and above it. */
export async function loadViewerForPath(tx: Reader, user: string, path: NodePath): Promise<Viewer> {
  const organizationRole = (await findActiveMember(tx, user))?.role;
  if (organizationRole === "admin" || organizationRole === undefined)
    return { organizationRole, grantedRoles: new Map() };
  if (!isInstallationId(user)) {
    const grantees = listGrantees(user, await listTeamIds(tx, user));
    return { organizationRole, grantedRoles: await listGrantedRoles(tx, getDecidingNodeIds(path), grantees) };
  }

  const grantedRoles = new Map<string, Role[]>();
  for (const [{ id, type }] of path.source ? [path, path.source] : [path])
    if (type === "space" && (await installationAccess.implementation.isInstalledOn(tx, user, "space", id)))
      grantedRoles.set(id, ["edit"]);
  return { organizationRole: null, grantedRoles };
}

/**
 * Returns a viewer's role on a node. A translation is visible only to those who see its source; what more they may do
 * with it depends on the grants on the translation itself.
 */
export function getNodeRole(viewer: Viewer, path: StandingPath): Role | null {
  const { organizationRole, grantedRoles } = viewer;
  const levels: RoleInputs["path"] = [
    ...path.map(({ id, defaultLevel }) => ({ granted: grantedRoles.get(id) ?? [], defaultLevel })),
    // The default level of a collection that is gone is unknown, so it gives no access.
    ...(path.at(-1)!.parent === null ? [] : [{ granted: [], defaultLevel: null }]),
  ];
  const role = resolveRole({ organizationRole, path: levels });
  if (path[0].type !== "space" || path[0].follows === undefined) return role;
  const sourceRole = path.source ? getNodeRole(viewer, path.source) : null;
  return organizationRole === "admin" || sourceRole !== null ? (role ?? "read") : null;
}

/** Checks whether a viewer manages a space and, for a translation, its source, whose content it shows. */
export function canPublishSpace(viewer: Viewer, path: NodePath): boolean {
  const shown = path.source ? [path, path.source] : [path];
  return shown.every((it) => isRoleAtLeast(getNodeRole(viewer, it), "create"));
}

/** Checks whether a viewer sees at least one of these nodes. Nodes in the trash do not count. */
export async function canSeeAny(tx: Reader, viewer: Viewer, ids: readonly string[]): Promise<boolean> {
  const found = await nodes.getMany(tx, ids);
  const paths = await readNodePaths(
    tx,
    found.flatMap((node) => (node ? [node] : [])),
  );
  return paths.some((path) => !isTrashed(path) && getNodeRole(viewer, path) !== null);
}

/** Returns the default level that applies to a node: the nearest that is not `inherit`. */
export function getEffectiveLevel(path: NodePath): DefaultLevel {
  const nearest = path.find(({ defaultLevel }) => defaultLevel !== "inherit");
  if (nearest) return nearest.defaultLevel;
  // The default level of a collection that is gone is unknown, so it gives no access.
  return path.at(-1)!.parent === null ? "inherit" : null;
}

/** Checks that a change opens a node to nobody with a role above the user's own, neither by its default level nor by a move. */
export function checkLevel(role: Role | null, before: NodePath, after: NodePath): void {
  const level = getEffectiveLevel(after);
  if (level !== "inherit" && level !== getEffectiveLevel(before)) checkCanGrantRole(role, level);
}

/** Grants a manager of a node their role on it if they would lose it by a move, because it came from the old collection. */
export async function keepManaging(
  tx: Transaction,
  user: string,
  { before, after, at }: { readonly before: NodePath; readonly after: NodePath; readonly at: string },
): Promise<void> {
  // The teams and collections may be too many to check in one commit. Nobody gets a right here that they did not have.
  const role = getNodeRole(await loadViewerForPath(tx.unchecked, user, before), before);
  if (role === null || !isRoleAtLeast(role, "create")) return;
  if (isRoleAtLeast(getNodeRole(await loadViewerForPath(tx.unchecked, user, after), after), "create")) return;
  await grants.put(tx, { node: after[0].id, kind: "user", grantee: user, role, createdAt: at });
}

export function getDecidingNodeIds(path: NodePath): string[] {
  return [...path, ...(path.source ?? [])].map(({ id }) => id);
}

export async function listTeamIds(tx: Reader, user: string): Promise<string[]> {
  const theirs = await teamMembers.readGuarded(tx, "ofUser", [[user]]);
  const rows = await teamMembers.list(theirs, "ofUser", { under: [user], limit: 10_000 });
  return rows.map(({ record }) => record.team);
}

/** Loads a node by its id, with the caller's role on it. Returns undefined if it is absent or of the other type. */
export async function loadNode(
  { tx, actor, partitionCode, forwardedFrom, isWriting }: TargetContext,
  id: string,
  type: NodeRecord["type"],
): Promise<NodeContext | undefined> {
  const found = await locateNode(tx, id, forwardedFrom);
  if (found && "movedTo" in found) throw new MovedError(found.movedTo);
  const organization = await organizations.get(tx, formatOrganizationId(partitionCode));
  if (found?.path[0].type !== type || !organization) return undefined;
  const { path, isArriving } = found;
  const me = await findActiveMember(tx, actor.user.id);
  const role = getNodeRole(await loadViewerForPath(tx, actor.user.id, path), path);
  // Callers who may not see it do not learn that it is being transferred.
  if (isWriting && role !== null && (isArriving || isFrozen(path))) throw createTransferBusyError();
  return { organization, me, ownedTeams: 0, path, role, isArriving };
}

/**
 * Finds a place for a node in a collection (null: at the top), next to a neighbour or at the end. The caller needs the
 * right to create there. Every id is resolved as the caller sees it.
 */
export async function findPlace(
  context: OrganizationContext & { readonly tx: Transaction; readonly actor: TargetContext["actor"] },
  destination: {
    readonly id: string;
    readonly parent: string | null;
    readonly position?: v.InferOutput<typeof Position> | undefined;
    /** True when the caller did not name the collection: one that they cannot see is then a 403, not a 404. */
    readonly isImplied?: boolean;
  },
  moving?: { readonly path: NodePath; readonly height: number },
) {
  const { tx, actor, me } = context;
  const { id, parent } = destination;
  let above: CollectionRecord[] = [];
  if (parent === null) {
    if (!isRoleAtLeast(me?.role ?? null, "create")) throw createError("forbidden");
  } else {
    const node = await nodes.get(tx, parent);
    const path = node?.type === "collection" && node.deletedAt === null ? await readNodePath(tx, node) : undefined;
    const role = path ? getNodeRole(await loadViewerForPath(tx, actor.user.id, path), path) : null;
    if (!destination.isImplied && (!path || role === null))
      throw createValidationError("body.parent", "Collection not found in this organization");
    if (!path || !isRoleAtLeast(role, "create")) throw createError("forbidden");
    if (isFrozen(path)) throw createTransferBusyError();
    above = path as unknown as CollectionRecord[];
  }
  if (moving && above.some(({ id }) => id === moving.path[0].id)) throw createError("cyclic_move");
  if (above.length + (moving?.height ?? 1) > MAX_DEPTH) throw createError("too_deep");

  // A neighbour that the caller may not see counts as absent.
  let neighbour: Neighbour | undefined;
  if (destination.position) {
    const { before, after } = destination.position;
    const side = before ? "before" : "after";
    const pointer = (before ?? after)!;
    const neighbourId = pointer.type === "space" ? pointer.space : pointer.collection;
    const node = await nodes.get(tx, neighbourId);
    const path = node?.type === pointer.type ? await readNodePath(tx, node) : undefined;
    if (!path || getNodeRole(await loadViewerForPath(tx, actor.user.id, path), path) === null)
      throw createValidationError(`body.position.${side}`, "Item not found at this level");
    neighbour = { id: neighbourId, side };
  }
  const position = await findFreePosition(tx, id, parent, neighbour);
  if (position === undefined) throw createValidationError("body.position", "Item not found at this level");
  return { parent, position };
}

/** Formats the destination of a node that is being sent, for those who could have sent it. */
export function presentTransfer({ path: [node], role }: NodeContext): {
  readonly transfer?: v.InferOutput<typeof Transfer>;
} {
  if (node.leaving === undefined || !isRoleAtLeast(role, "create")) return {};
  const { organization, job } = node.leaving;
  return { transfer: { organization, job } };
}

/** A destination in another organization, as the caller sees it. */
export interface TransferDestination extends OrganizationContext {
  readonly above: readonly CollectionRecord[];
  readonly viewer: Viewer;
}

/** Finds a place in another organization. The caller needs the right to create there. */
export async function findTransferDestination(
  { organization, actor, peek }: OrganizationContext & Pick<TargetContext, "actor" | "peek">,
  destination: { readonly organization: string; readonly collection?: string | undefined },
): Promise<TransferDestination> {
  if (destination.organization === organization.id) throw createError("same_organization");
  const partition = findOrganizationPartition(destination.organization);
  const view = partition && (await peek(partition));
  const there = view && (await organizations.get(view, destination.organization));
  const me = view && (await findActiveMember(view, actor.user.id));
  if (!there || !me)
    throw createValidationError("body.organization", "Organization not found, or you are not a member");
  const viewer = await loadViewer(view, actor.user.id);
  let above: readonly CollectionRecord[] = [];
  if (destination.collection !== undefined) {
    const node = await nodes.get(view, destination.collection);
    const path = node?.type === "collection" ? await readNodePath(view, node) : undefined;
    if (!path || isTrashed(path) || getNodeRole(viewer, path) === null)
      throw createValidationError("body.collection", "Collection not found in this organization");
    above = path as unknown as CollectionRecord[];
  }
  if (!isRoleAtLeast(above.length > 0 ? getNodeRole(viewer, above as unknown as NodePath) : me.role, "create"))
    throw createError("forbidden");
  return { organization: there, me, ownedTeams: 0, above, viewer };
}
