// The tree of an organization: nested collections and the spaces in them, in one order among siblings. Both kinds are
// in one set of records, because they are siblings of each other.

import { DocsError } from "../../../errors";
import type { Role, TranslationLanguage } from "../../../operation/common-schemas";
import type { ReadRows } from "../../../operation/pagination";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { createPositionBetween } from "./order";

/** The role on a node for people without a grant; `inherit`: the role that they have on the collection above. */
export type DefaultLevel = Role | null | "inherit";

interface CommonNodeFields {
  readonly id: string;
  readonly title: string;
  /** The collection that it is in; null: the top of the organization. */
  readonly parent: string | null;
  readonly position: string;
  readonly defaultLevel: DefaultLevel;
  readonly createdAt: string;
  /** When it was put into the trash. */
  readonly deletedAt: string | null;
  /** The number of its last transfer to another organization. */
  readonly moves?: number;
  /** Set while it is on its way to another organization. */
  readonly leaving?: OutgoingTransfer;
  /** Who sent it here. A repeated request finds the transfer done. */
  readonly sentBy?: string;
}

/** A transfer that was decided and is not finished. */
export interface OutgoingTransfer {
  readonly organization: string;
  /** The collection in the other organization. */
  readonly parent: string | null;
  readonly by: string;
  readonly job: string;
  /** The mark of the process that is about to replace the node with a forward. While it is set, nothing may change. */
  readonly frozen?: string;
}

export type CollectionRecord = CommonNodeFields & { readonly type: "collection"; readonly description: string | null };

export type SpaceRecord = CommonNodeFields & {
  readonly type: "space";
  readonly emoji: string | null;
  /** The name of an icon. Spaces stored by older versions have neither this nor a language. */
  readonly icon?: string | null;
  readonly language?: TranslationLanguage | null;
  readonly visibility: Visibility;
  readonly editMode: "live" | "locked";
  /** The id of its active revision. */
  readonly revision: string;
  readonly updatedAt: string;
  /** The space that it is a translation of. Whoever may not see that space does not see this one. */
  readonly follows?: string;
};

export type Visibility = "public" | "unlisted" | "share-link" | "visitor-auth" | "in-collection" | "private";
export type NodeRecord = CollectionRecord | SpaceRecord;

/** The fields of a node that decide rights on it, besides grants, and whether it is in the trash. */
export type NodeStanding = Pick<NodeRecord, "id" | "type" | "parent" | "defaultLevel" | "deletedAt"> &
  Pick<SpaceRecord, "follows">;

/** A path with only the fields that decide rights. */
export type StandingPath = readonly [NodeStanding, ...NodeStanding[]] & { readonly source?: StandingPath };

/** Returns the key of a node in the tree. A null parent sorts apart from every id. */
const getTreeKey = (node: NodeRecord) => [node.parent, node.position];
const isLive = (node: NodeRecord, type: NodeRecord["type"]) => node.type === type && node.deletedAt === null;

/** Checks that a node exists, is a space, and is not in the trash. */
export const isLiveSpace = (node: NodeRecord | undefined) => node !== undefined && isLive(node, "space");

export const nodes = defineRecordSet("node", {
  key: (node: NodeRecord) => [node.id],
  indexes: {
    children: (node) => (node.deletedAt === null ? getTreeKey(node) : undefined),
    /** All children, also those in the trash, which keep their positions. */
    places: getTreeKey,
    /** The collections among the children. */
    folders: (node) => (isLive(node, "collection") ? getTreeKey(node) : undefined),
    spaces: (node) => (isLive(node, "space") ? [node.createdAt] : undefined),
    collections: (node) => (isLive(node, "collection") ? [node.createdAt] : undefined),
  },
  /** No two nodes have the same position. */
  unique: { place: getTreeKey },
  totals: {
    spaces: (node) => (isLive(node, "space") ? [] : undefined),
    collections: (node) => (isLive(node, "collection") ? [] : undefined),
    children: (node) => (node.deletedAt === null ? [node.parent, node.type] : undefined),
  },
  guards: {
    folders: (node) => (node.type === "collection" ? [] : undefined),
    /** The fields that decide rights and the order of lists (visible-nodes.ts). Writing content does not touch it. */
    standing: {
      part: (node) => [
        ...[node.type, node.parent, node.position, node.defaultLevel, node.deletedAt, node.createdAt],
        getSourceSpaceId(node) ?? null,
      ],
    },
  },
});

/** The record that a node leaves behind when it is sent to another organization. Its id and links to it are forwarded. */
export interface ForwardRecord {
  readonly id: string;
  readonly partition: string;
  readonly number: number;
}

export const forwards = defineRecordSet("forward", { key: (forward: ForwardRecord) => [forward.id] });

/** A node that arrives from another organization and has no position here yet. */
export interface ArrivalRecord {
  readonly id: string;
  readonly number: number;
  /** The partition that it comes from. */
  readonly from: string;
  /** The root of the transfer: the node itself, or the collection that it is in. */
  readonly root: string;
  readonly node: NodeRecord;
  /** The collection that it will be in; null: the top. */
  readonly parent: string | null;
  /** The mark of the process that brings it, until it has arrived. Only the root of the transfer has one. */
  readonly pass?: string;
  /** The transfer ended before the switch. A process that still works on it finds this. */
  readonly isCalledOff?: true;
}

export const arrivals = defineRecordSet("arrival", {
  key: (arrival: ArrivalRecord) => [arrival.id],
  indexes: { ofRoot: (arrival) => [arrival.root] },
});

/** A node and the collections above it, from itself to the top. */
export type NodePath = readonly [NodeRecord, ...CollectionRecord[]] & {
  /** The path of the space that this one is a translation of. */
  readonly source?: NodePath;
};

/** Returns the path of a space with another revision than its active one. */
export function replaceRevision(path: NodePath, revision: string): NodePath {
  const [space, ...above] = path as readonly [SpaceRecord, ...CollectionRecord[]];
  const shown: NodePath = [{ ...space, revision }, ...above];
  return path.source ? Object.assign(shown, { source: path.source }) : shown;
}

/** The most collections that may be nested. */
export const MAX_DEPTH = 20;

/** Reads the path from a node to the top. It ends early below a deleted collection, whose nodes are about to be trashed. */
export async function readNodePath(tx: Reader, node: NodeRecord): Promise<NodePath> {
  const above: CollectionRecord[] = [];
  let next = node.parent;
  while (next !== null && above.length <= MAX_DEPTH) {
    const parent = await nodes.get(tx, next);
    if (parent?.type !== "collection") break;
    above.push(parent);
    next = parent.parent;
  }
  const path: NodePath = [node, ...above];
  const followed = getSourceSpaceId(node);
  const source = followed === undefined ? undefined : await nodes.get(tx, followed);
  return source ? Object.assign(path, { source: await readNodePath(tx, source) }) : path;
}

/**
 * Reads the paths of nodes on which a decision depends. The commit checks all collections at once, with a guard that
 * every change of a collection touches. It checks the sources of translations one by one, like the nodes themselves.
 */
export async function readCheckedNodePaths(tx: Reader, found: readonly NodeRecord[]): Promise<NodePath[]> {
  const followed = found.flatMap((node) => getSourceSpaceId(node) ?? []);
  await nodes.getMany(tx, followed);
  return readNodePaths(await nodes.readGuarded(tx, "folders", [[]]), found);
}

export async function readNodePaths(tx: Reader, found: readonly NodeRecord[]): Promise<NodePath[]> {
  const known = new Map<string, NodeRecord | undefined>(found.map((node) => [node.id, node]));
  const unknown = () =>
    [...new Set([...known.values()].flatMap((node) => [node?.parent, getSourceSpaceId(node)]))].filter(
      (id): id is string => typeof id === "string" && !known.has(id),
    );
  for (let missing = unknown(); missing.length > 0; missing = unknown()) {
    const above = await nodes.getMany(tx, missing);
    for (const [i, id] of missing.entries()) known.set(id, above[i]);
  }
  return found.map((node) => assemblePath(node, known) as NodePath);
}

export function assemblePath(node: NodeStanding, known: ReadonlyMap<string, NodeStanding | undefined>): StandingPath {
  const above: NodeStanding[] = [];
  for (let next = node.parent; next !== null && above.length <= MAX_DEPTH; next = above.at(-1)!.parent) {
    const parent = known.get(next);
    if (parent?.type !== "collection") break;
    above.push(parent);
  }
  const path: StandingPath = [node, ...above];
  const source = known.get(getSourceSpaceId(node) ?? "");
  return source ? Object.assign(path, { source: assemblePath(source, known) }) : path;
}

/** Turns a translation into an ordinary space. It is closed, because only its source opened it. */
export function detachTranslation(space: SpaceRecord): SpaceRecord {
  const { follows, ...free } = space;
  return follows === undefined ? space : { ...free, defaultLevel: null };
}

function getSourceSpaceId(node: Pick<NodeStanding, "type" | "follows"> | undefined): string | undefined {
  return node?.type === "space" ? node.follows : undefined;
}

export function walkPaths(tx: Reader, list: ReadRows<NodeRecord>): ReadRows<NodePath> {
  return async (slice) => {
    const rows = await list(slice);
    const paths = await readNodePaths(
      tx,
      rows.map(({ record }) => record),
    );
    return rows.map(({ position }, i) => ({ record: paths[i]!, position }));
  };
}

/**
 * Finds a node by its id. The children of a collection that was sent away have moved with it, although their records
 * may still be here. A node that is arriving is found only by calls that its old partition forwarded.
 */
export async function locateNode(tx: Reader, id: string, forwardedFrom?: string) {
  const node = await nodes.get(tx, id);
  if (!node) {
    const arrival = await arrivals.get(tx, id);
    if (arrival && !arrival.isCalledOff && arrival.from === forwardedFrom)
      return { path: await readArrivalPath(tx, arrival), isArriving: true };
    const forward = await forwards.get(tx, id);
    return forward && { movedTo: forward.partition };
  }
  const path = await readNodePath(tx, node);
  const { parent } = path.at(-1)!;
  if (parent === null || path.some(({ deletedAt }) => deletedAt !== null)) return { path, isArriving: false };
  // The path ends at a collection that is not here: it is arriving, was sent away or was deleted.
  const arrival = await arrivals.get(tx, parent);
  if (arrival && !arrival.isCalledOff)
    return { path: [...path, ...(await readArrivalPath(tx, arrival))] as unknown as NodePath, isArriving: true };
  const forward = await forwards.get(tx, parent);
  return forward ? { movedTo: forward.partition } : { path, isArriving: false };
}

/** Reads the path of an arriving node: first the collections that it arrives with, then those that are here. */
async function readArrivalPath(tx: Reader, arrival: ArrivalRecord): Promise<NodePath> {
  const path: NodeRecord[] = [];
  let next: ArrivalRecord | undefined = arrival;
  while (next && path.length <= MAX_DEPTH) {
    const { node, parent, root }: ArrivalRecord = next;
    const above: ArrivalRecord | undefined = parent === null ? undefined : await arrivals.get(tx, parent);
    next = above?.root === root && !above.isCalledOff ? above : undefined;
    const home = parent === null || next ? [] : await findCollectionPath(tx, parent);
    path.push({ ...node, parent: next || home.length > 0 ? parent : null });
    path.push(...home);
  }
  return path as unknown as NodePath;
}

/** Reads the path of a collection that is to receive a node. Returns an empty list if it is gone or in the trash. */
export async function findCollectionPath(tx: Reader, id: string): Promise<readonly NodeRecord[]> {
  const home = await nodes.get(tx, id);
  const path = home?.type === "collection" ? await readNodePath(tx, home) : undefined;
  return path && !isTrashed(path) ? path : [];
}

/** Checks whether a node, or a collection above it, is about to be replaced with a forward and must not change. */
export function isFrozen(path: NodePath): boolean {
  return path.some(({ leaving }) => leaving?.frozen !== undefined);
}

/** Checks whether a node is in the trash, or will be because a collection above it was deleted. */
export function isTrashed(path: StandingPath): boolean {
  return path.some((node) => node.deletedAt !== null) || path.at(-1)!.parent !== null;
}

/** Moves a node into the trash. This ends a transfer that isn't done, so that a restored node stays. */
export function toTrashed<Trashed extends NodeRecord>(node: Trashed, deletedAt: string): Trashed {
  const { leaving: _, ...rest } = node;
  return { ...rest, deletedAt } as unknown as Trashed;
}

export async function findActiveSpace(view: Reader, id: string): Promise<SpaceRecord | undefined> {
  const found = await nodes.get(view, id);
  if (found?.type !== "space" || isTrashed(await readNodePath(view, found))) return undefined;
  return found;
}

/** Finds a space that is not in the trash, for a caller that is going to change it. Throws if a transfer has frozen it. */
export async function findChangeableSpace(tx: Transaction, id: string): Promise<SpaceRecord | undefined> {
  const found = await findActiveSpace(tx, id);
  if (found && isFrozen(await readNodePath(tx, found))) throw createTransferBusyError();
  return found;
}

/** Creates the error for a change of a node that a transfer has frozen. */
export function createTransferBusyError(): DocsError {
  return new DocsError("transfer_busy", { headers: { "retry-after": "1" } });
}

/** The sibling next to which a node is put. */
export interface Neighbour {
  readonly id: string;
  readonly side: "before" | "after";
}

/**
 * Finds a free position in a collection: at the end, or next to a neighbour. Returns undefined if the neighbour is not
 * there. A position ends with a part of the node's id, so two nodes that are put into one place at once do not collide.
 */
export async function findFreePosition(
  tx: Transaction,
  id: string,
  parent: string | null,
  neighbour?: Neighbour,
): Promise<string | undefined> {
  const under = [parent];
  const suffix = `${id.slice(-3)}1`;
  if (!neighbour) {
    const [last] = await nodes.list(tx, "places", { under, reverse: true, limit: 1 });
    return createPositionBetween(last?.record.position, undefined) + suffix;
  }
  const sibling = await nodes.get(tx, neighbour.id);
  if (!sibling || sibling.deletedAt !== null || sibling.parent !== parent) return undefined;
  const [row] = await nodes.list(tx, "places", { under: getTreeKey(sibling), limit: 1 });
  const isBefore = neighbour.side === "before";
  const [next] = await nodes.list(tx, "places", { under, after: row!.position, reverse: isBefore, limit: 1 });
  const [low, high] = isBefore ? [next?.record, sibling] : [sibling, next?.record];
  return createPositionBetween(low?.position, high?.position) + suffix;
}
