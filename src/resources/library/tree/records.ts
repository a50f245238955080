// The tree of an organization: nested collections and the spaces in them, in one order among siblings. Both kinds are
// in one set of records, because they are siblings of each other.

import { DocsError } from "../../../errors";
import type { Role, TranslationLanguage } from "../../../operation/common-schemas";
import type { ReadRows } from "../../../operation/pagination";
import { defineRecordSet } from "../../../storage/records";
import type { Reader, Transaction } from "../../../storage/transaction";
import { between } from "./order";

/** The role on a thing for people without a grant; `inherit`: the role that they have on the thing above. */
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
  /** The number of its last transfer to another organization. */
  readonly moves?: number;
  /** Set while it is on its way to another organization. */
  readonly leaving?: Leaving;
  /** Who sent it here. A repeated request finds the transfer done. */
  readonly sentBy?: string;
}

/** A transfer that was decided and is not finished. */
export interface Leaving {
  readonly organization: string;
  /** The collection in the other organization. */
  readonly parent: string | null;
  readonly by: string;
  readonly job: string;
  /** Set while its content must not change: the mark of the process that is about to replace it with a forward. */
  readonly frozen?: string;
}

export type CollectionRecord = Node & { readonly type: "collection"; readonly description: string | null };

export type SpaceRecord = Node & {
  readonly type: "space";
  readonly emoji: string | null;
  /** The name of an icon. Spaces stored by older versions have neither this nor a language. */
  readonly icon?: string | null;
  /** What it is written in. */
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

/** What decides the rights on a thing, beside grants, and whether it is in the trash. */
export type Standing = Pick<NodeRecord, "id" | "type" | "parent" | "defaultLevel" | "deletedAt"> &
  Pick<SpaceRecord, "follows">;

/** A path as far as it decides rights. */
export type StandingPath = readonly [Standing, ...Standing[]] & { readonly source?: StandingPath };

/** The key in the tree. A null parent sorts apart from every id. */
const treeKeyOf = (node: NodeRecord) => [node.parent, node.position];
const inTree = (node: NodeRecord) => (node.deletedAt === null ? treeKeyOf(node) : undefined);
const isLive = (node: NodeRecord, type: NodeRecord["type"]) => node.type === type && node.deletedAt === null;

/** Whether it is a space that is there, and not in the trash. */
export const isLiveSpace = (node: NodeRecord | undefined) => node !== undefined && isLive(node, "space");

export const nodes = defineRecordSet("node", {
  key: (node: NodeRecord) => [node.id],
  indexes: {
    children: inTree,
    /** All children, also those in the trash, which keep their positions. */
    places: treeKeyOf,
    /** The collections among the children. */
    folders: (node) => (node.type === "collection" ? inTree(node) : undefined),
    spaces: (node) => (isLive(node, "space") ? [node.createdAt] : undefined),
    collections: (node) => (isLive(node, "collection") ? [node.createdAt] : undefined),
  },
  /** No two things have the same position. */
  unique: { place: treeKeyOf },
  totals: {
    spaces: (node) => (isLive(node, "space") ? [] : undefined),
    collections: (node) => (isLive(node, "collection") ? [] : undefined),
    children: (node) => (node.deletedAt === null ? [node.parent, node.type] : undefined),
  },
  guards: {
    folders: (node) => (node.type === "collection" ? [] : undefined),
    /** Everything that decides rights and orders lists (known-tree.ts). Writing content does not touch it. */
    standing: {
      part: (node) => [
        ...[node.type, node.parent, node.position, node.defaultLevel, node.deletedAt, node.createdAt],
        followedBy(node) ?? null,
      ],
    },
  },
});

/** Left behind by a thing that was sent to another organization. Its id and links to it are forwarded. */
export interface ForwardRecord {
  readonly id: string;
  readonly partition: string;
  /** The number of the transfer. */
  readonly number: number;
}

export const forwards = defineRecordSet("forward", { key: (forward: ForwardRecord) => [forward.id] });

/** A thing that is arriving from another organization and has no position here yet. */
export interface ArrivalRecord {
  readonly id: string;
  /** The number of its transfer. */
  readonly number: number;
  /** The partition that it comes from. */
  readonly from: string;
  /** What was sent: the thing itself, or the collection that it is in. */
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

/** A thing and the collections above it, from itself to the top; undefined when one of them is gone. */
export type Path = readonly [NodeRecord, ...CollectionRecord[]] & {
  /** The path of the space that this one is a translation of. */
  readonly source?: Path;
};

/** The path of a space that shows another revision than its own. */
export function showing(path: Path, revision: string): Path {
  const [space, ...above] = path as readonly [SpaceRecord, ...CollectionRecord[]];
  const shown: Path = [{ ...space, revision }, ...above];
  return path.source ? Object.assign(shown, { source: path.source }) : shown;
}

/** The most collections inside each other. */
export const MAX_DEPTH = 20;

/**
 * The path from a thing to the top. A thing whose collection was deleted counts as at the top: it is about to be put
 * into the trash.
 */
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

/**
 * The paths of many things that were read for a decision. The collections are one check of the commit for all, which
 * every change of a collection touches. The sources of translations are checked one by one, as the things themselves
 * are.
 */
export async function checkedPathsOf(tx: Reader, found: readonly NodeRecord[]): Promise<Path[]> {
  const followed = found.flatMap((node) => followedBy(node) ?? []);
  await nodes.getMany(
    tx,
    followed.map((id) => [id]),
  );
  return pathsOf(await nodes.readGuarded(tx, "folders", [[]]), found);
}

/** The paths of many things, read level by level. */
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
  return found.map((node) => wayUp(node, known) as Path);
}

/** The path of a thing among known ones. */
export function wayUp(node: Standing, known: ReadonlyMap<string, Standing | undefined>): StandingPath {
  const above: Standing[] = [];
  for (let next = node.parent; next !== null && above.length <= MAX_DEPTH; next = above.at(-1)!.parent) {
    const parent = known.get(next);
    if (parent?.type !== "collection") break;
    above.push(parent);
  }
  const path: StandingPath = [node, ...above];
  const source = known.get(followedBy(node) ?? "");
  return source ? Object.assign(path, { source: wayUp(source, known) }) : path;
}

/** A translation as a space of its own. It is closed, because only its source opened it. */
export function unfollowing(space: SpaceRecord): SpaceRecord {
  const { follows, ...free } = space;
  return follows === undefined ? space : { ...free, defaultLevel: null };
}

/** The space that one is a translation of. */
function followedBy(node: Pick<Standing, "type" | "follows"> | undefined): string | undefined {
  return node?.type === "space" ? node.follows : undefined;
}

/** A list of things as a list of their paths. */
export function walkPaths(tx: Reader, list: ReadRows<NodeRecord>): ReadRows<Path> {
  return async (slice) => {
    const rows = await list(slice);
    const paths = await pathsOf(
      tx,
      rows.map(({ record }) => record),
    );
    return rows.map(({ position }, i) => ({ record: paths[i]!, position }));
  };
}

/** Where a thing is: here, with its path; or in another partition. */
export type Whereabouts =
  | {
      readonly path: Path;
      /** It is here without a settled position: it can be read but not changed. */
      readonly isArriving: boolean;
    }
  | { readonly movedTo: string };

/**
 * Finds a thing by its id. The children of a collection that was sent away have moved with it, although their records
 * may still be here. A thing that is arriving is found only by calls that the old partition forwarded.
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

/** The path of an arriving thing: first what it arrives with, then what is here. */
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

/** The path of a collection to put something into; empty when it is gone. */
export async function wayTo(tx: Reader, id: string): Promise<readonly NodeRecord[]> {
  const home = await nodes.get(tx, id);
  const path = home?.type === "collection" ? await pathOf(tx, home) : undefined;
  return path && !isTrashed(path) ? path : [];
}

/** Whether a thing, or something above it, is about to be replaced with a forward and must not change. */
export function isFrozen(path: Path): boolean {
  return path.some(({ leaving }) => leaving?.frozen !== undefined);
}

/** Whether a thing is in the trash, or will be because something above it was deleted. */
export function isTrashed(path: StandingPath): boolean {
  return path.some((node) => node.deletedAt !== null) || path.at(-1)!.parent !== null;
}

/**
 * Returns a thing as it is in the trash. Deleting ends a transfer that isn't done, so that a thing that is restored
 * stays where it was restored.
 */
export function toTrashed<Thing extends NodeRecord>(node: Thing, deletedAt: string): Thing {
  const { leaving: _, ...rest } = node;
  return { ...rest, deletedAt } as unknown as Thing;
}

/** A space in use. */
export async function spaceIn(view: Reader, id: string): Promise<SpaceRecord | undefined> {
  const found = await nodes.get(view, id);
  if (found?.type !== "space" || isTrashed(await pathOf(view, found))) return undefined;
  return found;
}

/** The same for a caller that is going to change it. */
export async function spaceToChange(tx: Transaction, id: string): Promise<SpaceRecord | undefined> {
  const found = await spaceIn(tx, id);
  if (found && isFrozen(await pathOf(tx, found))) throw busyWithTransfer();
  return found;
}

/** Refuses changes of a thing that is being brought to another organization. */
export function busyWithTransfer(): DocsError {
  return new DocsError("transfer_busy", { headers: { "retry-after": "1" } });
}

/** A neighbour to be put before or after. */
export interface Neighbour {
  readonly id: string;
  readonly side: "before" | "after";
}

/**
 * A free position in a collection: at the end, or beside a neighbour; undefined when the neighbour is not there. It
 * ends with a part of the thing's id, so two things that are put into the same place at once get different positions.
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

/** The depth of a collection, counting itself. */
export async function heightOf(tx: Reader, collection: string): Promise<number> {
  return heightIn(await nodes.readGuarded(tx, "folders", [[]]), collection);
}

async function heightIn(tx: Reader, collection: string): Promise<number> {
  const folders = await nodes.list(tx, "folders", { under: [collection], limit: 10_000 });
  const heights = await Promise.all(folders.map(({ record }) => heightIn(tx, record.id)));
  return heights.reduce((highest, height) => Math.max(highest, height + 1), 1);
}
