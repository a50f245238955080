// The tree of an organization: collections that nest, and the spaces in them, in one order among siblings. Both kinds are
// one set of records, because they stand beside each other and move past each other.

import { DocsError } from "../../../errors";
import type { Walk } from "../../../operation/pages";
import type { Role } from "../../../shapes";
import { records } from "../../../store/records";
import type { Reader, Transaction } from "../../../store/transaction";
import { between } from "./order";

/** What people may do with a thing who were not given anything on it; `inherit`: what they may do with what is above it. */
export type DefaultLevel = Role | null | "inherit";

interface Node {
  readonly id: string;
  readonly title: string;
  /** The collection that it is in; null: the top of the organization. */
  readonly parent: string | null;
  readonly position: string;
  readonly defaultLevel: DefaultLevel;
  readonly createdAt: string;
  /** When it was put into the trash. */
  readonly deletedAt: string | null;
  /** How often it was sent to another organization: the number of the last of these transfers. */
  readonly moves?: number;
  /** Of what is on its way to another organization. */
  readonly leaving?: Leaving;
  /** Who sent it here: a request that is repeated finds it done. */
  readonly sentBy?: string;
}

/** A transfer that was decided, and not yet carried out. */
export interface Leaving {
  readonly organization: string;
  /** The collection there that it goes into. */
  readonly parent: string | null;
  readonly by: string;
  readonly job: string;
  /** Set while what is in it must not change; the mark of whoever is about to exchange it for a forward. */
  readonly frozen?: string;
}

export type CollectionRecord = Node & { readonly type: "collection"; readonly description: string | null };

export type SpaceRecord = Node & {
  readonly type: "space";
  readonly emoji: string | null;
  readonly visibility: Visibility;
  readonly editMode: "live" | "locked";
  /** The id of its active revision. */
  readonly revision: string;
  readonly updatedAt: string;
  /** The space that it is a translation of: whoever may not see that one does not see this one. */
  readonly follows?: string;
};

export type Visibility = "public" | "unlisted" | "share-link" | "visitor-auth" | "in-collection" | "private";
export type NodeRecord = CollectionRecord | SpaceRecord;

/** The parent in keys: null sorts apart from every id. */
const treeKeyOf = (node: NodeRecord) => [node.parent, node.position];
const inTree = (node: NodeRecord) => (node.deletedAt === null ? treeKeyOf(node) : undefined);
const isLive = (node: NodeRecord, type: NodeRecord["type"]) => node.type === type && node.deletedAt === null;

export const nodes = records("node", {
  key: (node: NodeRecord) => [node.id],
  indexes: {
    children: inTree,
    /** The children with those in the trash: they keep their places, to come back to. */
    places: treeKeyOf,
    /** The collections among the children. */
    folders: (node) => (node.type === "collection" ? inTree(node) : undefined),
    spaces: (node) => (isLive(node, "space") ? [node.createdAt] : undefined),
    collections: (node) => (isLive(node, "collection") ? [node.createdAt] : undefined),
  },
  /** No two things have one place. */
  unique: { place: treeKeyOf },
  totals: {
    spaces: (node) => (isLive(node, "space") ? [] : undefined),
    collections: (node) => (isLive(node, "collection") ? [] : undefined),
    children: (node) => (node.deletedAt === null ? [node.parent, node.type] : undefined),
  },
  guards: { folders: (node) => (node.type === "collection" ? [] : undefined) },
});

/** Left behind by a thing that went to another organization: its id, and links to it, lead on from here. */
export interface ForwardRecord {
  readonly id: string;
  readonly partition: string;
  /** The number of the transfer that it went with. */
  readonly number: number;
}

export const forwards = records("forward", { key: (forward: ForwardRecord) => [forward.id] });

/** A thing that is coming from another organization and has no place here yet. */
export interface ArrivalRecord {
  readonly id: string;
  /** The number of its transfer. */
  readonly number: number;
  /** The partition that it comes from. */
  readonly from: string;
  /** What was sent: itself, or the collection that it is in. */
  readonly root: string;
  readonly node: NodeRecord;
  /** What it is going to lie in; null: the top. */
  readonly parent: string | null;
  /** The mark of whoever brings it, as long as it is not here: the root alone has one. */
  readonly pass?: string;
  /** The transfer ended before anything was exchanged. Whoever still works on it finds this. */
  readonly isCalledOff?: true;
}

export const arrivals = records("arrival", {
  key: (arrival: ArrivalRecord) => [arrival.id],
  indexes: { ofRoot: (arrival) => [arrival.root] },
});

/** A thing and what it lies in, from itself to the top; undefined when it, or something above it, is gone. */
export type Path = readonly [NodeRecord, ...CollectionRecord[]] & {
  /** The way up from the space that this one is a translation of. */
  readonly source?: Path;
};

/** The most collections inside each other. */
export const MAX_DEPTH = 20;

/** The way up from a thing. One whose collection was deleted stands at the top: it is on its way into the trash. */
export async function pathOf(tx: Reader, node: NodeRecord): Promise<Path> {
  const above: CollectionRecord[] = [];
  let next = node.parent;
  while (next !== null && above.length <= MAX_DEPTH) {
    const parent = await nodes.get(tx, next);
    if (parent?.type !== "collection") break;
    above.push(parent);
    next = parent.parent;
  }
  const path: Path = [node, ...above];
  const followed = followedBy(node);
  const source = followed === undefined ? undefined : await nodes.get(tx, followed);
  return source ? Object.assign(path, { source: await pathOf(tx, source) }) : path;
}

/** The ways up from many things that were read, for a decision: the collections are one check for all, which every change of
 * a collection touches; what the things are translations of is checked one by one, as they are themselves. */
export async function checkedPathsOf(tx: Reader, found: readonly NodeRecord[]): Promise<Path[]> {
  const followed = found.flatMap((node) => followedBy(node) ?? []);
  await nodes.getMany(
    tx,
    followed.map((id) => [id]),
  );
  return pathsOf(await nodes.guarded(tx, "folders", [[]]), found);
}

/** The ways up from many things, read level by level. */
export async function pathsOf(tx: Reader, found: readonly NodeRecord[]): Promise<Path[]> {
  const known = new Map<string, NodeRecord | undefined>(found.map((node) => [node.id, node]));
  const unknown = () =>
    [...new Set([...known.values()].flatMap((node) => [node?.parent, followedBy(node)]))].filter(
      (id): id is string => typeof id === "string" && !known.has(id),
    );
  for (let wanted = unknown(); wanted.length > 0; wanted = unknown()) {
    const above = await nodes.getMany(
      tx,
      wanted.map((id) => [id]),
    );
    for (const [i, id] of wanted.entries()) known.set(id, above[i]);
  }
  return found.map((node) => wayUp(node, known));
}

function wayUp(node: NodeRecord, known: ReadonlyMap<string, NodeRecord | undefined>): Path {
  const above: CollectionRecord[] = [];
  for (let next = node.parent; next !== null && above.length <= MAX_DEPTH; next = above.at(-1)!.parent) {
    const parent = known.get(next);
    if (parent?.type !== "collection") break;
    above.push(parent);
  }
  const path: Path = [node, ...above];
  const source = known.get(followedBy(node) ?? "");
  return source ? Object.assign(path, { source: wayUp(source, known) }) : path;
}

/** A translation as a space of its own: closed, since all that opened it was its source. */
export function unfollowing(space: SpaceRecord): SpaceRecord {
  const { follows, ...free } = space;
  return follows === undefined ? space : { ...free, defaultLevel: null };
}

/** The space that one is a translation of. */
function followedBy(node: NodeRecord | undefined): string | undefined {
  return node?.type === "space" ? node.follows : undefined;
}

/** A list of things as a list of their ways up. */
export function walkPaths(tx: Reader, list: Walk<NodeRecord>): Walk<Path> {
  return async (slice) => {
    const rows = await list(slice);
    return Promise.all(rows.map(async ({ record, position }) => ({ record: await pathOf(tx, record), position })));
  };
}

/** Where something is: here, with its way up; or in another partition. */
export type Whereabouts =
  | {
      readonly path: Path;
      /** It is here, and its place is not settled: it can be read and not be changed. */
      readonly isArriving: boolean;
    }
  | { readonly movedTo: string };

/**
 * Looks for a thing by its id. What is in a collection that was sent away went with it, although it is still written here;
 * and what is coming is here for those alone who were sent by the place that it has left.
 */
export async function whereIs(tx: Reader, id: string, cameFrom?: string): Promise<Whereabouts | undefined> {
  const node = await nodes.get(tx, id);
  if (node) return whereIsNode(tx, await pathOf(tx, node));
  const arrival = await arrivals.get(tx, id);
  if (arrival && !arrival.isCalledOff && arrival.from === cameFrom)
    return { path: await pathOfArrival(tx, arrival), isArriving: true };
  const forward = await forwards.get(tx, id);
  return forward && { movedTo: forward.partition };
}

async function whereIsNode(tx: Reader, path: Path): Promise<Whereabouts> {
  const { parent } = path.at(-1)!;
  if (parent === null || path.some(({ deletedAt }) => deletedAt !== null)) return { path, isArriving: false };
  const arrival = await arrivals.get(tx, parent);
  if (arrival && !arrival.isCalledOff)
    return { path: [...path, ...(await pathOfArrival(tx, arrival))] as unknown as Path, isArriving: true };
  const forward = await forwards.get(tx, parent);
  return forward ? { movedTo: forward.partition } : { path, isArriving: false };
}

/** The way up from what is coming: what it comes with, and then what is here. */
async function pathOfArrival(tx: Reader, arrival: ArrivalRecord): Promise<Path> {
  const path: NodeRecord[] = [];
  let next: ArrivalRecord | undefined = arrival;
  while (next && path.length <= MAX_DEPTH) {
    const { node, parent, root }: ArrivalRecord = next;
    const above: ArrivalRecord | undefined = parent === null ? undefined : await arrivals.get(tx, parent);
    next = above?.root === root && !above.isCalledOff ? above : undefined;
    const home = parent === null || next ? [] : await wayTo(tx, parent);
    path.push({ ...node, parent: next || home.length > 0 ? parent : null });
    path.push(...home);
  }
  return path as unknown as Path;
}

/** The way up from a collection to put something into; none when it is gone. */
export async function wayTo(tx: Reader, id: string): Promise<readonly NodeRecord[]> {
  const home = await nodes.get(tx, id);
  const path = home?.type === "collection" ? await pathOf(tx, home) : undefined;
  return path && !isTrashed(path) ? path : [];
}

/** Whether a thing, or something above it, is about to be exchanged for a forward, and must not change until then. */
export function isFrozen(path: Path): boolean {
  return path.some(({ leaving }) => leaving?.frozen !== undefined);
}

/** Whether a thing is in the trash, or is about to be because something above it was deleted. */
export function isTrashed(path: Path): boolean {
  return path.some((node) => node.deletedAt !== null) || path.at(-1)!.parent !== null;
}

/** A space in use. */
export async function spaceIn(view: Reader, id: string): Promise<SpaceRecord | undefined> {
  const found = await nodes.get(view, id);
  if (found?.type !== "space" || isTrashed(await pathOf(view, found))) return undefined;
  return found;
}

/** The same for whoever is going to change it. */
export async function spaceToChange(tx: Transaction, id: string): Promise<SpaceRecord | undefined> {
  const found = await spaceIn(tx, id);
  if (found && isFrozen(await pathOf(tx, found))) throw busyWithTransfer();
  return found;
}

/** For those who want to change what is being brought to another organization. */
export function busyWithTransfer(): DocsError {
  return new DocsError("transfer_busy", { headers: { "retry-after": "1" } });
}

/** A neighbour to be put before or after. */
export interface Neighbour {
  readonly id: string;
  readonly side: "before" | "after";
}

/**
 * A free position for a thing in a collection: at the end, or beside a neighbour; undefined when the neighbour is not
 * there. It ends with a piece of the thing's id, so that two that are put into one place at once do not meet.
 */
export async function positionIn(
  tx: Transaction,
  id: string,
  parent: string | null,
  neighbour?: Neighbour,
): Promise<string | undefined> {
  const under = [parent];
  const own = `${id.slice(-3)}1`;
  if (!neighbour) {
    const [last] = await nodes.list(tx, "places", { under, reverse: true, limit: 1 });
    return between(last?.record.position, undefined) + own;
  }
  const sibling = await nodes.get(tx, neighbour.id);
  if (!sibling || sibling.deletedAt !== null || sibling.parent !== parent) return undefined;
  const [row] = await nodes.list(tx, "places", { under: treeKeyOf(sibling), limit: 1 });
  const isBefore = neighbour.side === "before";
  const [next] = await nodes.list(tx, "places", { under, after: row!.position, reverse: isBefore, limit: 1 });
  const [low, high] = isBefore ? [next?.record, sibling] : [sibling, next?.record];
  return between(low?.position, high?.position) + own;
}

/** How many collections deep a collection is, itself included. */
export async function heightOf(tx: Reader, collection: string): Promise<number> {
  return heightIn(await nodes.guarded(tx, "folders", [[]]), collection);
}

async function heightIn(tx: Reader, collection: string): Promise<number> {
  const folders = await nodes.list(tx, "folders", { under: [collection], limit: 10_000 });
  const heights = await Promise.all(folders.map(({ record }) => heightIn(tx, record.id)));
  return heights.reduce((highest, height) => Math.max(highest, height + 1), 1);
}
