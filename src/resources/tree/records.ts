// The tree of an organization: collections that nest, and the spaces in them, in one order among siblings. Both kinds are
// one set of records, because they stand beside each other and move past each other.

import type { Walk } from "../../kernel/pages";
import type { Role } from "../../shapes";
import { records } from "../../store/records";
import type { Reader, Transaction } from "../../store/transaction";
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
  /** The organization that it is on its way to. */
  readonly leaving?: string;
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
const placeOf = (node: NodeRecord) => [node.parent, node.position];
const inTree = (node: NodeRecord) => (node.deletedAt === null ? placeOf(node) : undefined);
const isLive = (node: NodeRecord, type: NodeRecord["type"]) => node.type === type && node.deletedAt === null;

export const nodes = records("node", {
  key: (node: NodeRecord) => [node.id],
  indexes: {
    children: inTree,
    /** The children with those in the trash: they keep their places, to come back to. */
    places: placeOf,
    /** The collections among the children. */
    folders: (node) => (node.type === "collection" ? inTree(node) : undefined),
    spaces: (node) => (isLive(node, "space") ? [node.createdAt] : undefined),
    collections: (node) => (isLive(node, "collection") ? [node.createdAt] : undefined),
  },
  /** No two things have one place. */
  unique: { place: placeOf },
  totals: {
    spaces: (node) => (isLive(node, "space") ? [] : undefined),
    collections: (node) => (isLive(node, "collection") ? [] : undefined),
    children: (node) => (node.deletedAt === null ? [node.parent, node.type] : undefined),
  },
  guards: { folders: (node) => (node.type === "collection" ? [] : undefined) },
});

/** Left behind by a thing that went to another organization: its id, and links to it, lead on from here. */
export const forwards = records("forward", {
  key: (forward: { readonly id: string; readonly partition: string }) => [forward.id],
});

/** A thing that has come from another organization but has no place here yet. */
export const arrivals = records("arrival", {
  key: (arrival: { readonly id: string; readonly node: NodeRecord; readonly parent: string | null }) => [arrival.id],
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
  const [row] = await nodes.list(tx, "places", { under: placeOf(sibling), limit: 1 });
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
