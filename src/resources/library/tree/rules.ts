// Rights in the tree: the caller's role on a space or a collection, and where things may be put.

import type * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import type { Role } from "../../../operation/common-schemas";
import { MovedError } from "../../../operation/moved-error";
import { checkCanGrantRole, getRoleRank, isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import { formatOrganizationId } from "../../../storage/ids";
import type { Reader, Transaction } from "../../../storage/transaction";
import { installationAccess, isInstallationId } from "../../people/members/installation-access";
import { findActiveMember } from "../../people/members/records";
import { findOrganizationPartition, organizations } from "../../people/organizations/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { teamMembers } from "../../people/teams/records";
import { granteesOf, grants, grantsOf, rolesGivenOn } from "../grants/records";
import { roleOn } from "../grants/role-on";
import {
  busyWithTransfer,
  type CollectionRecord,
  type DefaultLevel,
  isFrozen,
  isTrashed,
  MAX_DEPTH,
  type Neighbour,
  type NodeRecord,
  nodes,
  type Path,
  pathOf,
  pathsOf,
  positionIn,
  type StandingPath,
  whereIs,
} from "./records";
import type { Position, Transfer } from "./schema";

/** A thing of the tree, with the caller's role. */
export interface InTree extends OrganizationContext {
  readonly path: Path;
  /** The caller's role on it; null: none. */
  readonly role: Role | null;
  /** It came from another organization, and its position is not settled. */
  readonly isArriving?: boolean;
}

/** What decides the rights of a user in the tree. */
export interface Viewer {
  readonly own: Role | null | undefined;
  readonly given: ReadonlyMap<string, readonly Role[]>;
}

/** For lists: all grants of the user. */
export async function viewerOf(tx: Reader, user: string): Promise<Viewer> {
  const own = (await findActiveMember(tx, user))?.role;
  if (own === "admin" || own === undefined) return { own, given: new Map() };
  if (isInstallationId(user)) return installationViewer(tx, user);
  return { own, given: await grantsOf(tx, user, await teamsOf(tx, user)) };
}

/**
 * An installation has the role of an editor on its spaces; the scopes of its token limit what it may do there. An
 * installation on all spaces includes those that are closed to people without a grant.
 */
async function installationViewer(tx: Reader, id: string): Promise<Viewer> {
  const spaces = await installationAccess.implementation.getSpaceIds(tx, id);
  // The decision depends on it being on all spaces, so that is checked; the list of spaces is not.
  const all = async () => nodes.list(await tx.withGuards([]), "spaces", { limit: 10_000 });
  const given = spaces === "all" ? (await all()).map(({ record }) => record.id) : spaces;
  return { own: null, given: new Map(given.map((space) => [space, ["edit"]])) };
}

/** The same for one space and the one that it is a translation of. */
async function installationOn(tx: Reader, id: string, path: Path): Promise<Viewer> {
  const given = new Map<string, Role[]>();
  for (const [{ id: space, type }] of [path, ...(path.source ? [path.source] : [])])
    if (type === "space" && (await installationAccess.implementation.isInstalledOn(tx, id, "space", space)))
      given.set(space, ["edit"]);
  return { own: null, given };
}

/**
 * A viewer's role on a thing. A translation is visible only to those who see its source; what more they may do with it
 * depends on the grants on the translation itself.
 */
export function roleIn(viewer: Viewer, path: StandingPath): Role | null {
  const { own, given } = viewer;
  const ways = path.map(({ id, defaultLevel }) => ({ given: given.get(id) ?? [], defaultLevel }));
  const role = roleOn({ own, path: isCutOff(path) ? [...ways, { given: [], defaultLevel: null }] : ways });
  if (path[0].type !== "space" || path[0].follows === undefined) return role;
  const onSource = path.source ? roleIn(viewer, path.source) : null;
  return own === "admin" || onSource !== null ? (role ?? "read") : null;
}

/**
 * Whether a viewer may publish a space. That takes the right to manage it and, for a translation, also to manage its
 * source, because it shows the content of the source.
 */
export function mayShow(viewer: Viewer, path: Path): boolean {
  const shown = path.source ? [path, path.source] : [path];
  return shown.every((it) => isRoleAtLeast(roleIn(viewer, it), "create"));
}

/** Whether a user sees at least one of these things, in use. */
export async function seesAny(tx: Reader, viewer: Viewer, ids: readonly string[]): Promise<boolean> {
  const found = await nodes.getMany(
    tx,
    ids.map((id) => [id]),
  );
  const paths = await pathsOf(
    tx,
    found.flatMap((node) => (node ? [node] : [])),
  );
  return paths.some((path) => !isTrashed(path) && roleIn(viewer, path) !== null);
}

/**
 * Whether a thing is in a collection that is gone. The default level of that collection is unknown, so it gives no
 * access.
 */
function isCutOff(path: StandingPath): boolean {
  return path.at(-1)!.parent !== null;
}

/** The default level that applies to a thing: the nearest that is not `inherit`. */
export function levelOf(path: Path): DefaultLevel {
  const nearest = path.find(({ defaultLevel }) => defaultLevel !== "inherit");
  return nearest ? nearest.defaultLevel : isCutOff(path) ? null : "inherit";
}

/** Nobody may open a thing to everybody with a role above their own: neither by its default level nor by moving it. */
export function checkLevel(own: Role | null, before: Path, after: Path): void {
  const level = levelOf(after);
  if (level !== "inherit" && level !== levelOf(before)) checkCanGrantRole(own, level);
}

/** A default level, or the user's own role where that is lower. */
export function atMost(own: Role | null, level: DefaultLevel): DefaultLevel {
  return level !== "inherit" && getRoleRank(level) > getRoleRank(own) ? own : level;
}

/** Keeps a manager's rights on a thing that moves, also when they came from the collection that it leaves. */
export async function keepManaging(
  tx: Transaction,
  user: string,
  { before, after, at }: { readonly before: Path; readonly after: Path; readonly at: string },
): Promise<void> {
  // The teams and collections may be too many to check in one commit. Nobody gets a right here that they did not have.
  const held = roleIn(await viewerOn(tx.unchecked, user, before), before);
  if (held === null || !isRoleAtLeast(held, "create")) return;
  if (isRoleAtLeast(roleIn(await viewerOn(tx.unchecked, user, after), after), "create")) return;
  await grants.put(tx, { node: after[0].id, kind: "user", grantee: user, role: held, createdAt: at });
}

/** For a single thing: only the grants on it and above it. */
export async function viewerOn(tx: Reader, user: string, path: Path): Promise<Viewer> {
  const own = (await findActiveMember(tx, user))?.role;
  if (own === "admin" || own === undefined) return { own, given: new Map() };
  if (isInstallationId(user)) return installationOn(tx, user, path);
  return { own, given: await rolesGivenOn(tx, thingsOn(path), granteesOf(user, await teamsOf(tx, user))) };
}

/** The things whose grants decide a role on one. */
export function thingsOn(path: Path): string[] {
  return [...path, ...(path.source ?? [])].map(({ id }) => id);
}

/** The teams of a user. */
export async function teamsOf(tx: Reader, user: string): Promise<string[]> {
  const theirs = await teamMembers.readGuarded(tx, "ofUser", [[user]]);
  const rows = await teamMembers.list(theirs, "ofUser", { under: [user], limit: 10_000 });
  return rows.map(({ record }) => record.team);
}

/** The thing with this id and the caller's role on it; undefined when it is absent or of the other type. */
export async function enterTree(
  { tx, actor, partitionCode, forwardedFrom, isWriting }: TargetContext,
  id: string,
  type: NodeRecord["type"],
): Promise<InTree | undefined> {
  const found = await whereIs(tx, id, forwardedFrom);
  if (found && "movedTo" in found) throw new MovedError(found.movedTo);
  const organization = await organizations.get(tx, formatOrganizationId(partitionCode));
  if (found?.path[0].type !== type || !organization) return undefined;
  const { path, isArriving } = found;
  const me = await findActiveMember(tx, actor.user.id);
  const role = roleIn(await viewerOn(tx, actor.user.id, path), path);
  // Callers who may not see it do not learn where it goes.
  if (isWriting && role !== null && (isArriving || isFrozen(path))) throw busyWithTransfer();
  return { organization, me, ownedTeams: 0, path, role, isArriving };
}

/** A place in the tree to put something. */
export interface NodePlace {
  readonly parent: string | null;
  readonly position: string;
}

/**
 * Finds a place for a thing: in a collection (null: at the top; undefined: where it is), beside a neighbour or at the
 * end. The caller needs the right to create there. Every id is resolved as the caller sees it.
 */
export async function findPlace(
  context: OrganizationContext & { readonly tx: Transaction; readonly actor: TargetContext["actor"] },
  wanted: {
    readonly id: string;
    readonly parent: string | null;
    readonly position?: v.InferOutput<typeof Position> | undefined;
    /**
     * True when the caller did not name the collection. Then a collection that they cannot see is a 403 and not a 404.
     */
    readonly isImplied?: boolean;
  },
  moving?: { readonly path: Path; readonly height: number },
): Promise<NodePlace> {
  const { tx, actor, me } = context;
  const above =
    wanted.parent === null ? [] : await pathToCollection(tx, actor.user.id, wanted.parent, wanted.isImplied);
  if (wanted.parent === null && !isRoleAtLeast(me?.role ?? null, "create")) throw createError("forbidden");
  if (moving && above.some(({ id }) => id === moving.path[0].id)) throw createError("cyclic_move");
  if (above.length + (moving?.height ?? 1) > MAX_DEPTH) throw createError("too_deep");
  const neighbour = wanted.position && (await neighbourIn(tx, actor.user.id, wanted.position));
  const position = await positionIn(tx, wanted.id, wanted.parent, neighbour);
  if (position === undefined) throw createValidationError("body.position", "There is no such neighbour in that place");
  return { parent: wanted.parent, position };
}

async function pathToCollection(tx: Reader, user: string, id: string, isImplied = false): Promise<CollectionRecord[]> {
  const node = await nodes.get(tx, id);
  const path = node?.type === "collection" && node.deletedAt === null ? await pathOf(tx, node) : undefined;
  const role = path ? roleIn(await viewerOn(tx, user, path), path) : null;
  if (!isImplied && (!path || role === null))
    throw createValidationError("body.parent", "The organization has no such collection");
  if (!path || !isRoleAtLeast(role, "create")) throw createError("forbidden");
  if (isFrozen(path)) throw busyWithTransfer();
  return path as unknown as CollectionRecord[];
}

/** A neighbour that the caller may not see counts as absent. */
async function neighbourIn(tx: Reader, user: string, position: v.InferOutput<typeof Position>): Promise<Neighbour> {
  const side = position.before ? "before" : "after";
  const pointer = (position.before ?? position.after)!;
  const id = pointer.type === "space" ? pointer.space : pointer.collection;
  const node = await nodes.get(tx, id);
  const path = node?.type === pointer.type ? await pathOf(tx, node) : undefined;
  if (!path || roleIn(await viewerOn(tx, user, path), path) === null)
    throw createValidationError(`body.position.${side}`, "There is no such neighbour in that place");
  return { id, side };
}

/** The destination of a thing that is being sent, for those who could have sent it. */
export function transferView({ path: [node], role }: InTree): { readonly transfer?: v.InferOutput<typeof Transfer> } {
  if (node.leaving === undefined || !isRoleAtLeast(role, "create")) return {};
  const { organization, job } = node.leaving;
  return { transfer: { organization, job } };
}

/** A destination in another organization, as the caller sees it. */
export interface Destination extends OrganizationContext {
  readonly above: readonly CollectionRecord[];
  readonly viewer: Viewer;
}

/** Finds a place in another organization. The caller needs the right to create there. */
export async function destinationIn(
  { organization, actor, peek }: OrganizationContext & Pick<TargetContext, "actor" | "peek">,
  wanted: { readonly organization: string; readonly collection?: string | undefined },
): Promise<Destination> {
  if (wanted.organization === organization.id) throw createError("same_organization");
  const partition = findOrganizationPartition(wanted.organization);
  const view = partition && (await peek(partition));
  const there = view && (await organizations.get(view, wanted.organization));
  const me = view && (await findActiveMember(view, actor.user.id));
  if (!there || !me)
    throw createValidationError("body.organization", "There is no such organization, or you are not in it");
  const viewer = await viewerOf(view, actor.user.id);
  const above = wanted.collection === undefined ? [] : await collectionIn(view, viewer, wanted.collection);
  if (!isRoleAtLeast(above.length > 0 ? roleIn(viewer, above as unknown as Path) : me.role, "create"))
    throw createError("forbidden");
  return { organization: there, me, ownedTeams: 0, above, viewer };
}

async function collectionIn(view: Reader, viewer: Viewer, id: string): Promise<CollectionRecord[]> {
  const node = await nodes.get(view, id);
  const path = node?.type === "collection" ? await pathOf(view, node) : undefined;
  if (!path || isTrashed(path) || roleIn(viewer, path) === null)
    throw createValidationError("body.collection", "The organization has no such collection");
  return path as unknown as CollectionRecord[];
}
