// Reads a map. Every function descends level by level and loads all nodes that it needs of a level at once. So a read
// waits once for each level, and not at all if the nodes are in memory.

import { findSortedIndex } from "../../utils/sorted";
import type { JsonValue } from "./json";
import type { ChildPointer, MapEntry, MapNode, MapRoot } from "./node";
import { type MaybePromise, type NodeSource, openNodes, openRootNode, streamChildren } from "./node-source";
import { type KeyBounds, type KeyRange, type RangedChild, selectChildren, selectEntries, toKeyRange } from "./range";

/** Returns the value of a key. Most reads are of one key, and this takes half the time of `getValues`. */
export async function getValue(source: NodeSource, root: MapRoot, key: string): Promise<JsonValue | undefined> {
  if (root === null) return undefined;
  const rootNode = openRootNode(source, root);
  let node = rootNode instanceof Promise ? await rootNode : rootNode;
  while (!("entries" in node)) {
    const index = findSortedIndex(node.keys, key);
    if (index === node.keys.length) return undefined;
    const opened: MaybePromise<readonly MapNode[]> = openNodes(source, node.level - 1, [node.getChild(index)]);
    node = (opened instanceof Promise ? await opened : opened)[0]!;
  }
  return node.findEntry(key)?.value;
}

/** A node, and the indexes of the requested keys that lead to it. */
interface KeyLookup {
  readonly node: MapNode;
  readonly indexes: readonly number[];
}

/** Returns the values of keys, in the order of the keys, with undefined for each key that the map does not have. */
export async function getValues(
  source: NodeSource,
  root: MapRoot,
  keys: readonly string[],
): Promise<(JsonValue | undefined)[]> {
  const values = new Array<JsonValue | undefined>(keys.length).fill(undefined);
  if (root === null || keys.length === 0) return values;
  const rootNode = openRootNode(source, root);
  let lookups: readonly KeyLookup[] = [
    { node: rootNode instanceof Promise ? await rootNode : rootNode, indexes: [...keys.keys()] },
  ];
  while (lookups.length > 0) {
    const indexesByChild = new Map<ChildPointer, number[]>();
    for (const { node, indexes } of lookups) {
      if (indexes.length === 1 && "entries" in node) {
        values[indexes[0]!] = node.findEntry(keys[indexes[0]!]!)?.value;
        continue;
      }
      for (const index of indexes) {
        const key = keys[index]!;
        const keyIndex = findSortedIndex(node.keys, key);
        if ("entries" in node) {
          if (node.keys[keyIndex] === key) values[index] = node.getEntry(keyIndex).value;
        } else if (keyIndex < node.keys.length) {
          const child = node.getChild(keyIndex);
          const childIndexes = indexesByChild.get(child);
          if (childIndexes) childIndexes.push(index);
          else indexesByChild.set(child, [index]);
        }
      }
    }
    const opened = openNodes(source, lookups[0]!.node.level - 1, [...indexesByChild.keys()]);
    const nodes = opened instanceof Promise ? await opened : opened;
    lookups = [...indexesByChild.values()].map((indexes, i) => ({ node: nodes[i]!, indexes }));
  }
  return values;
}

/** The range, the order and the size of a list. */
export interface ListEntriesOptions extends KeyBounds {
  /** From the last to the first. Default: false. */
  readonly reverse?: boolean | undefined;
  /** Default: all entries. */
  readonly limit?: number | undefined;
}

/** A node with a lower bound of its keys: none of them is less than `start`. */
interface OpenNode {
  readonly node: MapNode;
  readonly start: string;
}

/** A list that is being read. Its frontier holds the nodes of the current level that it needs, in order. */
interface PendingList {
  readonly options: ListEntriesOptions;
  readonly range: KeyRange;
  frontier: readonly OpenNode[];
}

/** Returns the entries of a range, in the order of the keys or in reverse. */
export async function listEntries(
  source: NodeSource,
  root: MapRoot,
  options: ListEntriesOptions = {},
): Promise<MapEntry[]> {
  return (await listRanges(source, root, [options]))[0]!;
}

/** Returns the entries of several ranges. They are read together, so that they wait only once for each level. */
export async function listRanges(
  source: NodeSource,
  root: MapRoot,
  requests: readonly ListEntriesOptions[],
): Promise<MapEntry[][]> {
  if (root === null) return requests.map(() => []);
  const opened = openRootNode(source, root);
  const top = { node: opened instanceof Promise ? await opened : opened, start: "" };
  const lists = requests.map((options): PendingList => ({ options, range: toKeyRange(options), frontier: [top] }));
  for (let { level } = top.node; level > 0; level--) {
    const neededByList = lists.map(({ options, range, frontier }) => {
      // With a limit, a list needs only the first children that certainly have so many entries of the range: children that lie completely
      // in the range count.
      const { reverse = false, limit = Number.POSITIVE_INFINITY } = options;
      if (!(limit > 0)) return [];
      const listChildren = selectFrontierChildren(frontier, range);
      if (reverse) listChildren.reverse();
      let certainEntries = 0;
      const last = listChildren.findIndex((child) => {
        if (child.start >= range.from && child.key < range.to) certainEntries += child.count;
        return certainEntries >= limit;
      });
      const needed = last < 0 ? listChildren : listChildren.slice(0, last + 1);
      return reverse ? needed.reverse() : needed;
    });
    // Lists that overlap share nodes.
    const children = new Map(neededByList.flat().map((child) => [child.hash, child]));
    const opened = openNodes(source, level - 1, [...children.values()]);
    const nodes = opened instanceof Promise ? await opened : opened;
    const nodesByHash = new Map([...children.keys()].map((hash, i) => [hash, nodes[i]!]));
    for (const [i, needed] of neededByList.entries())
      lists[i]!.frontier = needed.map(({ hash, start }) => ({ node: nodesByHash.get(hash)!, start }));
  }
  return lists.map(({ options: { reverse = false, limit }, range, frontier }) => {
    const entries = frontier.flatMap(({ node }) => ("entries" in node ? selectEntries(node, range) : []));
    return (reverse ? entries.reverse() : entries).slice(0, limit);
  });
}

/** Entries that follow each other in the map. A chunk may be empty: the caller can yield to other work there. */
export interface EntryChunk<Entry = MapEntry> {
  /** The position of the chunk among all chunks. */
  readonly index: number;
  readonly entries: readonly Entry[];
}

const EMPTY_CHUNK: EntryChunk = { index: 0, entries: [] };

/** Yields every entry of a range, one leaf at a time. The chunks come in the order in which the leaves are read. */
export async function* iterateEntries(
  source: NodeSource,
  root: MapRoot,
  bounds: KeyBounds = {},
): AsyncGenerator<EntryChunk> {
  if (root === null) return;
  const range = toKeyRange(bounds);
  let frontier: readonly OpenNode[] = [{ node: await openRootNode(source, root), start: "" }];
  while (frontier.length > 0 && frontier[0]!.node.level > 1)
    frontier = await openChildren(source, frontier, selectFrontierChildren(frontier, range));
  const leaves: (RangedChild & { readonly index: number })[] = [];
  for (const { node, start } of frontier) {
    if ("entries" in node) yield { index: 0, entries: selectEntries(node, range) };
    else for (const child of selectChildren(node, start, range)) leaves.push({ ...child, index: leaves.length });
    yield EMPTY_CHUNK;
  }
  for await (const { node, pointer } of streamChildren(source, 0, leaves))
    if ("entries" in node) yield { index: pointer.index, entries: selectEntries(node, range) };
}

/** Returns the number of entries in a range. Only the nodes at its two ends are read. */
export async function countEntries(source: NodeSource, root: MapRoot, bounds: KeyBounds = {}): Promise<number> {
  const range = toKeyRange(bounds);
  let total = 0;
  let frontier: readonly OpenNode[] = root === null ? [] : [{ node: await openRootNode(source, root), start: "" }];
  while (frontier.length > 0) {
    const endChildren: RangedChild[] = [];
    for (const { node, start } of frontier) {
      if ("entries" in node) {
        total += Math.max(0, findSortedIndex(node.keys, range.to) - findSortedIndex(node.keys, range.from));
        continue;
      }
      for (const child of selectChildren(node, start, range)) {
        if (child.start >= range.from && child.key < range.to) total += child.count;
        else endChildren.push(child);
      }
    }
    frontier = await openChildren(source, frontier, endChildren);
  }
  return total;
}

/** Returns the children of inner nodes of a level that may have keys in a range. */
function selectFrontierChildren(frontier: readonly OpenNode[], range: KeyRange): RangedChild[] {
  return frontier.flatMap(({ node, start }) => ("entries" in node ? [] : selectChildren(node, start, range)));
}

/** Opens some children of nodes of a level. */
async function openChildren(
  source: NodeSource,
  parents: readonly OpenNode[],
  children: readonly RangedChild[],
): Promise<OpenNode[]> {
  const nodes = await openNodes(source, parents[0]!.node.level - 1, children);
  return children.map(({ start }, i) => ({ node: nodes[i]!, start }));
}
