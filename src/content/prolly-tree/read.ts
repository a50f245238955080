// Reading a map. Every function goes down level by level and asks for all nodes of a level at once. So a read waits
// once for each level, and not at all where the nodes are in memory.

import type { JsonValue } from "./json";
import { findKeyIndex } from "./keys";
import type { ChildPointer, MapEntry, MapNode, MapRoot } from "./node";
import { type MaybePromise, type NodeSource, openMany, openNodes, openRootNode } from "./node-source";
import {
  countLeafEntries,
  isChildWithin,
  type KeyBounds,
  type KeyRange,
  type RangedChild,
  selectChildren,
  selectEntries,
  toKeyRange,
} from "./range";

/** The value of a key; undefined when the map has none. Most reads are of one key, and this takes half the time of reading many. */
export async function getValue(source: NodeSource, root: MapRoot, key: string): Promise<JsonValue | undefined> {
  if (root === null) return undefined;
  const top = openRootNode(source, root);
  let node = top instanceof Promise ? await top : top;
  while (!("entries" in node)) {
    const at = findKeyIndex(node.keys, key);
    if (at === node.keys.length) return undefined;
    const opened: MaybePromise<readonly MapNode[]> = openNodes(source, node.level - 1, [node.getChild(at)]);
    node = (opened instanceof Promise ? await opened : opened)[0]!;
  }
  return node.findEntry(key)?.value;
}

/** The values of keys, in the order asked; undefined where the map has none. */
export async function getValues(
  source: NodeSource,
  root: MapRoot,
  keys: readonly string[],
): Promise<(JsonValue | undefined)[]> {
  const values = new Array<JsonValue | undefined>(keys.length).fill(undefined);
  if (root === null || keys.length === 0) return values;
  const top = openRootNode(source, root);
  let asked: readonly Asked[] = [{ node: top instanceof Promise ? await top : top, places: [...keys.keys()] }];
  while (asked.length > 0) {
    const below = new Map<ChildPointer, number[]>();
    for (const { node, places } of asked) {
      if (places.length === 1 && "entries" in node) values[places[0]!] = node.findEntry(keys[places[0]!]!)?.value;
      else for (const place of places) look(node, keys[place]!, place, values, below);
    }
    const opened = openNodes(source, asked[0]!.node.level - 1, [...below.keys()]);
    const nodes = opened instanceof Promise ? await opened : opened;
    asked = [...below.values()].map((places, i) => ({ node: nodes[i]!, places }));
  }
  return values;
}

/** A node, and where the keys that lead to it stand among those asked for. */
interface Asked {
  readonly node: MapNode;
  readonly places: readonly number[];
}

/** Takes the value out of a leaf, or notes which child of an inner node to ask. */
function look(
  node: MapNode,
  key: string,
  place: number,
  values: (JsonValue | undefined)[],
  below: Map<ChildPointer, number[]>,
): void {
  const at = findKeyIndex(node.keys, key);
  if ("entries" in node) {
    if (node.keys[at] === key) values[place] = node.getEntry(at).value;
    return;
  }
  if (at === node.keys.length) return;
  const child = node.getChild(at);
  const places = below.get(child);
  if (places) places.push(place);
  else below.set(child, [place]);
}

/** What a list is asked for. */
export interface ListEntriesOptions extends KeyBounds {
  /** From the last to the first. Default: false. */
  readonly reverse?: boolean | undefined;
  /** Default: all of them. */
  readonly limit?: number | undefined;
}

/** The entries of a range, in key order or against it. */
export async function listEntries(
  source: NodeSource,
  root: MapRoot,
  options: ListEntriesOptions = {},
): Promise<MapEntry[]> {
  return (await listRanges(source, root, [options]))[0]!;
}

/** The entries of each of some ranges. They wait together, once for each level. */
export async function listRanges(
  source: NodeSource,
  root: MapRoot,
  asked: readonly ListEntriesOptions[],
): Promise<MapEntry[][]> {
  if (root === null) return asked.map(() => []);
  const node = openRootNode(source, root);
  const top = { node: node instanceof Promise ? await node : node, start: "" };
  const lists = asked.map((options) => ({ options, range: toKeyRange(options), opened: [top] as readonly Opened[] }));
  for (let { level } = top.node; level > 0; level--) {
    const needed = lists.map((it) => childrenFor(it));
    const children = new Map(needed.flat().map((ref) => [ref.hash, ref]));
    const opened = openNodes(source, level - 1, [...children.values()]);
    const nodes = opened instanceof Promise ? await opened : opened;
    const byHash = new Map([...children.keys()].map((hash, i) => [hash, nodes[i]!]));
    for (const [i, refs] of needed.entries())
      lists[i]!.opened = refs.map(({ hash, start }) => ({ node: byHash.get(hash)!, start }));
  }
  return lists.map(({ options: { reverse = false, limit }, range, opened }) => {
    const entries = opened.flatMap(({ node }) => ("entries" in node ? selectEntries(node, range) : []));
    return (reverse ? entries.reverse() : entries).slice(0, limit);
  });
}

/** The children of a level that a list needs, in their order. */
function childrenFor(it: {
  readonly options: ListEntriesOptions;
  readonly range: KeyRange;
  readonly opened: readonly Opened[];
}): RangedChild[] {
  const { reverse = false, limit = Number.POSITIVE_INFINITY } = it.options;
  if (!(limit > 0)) return [];
  const refs = it.opened.flatMap(({ node, start }) => ("entries" in node ? [] : selectChildren(node, start, it.range)));
  return reverse ? enough(refs.reverse(), it.range, limit).reverse() : enough(refs, it.range, limit);
}

/** The first children of some: as many as surely have `limit` entries of the range below them. */
function enough(refs: RangedChild[], range: KeyRange, limit: number): RangedChild[] {
  let sure = 0;
  const end = refs.findIndex((ref) => {
    if (isChildWithin(ref, range)) sure += ref.count;
    return sure >= limit;
  });
  return end < 0 ? refs : refs.slice(0, end + 1);
}

/** Entries that follow each other in their map. Some pieces have none: the caller may give others a turn there. */
export interface EntryChunk {
  /** The place of the piece among all of them. */
  readonly index: number;
  readonly entries: readonly MapEntry[];
}

const NOTHING: EntryChunk = { index: 0, entries: [] };

/** Every entry of a range, those of one leaf at a time. They come in the order in which leaves are read. */
export async function* iterateEntries(
  source: NodeSource,
  root: MapRoot,
  bounds: KeyBounds = {},
): AsyncGenerator<EntryChunk> {
  if (root === null) return;
  const range = toKeyRange(bounds);
  let opened = await openTop(source, root);
  while (opened.length > 0 && opened[0]!.node.level > 1)
    opened = await openBelow(source, opened, refsIn(opened, range));
  const leaves: (RangedChild & { readonly at: number })[] = [];
  for (const { node, start } of opened) {
    if ("entries" in node) yield { index: 0, entries: selectEntries(node, range) };
    else for (const ref of selectChildren(node, start, range)) leaves.push({ ...ref, at: leaves.length });
    yield NOTHING;
  }
  for await (const { node, named } of openMany(source, 0, leaves))
    if ("entries" in node) yield { index: named.at, entries: selectEntries(node, range) };
}

/** The children of inner nodes that may have keys in a range. */
function refsIn(opened: readonly Opened[], range: KeyRange): RangedChild[] {
  return opened.flatMap(({ node, start }) => ("entries" in node ? [] : selectChildren(node, start, range)));
}

/** How many entries a range has. Only the nodes at its two ends are read. */
export async function countEntries(source: NodeSource, root: MapRoot, bounds: KeyBounds = {}): Promise<number> {
  const range = toKeyRange(bounds);
  let total = 0;
  let opened = root === null ? [] : await openTop(source, root);
  while (opened.length > 0) {
    const ends: RangedChild[] = [];
    for (const { node, start } of opened) {
      if ("entries" in node) total += countLeafEntries(node, range);
      else
        for (const ref of selectChildren(node, start, range)) {
          if (isChildWithin(ref, range)) total += ref.count;
          else ends.push(ref);
        }
    }
    opened = await openBelow(source, opened, ends);
  }
  return total;
}

/** A node and a text that none of its keys is less than. */
interface Opened {
  readonly node: MapNode;
  readonly start: string;
}

async function openTop(source: NodeSource, root: string): Promise<Opened[]> {
  return [{ node: await openRootNode(source, root), start: "" }];
}

async function openBelow(
  source: NodeSource,
  above: readonly Opened[],
  refs: readonly RangedChild[],
): Promise<Opened[]> {
  const nodes = await openNodes(source, above[0]!.node.level - 1, refs);
  return refs.map(({ start }, i) => ({ node: nodes[i]!, start }));
}
