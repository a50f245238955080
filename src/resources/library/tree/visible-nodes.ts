/**
 * Caches which nodes of the tree each user sees, from one request to the next.
 *
 * Visibility depends on the tree (as far as its guard `standing` reaches), on all grants, on the user's role and on their
 * teams. Each request reads the guards, the role and the teams in its own snapshot, so a right that was taken away is gone
 * at the next request, whichever process took it. The cache only says where to look and how many nodes there are: a list
 * reads the nodes that it shows again, and checks the rights on them again.
 */

import { iterateRows } from "../../../operation/pagination";
import type { TargetContext } from "../../../operation/target";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { omitUndefined } from "../../../utils/objects";
import { VersionedCache } from "../../../utils/versioned-cache";
import { isInstallationId } from "../../people/members/installation-access";
import { findActiveMember } from "../../people/members/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { grants } from "../grants/records";
import {
  assemblePath,
  isTrashed,
  type NodePath,
  type NodeRecord,
  type NodeStanding,
  nodes,
  readNodePaths,
} from "./records";
import { getNodeRole, listTeamIds, loadViewer, type Viewer } from "./rules";

/** The active nodes that a user sees, each kind in the order of creation. */
export interface VisibleNodes {
  readonly viewer: Viewer;
  readonly spaces: readonly PositionedRecord<NodeStanding>[];
  readonly collections: readonly PositionedRecord<NodeStanding>[];
  /** All active spaces, whoever sees them. */
  readonly activeSpaces: readonly PositionedRecord<NodeStanding>[];
  /** A text that stays the same while `activeSpaces` does. */
  readonly treeStamp: string;
  /** A text that stays the same while all of this does. */
  readonly stamp: string;
}

/** A request that only reads: the cache knows nothing of the writes of a transaction. */
export interface TreeReadContext extends Pick<TargetContext, "tx" | "ports"> {
  readonly organization: { readonly id: string };
}

interface TreeSnapshot {
  /** All nodes, with those in the trash. */
  readonly nodesById: ReadonlyMap<string, NodeStanding>;
  readonly spaces: readonly PositionedRecord<NodeStanding>[];
  readonly collections: readonly PositionedRecord<NodeStanding>[];
  /** The visible nodes by user. All admins share the key "". */
  readonly seenByUser: VersionedCache<VisibleNodes>;
}

/** The most memory that the visible nodes of users take for one tree. */
const MAX_BYTES_BY_USER = 16 * 1024 * 1024;

/** Returns the nodes that a user sees, from the cache if nothing has changed. */
export async function getVisibleNodes(
  { tx, ports, organization }: TreeReadContext,
  user: string,
): Promise<VisibleNodes> {
  const [member, treeVersion] = await Promise.all([findActiveMember(tx, user), nodes.getGuardVersion(tx, "standing")]);
  const treeStamp = String(treeVersion);
  const organizationRole = member?.role;
  if (organizationRole === undefined) {
    const viewer = { organizationRole, grantedRoles: new Map() };
    return { viewer, spaces: [], collections: [], activeSpaces: [], treeStamp: "", stamp: "" };
  }
  const name = `${findOrganizationPartition(organization.id)} tree`;
  let tree = ports.cache.get<TreeSnapshot>(name, [treeStamp]);
  if (!tree) {
    const nodesById = new Map<string, NodeStanding>();
    const [spaces, collections]: [PositionedRecord<NodeStanding>[], PositionedRecord<NodeStanding>[]] = [[], []];
    for await (const { record } of iterateRows((slice) => nodes.list(tx, "places", slice))) {
      const node = toNodeStanding(record);
      nodesById.set(node.id, node);
      const [index, rows] =
        record.type === "space" ? (["spaces", spaces] as const) : (["collections", collections] as const);
      const position = nodes.getPosition(index, record);
      if (position !== undefined) rows.push({ record: node, position });
    }
    for (const rows of [spaces, collections]) rows.sort((a, b) => (a.position < b.position ? -1 : 1));
    tree = { nodesById, spaces, collections, seenByUser: new VersionedCache(MAX_BYTES_BY_USER, 500) };
  }
  const isAdmin = organizationRole === "admin";
  const key = isAdmin ? "" : user;
  const stamp = isAdmin ? "" : await getViewerStamp(tx, user, organizationRole);
  const cached = tree.seenByUser.get(key, [stamp]);
  if (cached) return cached;
  const viewer = await loadViewer(tx, user);
  const { nodesById, seenByUser } = tree;
  const isVisible = ({ record }: PositionedRecord<NodeStanding>) => {
    const path = assemblePath(record, nodesById);
    return !isTrashed(path) && getNodeRole(viewer, path) !== null;
  };
  const seen: VisibleNodes = {
    viewer,
    spaces: tree.spaces.filter(isVisible),
    collections: tree.collections.filter(isVisible),
    activeSpaces: tree.spaces,
    treeStamp,
    stamp: `${treeStamp} ${stamp}`,
  };
  // The cache limits its size by such estimates.
  const bytes = 2 * stamp.length + 8 * (seen.spaces.length + seen.collections.length) + 200 * viewer.grantedRoles.size;
  seenByUser.set(key, seen, { versions: [stamp], bytes });
  const treeBytes = 500 * nodesById.size + seenByUser.getStats().size;
  ports.cache.set(name, tree, { versions: [treeStamp], bytes: treeBytes });
  return seen;
}

/** Returns a text that stays the same while a member sees the same nodes; undefined for users who are not members. */
export async function getVisibilityStamp(tx: Reader, user: string): Promise<string | undefined> {
  const [member, treeVersion] = await Promise.all([findActiveMember(tx, user), nodes.getGuardVersion(tx, "standing")]);
  if (!member) return undefined;
  return `${treeVersion} ${member.role === "admin" ? "" : await getViewerStamp(tx, user, member.role)}`;
}

/** Returns a text that stays the same while a user sees the same nodes of the same tree. */
async function getViewerStamp(tx: Reader, user: string, organizationRole: string | null): Promise<string> {
  // The visibility of nodes to an installation depends on records of a module above this one.
  if (isInstallationId(user)) return String(tx.version);
  const [grantsStamp, teams] = await Promise.all([grants.getGuardVersion(tx, "any"), listTeamIds(tx, user)]);
  return JSON.stringify([organizationRole, grantsStamp ?? null, teams]);
}

/** Picks the fields that the guard `standing` covers. A cached record must hold no others: they could be outdated. */
export function toNodeStanding(node: NodeRecord): NodeStanding {
  const { id, type, parent, defaultLevel, deletedAt } = node;
  const follows = node.type === "space" ? node.follows : undefined;
  return { id, type, parent, defaultLevel, deletedAt, ...omitUndefined({ follows }) };
}

/** Reads nodes as they are now, with their paths, and leaves out those that a viewer does not see. */
export async function readVisiblePaths(
  tx: Reader,
  viewer: Viewer,
  ids: readonly { readonly id: string }[],
): Promise<NodePath[]> {
  const found = await nodes.getMany(
    tx,
    ids.map(({ id }) => [id]),
  );
  const paths = await readNodePaths(
    tx,
    found.flatMap((node) => node ?? []),
  );
  return paths.filter((path) => !isTrashed(path) && getNodeRole(viewer, path) !== null);
}
